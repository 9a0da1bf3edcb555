/** The reader for each row of the table of formats, and which row fits a file. */
import {
  detectFormat,
  type FormatId,
  type FormatOptions,
  formatRows,
} from '@dragoman/contract/wire'
import type { Cut } from '../sentences/cut-parts.ts'
import { bounds } from './bounds.ts'
import { peek } from './charset.ts'
import { csv } from './csv/csv.ts'
import type { Format, ReadOptions } from './format.ts'
import { html } from './html/html.ts'
import { inSentences } from './in-sentences.ts'
import { arb } from './json/arb.ts'
import { json } from './json/json.ts'
import { xcstrings } from './json/xcstrings.ts'
import { markdown } from './markdown/markdown.ts'
import { notTranslated } from './not-translated.ts'
import { docx, pptx, xlsx } from './office/office.ts'
import { plainText } from './plain-text/plain-text.ts'
import { po } from './po/po.ts'
import { android } from './strings/android.ts'
import { appleStrings } from './strings/apple-strings.ts'
import { keyValue } from './strings/key-value.ts'
import { phpArray } from './strings/php-array.ts'
import { applePlist, stringsdict } from './strings/plist.ts'
import { properties } from './strings/properties.ts'
import { qtTs } from './strings/qt-ts.ts'
import { resx } from './strings/resx.ts'
import { srt, vtt } from './subtitles/subtitles.ts'
import { xliff1 } from './xliff/xliff-1.ts'
import { xliff2 } from './xliff/xliff-2.ts'
import { xml } from './xml/xml.ts'
import { yaml } from './yaml/yaml.ts'
import { zipOf } from './zip/zip.ts'

const readers: { readonly [Id in FormatId]: Format & { readonly id: Id } } = {
  android,
  resx,
  stringsdict,
  'apple-plist': applePlist,
  arb,
  xcstrings,
  json,
  yaml,
  properties,
  'php-array': phpArray,
  'apple-strings': appleStrings,
  po,
  'xliff-1.2': xliff1,
  'xliff-2': xliff2,
  'qt-ts': qtTs,
  tmx: notTranslated('tmx'),
  tbx: notTranslated('tbx'),
  text: plainText,
  html,
  markdown,
  csv,
  srt,
  vtt,
  docx,
  xlsx,
  pptx,
  zip: zipOf((fileName, bytes) => findFormat(fileName, bytes)),
  'key-value': keyValue,
  xml,
}

const isProse = ({ id }: Format): boolean => 'isProse' in formatRows[id]

export const formats: readonly Format[] = Object.values<Format>(readers).map((format) =>
  isProse(format) ? inSentences(format) : format,
)
const byId: ReadonlyMap<FormatId, Format> = new Map(formats.map((format) => [format.id, format]))

/**
 * What is known about a file besides its bytes. A format named by the sender is used without a
 * check.
 */
export type Named = {
  readonly fileName: string
  readonly contentType?: string | undefined
  readonly format?: FormatId | undefined
  /** What is text in it, where its format leaves a choice. */
  readonly options?: FormatOptions | undefined
  readonly targetLanguage?: string | undefined
  readonly cut?: Cut | undefined
  readonly about?: boolean | undefined
}

export const optionsOf = (named: Named | string): ReadOptions =>
  typeof named === 'string'
    ? {}
    : { ...named.options, targetLanguage: named.targetLanguage, cut: named.cut, about: named.about }

export function findFormat(named: Named | string, bytes: Uint8Array): Format | undefined {
  const file = typeof named === 'string' ? { fileName: named } : named
  const id = file.format ?? detectFormat({ ...file, head: () => peek(bytes, bounds.headBytes) })
  return id && byId.get(id)
}
