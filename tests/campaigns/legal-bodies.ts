/** The largest valid bodies by endpoint: they must not make other callers wait either. */
import { limits, languages as realLanguages } from '@dragoman/contract'
import { priceList } from '../price-list.ts'

const many = <T>(length: number, make: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => make(at))
const field = (at: number) => ({ key: `k${at}`, value: '' })
const wordy = (at: number) => ({ key: `k${at}`, value: 'v'.repeat(180) })
const request = {
  requestName: 'a',
  sourceNativeId: 'a',
  sourceNativeLanguageCode: 'en-us',
  targetNativeLanguageCodes: ['de-de'],
}
/** Of the job that the body is for. */
type Ids = readonly string[]
const languages = (at: number) => many(limits.targetLanguages, (which) => `xx-${at}-${which}`)
const metadata = (at: number) =>
  Object.fromEntries(many(4_000, (which) => [`${at}k${which}`, which]))
/** About as much as 16 MiB hold. */
const fieldsEach = Math.floor((limits.requestsJsonValues - 50_000) / 3 / limits.requestsPerCall)
const metadataEach = Math.floor(limits.requestsJsonValues / 4_100)

/** As large as allowed: 240 fit into one body, and a call may store 1,000 copies. */
const text = 'x'.repeat(limits.metadataBytes - 100)
const inBody = Math.floor(limits.requestsJsonBytes / limits.metadataBytes) - 16
const copies = 1_000
const manyLanguages = realLanguages.slice(0, limits.targetLanguages)
const inManyLanguages = (count: number) => ({
  requests: many(count, () => ({
    ...request,
    fields: [field(0)],
    targetNativeLanguageCodes: manyLanguages,
    extendedMetadata: { text },
  })),
})

const requests = {
  'as many fields as it takes': () => ({
    requests: many(limits.requestsPerCall, () => ({ ...request, fields: many(fieldsEach, wordy) })),
  }),
  'one request of many fields': () => ({ ...request, fields: many(limits.fields, field) }),
  'one request of large fields': () => ({
    ...request,
    fields: many(15, (at) => ({ key: `${at}`, value: '€'.repeat(300_000) })),
  }),
  'as many unknown languages as it takes': () => ({
    requests: many(limits.requestsPerCall, (at) => ({
      ...request,
      fields: [field(0)],
      targetNativeLanguageCodes: languages(at),
    })),
  }),
  'as much metadata as it takes': () => ({
    requests: many(metadataEach, (at) => ({
      ...request,
      fields: [field(0)],
      extendedMetadata: metadata(at),
    })),
  }),
  'as much text in metadata as it takes': () => ({
    requests: many(inBody, (at) => ({
      ...request,
      fields: [field(0)],
      extendedMetadata: { at, text },
    })),
  }),
  'metadata in many languages, as much as it takes': () =>
    inManyLanguages(copies / limits.targetLanguages),
  'metadata in too many languages': () => inManyLanguages(inBody),
  'the same metadata under two names': () => ({
    requests: many(Math.floor(metadataEach / 2), (at) => ({
      ...request,
      fields: [field(0)],
      extendedMetadata: metadata(at),
      ExtendedMetadata: metadata(at),
    })),
  }),
}
const contents = {
  'as many fields as it takes': () => ({ fields: many(limits.fields, field) }),
  'fields of one key': () => ({ fields: many(limits.fields, () => field(0)) }),
}
const approvals = { 'as many ids as it takes': (requestIds: Ids) => ({ requestIds }) }

export const legalBodies: Readonly<
  Record<string, Readonly<Record<string, (requestIds: Ids) => unknown>>>
> = {
  findKnownContent: {
    'as many contents as it takes': () => ({
      items: many(limits.requestsPerCall, (at) => ({
        sourceNativeId: `content ${at}`,
        sha256: at.toString(16).padStart(64, '0'),
      })),
      targetNativeLanguageCodes: ['de-de'],
    }),
  },
  addRequests: requests,
  addFileRequests: requests,
  changeRequests: {
    'as many fields as it takes': (ids) =>
      ids.map((requestId) => ({ requestId, fields: many(fieldsEach, wordy) })),
    'as much metadata as it takes': (ids) =>
      ids
        .slice(0, metadataEach)
        .map((requestId, at) => ({ requestId, extendedMetadata: metadata(at) })),
    'one change for many': (ids) => ({
      requestIds: ids,
      requestsUpdate: { fields: many(limits.fields, field) },
    }),
    'as much text in metadata as it takes': (ids) =>
      ids.slice(0, inBody).map((requestId, at) => ({ requestId, extendedMetadata: { at, text } })),
    'the same metadata for many, as much as it takes': (ids) => ({
      requestIds: ids.slice(0, copies),
      requestsUpdate: { extendedMetadata: { text } },
    }),
    'the same metadata for too many': (ids) => ({
      requestIds: ids,
      requestsUpdate: { extendedMetadata: { text } },
    }),
  },
  changeRequest: { 'as many fields as it takes': () => ({ fields: many(limits.fields, field) }) },
  createSourceContent: contents,
  replaceSourceContent: contents,
  putTranslatedContent: contents,
  approveRequests: approvals,
  rejectRequests: approvals,
  createPriceList: {
    'as many lines as it takes': () => ({
      ...priceList,
      lines: many(limits.priceLines, (at) => ({ ...priceList.lines[0], service: `S${at}` })),
    }),
    'as many unknown languages as it takes': () => ({
      ...priceList,
      lines: many(limits.priceLines, (at) => ({
        ...priceList.lines[0],
        sourceLanguage: `xx-${at}`,
        targetLanguage: `yy-${at}`,
      })),
    }),
  },
}
