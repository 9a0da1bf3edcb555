/**
 * Random edits of random segments, as people make them at the desk: other words, the same codes.
 * What is written splits into what was given, and a program that is not ours takes the file. The
 * slow part makes 500 edits of each format, `npm run test:all` 1,000, and the slower judges see
 * some of the files. With EDITS=10000 in the environment there are as many edits, of more files,
 * and judges see 20 times as many; SEED draws others.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FormatId, formatIds, formatRows } from '@dragoman/contract/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFormat } from '../../packages/text/src/formats/find-format.ts'
import type { Format, Segment } from '../../packages/text/src/formats/format.ts'
import { FormatError } from '../../packages/text/src/formats/format-error.ts'
import type { Part } from '../../packages/text/src/placeholders/part.ts'
import { hasBrowser, sharedChromium } from '../chromium.ts'
import { sized } from '../draws.ts'
import { generators } from './generators.ts'
import { isThere, python } from './judge.ts'
import { bytesOf, formatOf, textOf } from './laws.ts'
import { differInOffice, type OfficeId } from './office-judge.ts'
import { docxOf, pptxOf, xlsxOf } from './office-samples.ts'
import { pack } from './pack.ts'
import { sameTree } from './pandoc-tree.ts'
import { type Judge, judges, type WrittenFile } from './real-judges.ts'
import { unsoundFiles } from './sound-files.ts'
import { cuesOf, hasNoStray } from './vtt-cues.ts'

const samples = join(import.meta.dirname, '../samples')
const paragraph = (text: string): string =>
  `<w:p><w:r><w:t>${text}</w:t></w:r><w:r><w:t> and more</w:t></w:r></w:p>`
const wanted = Number(process.env.EDITS ?? sized(500, 1_000))
const seed = Number(process.env.SEED ?? 1)
const isFull = process.env.EDITS !== undefined
const built: Readonly<Record<string, Uint8Array>> = {
  docx: docxOf(['One', 'Two words', 'Three &amp; four'].map(paragraph).join('')),
  xlsx: xlsxOf('<si><t>One</t></si><si><r><t>Two</t></r><r><t> words</t></r></si>'),
  pptx: pptxOf(
    '<a:p><a:r><a:t>One</a:t></a:r><a:r><a:t> word</a:t></a:r></a:p><a:p><a:r><a:t>Two</a:t></a:r></a:p>',
  ),
  zip: pack([
    { name: 'a.json', content: '{"a": "One", "b": "Two words"}' },
    { name: 'b.txt', content: 'Three\n\nFour\n' },
    { name: 'c.docx', content: docxOf(paragraph('Five')) },
  ]),
}

/** The samples of a format and some generated files. */
function filesOf(id: FormatId): Uint8Array[] {
  const own = readdirSync(samples)
    .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(samples, name))) }))
    .filter(({ name, bytes }) => findFormat(name, bytes)?.id === id)
    .map(({ bytes }) => bytes)
  const made =
    id in generators
      ? fc.sample(generators[id as keyof typeof generators], {
          numRuns: isFull ? 400 : 40,
          seed: 10 + seed,
        })
      : []
  return [...own, ...(built[id] ? [built[id]] : []), ...made.map(bytesOf)].filter((bytes) => {
    try {
      return formatOf(id).read(bytes, options).some(isOpen)
    } catch (error) {
      if (error instanceof FormatError) return false
      throw error
    }
  })
}

const options = { targetLanguage: 'de-DE' }
const isOpen = ({ held, parts }: Segment): boolean =>
  !held && parts.some((part) => part.type === 'text' && /\p{L}/u.test(part.text))

/** What people type, and what a format must not take for its own. */
const typed = fc.oneof(
  fc.constantFrom('Datei', 'größer', 'Öl', '文件', 'ملف', 'файл', '😀', 'e\u0301', 'x'),
  fc.constantFrom(
    '&',
    '<',
    '>',
    '"',
    "'",
    '\\',
    '{',
    '}',
    '%',
    '#',
    '=',
    ':',
    ';',
    ',',
    '|',
    '*',
    '_',
    '[',
    ']',
    '`',
    '~',
  ),
  fc.constantFrom(']]>', '-->', '\\n', '"";', '$x', '//', '/*', '\u00a0'),
)
/** Letters at both ends: whether blanks at the ends stay is up to the format. */
const text = fc.array(typed, { maxLength: 6 }).map((all) => ['Neu', ...all, 'Wort'].join(' '))

const flat = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join('')
/** Subtitles break lines anew. */
const shown = (id: string, parts: readonly Part[]): string =>
  id === 'srt' || id === 'vtt' ? flat(parts).replaceAll(/\s/g, '') : flat(parts)

/** A brace or an apostrophe inside an ICU message is part of its grammar. */
const isMessage = (parts: readonly Part[]): boolean =>
  parts.some((part) => part.type === 'code' && part.kind === 'icu')

const edited = (parts: readonly Part[], draw: () => string): Part[] => {
  const next = isMessage(parts) ? () => draw().replaceAll(/[{}'#]/g, 'x') : draw
  return parts.map((part) => {
    if (part.type !== 'text' || !/\p{L}/u.test(part.text)) return part
    const [before = '', after = ''] = [/^\s*/.exec(part.text)?.[0], /\s*$/.exec(part.text)?.[0]]
    return { ...part, text: before + next() + after }
  })
}

type AnyJudge = (pairs: readonly WrittenFile[]) => string[] | Promise<string[]>
type FormatCase = {
  readonly id: FormatId
  readonly judge?: AnyJudge | undefined
  readonly most?: number
}
const has = (judge: AnyJudge, program: string, ...args: string[]) =>
  isThere(program, ...args) ? judge : undefined
/** A source that python does not take is not judged. */
const sound =
  (id: FormatId): Judge =>
  (pairs) => {
    const bad = (side: 'source' | 'written') =>
      unsoundFiles(pairs.map((pair, at) => ({ id, name: `${at}`, bytes: pair[side] })))
    const sources = new Set(bad('source').map((said) => said.split(':')[0]))
    return bad('written').filter((said) => !sources.has(said.split(':')[0]))
  }
/** Python splits at commas. */
const inCommas: Judge = (pairs) =>
  judges.csv(pairs.filter(({ source }) => !/^[^\n]*[;\t|]/.test(Buffer.from(source).toString())))
/** LibreOffice takes its time: it sees the first files of the many that python reads. */
const inOffice =
  (id: OfficeId): Judge =>
  (pairs) => [
    ...sound(id)(pairs),
    ...(isThere('soffice') ? differInOffice(id, pairs.slice(0, 20)) : []),
  ]
/**
 * Pandoc knows no lone CR, and reads `<?` and a lone `<` on its own terms. Emphasis with lines that
 * now stand inside a word is lost.
 */
const inPandoc: Judge = (pairs) =>
  pairs
    .map(({ path, ...pair }) => ({
      path,
      source: textOf(pair.source).replace(/\r\n?/g, '\n'),
      written: textOf(pair.written).replace(/\r\n?/g, '\n'),
    }))
    .filter(({ source, written }) => !/<(?![a-z/])/.test(source) && !/\p{L}_/u.test(written))
    .filter(({ source, written }) => !sameTree(source, written))
    .map(({ path }) => path)
/** A player finds the same cues. */
const inChromium: AnyJudge = async (pairs) => {
  const page = await (await sharedChromium()).newPage()
  const bad: string[] = []
  try {
    for (const { path, source, written } of pairs) {
      if (!hasNoStray(textOf(source))) continue
      const [before, after] = [
        await page.evaluate(cuesOf, textOf(source)),
        await page.evaluate(cuesOf, textOf(written)),
      ]
      if (String(before) !== String(after)) bad.push(path)
    }
  } finally {
    await page.context().close()
  }
  return bad
}
const xml = ['android', 'resx', 'xliff-1.2', 'xliff-2', 'qt-ts', 'key-value', 'xml'] as const
const rows: readonly FormatCase[] = [
  { id: 'text' },
  { id: 'html', judge: has(judges.html, python) },
  { id: 'markdown', judge: has(inPandoc, 'pandoc'), most: 20 },
  ...xml.map((id): FormatCase => ({ id, judge: has(sound(id), python) })),
  ...(['json', 'arb', 'xcstrings'] as const).map((id): FormatCase => ({ id, judge: judges.json })),
  ...(['stringsdict', 'apple-plist'] as const).map(
    (id): FormatCase => ({ id, judge: has(judges.plist, python) }),
  ),
  { id: 'yaml', judge: has(sound('yaml'), python, '-c', 'import yaml') },
  { id: 'csv', judge: has(inCommas, python) },
  { id: 'po', judge: has(judges.msgfmt, 'msgfmt'), most: 20 },
  { id: 'apple-strings', judge: has(judges.msgcat, 'msgcat'), most: 20 },
  { id: 'properties', judge: judges.properties },
  { id: 'php-array', judge: has(judges.php, 'php'), most: 20 },
  { id: 'srt', judge: has(judges.srt, python, '-c', 'import srt') },
  { id: 'vtt', judge: hasBrowser ? inChromium : undefined, most: 40 },
  ...(['docx', 'xlsx', 'pptx'] as const).map(
    (id): FormatCase => ({ id, judge: has(inOffice(id), python) }),
  ),
  { id: 'zip', judge: has(sound('zip'), python) },
]

test('every format that is translated is among them', () => {
  const ids = formatIds.filter((id) => !('advice' in formatRows[id]))
  expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort())
})

test.each(rows)(
  '$id splits into what was written, and others read it',
  async ({ id, judge, most = 100 }) => {
    const format = formatOf(id)
    const files = filesOf(id).map((bytes) => ({ bytes, segments: format.read(bytes, options) }))
    expect(files.length).toBeGreaterThan(0)
    const texts = fc.sample(text, { numRuns: isFull ? wanted : 500, seed: 4 + seed })
    let drawn = 0
    const next = () => texts[(drawn * 7) % texts.length] ?? 'Neu'
    const pairs: WrittenFile[] = []
    for (let edits = 0, round = 0; edits < wanted; round += 1) {
      const { bytes, segments } = files[round % files.length] as (typeof files)[0]
      const open = segments.filter(isOpen)
      // Some of them, others in every round.
      const chosen = open.filter((_, at) => open.length < 3 || (at + round) % 3 !== 0)
      const translations = new Map<string, Part[]>()
      for (const { id: name, parts } of chosen) {
        translations.set(name, edited(parts, next))
        drawn += 1
      }
      edits += chosen.length
      const written = format.write(bytes, translations, options, options)
      holds(format, { segments, written, translations })
      if (pairs.length < (isFull ? 20 * most : most))
        pairs.push({ path: `round ${round}`, source: bytes, written })
    }
    expect((await judge?.(pairs)) ?? []).toEqual([])
  },
)

type Written = {
  readonly segments: readonly Segment[]
  readonly written: Uint8Array
  readonly translations: ReadonlyMap<string, Part[]>
}

/** The same texts, those that were given and those that were left alone. */
function holds(format: Format, { segments, written, translations }: Written): void {
  const again = new Map(format.read(written, options).map((one) => [one.id, one]))
  for (const { id, parts, target } of segments) {
    const now = again.get(id)
    const given = translations.get(id)
    const isBeside = given !== undefined && now?.target !== undefined
    const found = shown(format.id, isBeside ? (now.target ?? []) : (now?.parts ?? []))
    const wanted = shown(format.id, given ?? parts)
    if (found !== wanted) expect([id, found, target]).toEqual([id, wanted, target])
  }
}
