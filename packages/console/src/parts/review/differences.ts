/**
 * The difference of two texts, word by word: what was removed, what was added, what stayed. Pure.
 */
import type { ReviewedSegment, TextParts } from '@dragoman/contract/wire'
import { sameText } from '../chip-editor/texts.ts'

export type Piece = { readonly part: TextParts[number]; readonly kind: 'same' | 'gone' | 'new' }

/** Whether the text is another than in the delivery before. */
export const hasChanged = ({
  previous,
  target,
}: Pick<ReviewedSegment, 'previous' | 'target'>): boolean =>
  previous?.target !== undefined && !sameText(previous.target, target ?? [])

/** Longer texts are shown as replaced: a table of words would take too long. */
const maxCells = 250_000

const cut = new Intl.Segmenter(undefined, { granularity: 'word' })

const wordsOf = (text: TextParts): TextParts =>
  text.flatMap(
    (part): TextParts =>
      typeof part === 'string' ? [...cut.segment(part)].map(({ segment }) => segment) : [part],
  )

const keyOf = (part: TextParts[number]): string =>
  typeof part === 'string' ? part : `\0${part.tag}`

/** Compares by the longest common sequence of words. */
export function differencesOf(before: TextParts, after: TextParts): Piece[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  const [oldKeys, nowKeys] = [old.map(keyOf), now.map(keyOf)]
  const wide = now.length + 1
  if (old.length * wide > maxCells)
    return [
      ...old.map((part) => ({ part, kind: 'gone' as const })),
      ...now.map((part) => ({ part, kind: 'new' as const })),
    ]
  const lengths = new Uint32Array((old.length + 1) * wide)
  const at = (i: number, j: number): number => lengths[i * wide + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * wide + j] =
        oldKeys[i] === nowKeys[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pieces: Piece[] = []
  const add = (part: TextParts[number] | undefined, kind: Piece['kind']) => {
    const last = pieces.at(-1)
    if (typeof part === 'string' && last?.kind === kind && typeof last.part === 'string')
      pieces[pieces.length - 1] = { part: last.part + part, kind }
    else if (part !== undefined) pieces.push({ part, kind })
  }
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && oldKeys[i] === nowKeys[j]) {
      add(now[j], 'same')
      i++
      j++
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1)))
      add(old[i++], 'gone')
    else add(now[j++], 'new')
  }
  return pieces
}
