/**
 * Work that grows with what meets in it stays bounded: many segments in a small file, many targets
 * in one call, lists that nobody sent. Time is that of the processor, memory what is in use.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Caller } from '../packages/server/src/domain/access/caller.ts'
import { countJobWords } from '../packages/server/src/domain/handover/quoting/count-job.ts'
import { importTerms } from '../packages/server/src/domain/language/terms/import-terms.ts'
import { sized } from './draws.ts'
import { pack } from './formats/pack.ts'
import { startHub, type TestHub } from './hub.ts'
import { longestTurn, usedMb } from './longest-turn.ts'
import { packagesOf } from './packages-kit.ts'

/** Of a turn of the event loop; work that is not bounded takes some times as long. */
const mostMs = 200
const segments = sized(100_000, 490_000)
const small = 'a\n\n'.repeat(segments)

describe('bounded work', () => {
  let hub: TestHub
  let kit: ReturnType<typeof packagesOf>
  beforeAll(async () => {
    hub = await startHub({ database: 'sqlite' })
    kit = packagesOf(hub)
    // Workers and their code are there.
    const { task, ids } = await kit.sent([{ name: 'a.txt', file: 'one\n\ntwo' }])
    await get(`${task(ids[0] ?? '')}/segments`)
  })
  afterAll(() => hub?.close())

  type Page = {
    segments: { segmentId: string; version: number }[]
    pagination: { navNext?: string }
  }
  const get = <T = Page>(path: string, as = 'demo-provider') =>
    hub.call<T>('GET', `/v2${path}`, { as })
  const put = (path: string, body: unknown) =>
    hub.call<Page>('PUT', `/v2${path}`, { as: 'demo-provider', body })
  const deskOf = async (file: string) => {
    const sent = await kit.sent([{ name: 'a.txt', file }])
    return { ...sent, at: sent.task(sent.ids[0] ?? '') }
  }

  /** Of all segments that a filter leaves, page by page. */
  const idsOf = async (at: string, filter = 'pageSize=50'): Promise<string[]> => {
    const ids: string[] = []
    for (let query: string | undefined = filter; query !== undefined; ) {
      const { body }: { readonly body: Page } = await get(`${at}/segments?${query}`)
      for (const { segmentId } of body.segments) ids.push(segmentId)
      const next: string | undefined = body.pagination.navNext
      query = next && `navNext=${encodeURIComponent(next)}`
    }
    return ids
  }
  const write = async (at: string, ids: readonly string[], target: (place: number) => string) => {
    for (let from = 0; from < ids.length; from += 500) {
      const segments = ids.slice(from, from + 500).map((segmentId, place) => ({
        ...{ segmentId, version: 0, target: [target(from + place)], state: 'TRANSLATED' },
      }))
      expect((await put(`${at}/segments`, { segments })).status).toBe(200)
    }
  }

  it('a desk of many segments takes no memory as objects, and stops nobody', async () => {
    const { at } = await deskOf(small)
    const before = usedMb()
    const { ms, result } = await longestTurn(() => get(`${at}/segments?pageSize=1`))
    expect(result.status).toBe(200)
    expect(result.body.segments).toHaveLength(1)
    expect(ms).toBeLessThan(mostMs)
    expect(usedMb() - before).toBeLessThan(segments / 10_000)
  })

  it('the words of many segments are counted a page at a time', async () => {
    const { jobId } = await deskOf(small)
    const { ms, result } = await longestTurn(() =>
      get<{ lines: { bands: { words: number }[] }[] }>(`/jobs/${jobId}/words`, 'demo-connector'),
    )
    const words = result.body.lines[0]?.bands.reduce((sum, band) => sum + band.words, 0)
    expect(words).toBe(segments)
    expect(ms).toBeLessThan(mostMs)
  })

  it('the words of many requests with one file are counted once for each pair of languages', async () => {
    const many = sized(2_000, 20_000)
    const as = 'demo-connector'
    const post = async (path: string, body?: unknown) =>
      (await hub.call<Record<string, string>>('POST', `/v2${path}`, { as, body })).body
    const { jobId } = await post('/jobs', { jobName: 'Words' })
    const file = await post(`/jobs/${jobId}/sourcefiles?fileName=a.txt`)
    const form = new FormData()
    // Without digits: texts that differ in numbers alone are alike.
    const texts = Array.from({ length: many }, (_, at) =>
      [...`${at}`].map((digit) => 'abcdefghij'[Number(digit)]).join(''),
    )
    form.append('file', new Blob([texts.join('\n\n')]), 'a.txt')
    await fetch(file.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })
    const requests = Array.from({ length: 4 }, (_, at) => ({
      ...{ requestName: 'r', sourceNativeId: `${at}`, sourceNativeLanguageCode: 'en-us' },
      ...{ targetNativeLanguageCodes: ['de-de', 'fr-fr'], fmsFileId: file.fmsFileId },
    }))
    await post(`/jobs/${jobId}/requests/add`, { requests })
    type Words = { lines: { bands: { name: string; words: number }[] }[] }
    const looked = vi.spyOn(Buffer.prototype, 'readUIntBE')
    try {
      const { body } = await get<Words>(`/jobs/${jobId}/words`, as)
      const bands = body.lines.map((line) =>
        line.bands.flatMap(({ name, words }) => (words > 0 ? [name] : [])),
      )
      // In each pair the first request has new texts, and the others repeat them.
      expect(bands.filter(([name]) => name === 'New')).toHaveLength(2)
      expect(bands.filter(([name]) => name === 'Repetition')).toHaveLength(6)
      const words = new Set(
        body.lines.map((line) => line.bands.reduce((n, one) => n + one.words, 0)),
      )
      expect(words.size).toBe(1)
      expect(looked.mock.calls.length).toBe(2 * many)
    } finally {
      looked.mockRestore()
    }
  })

  it('words are counted no longer than somebody waits for them', async () => {
    const { jobId } = await deskOf('One text.')
    const call = { caller: { siteId: 'demo' } as Caller, traceId: 'a' }
    const { inner } = hub
    expect((await countJobWords(inner, call, jobId)).lines).toHaveLength(1)
    await expect(
      countJobWords(inner, { ...call, gone: AbortSignal.abort() }, jobId),
    ).rejects.toThrow(/closed the connection/)
  })

  it('a list of terms is imported only while somebody waits for it', async () => {
    const call = { caller: { siteId: 'demo', quotas: {} } as Caller, traceId: 'a' }
    const list = async function* () {
      yield Buffer.from('en,de\nabandoned,verlassen\n')
    }
    await expect(
      importTerms(hub.inner, { ...call, gone: AbortSignal.abort() }, { format: 'csv' }, list()),
    ).rejects.toThrow(/closed the connection/)
    const { body } = await get<{ terms: unknown[] }>('/settings/terms?text=abandoned', 'demo-admin')
    expect(body.terms).toEqual([])
  })

  it('a page of a filtered list reads as many targets as it needs, and not all', async () => {
    const count = 2_000
    const { at } = await deskOf(
      Array.from({ length: count }, (_, place) => `Sentence ${place} of many.`).join('\n\n'),
    )
    await write(at, await idsOf(at), (place) => `Satz ${place} von vielen.`)
    const parse = vi.spyOn(JSON, 'parse')
    try {
      const { body } = await get(`${at}/segments?state=TRANSLATED`)
      expect(body.segments).toHaveLength(50)
      expect(parse.mock.calls.length).toBeLessThan(count / 2)
    } finally {
      parse.mockRestore()
    }
  })

  it('a filtered list has every segment once, whatever is written and filtered out', async () => {
    const count = 600
    const { at } = await deskOf(
      Array.from({ length: count }, (_, place) => `Text ${place} of many.`).join('\n\n'),
    )
    const all = await idsOf(at)
    expect(new Set(all).size).toBe(count)
    const written = all.filter((_, place) => place % 3 === 0)
    await write(at, written, () => 'Ein Text.')
    for (const [state, wanted] of [
      ['TRANSLATED', written],
      ['NEW', all.filter((_, place) => place % 3 !== 0)],
    ] as const) {
      const found = await idsOf(at, `state=${state}`)
      expect(found).toEqual(wanted)
    }
  })

  it('500 targets are checked together, in a thread of their own', async () => {
    const { at } = await deskOf(
      Array.from({ length: 500 }, (_, place) => `Text ${place} of (many).`).join('\n\n'),
    )
    const ids = await idsOf(at)
    // Each alone is short enough to be checked at once.
    const target = `Ein Text  mit 12 Wörtern, (und mehr. `.repeat(50)
    const { ms, result } = await longestTurn(() =>
      put(`${at}/segments`, {
        segments: ids.map((segmentId) => ({
          ...{ segmentId, version: 0, target: [target], state: 'TRANSLATED' },
        })),
      }),
    )
    expect(result.status).toBe(200)
    expect(result.body.segments).toHaveLength(500)
    expect(ms).toBeLessThan(mostMs)
  })

  it('a manifest may list as many asset tasks as the job has', async () => {
    const { jobId, path } = await deskOf('A text.')
    const zeros = '0,'.repeat(sized(200_000, 8_000_000))
    const manifest = `{"package":"dragoman","version":1,"format":"xliff12","jobId":"${jobId}","assetTasks":[${zeros}0]}`
    const zip = pack([{ name: 'manifest.json', content: manifest, stored: true }])
    const { ms, result } = await longestTurn(() => kit.deliver(path, zip))
    expect(result).toMatchObject({ status: 422, body: { code: 'PACKAGE_INVALID' } })
    expect(result.body.problems?.[0]?.problem).toMatch(/lists \d+ asset tasks, and the job has 1\./)
    expect(ms).toBeLessThan(mostMs)
    const odd = pack([
      { name: 'manifest.json', content: manifest.replace(/\[.*\]/, '[{"assetTaskId":[]}]') },
    ])
    expect((await kit.deliver(path, odd)).body.problems?.[0]?.problem).toMatch(
      /does not say assetTaskId, path and source of entry 1\./,
    )
  })

  it('a package of more units than were sent is refused with the first problems', async () => {
    const { jobId, ids, path } = await deskOf('A text.')
    const unit = '<trans-unit id="x"><source>a</source><target>b</target></trans-unit>'
    const xliff = `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="dragoman:${jobId}/${ids[0]}/a.txt" source-language="en-us" target-language="de-de" datatype="x"><body>${unit.repeat(sized(1_000, 480_000))}</body></file></xliff>`
    const { status, body } = await kit.deliver(
      path,
      pack([{ name: 'a.xlf', content: xliff, stored: true }]),
    )
    expect([status, body.code, body.problems?.length]).toEqual([422, 'PACKAGE_INVALID', 500])
  })

  it('a list of terms is read in a thread, and a term has no more entries than allowed', async () => {
    const rows = sized(60_000, 300_000)
    const as = 'demo-settings'
    const csv = `termId,language,text\n${'x,en,a\n'.repeat(rows)}`
    const send = (body: string, type: string, format: string) =>
      hub.call('POST', `/v2/settings/terms/import?format=${format}`, {
        ...{ as, body, headers: { 'content-type': type } },
      })
    const { ms, result } = await longestTurn(() => send(csv, 'text/csv', 'csv'))
    expect(result).toMatchObject({
      status: 422,
      body: { code: 'TERM_LIST_INVALID', message: expect.stringMatching(/more than 200 entries/) },
    })
    expect(ms).toBeLessThan(mostMs)
    const many = Array.from(
      { length: rows },
      (_, at) => `<langSec xml:lang="x${at}"><termSec><term>a</term></termSec></langSec>`,
    ).join('')
    const tbx = `<tbx><text><body><conceptEntry id="a">${many}</conceptEntry></body></text></tbx>`
    expect(await send(tbx, 'application/x-tbx', 'tbx')).toMatchObject({
      status: 422,
      body: { code: 'TERM_LIST_INVALID' },
    })
    const forms = `language,text,forms\nen,a,"${'b|'.repeat(rows)}"\n`
    expect(await send(forms, 'text/csv', 'csv')).toMatchObject({
      body: { message: expect.stringMatching(/more than 50 forms/) },
    })
  })
})
