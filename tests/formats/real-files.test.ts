/**
 * Files that people wrote for other programs: unchanged they come back byte for byte, translated
 * they are sound for who reads them.
 */
import { type FormatId, formatRows } from '@dragoman/contract/wire'
import { expect, test } from 'vitest'
import { findFormat } from '../../packages/text/src/formats/find-format.ts'
import { FormatError } from '../../packages/text/src/formats/format-error.ts'
import { pseudoText } from '../../packages/text/src/pseudo/pseudo-text.ts'
import { textOf } from './cases.ts'
import { isThere, python } from './judge.ts'
import { formatOf } from './laws.ts'
import { differInOffice } from './office-judge.ts'
import { sameTree } from './pandoc-tree.ts'
import { asked, isWhole, type RealFile, realFiles } from './real-files.ts'
import { type Judge, judges, type WrittenFile } from './real-judges.ts'

/** Programs that take a while are shown the first few; `REAL_FILES=1000` shows them all. */
const first = (pairs: readonly WrittenFile[], few: number): readonly WrittenFile[] =>
  isWhole ? pairs : pairs.slice(0, few)

type FormatCase = {
  readonly id: FormatId
  readonly most?: number
  readonly judge?: Judge | undefined
  readonly target?: string
}
const has = (judge: Judge, program: string, ...args: readonly string[]): Judge | undefined =>
  isThere(program, ...args) ? judge : undefined
const sameInPandoc: Judge = (pairs) =>
  pairs.flatMap(({ path, source, written }) =>
    sameTree(textOf(source), textOf(written)) ? [] : [path],
  )
const few =
  (judge: Judge, count: number): Judge =>
  (pairs) =>
    judge(first(pairs, count))

/** The usual number of files, or as many as there are. */
const most = 2_000
const rows: readonly FormatCase[] = [
  { id: 'po', target: 'pl', judge: has(few(judges.msgfmt, 50), 'msgfmt') },
  { id: 'properties', judge: judges.properties },
  { id: 'apple-strings', judge: has(few(judges.msgcat, 50), 'msgcat') },
  { id: 'yaml', judge: has(judges.yaml, python, '-c', 'import yaml') },
  { id: 'csv', judge: has(judges.csv, python) },
  { id: 'markdown', judge: has(few(sameInPandoc, 10), 'pandoc') },
  { id: 'html', judge: has(judges.html, python) },
  { id: 'xml', judge: has(judges.elements, python) },
  { id: 'json', judge: judges.json },
  { id: 'text' },
  { id: 'php-array', most, judge: has(few(judges.php, 20), 'php') },
  ...(['android', 'resx', 'xliff-1.2', 'xliff-2', 'qt-ts'] as const).map(
    (id): FormatCase => ({ id, most, judge: has(judges.root, python) }),
  ),
  ...(['stringsdict', 'apple-plist'] as const).map(
    (id): FormatCase => ({ id, most, judge: has(judges.plist, python) }),
  ),
  ...(['xcstrings', 'arb'] as const).map((id): FormatCase => ({ id, most, judge: judges.json })),
  ...(['docx', 'xlsx', 'pptx'] as const).map(
    (id): FormatCase => ({ id, most, judge: has((pairs) => differInOffice(id, pairs), 'soffice') }),
  ),
  { id: 'srt', judge: has(judges.srt, python, '-c', 'import srt') },
  { id: 'vtt' },
]

/** A translation that stands beside its source is written, whatever it says. */
const isBilingual = (id: FormatId): boolean => /^(?:po|xcstrings|qt-ts|xliff-.*)$/.test(id)

type Outcome = { readonly pair?: WrittenFile; readonly refused?: string; readonly fault?: string }

/** Unchanged and translated; of a file that its format refuses, the sentence. */
function goRound(id: FormatId, { path, bytes }: RealFile, targetLanguage: string): Outcome {
  const format = formatOf(id)
  try {
    const { segments, write } = format.open(bytes)
    if (write(new Map(), { targetLanguage }) !== bytes)
      return { fault: `${path}: not the same bytes untouched` }
    if (!isBilingual(id))
      if (write(new Map(segments.map((one) => [one.id, one.parts])), { targetLanguage }) !== bytes)
        return { fault: `${path}: not the same bytes by identity` }
    const written = write(new Map(segments.map((one) => [one.id, pseudoText(one.parts)])), {
      targetLanguage,
    })
    const again = format.read(written)
    if (!segments.every((one, at) => again[at]?.id === one.id) || again.length !== segments.length)
      return { fault: `${path}: other texts when read again` }
    return { pair: { path, source: bytes, written } }
  } catch (error) {
    if (error instanceof FormatError) return { refused: error.message }
    return { fault: `${path}: ${error}` }
  }
}

/** Each sentence once, with numbers and names left out, and how often it was said. */
function tally(sentences: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const sentence of sentences) {
    const plain = sentence.replace(/"[^"]*"/g, '"…"').replace(/\d+/g, '#')
    counts.set(plain, (counts.get(plain) ?? 0) + 1)
  }
  return [...counts].map(([sentence, count]) => `  ${count} × ${sentence}\n`).join('')
}

test.each(rows)(
  '$id',
  { timeout: isWhole ? 3_600_000 : 120_000 },
  ({ id, judge, most = asked, target = 'de-DE' }) => {
    const files = realFiles(
      formatRows[id].extensions,
      most,
      ({ path, bytes }) => findFormat(path, bytes)?.id === id,
    )
    const outcomes = files.map((file) => goRound(id, file, target))
    const pairs = outcomes.flatMap(({ pair }) => pair ?? [])
    const refused = outcomes.flatMap(({ refused }) => refused ?? [])
    process.stdout.write(
      `${id}: ${files.length} real files, ${refused.length} refused\n${isWhole ? tally(refused) : ''}`,
    )
    // The gate installs packages that bring so many.
    if (
      process.env.CI === 'true' &&
      /^(?:po|properties|yaml|markdown|xml|json|xliff-1\.2)$/.test(id)
    )
      expect(files.length).toBeGreaterThanOrEqual(asked)
    const faults = outcomes.flatMap(({ fault }) => fault ?? [])
    expect([...faults, ...(judge?.(pairs) ?? []).map((path) => `${path}: another shape`)]).toEqual(
      [],
    )
    expect(refused.length).toBeLessThanOrEqual(files.length / 10)
  },
)
