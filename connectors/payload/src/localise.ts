/**
 * What is written under one language, from the source, what the language has, and its texts. Rows
 * that languages share are written whole, with their ids, or Payload would make them anew and every
 * other language would lose its texts. Rows of a localized list get no ids of the source.
 */
import { find, place, type Schema, step } from '@dragoman/walker'
import { type Blocks, blocksOf, named } from './model.ts'
import type { Doc, Field } from './payload-types.ts'

export type Localising = {
  readonly schema: Schema
  readonly blocks: Blocks
  /** Every text that the language has afterwards, by its path in the source. */
  readonly texts: Readonly<Record<string, string>>
  /** Texts that a machine wrote before: they may be replaced. Others are a person's. */
  readonly ours: ReadonlySet<string>
}
export type Localised = {
  readonly data: Doc
  /** Lists and rich texts into which a person wrote more: they are left as they are. */
  readonly left: string[]
}
/** One value four times: of the source and of the language, each also with the texts placed. */
type Four = Record<'source' | 'placed' | 'target' | 'filled', unknown>

export function localise(
  fields: readonly Field[],
  docs: { readonly source: Doc; readonly target: Doc },
  { schema, blocks, texts, ours }: Localising,
): Localised {
  const given = Object.entries(texts).map(([path, text]) => ({ path, text }))
  const wanted = find(docs.source, schema)
  const there = find(docs.target, schema)
  const kept = new Set([...Object.values(texts), ...wanted.map(({ text }) => text)])
  const left: string[] = []
  const has = (path: string) => given.some((one) => isAt(one.path, path))

  /** The value of a field that each language has for itself. */
  const own = (field: Field, four: Four, path: string): unknown => {
    if (!has(path)) return four.target
    if ((field.type === 'text' || field.type === 'textarea') && !field.hasMany) return four.placed
    const before = there.filter((one) => isAt(one.path, path))
    const after = wanted.filter((one) => isAt(one.path, path))
    const isSame =
      before.map((one) => one.path).join('\n') === after.map((one) => one.path).join('\n')
    if (isSame) return four.filled
    if (before.some(({ text }) => !kept.has(text) && !ours.has(text))) {
      left.push(path)
      return four.target
    }
    return withoutRowIds(field, four.placed, blocks)
  }

  const object = (list: readonly Field[], four: Four, path: string): Doc => {
    const made: Doc = {}
    for (const [name, field, isLocalized] of named(list, false)) {
      const value = isLocalized
        ? own(field, memberOf(four, name), step(path, name))
        : shared(field, memberOf(four, name), step(path, name))
      if (value !== undefined) made[name] = value
    }
    return made
  }
  /** The value of a field that all languages share, with what is localized below it. */
  const shared = (field: Field, four: Four, path: string): unknown => {
    if (field.type === 'group' || field.type === 'tab')
      return isDoc(four.source) ? object(field.fields ?? [], four, path) : four.source
    if ((field.type !== 'array' && field.type !== 'blocks') || !Array.isArray(four.source))
      return four.source
    return four.source.map((row: unknown) => {
      if (!isDoc(row)) return row
      const inside = fieldsOfRow(field, row, blocks)
      const same = (rows: unknown) =>
        Array.isArray(rows) ? rows.find((one) => isDoc(one) && one.id === row.id) : undefined
      const rows = {
        source: row,
        placed: same(four.placed),
        target: same(four.target),
        filled: same(four.filled),
      }
      const { id, blockType, blockName } = row
      const about = { id, ...(blockType !== undefined && { blockType, blockName }) }
      return { ...about, ...object(inside, rows, step(path, `#${id}`)) }
    })
  }
  const whole: Four = {
    ...docs,
    placed: place(docs.source, schema, given),
    filled: place(docs.target, schema, given),
  }
  const all = object(fields, whole, '')
  const data = Object.fromEntries(Object.entries(all).filter(([name]) => has(step('', name))))
  return { data, left }
}

const isAt = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}.`)

const isDoc = (value: unknown): value is Doc =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const memberOf = (four: Four, name: string): Four => {
  const member = (value: unknown) =>
    isDoc(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return {
    source: member(four.source),
    placed: member(four.placed),
    target: member(four.target),
    filled: member(four.filled),
  }
}

const fieldsOfRow = (field: Field, row: Doc, blocks: Blocks): readonly Field[] =>
  field.type === 'array'
    ? (field.fields ?? [])
    : (blocksOf(field, blocks).find(({ slug }) => slug === row.blockType)?.fields ?? [])

/** New rows get ids of their own; ids of nodes in rich text stay. */
function withoutRowIds(field: Field, value: unknown, blocks: Blocks): unknown {
  if ((field.type === 'array' || field.type === 'blocks') && Array.isArray(value))
    return value.map((row: unknown) => {
      if (!isDoc(row)) return row
      const { id: _, ...rest } = row
      return membersWithoutIds(fieldsOfRow(field, row, blocks), rest, blocks)
    })
  if ((field.type === 'group' || field.type === 'tab') && isDoc(value))
    return membersWithoutIds(field.fields ?? [], value, blocks)
  return value
}

function membersWithoutIds(fields: readonly Field[], value: Doc, blocks: Blocks): Doc {
  const made = { ...value }
  for (const [name, field] of named(fields, true))
    if (Object.hasOwn(made, name)) made[name] = withoutRowIds(field, made[name], blocks)
  return made
}
