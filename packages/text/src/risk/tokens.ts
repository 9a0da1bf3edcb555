/**
 * Tokens of a text for the estimate of its risk, with what is counted of them. A word is hashed by
 * its first letters too: the forms of a word mostly share them.
 */

export type Token = {
  readonly text: string
  readonly kind: 'WORD' | 'NUMBER' | 'MARK'
  readonly isCapital: boolean
  /** Of the word in lower case. */
  readonly hash: number
  /** Of its first letters. */
  readonly stem: number
}

/** The longest text that is measured; what follows changes little. */
const mostCharacters = 4_000
/** The most tokens of a text. */
export const mostTokens = 128
const stemLength = 5

const pattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}][\p{L}\p{M}\p{Nd}'’]*|\p{Nd}+|[^\s\p{L}\p{M}\p{Nd}]/gu

export function tokensIn(text: string): Token[] {
  const tokens: Token[] = []
  for (const [found] of text.slice(0, mostCharacters).matchAll(pattern)) {
    if (tokens.length === mostTokens) break
    const word = found.length > 1 ? withoutLastMarks(found) : found
    tokens.push(tokenOf(word))
    for (const mark of found.slice(word.length)) tokens.push(tokenOf(mark))
  }
  return tokens
}

/** An apostrophe belongs to a word if a letter follows. */
function withoutLastMarks(found: string): string {
  let end = found.length
  while (end > 1 && /['’]/.test(found.charAt(end - 1))) end--
  return found.slice(0, end)
}

function tokenOf(found: string): Token {
  const lower = found.toLowerCase().replaceAll('’', "'")
  const hash = hashOf(lower)
  const first = lower.codePointAt(0) ?? 0
  const kind = /^\p{Nd}/u.test(found) ? 'NUMBER' : /^[\p{L}\p{M}]/u.test(found) ? 'WORD' : 'MARK'
  const isCapital = kind === 'WORD' && found.codePointAt(0) !== first
  const stem = lower.length <= stemLength ? hash : hashOf(lower.slice(0, stemLength), 1)
  return { text: lower, kind, isCapital, hash, stem }
}

/** FNV-1a over the units of UTF-16, with a last mixing. `seed` keeps kinds of keys apart. */
export function hashOf(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix(hash, seed)
}

/** A hash of two hashes, in this order. */
export function mix(one: number, other: number): number {
  let hash = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca77)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}
