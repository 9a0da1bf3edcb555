/** Words in texts: case and diacritics are ignored, and the beginning of a word finds it. Pure. */

/** The most of a typed text that is looked at. */
const mostTyped = 200

/** The text in small letters without diacritics, each letter at the place where it was. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  return /^[\x20-\x7e\n]*$/.test(lower) && lower.length === text.length
    ? lower
    : text.replace(/[^\x20-\x40\x5b-\x60]/g, foldUnit)
}

function foldUnit(unit: string): string {
  const plain = unit.normalize('NFD').charAt(0).toLowerCase()
  return plain.length === 1 ? plain : unit
}

const isLetter = (unit: string | undefined): boolean =>
  unit !== undefined && /[\p{L}\p{N}]/u.test(unit)

export const wordsOf = (typed: string): string[] => [
  ...new Set(
    fold(typed.slice(0, mostTyped).normalize('NFC'))
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  ),
]

/** A text with its folded form. */
export type Folded = { readonly text: string; readonly folded: string }
export const folded = (text: string): Folded => ({ text, folded: fold(text) })

/**
 * What a typed word stands for: itself, and its stem, which finds its other forms (retry: retries,
 * retried).
 */
export function formsOf(word: string): string[] {
  const [, stem = '', end = ''] = /^(\w{2,30}?)(y|ies|ied|ying)$/.exec(word) ?? []
  if (end !== '') return [...new Set([word, `${stem}y`, `${stem}i`])]
  const [, short = ''] = /^(\w{4,30}?)(ing|ed|es|s)$/.exec(word) ?? []
  return short === '' ? [word] : [word, short]
}

export type Hit = { readonly at: number; readonly end: number; readonly isWhole: boolean }

/** Where words begin with this text; inside `jobName` a word begins at each capital. */
export function* hitsOf({ text, folded }: Folded, word: string): Generator<Hit> {
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
    const isHump = /[A-Z]/.test(text[at] ?? '') && /[a-z]/.test(text[at - 1] ?? '')
    if (isLetter(text[at - 1]) && !isHump) continue
    let end = at + word.length
    while (isLetter(text[end])) end++
    yield { at, end, isWhole: end === at + word.length }
  }
}

/**
 * How well a short text, such as a title, has the word: 1 as a whole word, less as its beginning or
 * in another form.
 */
export function fitOf(text: Folded, word: string): number {
  const fits = formsOf(word).map((form, at) => {
    const hits = [...hitsOf(text, form)]
    const fit = hits.some(({ isWhole }) => isWhole) ? 1 : hits.length > 0 ? 0.8 : 0
    return at === 0 ? fit : Math.min(fit, 0.7)
  })
  return Math.max(...fits)
}

/** The text in pieces; every other one, from the second, is a word that was looked for. */
export function markedPieces(text: string, words: readonly string[]): string[] {
  const whole = folded(text)
  const hits = words
    .flatMap((word) => formsOf(word).flatMap((form) => [...hitsOf(whole, form)]))
    .sort((a, b) => a.at - b.at)
  const pieces: string[] = []
  let from = 0
  for (const { at, end } of hits) {
    if (at < from) continue
    pieces.push(text.slice(from, at), text.slice(at, end))
    from = end
  }
  return [...pieces, text.slice(from)]
}
