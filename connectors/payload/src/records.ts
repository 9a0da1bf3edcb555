/** Records of the connector in a hidden collection: no caller of the API reads or writes them. */

import type { KeptTexts } from '@dragoman/sdk'
import type { Records } from '@dragoman/walker/connector'
import type { Collection, Doc, Payload, PayloadRequest } from './payload-types.ts'

export const recordsSlug = 'dragoman-records'
const nobody = () => false

export const recordsCollection: Collection = {
  slug: recordsSlug,
  access: { create: nobody, read: nobody, update: nobody, delete: nobody },
  admin: { hidden: true },
  lockDocuments: false,
  timestamps: false,
  fields: [
    { name: 'key', type: 'text', unique: true, index: true, required: true },
    { name: 'value', type: 'json' },
  ] as never,
}

const all = { overrideAccess: true, depth: 0 } as const
const of = { collection: recordsSlug, ...all }
const keyIs = (key: string) => ({ key: { equals: key } })

export function openRecords(payload: Payload, req?: PayloadRequest): Records {
  const more = req ? { ...of, req } : of
  const find = async (key: string) =>
    (await payload.find({ ...more, where: keyIs(key), limit: 1, pagination: false })).docs[0]
  return {
    get: async (key) => contentOf(await find(key)),
    put: async (key, value) => {
      const data = { key, value: { content: value } }
      const known = await find(key)
      if (known) await payload.update({ ...more, id: String(known.id), data })
      else await payload.create({ ...more, data })
    },
    remove: async (key) => {
      await payload.delete({ ...more, where: keyIs(key) })
    },
    list: async (prefix) => {
      const where = { key: { contains: prefix } }
      const how = { ...more, where, limit: 0, pagination: false, sort: 'key' } as const
      return (await payload.find(how)).docs
        .filter(({ key }) => String(key).startsWith(prefix))
        .map((doc) => ({ key: String(doc.key), value: contentOf(doc) }))
    },
  }
}

/** In an object, because Payload reads a text in a field of JSON as JSON. */
function contentOf(doc: Doc | undefined): unknown {
  const { value } = doc ?? {}
  return typeof value === 'object' && value !== null && 'content' in value
    ? value.content
    : undefined
}

/** What the SDK keeps: the id of the installation, and how far the updates were read. */
export const keptIn = (records: Records): KeptTexts => ({
  get: async (key) => {
    const text = await records.get(`kept:${key}`)
    return typeof text === 'string' ? text : undefined
  },
  set: async (key, text, { once } = {}) => {
    if (once && (await records.get(`kept:${key}`)) !== undefined) return
    await records.put(`kept:${key}`, text)
  },
  remove: (key) => records.remove(`kept:${key}`),
})
