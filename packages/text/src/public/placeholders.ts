/** Placeholders and tags of a text, for programs that hand texts to something that may harm them. */

import { cutTexts } from '../formats/whole-files.ts'
import type { Part } from '../placeholders/part.ts'

/** A text whose placeholders and tags are numbers in brackets. */
export type HiddenPlaceholders = {
  /** The text, with `⟦1⟧`, `⟦2⟧` and so on for its placeholders and tags. */
  readonly text: string
  /** What the numbers stand for; the first is `⟦1⟧`. */
  readonly codes: readonly string[]
}

const codeOf = (part: Part): string[] => (part.type === 'code' ? [part.raw] : [])

/**
 * Replaces the placeholders, tags and addresses of a text by numbers in brackets, so that a
 * translation engine leaves them alone.
 *
 * @example
 * import { hidePlaceholders, showPlaceholders } from '@dragoman/text'
 *
 * const { text, codes } = hidePlaceholders('Hello {name}, <b>welcome</b>')
 * console.log(text) // Hello ⟦1⟧, ⟦2⟧welcome⟦3⟧
 * console.log(showPlaceholders('Hallo ⟦1⟧, ⟦2⟧willkommen⟦3⟧', codes)) // Hallo {name}, <b>willkommen</b>
 */
export function hidePlaceholders(text: string): HiddenPlaceholders {
  const [parts = []] = cutTexts([text])
  let at = 0
  const hidden = parts.map((part) => (part.type === 'text' ? part.text : `⟦${++at}⟧`))
  return { text: hidden.join(''), codes: parts.flatMap(codeOf) }
}

/**
 * Writes the placeholders and tags of a text back for their numbers. A number that stands for
 * nothing stays as it is; `checkTranslation` tells what is missing.
 *
 * @example
 * import { showPlaceholders } from '@dragoman/text'
 *
 * console.log(showPlaceholders('Hallo ⟦1⟧', ['{name}'])) // Hallo {name}
 */
export const showPlaceholders = (text: string, codes: readonly string[]): string =>
  text.replace(/⟦(\d{1,6})⟧/g, (mark, number) => codes[Number(number) - 1] ?? mark)
