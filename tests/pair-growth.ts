/**
 * How work grows where two inputs meet: both have n, twice and four times as many items. Twice as
 * many may take three times as long, as with one text (growth.ts); the processor time counts, of all
 * threads.
 */
import { crc32 } from 'node:zlib'
import { readManifest } from '../packages/server/src/domain/desk/packages/manifest.ts'
import { readList } from '../packages/server/src/domain/language/terms/read-list.ts'
import { checkText } from '../packages/text/src/checks/check-text.ts'
import { judgeXliff } from '../packages/text/src/exchange/judge-xliff.ts'
import { loneEntry } from '../packages/text/src/formats/zip/zip-read.ts'
import { openTerms } from '../packages/text/src/terms/open-terms.ts'
import { startHub, type TestHub } from './hub.ts'
import { packagesOf } from './packages-kit.ts'
import { type PagedUpstream, startPagedUpstream } from './paged-upstream.ts'

type Pair = {
  readonly name: string
  /** Items of each input in the first of three measurements. */
  readonly least: number
  /** Prepares the inputs, and gives the work that is measured. */
  readonly make: (items: number) => Promise<() => unknown>
}
export type Series = {
  readonly name: string
  readonly items: readonly number[]
  readonly ms: readonly number[]
}

const languages = { sourceLanguage: 'en', targetLanguage: 'de' }
const entry = (language: string, text: string) => ({ language, text, status: 'PREFERRED' as const })
const list = <T>(items: number, make: (at: number) => T): T[] =>
  Array.from({ length: items }, (_, at) => make(at))
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function findAll(items: number, term: (at: number) => string, text: string) {
  const terms = list(items, (at) => ({
    termId: `${at}`,
    entries: [entry('en', term(at)), entry('de', `Wort ${at}`)],
  }))
  const { judgeTerms } = await openTerms(terms, 'en', 'de')
  return () => judgeTerms(text, text)
}

const prose = (words: number): string => list(words, (at) => `word${at % 5_000}`).join(' ')

/** Those that need no hub. */
const alone: readonly Pair[] = [
  {
    name: 'words of a text × terms that begin alike',
    least: 2_000,
    make: (items) =>
      findAll(items / 10, (at) => 'zap '.repeat(at + 1).trim(), 'zap '.repeat(items)),
  },
  {
    name: 'words of a text × terms of other words',
    least: 20_000,
    make: (items) => findAll(items, (at) => `word${at} word${at + 1}`, prose(items)),
  },
  {
    name: 'words of a text × equal terms',
    least: 5_000,
    make: (items) => findAll(items, () => 'same', 'same '.repeat(items)),
  },
  {
    name: 'words of a source × words of its target',
    least: 20_000,
    make: async (items) => () =>
      checkText({ ...languages, source: [prose(items)], tags: [], target: [prose(items)] }),
  },
  {
    name: 'tags of a source × tags of its target',
    least: 20_000,
    make: async (items) => {
      const tags = list(items, (at) => ({ tag: at + 1, kind: 'SINGLE' as const, shows: '<x/>' }))
      const text = ['a', ...tags.map(({ tag }) => ({ tag })), 'b']
      return () => checkText({ ...languages, source: text, tags, target: [...text].reverse() })
    },
  },
  {
    name: 'tasks of a manifest × tasks of the job',
    least: 50_000,
    make: async (items) => {
      const assetTasks = list(items, (at) => ({
        assetTaskId: `${at}`,
        path: `a${at}`,
        source: 's',
      }))
      const manifest = { package: 'dragoman', format: 'xliff12', jobId: 'j', assetTasks }
      const bytes = bytesOf(JSON.stringify(manifest))
      return () => readManifest(bytes, items)
    },
  },
  {
    name: 'units of a package × segments of its task',
    least: 10_000,
    make: async (items) => {
      const units = list(
        items,
        (at) => `<trans-unit id="u${at}"><source>a</source><target>b</target></trans-unit>`,
      )
      const content = bytesOf(
        `<xliff version="1.2"><file original="dragoman:j/t/a" source-language="en" target-language="de"><body>${units.join('')}</body></file></xliff>`,
      )
      const segments = list(items, (at) => ({ segmentId: `u${at}`, source: ['a'], tags: [] }))
      return () => judgeXliff(loneOf(content), { targetLanguage: 'de', segments })
    },
  },
  {
    name: 'rows of a list × entries of its terms',
    least: 5_000,
    make: async (items) => {
      const rows = list(items, (at) => `${Math.floor(at / 150)},en,word ${at}`)
      const bytes = bytesOf(`termId,language,text\n${rows.join('\n')}`)
      const quotas = { terms: items, bytes: 1024 ** 3 }
      return () => readList(bytes, { format: 'csv' }, quotas)
    },
  },
]

/** Those of a hub: its own process is measured, with its threads. */
const atHub = (hub: TestHub, upstream: PagedUpstream): readonly Pair[] => {
  const kit = packagesOf(hub)
  const get = (path: string) => hub.call('GET', `/v2${path}`, { as: 'demo-provider' })
  const deskOf = async (items: number) => {
    const file = list(items, (at) => `Text ${at} of many.`).join('\n\n')
    const { task, ids } = await kit.sent([{ name: 'a.txt', file }])
    const at = task(ids[0] ?? '')
    await get(`${at}/segments`)
    return at
  }
  return [
    {
      name: 'segments × a filter that finds none',
      least: 20_000,
      make: async (items) => {
        const at = await deskOf(items)
        return () => get(`${at}/segments?text=nowhere`)
      },
    },
    {
      name: 'segments × words that are counted',
      least: 20_000,
      make: async (items) => {
        const file = list(items, (at) => `Text ${at} of many.`).join('\n\n')
        const { jobId } = await kit.sent([{ name: 'a.txt', file }])
        return () => hub.call('GET', `/v2/jobs/${jobId}/words`, { as: 'demo-connector' })
      },
    },
    {
      name: 'pages of an upstream × requests that were sent',
      least: 500,
      make: async (items) => {
        const jobId = await sentOn(hub, upstream, items)
        return async () => {
          const before = upstream.pages()
          await hub.advance('16m')
          if (upstream.pages() - before < items / 50) throw new Error(`${jobId} was not read.`)
        }
      },
    },
    {
      name: 'targets of a call × their words',
      least: 110,
      make: async (items) => {
        const at = await deskOf(500)
        const ids: string[] = []
        for (let query: string | undefined = 'pageSize=50'; query !== undefined; ) {
          const { body } = (await get(`${at}/segments?${query}`)) as unknown as {
            body: { segments: { segmentId: string }[]; pagination: { navNext?: string } }
          }
          for (const { segmentId } of body.segments) ids.push(segmentId)
          const next: string | undefined = body.pagination.navNext
          query = next && `navNext=${encodeURIComponent(next)}`
        }
        const segments = ids.slice(0, items).map((segmentId) => ({
          ...{ segmentId, version: 0, state: 'TRANSLATED' },
          target: ['Ein Satz hat 12 Wörter. '.repeat(20)],
        }))
        const body = { segments }
        return () => hub.call('PUT', `/v2${at}/segments`, { as: 'demo-provider', body })
      },
    },
  ]
}

let last: string | undefined

/** A job with so many requests at the upstream; the one of before has ended. */
async function sentOn(hub: TestHub, { url }: PagedUpstream, items: number): Promise<string> {
  const as = 'demo-admin'
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await hub.call<Record<string, string>>(method, `/v2${path}`, { as, body })
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  if (last !== undefined) await call('PUT', `/jobs/${last}/complete`)
  const config = { url, clientId: 'a', clientSecret: 'b' }
  const { id: providerId } = await call('POST', '/providers', {
    ...{ name: 'Pages', typeId: 'upstream', config },
  })
  const { jobId = '' } = await call('POST', '/jobs', { jobName: 'Pages' })
  await call('POST', `/jobs/${jobId}/requests/add`, {
    requests: list(items, (at) => ({
      ...{ requestName: 'r', sourceNativeId: `${at}`, sourceNativeLanguageCode: 'en-us' },
      ...{ targetNativeLanguageCodes: ['de-de'], fields: [{ key: 'k', value: 'A text.' }] },
    })),
  })
  await call('PUT', `/jobs/${jobId}/submit`, { providerId })
  await hub.advance('1m')
  last = jobId
  return jobId
}

/** A file as it lies in a ZIP archive, stored as it is. */
const loneOf = (bytes: Uint8Array): Parameters<typeof judgeXliff>[0] =>
  loneEntry(Buffer.from(bytes), {
    ...{ name: 'a.xlf', method: 0, crc: crc32(bytes), size: bytes.length },
    ...{ record: 0, header: 0, data: 0, end: bytes.length },
  })

/** The best of three, because any of them may be disturbed. */
async function measure({ name, least, make }: Pair): Promise<Series> {
  const items = [least, 2 * least, 4 * least]
  const ms: number[] = []
  for (const many of items) {
    let best = Number.POSITIVE_INFINITY
    for (let time = 0; time < 3; time += 1) {
      const act = await make(many)
      const used = process.cpuUsage()
      await act()
      const { user, system } = process.cpuUsage(used)
      best = Math.min(best, (user + system) / 1_000)
    }
    ms.push(best)
  }
  return { name, items, ms }
}

/** Those whose names have `part` in them. */
export async function measurePairs(each: (series: Series) => void, part = ''): Promise<void> {
  const wanted = ({ name }: Pair) => name.includes(part)
  for (const pair of alone.filter(wanted)) each(await measure(pair))
  const hub = await startHub({ database: 'sqlite' })
  const upstream = await startPagedUpstream()
  try {
    for (const pair of atHub(hub, upstream).filter(wanted)) each(await measure(pair))
  } finally {
    await hub.close()
    await upstream.close()
  }
}

/** A row of the table in docs/reliability.md. */
export const rowOf = ({ name, items, ms }: Series): string =>
  `| ${name} | ${(items[0] ?? 0).toLocaleString('en')} | ${ms.map((one) => Math.round(one).toLocaleString('en')).join(' | ')} |`
