/** "Did you mean": the known word with the fewest edits from what was typed. */
import { editDistance } from '@dragoman/contract/wire'

/** ` Did you mean "push"?`, or nothing if no word is close. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const found = nearest(typed, known)
  return found === undefined ? '' : ` Did you mean "${found}"?`
}

/** A third of a word may be wrong; a word that begins the same is close, too. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase().slice(0, 64)
  const bare = wanted.replace(/^--/, '')
  const limit = bare.length < 4 ? 1 : Math.max(2, Math.floor(bare.length / 3))
  let best: { word: string; far: number } | undefined
  for (const word of known) {
    const isStart = bare.length >= 3 && word.toLowerCase().startsWith(wanted)
    const far = isStart ? 1 : editDistance(wanted, word.toLowerCase())
    if (
      far <= limit &&
      far < word.replace(/^--/, '').length &&
      far < (best?.far ?? Number.POSITIVE_INFINITY)
    )
      best = { word, far }
  }
  return best?.word
}
