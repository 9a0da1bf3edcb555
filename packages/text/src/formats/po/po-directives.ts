/**
 * Placeholders of languages whose signs are plain text elsewhere: the flags of an entry say that it
 * has them.
 */
import type { Piece } from '../../placeholders/protect.ts'

const lisp = /~[-+\d,'#vV:@]{0,16}[A-Za-z%&|~*?_^;()[\]{}<>/$]/g
const byFlag = new Map([
  ['sh-format', /\$(?:[A-Za-z_]\w{0,63}|\{[A-Za-z_]\w{0,63}\})/g],
  ['lisp-format', lisp],
  ['scheme-format', lisp],
])

/** Whether the lines of flags name such a language, and which signs it has. */
export const directivesOf = (flags: readonly string[]): RegExp | undefined =>
  flags.map((flag) => byFlag.get(flag)).find((pattern) => pattern !== undefined)

export function cutDirectives(text: string, pattern: RegExp): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { index, 0: raw } of text.matchAll(pattern)) {
    if (index > from) pieces.push({ text: text.slice(from, index) })
    pieces.push({ kind: 'placeholder', raw })
    from = index + raw.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}
