/** "Did you mean": the known word that is the fewest edits away from what was typed. */

/** ` Did you mean "push"?`, or nothing if no word is near. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const found = nearest(typed, known)
  return found === undefined ? '' : ` Did you mean "${found}"?`
}

/** A third of a word may be wrong; a word that begins the same is near, too. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase().slice(0, 64)
  const bare = wanted.replace(/^--/, '')
  const limit = bare.length < 4 ? 1 : Math.max(2, Math.floor(bare.length / 3))
  let best: { word: string; far: number } | undefined
  for (const word of known) {
    const isStart = bare.length >= 3 && word.toLowerCase().startsWith(wanted)
    const far = isStart ? 1 : editDistance(wanted, word.toLowerCase())
    if (far <= limit && far < word.replace(/^--/, '').length && far < (best?.far ?? Number.POSITIVE_INFINITY))
      best = { word, far }
  }
  return best?.word
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
