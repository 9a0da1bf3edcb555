/**
 * The fields of a body as a small tree, from which the form to try a call completes what the reader
 * types.
 */
import { type Document, nameOf, type Schema } from './document.ts'

/**
 * `e` are the values that the field may have, `f` the fields inside it, `r` whether it is required.
 */
export type FieldTree = {
  [name: string]: { t: string; e?: readonly unknown[]; f?: FieldTree; r?: 1 }
}

/** Deeper fields are rarely typed by hand. */
const deepest = 4

export function fieldTree(
  document: Document,
  given: Schema,
  above: readonly string[] = [],
): FieldTree {
  const { schema, names } = resolve(document, given, above)
  if (above.length > deepest) return {}
  if (schema.anyOf)
    return Object.assign({}, ...schema.anyOf.map((form) => fieldTree(document, form, names)))
  if (schema.items) return fieldTree(document, schema.items, names)
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const { schema: value } = resolve(document, field, [])
      const values = value.enum ?? (value.type === 'boolean' ? [true, false] : undefined)
      const inside = fieldTree(document, field, [...names, name])
      return [
        name,
        {
          t: value.type ?? (value.anyOf ? 'any' : 'object'),
          ...(values && { e: values }),
          ...(Object.keys(inside).length > 0 && { f: inside }),
          ...(schema.required?.includes(name) && { r: 1 as const }),
        },
      ]
    }),
  )
}

/** Circles end: a schema inside itself has no fields. */
function resolve(
  document: Document,
  schema: Schema,
  above: readonly string[],
): { schema: Schema; names: string[] } {
  if (schema.$ref === undefined) return { schema, names: [...above] }
  const name = nameOf(schema.$ref)
  if (above.includes(name)) return { schema: {}, names: [...above] }
  return resolve(document, document.components.schemas[name] ?? {}, [...above, name])
}
