// Package optional has the types of optional parameters that clients in Go use which
// openapi-generator 4.3.1 makes. The module that they name is on no package source of Debian.
package optional

type String struct{ value *string }

func NewString(value string) String { return String{&value} }
func (one String) IsSet() bool      { return one.value != nil }
func (one String) Value() string    { return *one.value }

type Bool struct{ value *bool }

func NewBool(value bool) Bool { return Bool{&value} }
func (one Bool) IsSet() bool  { return one.value != nil }
func (one Bool) Value() bool  { return *one.value }

type Int32 struct{ value *int32 }

func NewInt32(value int32) Int32 { return Int32{&value} }
func (one Int32) IsSet() bool    { return one.value != nil }
func (one Int32) Value() int32   { return *one.value }

type Int64 struct{ value *int64 }

func NewInt64(value int64) Int64 { return Int64{&value} }
func (one Int64) IsSet() bool    { return one.value != nil }
func (one Int64) Value() int64   { return *one.value }

type Interface struct{ value *interface{} }

func NewInterface(value interface{}) Interface { return Interface{&value} }
func (one Interface) IsSet() bool              { return one.value != nil }
func (one Interface) Value() interface{}       { return *one.value }
