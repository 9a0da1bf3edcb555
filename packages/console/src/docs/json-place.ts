/**
 * Where the caret is in a JSON text that may be unfinished: in which object, at a key or at a
 * value, and what is typed of it.
 */

export type JsonPlace = {
  readonly kind: 'key' | 'value'
  /** The keys that lead to the object; lists do not count. */
  readonly path: readonly string[]
  /** The key of the value. */
  readonly key?: string
  readonly typed: string
  /** The text from here to `to` is replaced, with its quotes. */
  readonly from: number
  readonly to: number
  /** Keys of the same object, before and after the caret. */
  readonly used: readonly string[]
}

type Level = {
  readonly isObject: boolean
  readonly keys: string[]
  key: string | undefined
  atKey: boolean
}
type Token = {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly isText: boolean
}

/** Strings (also open ones, which end with their line), words and signs. */
const tokens = /"(?:[^"\\\n]|\\.)*"?|[\w.+-]+|[{}[\]:,]/g

const closed = /^"(?:[^"\\\n]|\\.)*"$/

export function placeAt(text: string, caret: number): JsonPlace | undefined {
  const levels: Level[] = []
  let found: { level: Level; own: string; place: Omit<JsonPlace, 'used'> } | undefined
  const take = (token: Token | undefined) => {
    const level = levels.at(-1)
    if (found || !level) return
    const [from, to] = token ? [token.start, token.end] : [caret, caret]
    const typed = token ? text.slice(from, caret).replace(/^"/, '') : ''
    const isKey = level.isObject && level.atKey
    const path = levels
      .slice(0, -1)
      .flatMap(({ isObject, key }) => (isObject && key !== undefined ? [key] : []))
    const key = isKey ? undefined : levels.findLast(({ isObject }) => isObject)?.key
    const at = isKey || level.isObject ? path : path.slice(0, -1)
    found = {
      level,
      own: token?.text ?? '',
      place: {
        kind: isKey ? 'key' : 'value',
        path: at,
        ...(key !== undefined && { key }),
        typed,
        from,
        to,
      },
    }
  }
  for (const match of text.matchAll(tokens)) {
    const [whole] = match
    const token: Token = {
      start: match.index,
      end: match.index + whole.length,
      text: whole.replace(/^"|"$/g, ''),
      isText: !/^[{}[\]:,]$/.test(whole),
    }
    const isClosed = closed.test(whole)
    if (token.start >= caret) take(undefined)
    else if (token.isText && (caret < token.end || (caret === token.end && !isClosed))) take(token)
    // Just behind a whole string, there is nothing to complete.
    else if (token.isText && caret === token.end) return undefined
    step(levels, token)
    if (found && levels.length === 0) break
  }
  take(undefined)
  return found && { ...found.place, used: found.level.keys.filter((key) => key !== found?.own) }
}

function step(levels: Level[], { text, isText }: Token): void {
  const level = levels.at(-1)
  if (!isText && (text === '{' || text === '['))
    levels.push({ isObject: text === '{', keys: [], key: undefined, atKey: text === '{' })
  else if (!isText && (text === '}' || text === ']')) levels.pop()
  else if (!level?.isObject) return
  else if (!isText && text === ':') level.atKey = false
  else if (!isText && text === ',') level.atKey = true
  else if (isText && level.atKey) {
    level.key = text
    level.keys.push(text)
  }
}
