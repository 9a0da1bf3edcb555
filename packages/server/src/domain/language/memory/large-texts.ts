/**
 * Tokens and similarity of texts of any size: short texts in this thread, longer ones in a worker,
 * because a text may be large or hostile.
 */

import { type Known, likenessOf, tokensOf } from '@dragoman/text/likeness'
import { openPauses } from '../../../turns/pauses.ts'
import { isSmall, runSafely, textWork } from '../worker/run.ts'

/** Characters per call to a worker. */
const batchCharacters = 256 * 1024

/** Returns the tokens in the order of `sources`. */
export async function tokenize(siteId: string, sources: readonly string[]): Promise<Known[]> {
  const known = new Map<string, readonly number[]>()
  const pause = openPauses()
  let large: string[] = []
  let characters = 0
  const send = async () => {
    const found = await runSafely<number[][]>(textWork.likeness, 'tokensOfAll', [large], { siteId })
    for (const [at, source] of large.entries()) known.set(source, found[at] ?? [])
    large = []
    characters = 0
  }
  for (const source of sources) {
    if (isSmall([source])) known.set(source, tokensOf(source))
    else {
      large.push(source)
      characters += source.length
      if (characters >= batchCharacters) await send()
    }
    await pause()
  }
  if (large.length > 0) await send()
  return sources.map((source) => ({ source, tokens: known.get(source) ?? [] }))
}

export const likenessSafely = async (siteId: string, one: Known, other: Known): Promise<number> =>
  one.source === other.source || isSmall([one.source, other.source])
    ? likenessOf(one, other)
    : runSafely<number>(textWork.likeness, 'likenessOfTexts', [one.source, other.source], {
        siteId,
      })
