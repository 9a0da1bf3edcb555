/**
 * Tokens and likeness of texts of any size: short ones here, in turns with others, longer ones in a worker, for a text may be as
 * long as a content and as hostile.
 */
import { openBreath } from '../../breath.ts'
import { isSmall, runSafely } from '../formats/run.ts'
import { type Known, likenessOf } from './likeness.ts'
import { tokensOf } from './tokens.ts'

/** Characters that go to a worker together. */
const together = 256 * 1024
const [tokens, likeness] = [new URL('./tokens.ts', import.meta.url), new URL('./likeness.ts', import.meta.url)]

/** In their order. */
export async function tokenize(siteId: string, sources: readonly string[]): Promise<Known[]> {
  const known = new Map<string, readonly number[]>()
  const breathe = openBreath()
  let large: string[] = []
  let characters = 0
  const send = async () => {
    const found = await runSafely<number[][]>(tokens, 'tokensOfAll', [large], { siteId })
    for (const [at, source] of large.entries()) known.set(source, found[at] ?? [])
    large = []
    characters = 0
  }
  for (const source of sources) {
    if (isSmall([source])) known.set(source, tokensOf(source))
    else {
      large.push(source)
      characters += source.length
      if (characters >= together) await send()
    }
    await breathe()
  }
  if (large.length > 0) await send()
  return sources.map((source) => ({ source, tokens: known.get(source) ?? [] }))
}

export const likenessSafely = async (siteId: string, one: Known, other: Known): Promise<number> =>
  one.source === other.source || isSmall([one.source, other.source])
    ? likenessOf(one, other)
    : runSafely<number>(likeness, 'likenessOfTexts', [one.source, other.source], { siteId })
