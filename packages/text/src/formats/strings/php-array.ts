/**
 * PHP files that return an array of texts, such as the language files of many frameworks. Every
 * value that is a single string is a segment, with the path of keys as id; concatenations, calls
 * and interpolated strings stay.
 */
import { mustFitNesting } from '../bounds.ts'
import { defineFormat, edgesOf, escapeId, type SegmentPlace } from '../define-format.ts'
import { FormatError } from '../format-error.ts'
import { endOfLine } from '../po/po-scan.ts'

export const phpArray = defineFormat({
  id: 'php-array',
  charset: { fallsBack: true },
  protects: { newlines: true, names: true },
  find: (text) => {
    const places: SegmentPlace[] = []
    let levels: Level[] = []
    let hasReturned = false
    let isDone = false
    let depth = 0
    for (let at = 0; at < text.length; ) {
      const token = tokenAt(text, at)
      at = token.end
      const top = levels.at(-1)
      if (!top) {
        if (token.word === '{' || token.word === '}') depth += token.word === '{' ? 1 : -1
        // What a function returns is code.
        const opens = depth === 0 && hasReturned && (token.word === '[' || token.word === 'array(')
        if (opens && !isDone) levels = [newLevel('#', true)]
        isDone ||= opens
        if (token.word !== '') hasReturned = token.word === 'return'
      } else if (token.word === ',' || token.word === ']' || token.word === ')') {
        if (top.isArray && top.parts === 1 && top.value)
          places.push(placeString(text, pathOf(top), top.value))
        if (token.word === ',')
          Object.assign(top, { parts: 0, key: undefined, value: undefined, index: top.index + 1 })
        else levels.pop()
      } else if (token.word === '=>')
        Object.assign(top, {
          key: top.value ? unquote(text, top.value) : String(top.index),
          parts: 0,
          value: undefined,
        })
      else if (token.word === '[' || token.word === '(' || token.word === 'array(') {
        const isArray = top.isArray && top.parts === 0 && token.word !== '('
        top.parts = 2
        mustFitNesting(levels.push(newLevel(pathOf(top), isArray)))
      } else if (token.word !== '') {
        top.parts += 1
        top.value = token.isString ? token : undefined
      }
    }
    if (!isDone || levels.length > 0)
      throw new FormatError(
        'MALFORMED',
        `The PHP file ${isDone ? 'ends inside its array' : 'returns no array of texts'}.`,
      )
    return places
  },
})

type Token = {
  readonly word: string
  readonly start: number
  readonly end: number
  readonly isString: boolean
}
type Level = {
  readonly path: string
  readonly isArray: boolean
  index: number
  parts: number
  key?: string | undefined
  value?: Token | undefined
}

const newLevel = (path: string, isArray: boolean): Level => ({ path, isArray, index: 0, parts: 0 })
const pathOf = ({ path, key, index }: Level): string => `${path}/${escapeId(key ?? String(index))}`

const word = /array\s{0,64}\(|[A-Za-z_$\\][\w\\]{0,256}|=>|\d[\w.]{0,64}/y

/** The next word, mark or string; blanks and comments give an empty word. */
function tokenAt(text: string, start: number): Token {
  const other = (end: number, said = ''): Token => ({ word: said, start, end, isString: false })
  const until = (mark: string, from: number): number => {
    const found = text.indexOf(mark, from)
    return found < 0 ? text.length : found + mark.length
  }
  const one = text.charAt(start)
  if (/\s/.test(one)) return other(start + 1)
  if (one === '#' || text.startsWith('//', start)) return other(endOfLine(text, start))
  if (text.startsWith('/*', start)) return other(until('*/', start + 2))
  if (one === "'" || one === '"') return stringAt(text, start)
  const label = text.startsWith('<<<', start)
    ? /^<<<["']?(\w{1,64})/.exec(text.slice(start, start + 80))?.[1]
    : undefined
  if (label !== undefined) return other(until(label, start + label.length + 4), 'heredoc')
  word.lastIndex = start
  const found = word.exec(text)?.[0]
  if (found === undefined) return other(start + 1, one)
  return other(
    start + found.length,
    found.startsWith('array') && found.endsWith('(') ? 'array(' : found,
  )
}

function stringAt(text: string, start: number): Token {
  const quote = text[start]
  let isFixed = true
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === quote) return { word: 'string', start, end: at + 1, isString: isFixed }
    else if (quote === '"' && /^(?:\$[A-Za-z_{]|\{\$)/.test(text.slice(at, at + 2))) isFixed = false
  }
  throw new FormatError('MALFORMED', 'The PHP file ends inside a text.')
}

const letters: Record<string, string> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f', e: '\x1b' }

function unquote(text: string, { start, end }: Token): string {
  const raw = text.slice(start + 1, end - 1)
  if (!raw.includes('\\')) return raw
  if (text[start] === "'") return raw.replace(/\\([\\'])/g, '$1')
  return raw.replace(
    /\\(?:x([\da-fA-F]{1,2})|u\{([\da-fA-F]{1,6})\}|([0-7]{1,3})|([ntrvfe\\$"]))/g,
    (_, hex?: string, point?: string, octal?: string, letter = '') => {
      const code = hex ?? point
      if (code) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff))
      return octal
        ? String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
        : (letters[letter] ?? letter)
    },
  )
}

const byCharacter = new Map(
  Object.entries(letters).map(([letter, character]) => [character, `\\${letter}`]),
)

function escapeOne(one: string): string {
  if (one === '"' || one === '\\' || one === '$') return `\\${one}`
  return (
    byCharacter.get(one) ??
    (one < ' ' ? `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}` : one)
  )
}

function placeString(text: string, id: string, token: Token): SegmentPlace {
  const value = unquote(text, token)
  const spell =
    text[token.start] === "'"
      ? (words: string) => words.replace(/[\\']/g, '\\$&')
      : (words: string) => words.replace(/["\\$\p{Cc}]/gu, escapeOne)
  return {
    id,
    pieces: [{ text: value.trim() }],
    start: token.start + 1,
    end: token.end - 1,
    spell,
    around: edgesOf(value, spell),
  }
}
