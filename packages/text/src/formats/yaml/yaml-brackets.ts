/**
 * A list of words on one line of YAML, such as `[a, "b c"]`. Anything else in brackets is left to
 * the library.
 */
import { isRestEmpty, skipBlanks } from './yaml-extents.ts'
import type { Scalar } from './yaml-walk.ts'

export function wordsInBrackets(
  text: string,
  from: number,
  end: number,
  path: readonly string[],
): Scalar[] | undefined {
  if (text[from] !== '[') return undefined
  const found: Scalar[] = []
  for (let at = from + 1; ; at += 1) {
    const item = itemAt(text, skipBlanks(text, at), end)
    if (!item) return undefined
    found.push({ path: [...path, String(found.length)], ...item, inFlow: true, tag: undefined })
    at = skipBlanks(text, item.end)
    if (text[at] === ']') return isRestEmpty(text, at + 1, end) ? found : undefined
    if (text[at] !== ',') return undefined
  }
}

type Item = Pick<Scalar, 'style' | 'start' | 'end' | 'value'>

function itemAt(text: string, start: number, end: number): Item | undefined {
  const quote = text.charAt(start)
  if (quote !== '"' && quote !== "'") return wordsAt(text, start, end)
  const closing = text.indexOf(quote, start + 1)
  if (closing < 0 || closing >= end || text[closing + 1] === quote) return undefined
  const value = text.slice(start + 1, closing)
  if (value.includes('\\') || value.includes('\t')) return undefined
  return { style: quote === '"' ? 'double' : 'single', start, end: closing + 1, value }
}

function wordsAt(text: string, start: number, end: number): Item | undefined {
  let last = start
  for (let at = start; at < end && text[at] !== ',' && text[at] !== ']'; at++) {
    const code = text.charCodeAt(at)
    if (isOfWord(code)) last = at + 1
    else if (code !== 32) return undefined
  }
  return last > start
    ? { style: 'plain', start, end: last, value: text.slice(start, last) }
    : undefined
}

/** ASCII letters, digits and the underscore, and the letters of Latin. */
const isOfWord = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  (code >= 0xc0 && code <= 0x24f)
