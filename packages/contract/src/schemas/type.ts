/**
 * The builders of typebox that the tables use: typed by it, made here. Loading typebox itself takes a quarter of the time in
 * which a hub starts, and would be half of the SDK in a browser. A test holds every builder against typebox's own.
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

/** As in typebox, a property says of itself that it may be left out, where no JSON shows it. */
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
    const required = Object.keys(properties).filter((name) => !(optional in (properties[name] ?? {})))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, optional, { value: true }),
  String: simple('string'),
  Union: (anyOf: readonly Schema[], options?: Options) => ({ anyOf, ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
}

const Type = builders as unknown as Builders
export default Type
