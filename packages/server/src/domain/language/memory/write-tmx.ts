/**
 * Writes units as TMX 1.4 that any reader accepts, and that the hub reads again as they were. Codes
 * become <ph>, and characters that XML cannot hold an empty <ph> that names them. Pure; long texts
 * are written in a worker.
 */

import { protect } from '@dragoman/text/placeholders'
import { isSmall, runSafely } from '../worker/run.ts'

export type TmxHead = { readonly sourceLanguage: string | undefined; readonly time: number }
export type WrittenUnit = {
  readonly tuid: string
  readonly sourceLanguage: string
  readonly targetLanguage: string
  readonly source: string
  readonly target: string
  readonly context: string | null
  readonly changedAt: number
}

/** The property of a unit that keeps the hash of its neighbours. */
export const contextProperty = 'x-dragoman-context'
/** The type of a <ph> that stands for a character, with its code in hexadecimal. */
export const characterType = 'x-dragoman-character-'

export const tmxHead = ({ sourceLanguage, time }: TmxHead): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
<header creationtool="Dragoman" creationtoolversion="2" segtype="block" o-tmf="Dragoman" adminlang="en" srclang="${escapeXml(sourceLanguage ?? '*all*')}" datatype="plaintext" creationdate="${stamp(time)}"/>
<body>
`
export const tmxEnd = '</body>\n</tmx>\n'

export const writeUnits = (units: readonly WrittenUnit[]): string => units.map(unitText).join('')

export const writeUnitsSafely = async (
  siteId: string,
  units: readonly WrittenUnit[],
): Promise<string> =>
  isSmall(units.flatMap(({ source, target }) => [source, target]))
    ? writeUnits(units)
    : runSafely(new URL('./write-tmx.ts', import.meta.url), 'writeUnits', [units], { siteId })

function unitText(unit: WrittenUnit): string {
  const { tuid, sourceLanguage, targetLanguage, context, changedAt } = unit
  const property =
    context === null ? '' : `<prop type="${contextProperty}">${escapeXml(context)}</prop>`
  const variant = (language: string, text: string) =>
    `<tuv xml:lang="${escapeXml(language)}"><seg>${segment(text)}</seg></tuv>`
  return `<tu tuid="${tuid}" srclang="${escapeXml(sourceLanguage)}" changedate="${stamp(changedAt)}">${property}${variant(sourceLanguage, unit.source)}${variant(targetLanguage, unit.target)}</tu>\n`
}

function segment(text: string): string {
  let written = ''
  for (const part of protect(text.toWellFormed()))
    written += 'text' in part ? characters(part.text) : `<ph>${characters(part.raw)}</ph>`
  return written
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const characters = (text: string): string =>
  escapeXml(text).replace(
    impossible,
    (one) => `<ph type="${characterType}${one.charCodeAt(0).toString(16)}"/>`,
  )

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would read it as a line feed.
  '\r': '&#13;',
}
const escapeXml = (text: string): string => text.replace(/[&<>"\r]/g, (one) => entities[one] ?? one)

/** Writes a time as `20261117T093000Z`. */
const stamp = (time: number): string =>
  new Date(time).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')
