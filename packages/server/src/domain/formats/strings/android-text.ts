/**
 * The text of an Android string: backslash escapes, and double quotes that preserve whitespace. An explicit line end (`\n`) and a
 * quote in the middle are codes; other runs of whitespace collapse to one blank.
 */
import type { Piece } from '../placeholders/protect.ts'

/** Maps a character to the escape that the source uses for it. */
export type Escapes = Map<string, string>

const kept: Record<string, 'newline' | 'placeholder'> = { n: 'newline', t: 'placeholder' }

/** Reads one run of text, with its references already resolved. `quoted`: all of it is between double quotes. */
export function readEscapes(text: string, quoted: boolean, escapes: Escapes): Piece[] {
  const pieces: Piece[] = []
  let said = ''
  const code = (kind: 'newline' | 'placeholder', raw: string) => {
    if (said !== '') pieces.push({ text: said })
    said = ''
    pieces.push({ kind, raw })
  }
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') {
      const hex = /^u([\da-fA-F]{4})/.exec(text.slice(at + 1, at + 6))?.[1]
      const letter = text.charAt(at + 1)
      const raw = text.slice(at, at + (hex ? 6 : 2))
      at += raw.length - 1
      const kind = kept[letter]
      const meant = hex ? String.fromCharCode(Number.parseInt(hex, 16)) : letter
      if (kind) code(kind, raw)
      else if (raw === '\\' || (hex && /[\s\ud800-\udfff]/.test(meant))) code('placeholder', raw)
      else {
        said += meant
        if (hex && !escapes.has(meant)) escapes.set(meant, raw)
      }
    } else if (character === '"' && !quoted) code('placeholder', '"')
    else if (/[ \t\r\n]/.test(character) && !quoted) said += said.endsWith(' ') ? '' : ' '
    else said += character
  }
  if (said !== '') pieces.push({ text: said })
  return pieces
}

export function spellEscapes(text: string, quoted: boolean, escapes: Escapes): string {
  return text.replace(/[\\'"\r\n\t]|[^\x20-\x7e]/gu, (character) => {
    const known = escapes.get(character)
    if (known) return known
    if (character === "'" && quoted) return character
    if (/[\\'"]/.test(character)) return `\\${character}`
    return character === '\n' ? '\\n' : character === '\t' ? '\\t' : character === '\r' ? '' : character
  })
}
