/**
 * The title of a link or an image in Markdown: text without markup, in quotes or parentheses, with
 * escapes.
 */

import { type Piece, protect } from '../../placeholders/protect.ts'
import type { SegmentPlace } from '../define-format.ts'

type Title = { readonly value: string; readonly quote: string }

export const placeTitle = (
  { value, quote }: Title,
  at: Pick<SegmentPlace, 'start' | 'end'>,
  inTable: boolean,
): SegmentPlace => ({
  ...at,
  pieces: readTitle(value),
  spell: (words) => spellTitle(words, quote, inTable),
})

const definition =
  /^[\s>*+\d.)-]{0,32}\[[^[\]\\]{1,500}\]:[ \t]{1,8}(?:<[^<>]{0,2000}>|[^\s<]\S{0,2000})[ \t]{1,8}(?=["'(])/

/** The title of `[label]: url "title"`, if it is on the line of its label and has a word. */
export function placeDefinition(
  line: { readonly start: number; readonly text: string } | undefined,
): SegmentPlace[] {
  const lead = definition.exec(line?.text.slice(0, 3_000) ?? '')?.[0]
  if (!line || lead === undefined) return []
  const [start, end] = [lead.length + 1, line.text.trimEnd().length - 1]
  const [open, quote, value] = [
    line.text.charAt(lead.length),
    line.text.charAt(end),
    line.text.slice(start, end),
  ]
  const isClosed = end > start && quote === (open === '(' ? ')' : open)
  return isClosed && /\p{L}/u.test(value)
    ? [placeTitle({ value, quote }, { start: line.start + start, end: line.start + end }, false)]
    : []
}

function readTitle(value: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { index, 0: raw } of value.matchAll(/\\[!-/:-@[-`{-~]/g)) {
    if (index > from) for (const one of protect(value.slice(from, index))) pieces.push(one)
    pieces.push({ text: raw.slice(1) })
    from = index + raw.length
  }
  if (from < value.length) for (const one of protect(value.slice(from))) pieces.push(one)
  return pieces
}

/** Escapes what ends the title, and what could begin or end code, a tag or another link. */
function spellTitle(words: string, quote: string, inTable: boolean): string {
  const line = words.replace(/[\r\n]+/g, ' ')
  return line.replace(/[\\`<[\]"'()&|]/g, (one, at: number) =>
    needsEscape(line, at, quote, inTable) ? `\\${one}` : one,
  )
}

function needsEscape(words: string, at: number, quote: string, inTable: boolean): boolean {
  const one = words.charAt(at)
  if (one === '"' || one === "'") return one === quote
  if (one === '(' || one === ')') return quote === ')'
  if (one === '&') return /^&(?:#\w{1,8}|[A-Za-z]\w{1,31});/.test(words.slice(at, at + 40))
  return one !== '|' || inTable
}
