/**
 * `find` lists the texts of nested content, `place` returns a copy in which only given texts
 * differ. Both walk in the same way, so that what `find` gives fits where `place` puts it.
 */
import { bounds, copyOf } from './bounds.ts'
import { visitBlocks } from './rich/gutenberg.ts'
import { lexicalTree, strapiTree, visitChildren } from './rich/nodes.ts'
import {
  isObject,
  type ListSchema,
  type Members,
  own,
  type RichSchema,
  type Schema,
  step,
  type Text,
  type TextSchema,
  walkerError,
} from './schema.ts'

type Take = (found: Text) => string | undefined

export function find(value: unknown, schema: Schema): Text[] {
  const found: Text[] = []
  walk(value, schema, (text) => {
    if (found.length === bounds.texts) {
      const most = bounds.texts.toLocaleString('en')
      throw walkerError('TOO_MANY_TEXTS', `The content has more than ${most} texts.`)
    }
    found.push(text)
    return undefined
  })
  return found
}

/** Paths that the content lacks are ignored. */
export function place<T>(
  value: T,
  schema: Schema,
  texts: readonly Pick<Text, 'path' | 'text'>[],
): T {
  const given = new Map(texts.map(({ path, text }) => [path, text]))
  return walk(value, schema, ({ path }) => given.get(path)) as T
}

/** A copy in which every text is what `take` returns for it, or as it was. */
function walk(value: unknown, schema: Schema, take: Take): unknown {
  const holder: Members = { value: copyOf(value) }
  visitMember(holder, 'value', { schema, path: '', take })
  return holder.value
}

type Here = { readonly schema: Schema; readonly path: string; readonly take: Take }

/** A text is replaced in what holds it: an object, or a list by position. */
function visitMember(holder: Members, name: string, { schema, path, take }: Here): void {
  const value = own(holder, name)
  if ('kind' in schema) {
    if (schema.kind === 'RICH') visitRich(holder, name, { schema, path, take })
    else if (typeof value === 'string' && value.trim() !== '') {
      const given = take({ path, text: value, ...aboutOf(schema) })
      if (given !== undefined) holder[name] = given
    }
  } else visitValue(value, { schema, path, take })
}

/** What is inside an object or a list; a value of another type than the schema says is no text. */
function visitValue(value: unknown, { schema, path, take }: Here): void {
  if ('fields' in schema && isObject(value)) {
    for (const [name, inner] of Object.entries(schema.fields))
      if (Object.hasOwn(value, name))
        visitMember(value, name, { schema: inner, path: step(path, name), take })
  } else if ('by' in schema && isObject(value)) {
    const one = own(schema.of, String(own(value, schema.by))) as Schema | undefined
    if (one) visitValue(value, { schema: one, path, take })
  } else if ('items' in schema && Array.isArray(value)) {
    const items = value as unknown as Members
    for (const at of value.keys())
      visitMember(items, String(at), {
        schema: schema.items,
        path: step(path, keyOf(value[at], schema) ?? at),
        take,
      })
  }
}

function keyOf(item: unknown, { key }: ListSchema): string | undefined {
  const id = key !== undefined && isObject(item) ? own(item, key) : undefined
  return typeof id === 'string' || typeof id === 'number' ? `#${id}` : undefined
}

const aboutOf = ({ kind, note, maxLength }: TextSchema) => ({
  kind,
  ...(note !== undefined && { note }),
  ...(maxLength !== undefined && { maxLength }),
})

function visitRich(
  holder: Members,
  name: string,
  { schema, path, take }: Here & { readonly schema: RichSchema },
): void {
  const value = own(holder, name)
  const note = schema.note === undefined ? {} : { note: schema.note }
  const takeRich = (text: string, at: string) => take({ path: at, text, kind: 'RICH', ...note })
  const inside = (inner: unknown, block: Schema, at: string) =>
    visitValue(inner, { schema: block, path: at, take })
  const how = { schema, take: takeRich, inside }
  if (schema.form === 'gutenberg') {
    if (typeof value === 'string') holder[name] = visitBlocks(value, path, how)
  } else if (schema.form === 'strapi') {
    if (!Array.isArray(value)) return
    const root = { children: value }
    visitChildren(root, path, { ...how, tree: strapiTree })
    holder[name] = root.children
  } else if (isObject(value) && isObject(value.root))
    visitChildren(value.root, step(path, 'root'), { ...how, tree: lexicalTree })
}
