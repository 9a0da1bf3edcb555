/** The edit distance between two words, for "did you mean". */

/** The three rows in use; reused, because one error may compare a word with hundreds of others. */
let before: number[] = []
let last: number[] = []
let row: number[] = []

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  for (let j = 0; j <= b.length; j += 1) last[j] = j
  for (let i = 1; i <= a.length; i += 1) {
    row[0] = i
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      const isSwapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      const replaced = (last[j - 1] ?? 0) + (isSame ? 0 : 1)
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced
      row[j] = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped)
    }
    const free = before
    before = last
    last = row
    row = free
  }
  return last[b.length] ?? 0
}
