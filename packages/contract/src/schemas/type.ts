/**
 * The typebox builders that the tables use: typed by typebox, made here. Loading typebox itself
 * would add almost a fifth to the processor time of a hub's start, and would be half of the SDK in
 * a browser. A test compares every builder with typebox's own.
 */
import type TypeBox from 'typebox'

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union'
  | 'Unsafe'
>
type Schema = Record<string, unknown>
type Options = Readonly<Schema>

/**
 * As in typebox, an optional property carries a non-enumerable mark, so that it does not appear in
 * JSON.
 */
const optional = '~optional'
const simple = (type: string) => (options?: Options) => ({ type, ...options })

const builders = {
  Array: (items: Schema, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: simple('boolean'),
  Enum: (values: readonly string[], options?: Options) => ({ enum: values, ...options }),
  Integer: simple('integer'),
  Literal: (value: string, options?: Options) => ({ type: typeof value, const: value, ...options }),
  Number: simple('number'),
  Object: (properties: Record<string, Schema>, options?: Options) => {
    const required = Object.keys(properties).filter(
      (name) => !(optional in (properties[name] ?? {})),
    )
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, optional, { value: true }),
  String: simple('string'),
  Union: (anyOf: readonly Schema[], options?: Options) => ({ anyOf, ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
}

const Type = builders as unknown as Builders
export default Type
