/**
 * What is text in a collection: the schema that the walker gets, derived from Payload's own fields.
 * Only what is localized is text; rows that all languages share are told apart by their ids.
 */
import type { Schema } from '@dragoman/walker'
import type { Block, Field } from './payload-types.ts'

export type Blocks = readonly Block[]
type Around = { readonly isLocalized: boolean; readonly blocks: Blocks }

/** Names that are addresses, not texts, unless an administrator chooses them. */
const isSlug = (name: string): boolean => /^slug$|slug$/i.test(name)

/** Payload adds these to rows and blocks; they are texts by their type alone. */
const added = new Set(['id', 'blockName', 'blockType'])

/** All texts of these fields; `withSlugs` for a choice by paths. */
export function schemaOf(fields: readonly Field[], blocks: Blocks, withSlugs: boolean): Schema {
  const open = new Map<readonly Field[], Record<string, Schema>>()
  const object = (list: readonly Field[], around: Around): Schema => {
    const known = around.isLocalized ? undefined : open.get(list)
    if (known) return { fields: known }
    const made: Record<string, Schema> = {}
    if (!around.isLocalized) open.set(list, made)
    for (const [name, field, isLocalized] of named(list, around.isLocalized)) {
      if (field.virtual || field.hidden || added.has(name) || (!withSlugs && isSlug(name))) continue
      const one = schemaOfField(field, { ...around, isLocalized })
      if (one) made[name] = one
    }
    return { fields: made }
  }
  const seen = new Map<string, Schema>()
  const blockOf = (block: Block, around: Around): Schema => {
    const key = `${block.slug} ${around.isLocalized}`
    const known = seen.get(key)
    if (known) return known
    const made: Record<string, Schema> = {}
    const schema: Schema = { fields: made }
    seen.set(key, schema)
    const inner = object(block.fields, around)
    if ('fields' in inner) Object.assign(made, inner.fields)
    return schema
  }
  const oneOf = (list: Blocks, around: Around) =>
    Object.fromEntries(list.map((block) => [block.slug, blockOf(block, around)]))
  const schemaOfField = (field: Field, around: Around): Schema | undefined => {
    switch (field.type) {
      case 'text':
      case 'textarea': {
        if (!around.isLocalized) return undefined
        const note = field.admin?.description
        const text = {
          kind: 'PLAIN' as const,
          ...(typeof note === 'string' && { note }),
          ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
        }
        return field.hasMany ? { items: text } : text
      }
      case 'richText':
        if (!around.isLocalized) return undefined
        return { kind: 'RICH', form: 'lexical', blocks: oneOf(richBlocks(field, blocks), around) }
      case 'group':
      case 'tab':
        return object(field.fields ?? [], around)
      case 'array':
        return rows(object(field.fields ?? [], around), around)
      case 'blocks':
        return rows({ by: 'blockType', of: oneOf(blocksOf(field, blocks), around) }, around)
      default:
        return undefined
    }
  }
  return object(fields, { isLocalized: false, blocks })
}

/** Rows of a localized list belong to one language, and so do their ids. */
const rows = (items: Schema, { isLocalized }: Around): Schema =>
  isLocalized ? { items } : { items, key: 'id' }

/** The fields that are a level of the data, with those of rows and unnamed tabs among them. */
export function named(
  fields: readonly Field[],
  parentLocalized: boolean,
): [string, Field, boolean][] {
  return fields.flatMap((field): [string, Field, boolean][] => {
    if (field.type === 'tabs')
      return (field.tabs ?? []).flatMap((tab) => named([{ ...tab, type: 'tab' }], parentLocalized))
    if (field.name === undefined) return named(field.fields ?? [], parentLocalized)
    return [[field.name, field, parentLocalized || field.localized === true]]
  })
}

export function blocksOf({ blocks, blockReferences }: Field, all: Blocks): Block[] {
  return (blockReferences ?? blocks ?? []).flatMap((one) => {
    const found = typeof one === 'string' ? all.find(({ slug }) => slug === one) : one
    return found ? [found] : []
  })
}

/** Blocks that an editor of Lexical may insert, by its feature of that name. */
function richBlocks({ editor }: Field, all: Blocks): Block[] {
  const map = read(read(editor, 'editorConfig'), 'resolvedFeatureMap')
  const feature = map instanceof Map ? map.get('blocks') : undefined
  const props = read(feature, 'sanitizedServerFeatureProps') ?? read(feature, 'serverFeatureProps')
  return ['blocks', 'inlineBlocks'].flatMap((name) => {
    const list = read(props, name)
    return Array.isArray(list) ? blocksOf({ type: 'blocks', blockReferences: list }, all) : []
  })
}

const read = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
