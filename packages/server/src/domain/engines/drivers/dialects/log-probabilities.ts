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

type Quoted = { readonly text: string; readonly begin: number; readonly end: number }

/** The strings of a JSON text as they are written, in one pass. */
function stringsIn(content: string): Quoted[] {
  const found: Quoted[] = []
  let begin = -1
  for (let at = 0; at < content.length; at++) {
    const letter = content[at]
    if (begin < 0) {
      if (letter === '"') begin = at + 1
    } else if (letter === '\\') at++
    else if (letter === '"') {
      found.push({ text: content.slice(begin, at), begin, end: at })
      begin = -1
    }
  }
  return found
}

/** Each text in the answer with the id before it, as the hub asks for it. */
function* textsIn(content: string): Generator<Quoted & { readonly id: string }> {
  const strings = stringsIn(content)
  for (const [at, name] of strings.entries()) {
    if (name.text !== 'id') continue
    const [one, two, three] = strings.slice(at + 1, at + 4)
    if (one?.text === 'text' && two) {
      const [id] = /\d{1,9}/.exec(content.slice(name.end, one.begin)) ?? []
      if (id !== undefined) yield { ...two, id }
    } else if (one && two?.text === 'text' && three) yield { ...three, id: one.text }
  }
}

/** By the id of the text. `choice` is one of the answer's choices. */
export function logProbabilitiesIn(choice: unknown): ReadonlyMap<string, number> {
  const tokens = tokensIn(choice)
  const found = new Map<string, number>()
  if (!tokens) return found
  const content = tokens.map(({ token }) => token).join('')
  if (content.length > mostCharacters) return found
  let [next, start] = [0, 0]
  for (const { id, begin, end } of textsIn(content)) {
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
