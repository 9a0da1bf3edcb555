/**
 * Character data of XML: references become characters and are written as in the source. References
 * that need a DTD stay codes.
 */

import type { Piece } from '../../placeholders/protect.ts'
import { respell } from '../../placeholders/respell.ts'
import { FormatError } from '../format-error.ts'
import { splitCdata } from './xml-scan.ts'

const predefined: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Maps a character to the reference that the source uses for it. */
export type Spellings = Map<string, string>

export function readCharacters(raw: string, spellings: Spellings): Piece[] {
  if (!raw.includes('&')) return raw === '' ? [] : [{ type: 'text', text: raw }]
  const pieces: Piece[] = []
  let text = ''
  let from = 0
  for (const { index, 0: reference, 1: name = '' } of raw.matchAll(/&([^;&\s]{1,64});/g)) {
    text += raw.slice(from, index)
    from = index + reference.length
    const character = characterOf(name)
    if (character === undefined) {
      pieces.push({ text }, { kind: 'entity', raw: reference })
      text = ''
    } else {
      text += character
      if (!spellings.has(character)) spellings.set(character, reference)
    }
  }
  pieces.push({ text: text + raw.slice(from) })
  return pieces.filter((piece) => 'kind' in piece || piece.text !== '')
}

/** The texts of pieces, and the codes between them as they are. */
export const sourceOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => ('text' in piece ? piece.text : piece.raw)).join('')

/** A blank written as a reference is intended and stays a code; other blanks are layout. */
function characterOf(name: string): string | undefined {
  if (Object.hasOwn(predefined, name)) return predefined[name]
  const [, hex, decimal] = /^#(?:x([\da-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? []
  const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : 0
  if (code <= 32 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined
  return String.fromCodePoint(code)
}

export function spellText(text: string, spellings: ReadonlyMap<string, string>): string {
  mustBeXml(text)
  const reference = (character: string) =>
    character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'
  return respell(text, spellings, { special: /[&<>]/g, spell: reference })
}

export const spellAttribute = (value: string): string =>
  spellText(value, new Map())
    .replaceAll('"', '&quot;')
    .replace(/[\t\r\n]/g, ' ')

export function spellCdata(text: string): string {
  mustBeXml(text)
  return text.replaceAll(']]>', splitCdata)
}

/** The text of what stands between the marks of a section. */
export const readCdata = (inner: string): string => inner.replaceAll(splitCdata, ']]>')

export const refer = (character: string): string => `&#${character.codePointAt(0)};`

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const impossible = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

function mustBeXml(text: string): void {
  const bad = impossible.exec(text)
  if (!bad) return
  const code = bad[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  throw new FormatError(
    'UNREPRESENTABLE',
    `A translation contains the character U+${code}, which XML does not allow.`,
  )
}

/** The charset that the XML declaration names. */
export const xmlCharset = (head: string): string | undefined =>
  /^<\?xml\s[^>]{0,256}?encoding\s{0,16}=\s{0,16}["']([\w.:-]{1,64})["']/.exec(head)?.[1]
