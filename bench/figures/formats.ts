/**
 * Files of every format in one worker: split and joined with nothing changed, and read and written
 * with every text changed, against bytes that are only passed there and back.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { docxOf } from '../../tests/formats/office-samples.ts'
import { findModule, repository, runModule } from '../built.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { inTurn, measuredOf, median, ratioOf, throughput } from '../pairs.ts'
import { sentenceFile } from '../sentence-files.ts'

const samples = new URL('tests/samples/', repository)
const pseudo = new URL('packages/text/dist/pseudo/pseudo-file.js', repository)
const copying = new URL('../children/copy-bytes.js', import.meta.url)
const splitting = new URL('../children/split-join.js', import.meta.url)
const pages = new URL('docs/', repository)

/** A worker that has read more is not kept, and its start would be measured, too. */
const megabytes = 2
/** The rate of splitting and joining that no format may fall below. */
const leastRate = 3
/**
 * The size that formats with one line per text must process in two seconds; and the pages of a
 * DOCX.
 */
const promised = {
  megabytes: 10,
  seconds: 2,
  pages: 300,
  formats: ['po', 'properties', 'apple-strings', 'csv', 'yaml'],
}

export const formats: Figure = {
  name: 'formats',
  says: 'files of every format, split and joined, and read and written, in one worker; and their bytes copied through it',
  run: async (bench) => {
    const { findFormat } = await findModule()
    const rows: FigureRow[] = []
    const { quick } = bench.options
    for (const fileName of readdirSync(samples).filter((_, at) => !quick || at % 5 === 0)) {
      const sample = readFileSync(new URL(fileName, samples))
      const format = findFormat(fileName, sample)
      if (!format) continue
      const { id } = format
      // The hub accepts half a million texts per file, and samples have short ones. A copy may have
      // more: its header is a line.
      const added = format.read(grow(sample, megabytes, 2)).length - format.read(sample).length
      const most = 450_000 / Math.max(1, added)
      rows.push(
        ...(await measureRates(bench, id, fileName, grow(sample, quick ? 0.02 : megabytes, most))),
      )
      if (!promised.formats.includes(id)) continue
      const size = quick ? 0.1 : promised.megabytes
      rows.push(await measureTime(bench, id, fileName, { bytes: grow(sample, size, most) }))
      const file = sentenceFile(id, size * 1e6)
      if (file)
        rows.push(
          await measureTime(bench, id, file.fileName, {
            bytes: file.bytes,
            size: `${size} MB of sentences`,
          }),
        )
    }
    rows.push(await measurePages(bench, quick ? 3 : promised.pages))
    // The sample of Markdown has 36 bytes per segment; pages that people read have more.
    rows.push(
      ...(await measureRates(bench, 'markdown, pages of documentation', 'docs.md', readPages())),
    )
    return rows
  },
}

async function measureRates(
  bench: Bench,
  id: string,
  fileName: string,
  bytes: Uint8Array,
): Promise<FigureRow[]> {
  const { runSafely } = await runModule()
  const site = { siteId: 'bench' }
  const perSecond = (act: () => Promise<unknown>) => async (milliseconds: number) => {
    const begun = performance.now()
    let done = 0
    do {
      await act()
      done += bytes.length
    } while (performance.now() - begun < milliseconds)
    return done / 1_000 / (performance.now() - begun)
  }
  const taken = await inTurn(
    bench,
    {
      joined: perSecond(() => runSafely(splitting, 'splitJoin', [fileName, bytes], site)),
      ours: perSecond(() => runSafely(pseudo, 'pseudoNamedFile', [fileName, bytes, 'de-DE'], site)),
      copy: perSecond(() => runSafely(copying, 'copyBytes', [bytes], site)),
    },
    300,
  )
  const rate = (rates: readonly number[]) => `${median(rates).toFixed(1)} MB/s`
  return [
    {
      figure: `Format ${id}: split and joined`,
      ours: rate(taken.joined),
      anchor: '',
      measured: measuredOf(taken.joined),
      unit: 'MB/s',
      target: { atLeast: leastRate },
    },
    {
      figure: `Format ${id}: read and written`,
      ours: rate(taken.ours),
      anchor: `${throughput(taken.copy)} copied`,
      measured: ratioOf(taken.ours, taken.copy),
      unit: 'x',
    },
  ]
}

/** The pages of the documentation as one file. */
function readPages(): Uint8Array {
  const names = readdirSync(pages).filter((name) => name.endsWith('.md'))
  return new TextEncoder().encode(
    names.map((name) => readFileSync(new URL(name, pages), 'utf8')).join('\n\n'),
  )
}

/** A page is 12 paragraphs of 40 words, in three runs each, of which one is bold. */
function measurePages(bench: Bench, pages: number): Promise<FigureRow> {
  const words = 'The committee has agreed on the budget for the coming year '
  const run = (text: string, look = '') =>
    `<w:r>${look}<w:t xml:space="preserve">${text}</w:t></w:r>`
  const paragraph = (number: number) =>
    `<w:p>${run(`${number} ${words.repeat(2)}`)}${run('without any', '<w:rPr><w:b/></w:rPr>')}${run(` change. ${words}`)}</w:p>`
  const body = Array.from({ length: pages * 12 }, (_, number) => paragraph(number)).join('')
  return measureTime(bench, 'docx', 'pages.docx', { bytes: docxOf(body), size: `${pages} pages` })
}

async function measureTime(
  bench: Bench,
  id: string,
  fileName: string,
  {
    bytes,
    size = `${(bytes.length / 1e6).toFixed(1)} MB`,
  }: { readonly bytes: Uint8Array; readonly size?: string },
): Promise<FigureRow> {
  const { runSafely } = await runModule()
  const once = async () => {
    const begun = performance.now()
    await runSafely(pseudo, 'pseudoNamedFile', [fileName, bytes, 'de-DE'], { siteId: 'bench' })
    return (performance.now() - begun) / 1_000
  }
  const { ours } = await inTurn(bench, { ours: once })
  return {
    figure: `Format ${id}: ${size} there and back`,
    ours: `${median(ours).toFixed(2)} s`,
    anchor: '',
    measured: measuredOf(ours),
    unit: 's',
    target: { atMost: promised.seconds },
  }
}

/**
 * Repeats the sample: members of an object, children of a root, or simply lines. An archive stays
 * as it is.
 */
function grow(sample: Uint8Array, size: number, most: number): Uint8Array {
  const text = new TextDecoder().decode(sample)
  const times = Math.ceil(Math.min((size * 1e6) / sample.length, most))
  const repeat = (before: number, after: number, between: string): string =>
    text.slice(0, before) +
    Array(times).fill(text.slice(before, after)).join(between) +
    text.slice(after)
  if (text.startsWith('PK')) return sample
  if (text.startsWith('{')) return new TextEncoder().encode(repeat(1, text.lastIndexOf('}'), ','))
  const root = /<(?![?!])[^>]*>/.exec(text)
  if (text.startsWith('<') && root)
    return new TextEncoder().encode(repeat(root.index + root[0].length, text.lastIndexOf('</'), ''))
  return new TextEncoder().encode(repeat(0, text.length, '\n'))
}
