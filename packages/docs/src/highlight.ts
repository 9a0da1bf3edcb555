/**
 * Colours code: comments, strings, numbers, keywords, and the names of JSON members. One pass over
 * the text.
 */
import { escapeHtml, type Html } from './html.ts'

const slashComments = ['js', 'ts', 'sdk', 'php', 'csharp', 'java', 'jsonc']
const hashComments = ['sh', 'curl', 'python', 'yaml', 'php', 'ini']
const ticks = ['js', 'ts', 'sdk']

const words = new Set(
  `async await const let var new return import from export function if else for foreach while try catch except throw throws raise
   class public static final void using use require include as with in of not and or is echo print true false null None True False
   curl npx npm node dragoman export sed`.split(/\s+/),
)

export function highlight(code: string, language: string): Html {
  const out: string[] = []
  let at = 0
  while (at < code.length) {
    const end = endOfPiece(code, at, language)
    out.push(spanOf(code.slice(at, end), code, end, language))
    at = end
  }
  return { markup: out.join('') }
}

function spanOf(text: string, code: string, end: number, language: string): string {
  const kind = kindOf(text, code, end, language)
  return kind === undefined ? escapeHtml(text) : `<span class="${kind}">${escapeHtml(text)}</span>`
}

function kindOf(text: string, code: string, end: number, language: string): string | undefined {
  const first = text[0] ?? ''
  if (isQuote(first, language) && text.length > 1)
    return language === 'json' && code[end] === ':' ? 'p' : 's'
  if (text.length > 1 && (first === '#' || text.startsWith('//'))) return 'c'
  if (isDigit(first)) return 'n'
  return words.has(text) && language !== 'text' ? 'k' : undefined
}

const isQuote = (sign: string, language: string): boolean =>
  language !== 'text' &&
  (sign === '"' || sign === "'" || (sign === '`' && ticks.includes(language)))
const isDigit = (sign: string): boolean => sign >= '0' && sign <= '9'
const isLetter = (sign: string): boolean =>
  (sign >= 'a' && sign <= 'z') ||
  (sign >= 'A' && sign <= 'Z') ||
  isDigit(sign) ||
  sign === '_' ||
  sign === '$'

function endOfPiece(code: string, at: number, language: string): number {
  const sign = code[at] ?? ''
  if (isQuote(sign, language)) return endOfString(code, at, sign)
  if (beginsComment(code, at, language)) {
    const end = code.indexOf('\n', at)
    return end < 0 ? code.length : end
  }
  let end = at + 1
  if (isLetter(sign))
    while (end < code.length && (isLetter(code[end] ?? '') || isPoint(code, at, end))) end++
  return end
}

/** A decimal point is part of the number. */
const isPoint = (code: string, at: number, end: number): boolean =>
  code[end] === '.' && isDigit(code[at] ?? '') && isDigit(code[end + 1] ?? '')

function beginsComment(code: string, at: number, language: string): boolean {
  const before = code[at - 1]
  if (before !== undefined && before !== ' ' && before !== '\n') return false
  if (code.startsWith('//', at)) return slashComments.includes(language)
  return code[at] === '#' && hashComments.includes(language)
}

/** An unclosed quote is an ordinary character, such as an apostrophe in a comment. */
function endOfString(code: string, at: number, quote: string): number {
  for (let end = at + 1; end < code.length; end++) {
    if (code[end] === '\\') end++
    else if (code[end] === quote) return end + 1
  }
  return at + 1
}
