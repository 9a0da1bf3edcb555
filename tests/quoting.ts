/**
 * What the tests of quotes share: a price list, jobs with fields and files, TMX files that are
 * uploaded and imported.
 */
import type { Quote, TmUpdate } from '@dragoman/contract'
import { expect } from 'vitest'
import type { TestHub } from './hub.ts'

type Json = Record<string, unknown>
const as = 'demo-connector'

export const bands = [
  { name: 'Repetitions', kind: 'Repetition', factor: '0.1' },
  { name: 'Context', kind: 'Context', factor: '0' },
  { name: '100 %', kind: 'Exact', factor: '0.25' },
  { name: '95-99 %', kind: 'Fuzzy', minPercent: 95, maxPercent: 99, factor: '0.3' },
  { name: '75-94 %', kind: 'Fuzzy', minPercent: 75, maxPercent: 94, factor: '0.6' },
  { name: 'New', kind: 'New', factor: '1' },
]
export const prices = {
  name: 'Prices',
  currency: 'EUR',
  validFrom: '2020-01-01',
  bands,
  lines: [
    {
      service: 'Translation',
      sourceLanguage: 'en-us',
      targetLanguage: 'de-de',
      unit: 'Word',
      unitPrice: '0.125',
    },
    {
      service: 'Translation',
      sourceLanguage: 'en-us',
      targetLanguage: '*',
      unit: 'Word',
      unitPrice: '0.2',
    },
  ],
}

const tuv = (language: string, text: string) =>
  `<tuv xml:lang="${language}"><seg>${escaped(text)}</seg></tuv>`
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
export const tmxOf = (units: readonly (readonly [source: string, target: string])[]): string =>
  `<?xml version="1.0"?><tmx version="1.4"><header srclang="en-US"/><body>${units
    .map(([source, target]) => `<tu>${tuv('en-US', source)}${tuv('de-DE', target)}</tu>`)
    .join('\n')}</body></tmx>`

export type Quoting = ReturnType<typeof quoting>

export function quoting(hub: TestHub) {
  const must = async <T = Json>(
    status: number,
    method: string,
    path: string,
    body?: unknown,
    who = as,
  ): Promise<T> => {
    const got = await hub.call<T>(method, `/v2${path}`, {
      as: who,
      ...(body !== undefined && { body }),
    })
    expect(got.status, `${method} ${path}: ${JSON.stringify(got.body).slice(0, 500)}`).toBe(status)
    return got.body
  }
  const newJob = async (more: Json = {}): Promise<string> =>
    (await must<{ jobId: string }>(201, 'POST', '/jobs', { jobName: 'A job', ...more })).jobId
  const upload = async (
    jobId: string,
    fileName: string,
    bytes: string | Uint8Array,
  ): Promise<string> => {
    const path = `/jobs/${jobId}/sourcefiles?fileName=${encodeURIComponent(fileName)}`
    const { fmsFileId, fmsPostMultipartUrl } = await must<Record<string, string>>(201, 'POST', path)
    const form = new FormData()
    form.append('file', new Blob([bytes as string]), fileName)
    expect((await fetch(fmsPostMultipartUrl ?? '', { method: 'POST', body: form })).status).toBe(
      201,
    )
    return fmsFileId ?? ''
  }
  const addRequest = (jobId: string, source: Json, targets: string[] = ['de-de']) =>
    must<{ requests: { requestId: string }[] }>(201, 'POST', `/jobs/${jobId}/requests/add`, {
      requestName: 'A request',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: targets,
      ...source,
    })
  const fieldsOf = (texts: readonly string[]) => ({
    fields: texts.map((value, at) => ({ key: `k${at}`, value })),
  })
  const pair = { sourceNativeLanguageCode: 'EN_us', targetNativeLanguageCode: 'de-DE' }
  return {
    must,
    newJob,
    upload,
    addRequest,
    addTexts: (jobId: string, texts: readonly string[], targets?: string[]) =>
      addRequest(jobId, fieldsOf(texts), targets),
    /** A job with one request of these texts. */
    jobOf: async (texts: readonly string[], more: Json = {}): Promise<string> => {
      const jobId = await newJob(more)
      await addRequest(jobId, fieldsOf(texts))
      return jobId
    },
    setPrices: (list: Json = prices) =>
      must<{ priceListId: string; version: number }>(
        201,
        'POST',
        '/settings/pricelists',
        list,
        'demo-settings',
      ),
    /** Uploads a TMX file and waits for its import. */
    teach: async (file: string | Uint8Array, fileName = 'memory.tmx'): Promise<TmUpdate> => {
      const jobId = await newJob()
      const fmsFileId = await upload(jobId, fileName, file)
      const { tmupdateId } = await must<TmUpdate>(201, 'POST', `/jobs/${jobId}/tmupdates`, {
        fmsFileId,
        ...pair,
      })
      await hub.advance('1s')
      return must<TmUpdate>(200, 'GET', `/jobs/${jobId}/tmupdates/${tmupdateId}`)
    },
    pair,
    quote: (jobId: string) => must<Quote>(200, 'GET', `/jobs/${jobId}/quote`),
    submit: async (jobId: string, providerName = 'Manual'): Promise<void> => {
      const { providers } = await must<{ providers: { id: string; name: string }[] }>(
        200,
        'GET',
        '/providers',
      )
      const providerId = providers.find(({ name }) => name === providerName)?.id
      await must(200, 'PUT', `/jobs/${jobId}/submit`, { providerId })
      await hub.advance('1s')
    },
  }
}

/** The words of a line by band name, without empty bands. */
export const wordsOf = (line: Quote['lines'][number] | undefined): Record<string, number> =>
  Object.fromEntries(
    (line?.bands ?? [])
      .filter(({ segments }) => segments > 0)
      .map(({ name, words }) => [name, words]),
  )
