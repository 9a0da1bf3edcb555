/** The part of a schema that a list of paths of the model chooses. */
import type { Schema } from './schema.ts'

/**
 * A path is the names of the model joined by points, without positions and block names:
 * `layout.items.label`. One that ends early means all below it. Undefined if nothing is left.
 */
export function only(schema: Schema, paths: readonly string[]): Schema | undefined {
  return pick(
    schema,
    paths.map((path) => path.split('.').filter((name) => name !== '')),
  )
}

function pick(schema: Schema, paths: readonly (readonly string[])[]): Schema | undefined {
  if (paths.length === 0) return undefined
  if (paths.some((path) => path.length === 0)) return schema
  if ('kind' in schema) return undefined
  if ('items' in schema) {
    const items = pick(schema.items, paths)
    return items && { ...schema, items }
  }
  const from = 'by' in schema ? schema.of : schema.fields
  const picked = Object.entries(from).flatMap(([name, inner]): [string, Schema][] => {
    const below =
      'by' in schema ? paths : paths.filter(([first]) => first === name).map((one) => one.slice(1))
    const one = pick(inner, below)
    return one ? [[name, one]] : []
  })
  if (picked.length === 0) return undefined
  const chosen = Object.fromEntries(picked)
  return 'by' in schema ? { ...schema, of: chosen } : { fields: chosen }
}

/** Every path of the model at which texts stand. A schema that contains itself is named once. */
export function pathsOf(schema: Schema): string[] {
  const found = new Set<string>()
  const open = new Set<Schema>()
  const visit = (one: Schema, path: readonly string[]) => {
    if (open.has(one)) return
    open.add(one)
    if ('kind' in one) found.add(path.join('.'))
    else if ('items' in one) visit(one.items, path)
    else if ('by' in one) for (const inner of Object.values(one.of)) visit(inner, path)
    else for (const [name, inner] of Object.entries(one.fields)) visit(inner, [...path, name])
    open.delete(one)
  }
  visit(schema, [])
  return [...found]
}
