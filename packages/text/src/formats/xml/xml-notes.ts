/** Notes in XML files: the text of elements, and the comments before an element. */

import { raw } from './xml-content.ts'
import type { Element } from './xml-elements.ts'
import type { Xml } from './xml-scan.ts'
import { readCharacters, sourceOf } from './xml-text.ts'

export const textOf = ({ text, tokens }: Xml, { open, close }: Element): string =>
  tokens
    .slice(open + 1, close)
    .map((token) => {
      if (token.kind === 'cdata') return raw(text, token).slice(9, -3)
      return token.kind === 'text' ? sourceOf(readCharacters(raw(text, token), new Map())) : ''
    })
    .join('')

/** Those that stand directly before it; an empty line parts a comment from what follows. */
export function commentsBefore({ text, tokens }: Xml, { open }: Element): string[] {
  const comments: string[] = []
  for (let at = open - 1; at >= 0; at -= 1) {
    const token = tokens[at]
    if (token?.kind === 'comment') comments.unshift(raw(text, token).slice(4, -3).trim())
    else if (token?.kind !== 'text' || /\S|\n[^\S\n]*\n/.test(raw(text, token))) break
  }
  return comments
}
