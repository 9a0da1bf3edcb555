/** Splits a table into cells with their offsets, and detects its delimiter and quotes. */
import { FormatError } from '../format-error.ts'
import { lineNumber } from '../lines.ts'

export type Cell = {
  readonly row: number
  readonly column: number
  readonly value: string
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
  /** Behind the closing quote. */
  readonly closed: number
  /** Has text after its closing quote, which programs read in different ways. */
  readonly isOdd: boolean
}
export type Dialect = { readonly delimiter: string; readonly escapes: 'double' | 'backslash' }

const delimiters = [',', ';', '\t', '|']

/** The most frequent delimiter in the first line, outside quotes; a line `sep=;` sets it. */
export function sniffDelimiter(text: string): string {
  const said = /^sep=(.)[\r\n]/.exec(text)?.[1]
  if (said !== undefined) return said
  const counts = new Map(delimiters.map((one) => [one, 0]))
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const one = text.charAt(at)
    if (one === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (one === '\n' || one === '\r') break
    else if (counts.has(one)) counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([, one], [, other]) => other - one)
  return first && first[1] > 0 ? first[0] : ','
}

/**
 * A quote inside quotes is doubled or escaped by a backslash. If doubling does not parse, the file
 * uses backslashes.
 */
export function scanCsv(
  text: string,
  delimiter: string,
  escapes?: Dialect['escapes'],
): { cells: Iterable<Cell>; dialect: Dialect } {
  const dialect = {
    delimiter,
    escapes: escapes ?? (isDoubled(text, delimiter) ? 'double' : 'backslash'),
  }
  return { cells: scan(text, dialect), dialect }
}

/** Whether no closing quote with text behind it has a backslash before it. */
function isDoubled(text: string, delimiter: string): boolean {
  if (!text.includes('\\"')) return true
  for (const { isOdd, closed } of scan(text, { delimiter, escapes: 'double' }))
    if (isOdd && text[closed - 2] === '\\') return false
  return true
}

function* scan(text: string, dialect: Dialect): Generator<Cell> {
  const delimiter = dialect.delimiter.charCodeAt(0)
  const said = /^sep=.(?:\r\n|\r|\n)/.exec(text)?.[0].length ?? 0
  let [row, column, at] = [0, 0, said]
  while (at < text.length) {
    const start = at
    const isQuoted = text.charCodeAt(at) === 0x22
    let value = ''
    if (isQuoted) {
      const quoted = readQuoted(text, at, dialect)
      value = quoted.value
      at = quoted.end
    }
    const closed = at
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === delimiter || code === 10 || code === 13) break
    }
    if (!isQuoted) value = text.slice(start, at)
    yield { row, column, value, start, end: at, isQuoted, isOdd: isQuoted && at > closed, closed }
    if (text.charCodeAt(at) === delimiter) {
      column += 1
      at += 1
      // A delimiter at the end of the file is followed by an empty cell, which can be ignored.
      continue
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    row += 1
    column = 0
  }
}

function readQuoted(
  text: string,
  start: number,
  { escapes }: Dialect,
): { value: string; end: number } {
  let value = ''
  let from = start + 1
  for (let at = quoteFrom(text, from, escapes); at >= 0; at = quoteFrom(text, from + 1, escapes)) {
    value += text.slice(from, at)
    if (text[at] === '"' && text[at + 1] !== '"') return { value, end: at + 1 }
    // The next one is meant as it is.
    from = at + 1
  }
  throw new FormatError(
    'MALFORMED',
    `The table is not well-formed: a quote that opens on line ${lineNumber(text, start)} is never closed.`,
  )
}

/** The next quote, or what escapes one. */
function quoteFrom(text: string, from: number, escapes: Dialect['escapes']): number {
  if (escapes === 'double') return text.indexOf('"', from)
  for (let at = from; at < text.length; at++)
    if (text[at] === '"' || (text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')))
      return at
  return -1
}
