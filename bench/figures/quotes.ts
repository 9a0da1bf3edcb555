/**
 * Words per second, the cost of a quote as the memory grows, and the speed and memory of a TMX
 * import.
 */
import { readFileSync } from 'node:fs'
import { countModule, priceModule } from '../built.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { tidy } from '../fill-jobs.ts'
import { fillMemory } from '../fill-memory.ts'
import { inTurn, measuredOf, median, rate, ratioOf } from '../pairs.ts'
import { altered, seeded, sentence } from '../sentences.ts'
import { type Caller, client, createJob, newPlace, startCaller, tokenFor } from '../server.ts'

const bands = [
  { name: 'Repetitions', kind: 'Repetition', factor: '0.1' },
  { name: 'Exact', kind: 'Exact', factor: '0.25' },
  { name: 'Fuzzy', kind: 'Fuzzy', minPercent: 75, maxPercent: 99, factor: '0.6' },
  { name: 'New', kind: 'New', factor: '1' },
] as const
const line = {
  service: 'Translation',
  sourceLanguage: '*',
  targetLanguage: '*',
  unit: 'Word',
  unitPrice: '0.1',
}
const prices = { name: 'Bench', currency: 'EUR', validFrom: '2020-01-01', bands, lines: [line] }

export const countWords: Figure = {
  name: 'count-words',
  says: 'words counted and sorted into bands a second, against cutting the text at blanks',
  run: async (bench) => {
    const { countText } = await countModule()
    const { tallyBands } = await priceModule()
    const draw = seeded(2)
    const texts = Array.from({ length: 10_000 }, () => sentence(draw))
    const perSecond = (count: () => number) => async (milliseconds: number) => {
      const begun = performance.now()
      let words = 0
      while (performance.now() - begun < milliseconds) words += count()
      return (words / (performance.now() - begun)) * 1_000
    }
    const list = { bands: bands.map((band) => ({ ...band })) }
    const taken = await inTurn(bench, {
      ours: perSecond(() => {
        const counted = texts.map((text, at) => ({
          counts: countText(text),
          likeness: { percent: at % 100 },
        }))
        let words = 0
        for (const { counts } of tallyBands(list, counted).values()) words += counts.words
        return words
      }),
      blanks: perSecond(() => texts.reduce((words, text) => words + text.split(/\s+/).length, 0)),
    })
    return [
      {
        figure: 'Words counted and banded',
        ours: rate(taken.ours),
        anchor: `${rate(taken.blanks)} cut at blanks`,
        measured: ratioOf(taken.ours, taken.blanks),
        unit: 'x',
      },
    ]
  },
}

export const quoteOnSqlite: Figure = {
  name: 'quote-sqlite',
  says: 'a quote of 100,000 words against 1,000,000 units, and against 10,000, on SQLite',
  run: (bench) => compareMemories(bench, 'SQLite'),
}
export const quoteOnPostgres: Figure = {
  name: 'quote-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) => {
    const postgres = await bench.postgres()
    return compareMemories(bench, 'PostgreSQL', () => postgres.createDatabase())
  },
}

async function compareMemories(
  bench: Bench,
  database: string,
  newDatabase?: () => Promise<string>,
): Promise<FigureRow[]> {
  const { quick } = bench.options
  const [few, many] = quick ? [200, 400] : [10_000, 1_000_000]
  const words = quick ? 1_000 : 100_000
  const text = textOf(words, few)
  const small = await openWith(bench, few, text, await newDatabase?.())
  const large = await openWith(bench, many, text, await newDatabase?.())
  const quote =
    ({ caller, jobId }: Opened) =>
    async (): Promise<number> => {
      const begun = performance.now()
      const { lines } = (await call(caller, 'GET', `/jobs/${jobId}/quote`)) as {
        lines: { bands: unknown[] }[]
      }
      if (lines[0]?.bands.length !== bands.length) throw new Error('the quote has no bands')
      return (performance.now() - begun) / 1_000
    }
  const taken = await inTurn(bench, { large: quote(large), small: quote(small) })
  await Promise.all([small.caller.stop(), large.caller.stop()])
  return [
    {
      figure: `Quote of ${words.toLocaleString('en')} words at ${many.toLocaleString('en')} units against ${few.toLocaleString('en')}, ${database}`,
      ours: `${median(taken.large).toFixed(2)} s`,
      anchor: `${median(taken.small).toFixed(2)} s`,
      measured: ratioOf(taken.large, taken.small),
      unit: 'x',
      target: { atMost: 2 },
    },
  ]
}

/**
 * A third is similar to units of the memory, a tenth is in it, the rest is new; the same for every
 * size of memory.
 */
function textOf(words: number, known: number): string {
  const memory = seeded(1)
  const units = Array.from({ length: known }, () => sentence(memory))
  const draw = seeded(3)
  const lines: string[] = []
  for (let count = 0; count < words; ) {
    const kind = draw()
    const unit = units[Math.floor(draw() * known)] ?? ''
    const next = kind < 0.1 ? unit : kind < 0.43 ? altered(unit, draw) : sentence(draw)
    lines.push(next)
    count += next.split(' ').length
  }
  return `${lines.join('\n')}\n`
}

type Opened = { readonly caller: Caller; readonly jobId: string }

async function openWith(
  bench: Bench,
  units: number,
  text: string,
  databaseUrl?: string,
): Promise<Opened> {
  const place = await newPlace(bench, databaseUrl)
  const first = await startCaller(bench, place)
  const { jobId, siteId } = await createJob(first)
  await call(first, 'POST', '/settings/pricelists', prices)
  const fmsFileId = await upload(first, jobId, 'words.txt', new Blob([text]))
  await call(first, 'PATCH', `/jobs/${jobId}`, { serviceType: 'Translation' })
  await call(first, 'POST', `/jobs/${jobId}/requests/add`, {
    requestName: 'words',
    sourceNativeId: 'words',
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: ['de-de'],
    fmsFileId,
  })
  await first.stop()
  await fillMemory(bench, place, siteId, { units })
  if (databaseUrl) await tidy(databaseUrl)
  return { caller: await startCaller(bench, place, `quote-${units}`), jobId }
}

export const tmxOnSqlite: Figure = {
  name: 'tmx-import',
  says: 'units of a TMX file imported a second on SQLite, and the most memory that it takes',
  run: (bench) => importTmx(bench, 'SQLite'),
}
export const tmxOnPostgres: Figure = {
  name: 'tmx-import-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) =>
    importTmx(bench, 'PostgreSQL', await (await bench.postgres()).createDatabase()),
}

async function importTmx(
  bench: Bench,
  database: string,
  databaseUrl?: string,
): Promise<FigureRow[]> {
  const megabytes = bench.options.tmxMegabytes
  // Before the hub starts: it would close a connection that is idle while a large file is made.
  const { bytes, units } = tmxFile(megabytes)
  const started = await startCaller(bench, await newPlace(bench, databaseUrl), 'tmx-import')
  let caller = started
  const { jobId } = await createJob(caller)
  const before = residentMegabytes(caller.pid)
  const fmsFileId = await upload(caller, jobId, 'memory.tmx', bytes)
  const pair = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
  const path = `/jobs/${jobId}/tmupdates`
  const begun = performance.now()
  const { tmupdateId } = (await call(caller, 'POST', path, { fmsFileId, ...pair })) as {
    tmupdateId: string
  }
  let peak = before
  let renewedAt = begun
  for (let status = 'WAITING'; status !== 'IMPORTED'; ) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    // A slow import outlives its token, which lives for an hour.
    if (performance.now() - renewedAt > 600_000) {
      caller = { ...started, headers: await tokenFor(started.port, client) }
      renewedAt = performance.now()
    }
    const update = (await call(caller, 'GET', `${path}/${tmupdateId}`).catch(orClosed)) as Record<
      string,
      string
    >
    status = update.importStatus ?? status
    if (status === 'FAILED') throw new Error(update.importError)
    peak = Math.max(peak, residentMegabytes(caller.pid))
  }
  const seconds = (performance.now() - begun) / 1_000
  await caller.stop()
  const speed = Math.round(units / seconds)
  return [
    {
      figure: `TMX file of ${megabytes} MB, ${units.toLocaleString('en')} units, ${database}: time`,
      ours: `${speed.toLocaleString('en')} units/s`,
      anchor: '',
      measured: measuredOf([seconds]),
      unit: 's',
    },
    {
      figure: `TMX file of ${megabytes} MB, ${database}: most memory over the idle hub`,
      ours: `${Math.round(peak)} MB`,
      anchor: `${Math.round(before)} MB idle`,
      measured: measuredOf([peak - before]),
      unit: 'MB',
      target: { atMost: 256 },
    },
  ]
}

function tmxFile(megabytes: number): { bytes: Blob; units: number } {
  const draw = seeded(4)
  let count = 0
  const pieces = ['<?xml version="1.0"?><tmx version="1.4"><header srclang="en-US"/><body>']
  const variant = (language: string, text: string) =>
    `<tuv xml:lang="${language}"><seg>${text}</seg></tuv>`
  // The hub takes no byte more than 1 GB.
  for (let bytes = 0; bytes === 0 || bytes + 1.1 * 1024 ** 2 < megabytes * 1024 ** 2; ) {
    let piece = ''
    while (piece.length < 1024 ** 2) {
      const text = sentence(draw)
      piece += `<tu>${variant('en-US', text)}${variant('de-DE', `${text} (Deutsch)`)}</tu>\n`
      count += 1
    }
    pieces.push(piece)
    bytes += piece.length
  }
  pieces.push('</body></tmx>')
  return { bytes: new Blob(pieces), units: count }
}

/**
 * On a busy machine the hub may close a connection, as idle, at the moment that it is used again.
 */
function orClosed(error: unknown): object {
  if (error instanceof TypeError) return {}
  throw error
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

async function upload(caller: Caller, jobId: string, name: string, bytes: Blob): Promise<string> {
  const transfer = (await call(
    caller,
    'POST',
    `/jobs/${jobId}/sourcefiles?fileName=${name}`,
  )) as Record<string, string>
  // Direct upload is limited to 200 MB.
  if (bytes.size > 150 * 1024 ** 2) await uploadLarge(transfer, bytes, name)
  else {
    const form = new FormData()
    form.append('file', bytes, name)
    const sent = await fetch(transfer.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })
    if (sent.status !== 201)
      throw new Error(`the upload answered ${sent.status}: ${await sent.text()}`)
  }
  return transfer.fmsFileId ?? ''
}

async function uploadLarge(
  transfer: Record<string, string>,
  bytes: Blob,
  name: string,
): Promise<void> {
  const headers = { 'tus-resumable': '1.0.0', sastoken: transfer.fmsSASToken ?? '' }
  const made = await fetch(transfer.fmsUploadUrl ?? '', {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(bytes.size),
      'upload-metadata': `name ${Buffer.from(name).toString('base64')}`,
    },
  })
  if (made.status !== 201)
    throw new Error(`the upload was answered ${made.status}: ${await made.text()}`)
  const at = new URL(made.headers.get('location') ?? '', transfer.fmsUploadUrl)
  const step = 64 * 1024 ** 2
  for (let offset = 0; offset < bytes.size; offset += step) {
    const body = bytes.slice(offset, offset + step)
    const type = {
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
    }
    const sent = await fetch(at, { method: 'PATCH', headers: { ...headers, ...type }, body })
    if (sent.status !== 204)
      throw new Error(`the upload answered ${sent.status}: ${await sent.text()}`)
  }
}

async function call(
  caller: Caller,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${caller.port}/v2${path}`, {
    method,
    headers: {
      ...caller.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok)
    throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
