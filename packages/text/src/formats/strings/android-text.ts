/**
 * The text of an Android string: backslash escapes, and double quotes that preserve whitespace. An
 * explicit line end (`\n`) and a quote in the middle are codes; other runs of whitespace collapse
 * to one blank.
 */
import type { Piece } from '../../placeholders/protect.ts'

/** Maps a character to the escape that the source uses for it. */
export type Escapes = Map<string, string>

const kept: Record<string, 'newline' | 'placeholder'> = { n: 'newline', t: 'placeholder' }

/** An escape, or a quote; in a text between quotes, which has none, only an escape. */
const special = /\\(?:u[\da-fA-F]{4}|.|$)|"/gs

/**
 * Reads one run of text, with its references already resolved. `quoted`: all of it is between
 * double quotes.
 */
export function readEscapes(text: string, quoted: boolean, escapes: Escapes): Piece[] {
  const pieces: Piece[] = []
  // Looking back at a text that grows would copy it each time: its runs are joined once.
  let runs: string[] = []
  let from = 0
  const endText = (): void => {
    if (runs.length > 0) pieces.push({ text: runs.join('') })
    runs = []
  }
  const copyTo = (end: number): void => {
    const run = text.slice(from, end)
    const folded = quoted ? run : run.replace(/[ \t\r\n]+/g, ' ')
    const said =
      !quoted && folded.startsWith(' ') && runs.at(-1)?.endsWith(' ') ? folded.slice(1) : folded
    if (said !== '') runs.push(said)
  }
  for (const { index, 0: raw } of text.matchAll(special)) {
    if (raw === '"' && quoted) continue
    copyTo(index)
    from = index + raw.length
    const hex = raw.length === 6 ? raw.slice(2) : undefined
    const meant = hex ? String.fromCharCode(Number.parseInt(hex, 16)) : raw.charAt(1)
    const kind = hex ? undefined : kept[meant]
    if (kind || raw.length === 1 || (hex && /[\s\ud800-\udfff]/.test(meant))) {
      endText()
      pieces.push({ kind: kind ?? 'placeholder', raw })
    } else {
      runs.push(meant)
      if (hex && !escapes.has(meant)) escapes.set(meant, raw)
    }
  }
  copyTo(text.length)
  endText()
  return pieces
}

const toEscape = /[\\'"\r\n\t]|[^\x20-\x7e]/gu

export function spellEscapes(
  text: string,
  quoted: boolean,
  escapes: ReadonlyMap<string, string>,
): string {
  if (text.search(toEscape) < 0) return text
  return text.replace(toEscape, (character) => {
    const known = escapes.get(character)
    if (known) return known
    if (character === "'" && quoted) return character
    if (/[\\'"]/.test(character)) return `\\${character}`
    return character === '\n'
      ? '\\n'
      : character === '\t'
        ? '\\t'
        : character === '\r'
          ? ''
          : character
  })
}
