/**
 * How sure a model was of each text of its answer: the mean log-probability of the tokens that the
 * text is made of. What a server sends may have any form; whatever is odd is as if it were absent.
 */
import { isText, member } from './dialect.ts'

/** More tokens than this are not read. */
const mostTokens = 100_000
const mostCharacters = 1_000_000
/** What is less likely than this is no longer told apart. */
const least = -20

/** A text in the answer with its id before it, as the hub asks for it. */
const item =
  /"id"\s{0,9}:\s{0,9}(?:"([^"\\]{1,40})"|(\d{1,9}))\s{0,9},\s{0,9}"text"\s{0,9}:\s{0,9}"((?:[^"\\]|\\.)*)"/g

/** By the id of the text. `choice` is one of the answer's choices. */
export function logProbabilitiesIn(choice: unknown): ReadonlyMap<string, number> {
  const tokens = tokensIn(choice)
  const found = new Map<string, number>()
  if (!tokens) return found
  const content = tokens.map(({ token }) => token).join('')
  if (content.length > mostCharacters) return found
  let [next, start] = [0, 0]
  for (const match of content.matchAll(item)) {
    const [whole, id = match[2] ?? '', , text = ''] = match
    const end = match.index + whole.length - 1
    const begin = end - text.length
    let [sum, count] = [0, 0]
    for (; next < tokens.length; next++) {
      const { token, logProbability } = tokens[next] ?? { token: '', logProbability: 0 }
      if (start >= end) break
      if (start + token.length > begin) {
        sum += logProbability
        count++
      }
      start += token.length
    }
    // Of two texts with one id, neither is known to be the right one.
    if (count > 0) found.set(id, found.has(id) ? Number.NaN : sum / count)
  }
  for (const [id, mean] of found) if (Number.isNaN(mean)) found.delete(id)
  return found
}

type Sure = { readonly token: string; readonly logProbability: number }

function tokensIn(choice: unknown): Sure[] | undefined {
  const list = member(member(choice, 'logprobs'), 'content')
  if (!Array.isArray(list) || list.length === 0 || list.length > mostTokens) return undefined
  const tokens: Sure[] = []
  for (const one of list) {
    const [token, given] = [member(one, 'token'), member(one, 'logprob')]
    if (!isText(token) || typeof given !== 'number' || Number.isNaN(given) || given > 0)
      return undefined
    tokens.push({ token, logProbability: Math.max(given, least) })
  }
  return tokens
}
