/** What a chip shows, and what a screen reader calls it. */
import type { TextTag } from '@dragoman/contract/wire'

/** Blanks that a person could not see. */
const signs: Readonly<Record<string, string>> = {
  '\n': '↵',
  '\r': '',
  '\t': '⇥',
  '\u00a0': '⍽',
  ' ': '␣',
}

/** Blanks as signs, where there is nothing else to see. */
export const showsOf = ({ shows }: TextTag): string =>
  shows.trim() === '' ? [...shows].map((letter) => signs[letter] ?? letter).join('') : shows

type Look = { readonly chip?: string; readonly number?: string; readonly shows?: string }

/** What a person reads on a chip, and what a screen reader says. */
export type TagWords = Readonly<Record<'shows' | 'name', (tag: TextTag) => string>>

/** The element of a chip for the editor; the same as ChipText renders. */
export function drawChip(tag: TextTag, css: Look, words: TagWords): HTMLElement {
  const chip = document.createElement('span')
  chip.className = css.chip ?? ''
  chip.dir = 'ltr'
  chip.draggable = true
  chip.dataset.chip = String(tag.tag)
  chip.title = tag.shows
  chip.setAttribute('role', 'img')
  chip.setAttribute('aria-label', words.name(tag))
  chip.append(part(css.number, String(tag.tag)), part(css.shows, words.shows(tag)))
  return chip
}

function part(className: string | undefined, text: string): HTMLElement {
  const element = document.createElement('span')
  element.className = className ?? ''
  element.textContent = text
  return element
}
