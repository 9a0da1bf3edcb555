/**
 * SRT and WebVTT subtitles: every cue is a segment. Line ends inside a cue are layout: its lines
 * are joined for translation, and the translation is broken into balanced lines. Times, settings,
 * notes, styles and regions stay.
 */

import { type Piece, tagPiece } from '../../placeholders/protect.ts'
import { defineFormat, escapeId, type SegmentPlace } from '../define-format.ts'
import { FormatError } from '../format-error.ts'
import { eolOf, lineNumber } from '../lines.ts'

export const srt = defineFormat({
  id: 'srt',
  charset: { fallsBack: true },
  find: (text) =>
    findCues(text, { pieces: (words) => [{ text: words }], spell: oneLine, isSrt: true }),
})

export const vtt = defineFormat({
  id: 'vtt',
  charset: { fallsBack: false },
  find: (text) => {
    if (!/^WEBVTT(?:[ \t\r\n]|$)/.test(text))
      throw new FormatError(
        'MALFORMED',
        'The file is not WebVTT: its first line does not begin with WEBVTT.',
      )
    return findCues(text, {
      pieces: vttPieces,
      spell: (words) => spellVtt(oneLine(words)),
      isSrt: false,
    })
  },
})

type Kind = {
  readonly pieces: (text: string) => Piece[]
  readonly spell: (text: string) => string
  /** Every block of SRT is a cue; WebVTT has others too. */
  readonly isSrt: boolean
}
type CueLine = { readonly start: number; readonly end: number; readonly text: string }

function findCues(text: string, kind: Kind): SegmentPlace[] {
  const places: SegmentPlace[] = []
  let block: CueLine[] = []
  let cues = 0
  const finish = () => {
    const times = block.slice(0, 2).findIndex((line) => line.text.includes('-->'))
    const lines = block.slice(times + 1)
    if (kind.isSrt && block.length > 0) mustBeCue(text, block, times, cues > 0)
    if (times >= 0 && !isNote(block)) {
      cues += 1
      const name = times === 1 ? (block[0]?.text.trim() ?? '') : ''
      if (lines.length > 0)
        places.push(placeCue(text, escapeId(name || `cue ${cues}`), lines, kind))
      // More of the last cue, behind an empty line.
    } else if (kind.isSrt && block.length > 0)
      places.push(placeCue(text, `cue ${cues}, more`, block, kind))
    block = []
  }
  for (const line of linesOf(text)) {
    if (line.text.trim() === '') finish()
    else if (isTimes(line) && block.some(isTimes) && !isNote(block)) {
      // Some files have no empty line between cues: the number of the next one is not a text of
      // this one.
      const number = /^\s{0,8}\d{1,10}\s{0,8}$/.test(block.at(-1)?.text ?? '')
        ? block.pop()
        : undefined
      finish()
      block = number ? [number, line] : [line]
    } else block.push(line)
  }
  finish()
  return places
}

const isNote = (block: readonly CueLine[]): boolean =>
  /^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(block[0]?.text ?? '')

const time = String.raw`\s{0,8}(?:\d{1,3}:)?\d{1,3}:\d{1,2}`
/**
 * The times of a cue among its lines: with milliseconds, and nothing but settings behind them. A
 * text may look much like them.
 */
const whole = new RegExp(
  String.raw`^${time}[.,]\d{1,3}\s{0,8}-->${time}[.,]\d{1,3}(?:\s{1,8}\w{1,16}:\S{1,32}){0,8}\s{0,8}$`,
)
const isTimes = ({ text }: CueLine): boolean => whole.test(text)
/** The times of a cue where they belong. */
const someTimes = new RegExp(
  String.raw`^${time}(?:[.,]\d{1,3})?\s{0,8}-->${time}(?:[.,]\d{1,3})?(?:\s|$)`,
)

/** What has no times, or broken ones, cannot be shown, and would stay as it is without a word. */
function mustBeCue(text: string, block: readonly CueLine[], times: number, hasCues: boolean): void {
  const line = (at: number): number => lineNumber(text, block[at]?.start ?? 0)
  const isNumbered = /^\s{0,8}\d{1,10}\s{0,8}$/.test(block[0]?.text ?? '')
  const broken = times >= 0 ? times : isNumbered ? 1 : 0
  if (times >= 0 ? someTimes.test(block[times]?.text ?? '') : hasCues && !isNumbered) return
  const what = times >= 0 || isNumbered ? 'are broken' : 'are missing'
  throw new FormatError(
    'MALFORMED',
    `The file is not SRT: on line ${line(Math.min(broken, block.length - 1))} the times of a cue ${what}. They look like 00:00:01,000 --> 00:00:02,500.`,
  )
}

function* linesOf(text: string): Generator<CueLine> {
  for (let start = 0; start < text.length; ) {
    let end = start
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1
    yield { start, end, text: text.slice(start, end) }
    start = end + (text.startsWith('\r\n', end) ? 2 : 1)
  }
}

const isTurn = ({ text }: CueLine): boolean =>
  /^\s{0,8}(?:<[^<>]{1,64}>)?[-\u2010-\u2015]/.test(text)

function placeCue(
  text: string,
  id: string,
  lines: readonly CueLine[],
  { pieces, spell }: Kind,
): SegmentPlace {
  const [first, last] = [lines[0] ?? { start: 0, text: '' }, lines.at(-1) ?? { end: 0, text: '' }]
  const start = first.start + first.text.length - first.text.trimStart().length
  const end = last.end - (last.text.length - last.text.trimEnd().length)
  const eol = lines.length > 1 ? eolOf(text.slice(start, end)) : eolOf(text)
  // If each line is another speaker, the lines stay separate.
  if (lines.length > 1 && lines.every(isTurn)) {
    const parts = lines.flatMap((line, at): Piece[] => [
      ...(at > 0 ? [{ kind: 'newline', raw: eol } as const] : []),
      ...pieces(line.text.trim()),
    ])
    return { id, pieces: parts, start, end, spell }
  }
  /** A line of a text that begins like the times of a cue would begin one. */
  const begins = lines.some((line) => someTimes.test(line.text)) ? whole : someTimes
  const keep = (line: string): string => (begins.test(line) ? line.replace('-->', '->') : line)
  const compose = (written: string): string =>
    breakLines(written, lines.length, eol).split(eol).map(keep).join(eol)
  const joined = joinLines(lines.map((line) => line.text.trim()))
  return { id, pieces: pieces(joined), start, end, spell, compose }
}

/** Korean is as wide, but has blanks between its words. */
const hangul = /[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]/
const widthOf = (character: string): number => (isWide(character) || hangul.test(character) ? 2 : 1)
const wide = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/
const isWide = (character: string): boolean => wide.test(character)
/** All at once: reading the end of what is joined so far would copy all of it for every line. */
const joinLines = (lines: readonly string[]): string =>
  lines
    .map((line, at) => `${at === 0 || isWideBetween(lines[at - 1], line) ? '' : ' '}${line}`)
    .join('')
const isWideBetween = (one = '', other: string): boolean =>
  isWide(one.slice(-1)) && isWide(other.charAt(0))

/** An empty line ends a cue, so a translation must not contain one. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

/** The usual limits of publishers. */
const most = { characters: 42, lines: 2 } as const

/** Breaks a text into lines of similar length; tags have no length. */
function breakLines(written: string, sourceLines: number, eol: string): string {
  const breaks: { at: number; length: number; size: number }[] = []
  let length = 0
  for (let at = 0; at < written.length; at++) {
    const closing = written[at] === '<' ? '>' : written.startsWith('{\\', at) ? '}' : undefined
    const tag = closing === undefined ? -1 : written.slice(at, at + 256).indexOf(closing)
    if (tag > 0) {
      at += tag
      continue
    }
    // Does not break at two blanks, or before a dash that would look like another speaker.
    if (written[at] === ' ' && /^\S [^\s\u2010-\u2015-]/.test(written.slice(at - 1, at + 2)))
      breaks.push({ at, length, size: 1 })
    else if (isWide(written.charAt(at)) && isWide(written.charAt(at - 1)))
      breaks.push({ at, length, size: 0 })
    length += widthOf(written.charAt(at))
  }
  const wanted = Math.ceil(length / most.characters)
  const count = Math.min(wanted, Math.max(most.lines, sourceLines))
  if (count < 2) return written
  const lines: string[] = []
  let [from, next] = [0, 0]
  for (let line = 1; line < count; line++) {
    const middle = (length * line) / count
    const far = (at: number): number =>
      Math.abs((breaks[at]?.length ?? Number.POSITIVE_INFINITY) - middle)
    while (next + 1 < breaks.length && far(next + 1) <= far(next)) next += 1
    const chosen = breaks[next]
    if (!chosen || chosen.at < from) break
    lines.push(written.slice(from, chosen.at))
    from = chosen.at + chosen.size
    next += 1
  }
  return [...lines, written.slice(from)].join(eol)
}

const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

function vttPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let said = ''
  let from = 0
  for (const { index, 0: raw } of text.matchAll(
    /<[^<>]{0,256}>|&(?:amp|lt|gt|nbsp|lrm|rlm|#\d{1,7}|#x[\da-fA-F]{1,6});/g,
  )) {
    said += text.slice(from, index)
    from = index + raw.length
    const character = characters[raw]
    if (character !== undefined) {
      said += character
      continue
    }
    pieces.push({ text: said }, raw.startsWith('&') ? { kind: 'entity', raw } : tagOf(raw))
    said = ''
  }
  pieces.push({ text: said + text.slice(from) })
  return pieces.filter((piece) => 'kind' in piece || piece.text !== '')
}

/** `<c.loud>` is closed by `</c>`; a time has no closing tag. */
function tagOf(raw: string): Piece {
  if (/^<[\d:.]{1,16}>$/.test(raw)) return { kind: 'tag-empty', raw }
  const piece = tagPiece(raw)
  return { ...piece, name: piece.name?.split('.')[0] ?? '' }
}

const spellVtt = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
