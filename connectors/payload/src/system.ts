/** Payload as the connector sees it: collections and globals, read and written in one language. */
import { find, only, type Schema } from '@dragoman/walker'
import { type Entry, refusal, type Settings, type System } from '@dragoman/walker/connector'
import { localise } from './localise.ts'
import { schemaOf } from './model.ts'
import type { Collection, Doc, Payload } from './payload-types.ts'

/** Marks what the plugin writes itself, which is no reason to send it again. */
export const ownContext = { dragoman: true } as const
/** The collection name of globals; the id is then their slug. */
export const globalsName = 'globals'

const asNobody = { depth: 0, overrideAccess: true, fallbackLocale: false } as const

export function openSystem(
  payload: Payload,
  chosen: readonly string[],
  settings: () => Promise<Settings>,
): System {
  const blocks = payload.config.blocks ?? []
  const modelOf = ({ collection, id }: Entry): Collection | undefined =>
    chosen.includes(collection)
      ? collection === globalsName
        ? payload.config.globals.find(({ slug }) => slug === id)
        : payload.config.collections.find(({ slug }) => slug === collection)
      : undefined
  const schemaFor = async (model: Collection, collection: string): Promise<Schema | undefined> => {
    const { fields } = await settings()
    const paths = fields?.[collection === globalsName ? model.slug : collection]
    if (!paths) return schemaOf(model.fields, blocks, false)
    return only(schemaOf(model.fields, blocks, true), paths)
  }
  const read = async ({ collection, id }: Entry, locale: string): Promise<Doc | undefined> => {
    const how = { ...asNobody, locale, draft: true }
    if (collection === globalsName) return payload.findGlobal({ ...how, slug: id })
    const found = await payload.findByID({ ...how, collection, id, disableErrors: true })
    return found ?? undefined
  }
  const textsOf = (doc: Doc, schema: Schema) =>
    Object.fromEntries(find(doc, schema).map(({ path, text }) => [path, text]))
  /** The model and the schema, or why there is nothing to translate. */
  const known = async (entry: Entry) => {
    const model = modelOf(entry)
    const schema = model && (await schemaFor(model, entry.collection))
    return model && schema ? { model, schema } : undefined
  }

  return {
    hasCollection: async (collection) =>
      chosen.includes(collection) &&
      (collection === globalsName ||
        payload.config.collections.some(({ slug }) => slug === collection)),
    source: async (entry) => {
      const found = await known(entry)
      const doc = found && (await read(entry, (await settings()).source))
      if (!doc) return undefined
      const title = doc[found.model.admin?.useAsTitle ?? 'title']
      const name = typeof title === 'string' && title.trim() !== '' ? title : entry.id
      return { name, texts: textsOf(doc, found.schema) }
    },
    target: async (entry, language) => {
      const found = await known(entry)
      const doc = found && (await read(entry, language))
      return doc ? textsOf(doc, found.schema) : {}
    },
    write: async ({ entry, language, texts, ours, publish }) => {
      const found = await known(entry)
      const source = found && (await read(entry, (await settings()).source))
      const target = found && (await read(entry, language))
      if (!source || !target) throw refusal(409, 'The entry does not exist any more.')
      const { data, left } = localise(
        found.model.fields,
        { source, target },
        {
          ...{ schema: found.schema, blocks, texts, ours: new Set(ours) },
        },
      )
      const hasDrafts = isDrafted(found.model)
      const how = {
        ...{ ...asNobody, locale: language, context: ownContext },
        data: publish && hasDrafts ? { ...data, _status: 'published' } : data,
        ...(hasDrafts && (publish ? { publishSpecificLocale: language } : { draft: true })),
      }
      if (Object.keys(data).length > 0) {
        if (entry.collection === globalsName) await payload.updateGlobal({ ...how, slug: entry.id })
        else await payload.update({ ...how, collection: entry.collection, id: entry.id })
      }
      return left.length === 0
        ? undefined
        : `Somebody added texts to the translation of ${left.join(', ')}, so it was left as it is.`
    },
  }
}

function isDrafted({ versions }: Collection): boolean {
  return typeof versions === 'object' && versions !== null && 'drafts' in versions
    ? Boolean(versions.drafts)
    : false
}
