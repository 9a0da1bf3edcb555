/**
 * Texts that break readers, alone and in random combinations, in all the places they can appear.
 */
import type { Read } from './growth.ts'

export type Wrap = (inner: string) => string
export type Reader = {
  readonly name: string
  readonly read: Read
  /** The texts that hurt this reader most: each is repeated. */
  readonly hostile: readonly string[]
  /** Where the hostile text appears in the input; alone by default. */
  readonly inside?: readonly Wrap[]
}

export const alone: Wrap = (inner) => inner
export const around =
  (before: string, after = ''): Wrap =>
  (inner) =>
    before + inner + after
export const escaped =
  (wrap: Wrap): Wrap =>
  (inner) =>
    wrap(inner.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`))
export const quoted: Wrap = (inner) => JSON.stringify({ a: inner })
export const inField = around('<content><field key="a">', '</field></content>')
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
/**
 * In pieces, as from a socket: small ones, so that work over and over again for each piece shows.
 */
export async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = bytesOf(text)
  for (let at = 0; at < bytes.length; at += 1_024) yield bytes.subarray(at, at + 1_024)
}

/** For ICU: unclosed, only quotes, nested as deep as allowed. */
export const messages = [
  "''{a,plural,other{",
  "{a,plural,other{}x{''",
  '{a,plural,other{',
  '{a,select,other{}',
  "{a,plural,other{'",
  '{a,select,b{}} ',
  `${'{a,select,other{'.repeat(24)}x${'}}'.repeat(24)}`,
  "'{",
]
export const markup = ['<', '<a', '<a b="', '<!--', '<a b=c ', '<i>', '</b>', '&', '&#1', '&a;']
/** Marks of several classes, which normalisation must reorder. */
export const marks = ['\u0315\u0300', 'a\u0323\u0301', '\u0344\u0323']
export const blanks = [' ', '\u00a0', '\u3000\u200b', ' \n', '\r']

/**
 * Long runs of short words and blanks, of which real texts are made: every reader gets all of them.
 */
export const words = ['ab ', 'a  b \n ', 'a\t\u00a0b ']

/** What every reader gets some of besides its own. */
export const common =
  `{ } ' '{ {a { , plural < > </ <a> </a> <!-- --> <! <? <![CDATA[ ]]> ] [ ( ) & &# &amp; " "" \\ \\" - -- . , ; : = / // *
  # % %% @ a 0 A ⟦ ⟧ | _ a@b http:// www. a. a, a- a=b&`
    .split(/\s+/)
    .concat(
      ' ',
      '\t',
      '\n',
      '\r\n',
      '\u00a0',
      '\u2028',
      '\u0301',
      '\ufffc',
      '\ufeff',
      '\0',
      '\x80',
      'é',
      'ﷺ',
    )
    .concat('\ud83d\ude00', '\ud800')

/** Numbers below 1 that follow from the seed (mulberry32). */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type Made = { readonly name: string; readonly make: (length: number) => string }

export const repeated = (unit: string): Made => ({
  name: JSON.stringify(unit),
  make: (length) => unit.repeat(Math.ceil(length / unit.length)),
})

/** Openings and as many closings; a beginning, a run and an end; or several in turn. */
export function makeUp(chance: () => number, units: readonly string[]): Made {
  const pick = (): string => units[Math.floor(chance() * units.length)] ?? ''
  const [one, two, three] = [pick(), pick(), pick()]
  if (chance() < 0.3) return repeated(one + two)
  if (chance() < 0.5) return repeated(one + two + three)
  if (chance() < 0.5)
    return {
      name: `${JSON.stringify(one)} and as many ${JSON.stringify(two)}`,
      make: (length) => repeated(one).make(length / 2) + repeated(two).make(length / 2),
    }
  return {
    name: `${JSON.stringify(two)} between ${JSON.stringify(one)} and ${JSON.stringify(three)}`,
    make: (length) => one + repeated(two).make(length) + three,
  }
}
