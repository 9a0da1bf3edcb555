/**
 * The four laws of every format: nothing changed gives the same bytes; places ascend and do not
 * overlap; what is written is read again; everything outside the places is untouched.
 */
import type { FormatOptions } from '@dragoman/contract/wire'
import { expect } from 'vitest'
import { decode } from '../../packages/text/src/formats/charset.ts'
import { formats } from '../../packages/text/src/formats/find-format.ts'
import type { Format, Segment } from '../../packages/text/src/formats/format.ts'
import { openZip, readEntryBytes } from '../../packages/text/src/formats/zip/zip-read.ts'
import type { Part } from '../../packages/text/src/placeholders/part.ts'
import { sameParts } from '../../packages/text/src/placeholders/parts.ts'
import { pseudoText } from '../../packages/text/src/pseudo/pseudo-text.ts'

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
export const textOf = (bytes: Uint8Array): string => decode(bytes, { fallsBack: true }).text
export const formatOf = (id: string): Format => {
  const found = formats.find((format) => format.id === id)
  if (!found) throw new Error(`no format ${id}`)
  return found
}
export const target = { targetLanguage: 'de-DE' }

/**
 * Formats whose translations stand beside their sources, and what is to be left out of them to see
 * the rest.
 */
const besides: Readonly<Record<string, (text: string) => string>> = {
  'xliff-1.2': withoutTargets,
  'xliff-2': withoutTargets,
  po: withoutAnswers,
  'qt-ts': withoutTranslations,
  xcstrings: withoutGerman,
}

/** Without targets, and without what names the language or the state. */
function withoutTargets(text: string): string {
  return text
    .replace(/\s*<((?:\w+:)?target)\b[^>]*?(?:\/>|>[\s\S]*?<\/\1>)/g, '')
    .replace(/ (?:target-language|trgLang|state)="[^"]*"/g, '')
}

/** Without translations, and without what names the language. */
function withoutTranslations(text: string): string {
  return text
    .replace(/\s*<translation\b[^>]*?(?:\/>|>[\s\S]*?<\/translation>)/g, '')
    .replace(/ language="[^"]*"/g, '')
}

/** A string catalogue without what was written. */
function withoutGerman(text: string): string {
  const catalogue = JSON.parse(text.replace(/^\ufeff/, ''))
  for (const entry of Object.values<Record<string, Record<string, unknown>>>(
    catalogue.strings ?? {},
  )) {
    delete entry.localizations?.['de-DE']
    if (Object.keys(entry.localizations ?? {}).length === 0) delete entry.localizations
  }
  return JSON.stringify(catalogue)
}

/** A catalogue without its header, its translations, and what says that one is not sure. */
function withoutAnswers(text: string): string {
  return text
    .replace(/^msgid ""(?:\r\n|\r|\n)msgstr ""(?:(?:\r\n|\r|\n)"[^\r\n]*)+/m, '')
    .replace(/^msgstr.*(?:\s*^".*)*\s*/gm, '')
    .replace(/^#(?:,|\|).*(?:\r\n|\r|\n)/gm, '')
    .trim()
}

/** The text between the places. */
function outside(format: Format, bytes: Uint8Array, segments: readonly Segment[]): string {
  if (isContainer(format.id)) return outsideEntries(bytes, segments)
  const text = textOf(bytes)
  const without = besides[format.id]
  if (without) return without(text)
  const tail = text.slice(segments.at(-1)?.end ?? 0)
  const between =
    segments.map(({ start }, at) => text.slice(segments[at - 1]?.end ?? 0, start)).join('|') + tail
  const language = languages[format.id]
  return language ? between.replace(language, '') : between
}

export const isContainer = (id: string): boolean => ['docx', 'xlsx', 'pptx', 'zip'].includes(id)

/**
 * Every entry of an archive in its order: its text between the places, without what says that
 * blanks are meant.
 */
function outsideEntries(bytes: Uint8Array, segments: readonly Segment[]): string {
  const zip = openZip(bytes)
  return zip.entries
    .map((entry) => {
      const text = Buffer.from(readEntryBytes(zip, entry)).toString('utf8')
      const own = segments.filter(({ id }) => id.startsWith(`${entry.name}#`))
      const between = own.map(({ start }, at) => text.slice(own[at - 1]?.end ?? 0, start)).join('|')
      const rest = (between + text.slice(own.at(-1)?.end ?? 0)).replaceAll(
        ' xml:space="preserve"',
        '',
      )
      return `${entry.name}: ${rest.replace(/<mc:Fallback>.*?<\/mc:Fallback>/gs, '')}`
    })
    .join('\n')
}

/** What names the language of a file that holds one. */
const languages: Readonly<Record<string, RegExp>> = {
  yaml: /^[a-z]{2}(?:[-_]\w+)?(?=:)/m,
  html: /(?<=<html\b[^>]*?\s(?:xml:)?lang=["']?)[\w-]+/gi,
  android: /\s*<(\w[\w-]*)\b[^>]*translatable="false"[^>]*>[\s\S]*?<\/\1>/g,
  arb: /"@@locale"\s*:\s*"[^"]*"/,
}

export function holdLaws(format: Format, bytes: Uint8Array, given?: FormatOptions): void {
  const options = { ...given, ...target }
  const segments = format.read(bytes, options)
  const isBilingual = besides[format.id] !== undefined
  expect(format.write(bytes, new Map(), target, options)).toBe(bytes)
  if (!isBilingual)
    expect(
      format.write(bytes, new Map(segments.map(({ id, parts }) => [id, parts])), target, options),
    ).toBe(bytes)

  let last = 0
  let entry = ''
  for (const { id, start, end } of segments) {
    if (isContainer(format.id) && !id.startsWith(entry)) last = 0
    entry = isContainer(format.id) ? id.slice(0, id.indexOf('#') + 1) : ''
    expect(start).toBeGreaterThanOrEqual(last)
    expect(end).toBeGreaterThanOrEqual(start)
    last = end
  }
  expect(new Set(segments.map(({ id }) => id)).size).toBe(segments.length)

  const translations = new Map<string, readonly Part[]>(
    segments.map(({ id, parts }) => [id, pseudoText(parts)]),
  )
  const written = format.write(bytes, translations, target, options)
  const again = format.read(written, options)
  expect(again.map(({ id }) => id)).toEqual(segments.map(({ id }) => id))
  for (const { id, parts, target: held } of again) {
    const got = isBilingual ? (held ?? []) : parts
    if (!sameParts(got, translations.get(id) ?? [])) expect(got).toEqual(translations.get(id))
  }
  expect(outside(format, written, again)).toBe(outside(format, bytes, segments))
  expect(format.write(bytes, translations, target, options)).toEqual(written)
}

/**
 * Cut into sentences, nothing changed gives the same bytes too, and a sentence that is written
 * changes nothing but its paragraph.
 */
export function holdCut(format: Format, bytes: Uint8Array): number {
  const options = { ...target, cut: { language: 'en-US' } }
  const whole = format.read(bytes, target)
  const cut = format.read(bytes, options)
  expect(cut).toEqual(format.read(bytes, options))
  expect(new Set(cut.map(({ id }) => id)).size).toBe(cut.length)
  expect([...new Set(cut.map(({ id, of }) => of?.id ?? id))]).toEqual(whole.map(({ id }) => id))
  expect(format.write(bytes, new Map(), target, options)).toBe(bytes)
  expect(
    format.write(bytes, new Map(cut.map(({ id, parts }) => [id, parts])), target, options),
  ).toBe(bytes)
  const last = cut.findLast(({ of }) => of)
  if (last?.of) {
    const said = pseudoText(last.parts)
    const written = format.write(bytes, new Map([[last.id, said]]), target, options)
    const again = new Map(format.read(written, target).map((one) => [one.id, one]))
    for (const { id, parts } of whole)
      if (id !== last.of.id) expect(again.get(id)?.parts).toEqual(parts)
    const rawOf = (parts: readonly Part[]) =>
      parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join('')
    expect(rawOf(again.get(last.of.id)?.parts ?? [])).toContain(rawOf(said))
  }
  return cut.length - whole.length
}

const asUtf16 = (text: string, bom: string): Uint8Array =>
  new Uint8Array(Buffer.from(bom + text, 'utf16le'))
/** The same file as other systems would have written it. */
export const variants: [string, (text: string) => Uint8Array][] = [
  ['as it is', bytesOf],
  ['with CRLF', (text) => bytesOf(text.replaceAll('\n', '\r\n'))],
  ['with lone CR', (text) => bytesOf(text.replaceAll('\n', '\r'))],
  ['with a BOM', (text) => bytesOf(`\ufeff${text}`)],
  ['with a BOM and CRLF', (text) => bytesOf(`\ufeff${text.replaceAll('\n', '\r\n')}`)],
  [
    'in UTF-16 with a BOM',
    (text) => asUtf16(text.replace('encoding="UTF-8"', 'encoding="UTF-16"'), '\ufeff'),
  ],
  ['in UTF-16 without a BOM', (text) => asUtf16(text, '')],
  [
    'in UTF-16, big end first',
    (text) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16()),
  ],
  ['without a final line end', (text) => bytesOf(text.trimEnd())],
]
