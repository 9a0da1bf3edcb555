/** A place in a file where a translation goes, and an edit of the file. */

import type { Piece } from '../placeholders/protect.ts'
import type { About } from './about.ts'
import type { Target } from './format.ts'

export type Edit = {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Character references are not possible here (CDATA). */
  readonly verbatim?: boolean | undefined
}

const noEdges: readonly [string, string] = ['', '']

/** The blanks around a text, escaped; a translation is written between them. */
export function edgesOf(
  value: string,
  spell: (text: string) => string,
): readonly [before: string, after: string] {
  const inner = value.trim()
  if (inner.length === value.length) return noEdges
  const lead = value.indexOf(inner)
  return [spell(value.slice(0, lead)), spell(value.slice(lead + inner.length))]
}

/** A segment as found by its format. */
export type SegmentPlace = {
  /** The default is the number of the segment. */
  readonly id?: string | undefined
  readonly pieces: readonly Piece[]
  /** The existing translation in a bilingual file; empty if there is none. */
  readonly target?: readonly Piece[]
  /** Keep the existing translation. */
  readonly held?: boolean
  readonly start: number
  readonly end: number
  /** Escapes a text for this place. */
  readonly spell: (text: string) => string
  /** Text to write before and after the translation, such as a missing element. */
  readonly around?: readonly [before: string, after: string] | undefined
  /**
   * Neighbours with the same value are written all or none, because together they make one element.
   */
  readonly together?: string
  /**
   * Changes the escaped translation as a last step. `group` holds the texts of all places that are
   * written together, including this one.
   */
  readonly compose?:
    | ((written: string, target: Target, group: readonly string[]) => string)
    | undefined
  /** Character references are not possible here (CDATA). */
  readonly verbatim?: boolean
  /** What the file says about the text; asked only by readers that show it. */
  readonly about?: (() => About) | undefined
  /** Further edits when this place is written. Equal edits from several places are made once. */
  readonly also?: ((target: Target, written: string) => readonly Edit[]) | undefined
}
