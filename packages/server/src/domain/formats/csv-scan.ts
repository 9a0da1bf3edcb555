/** Splits a table into cells with their offsets, and detects its delimiter and quotes. */
import { FormatError } from './format-error.ts'

export type Cell = {
  readonly row: number
  readonly column: number
  readonly value: string
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
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

/** A quote inside quotes is doubled or escaped by a backslash. If doubling does not parse, the file uses backslashes. */
export function scanCsv(
  text: string,
  delimiter: string,
  escapes?: Dialect['escapes'],
): { cells: Cell[]; dialect: Dialect } {
  if (escapes !== 'backslash') {
    const cells = scan(text, { delimiter, escapes: 'double' }, escapes === undefined)
    if (cells) return { cells, dialect: { delimiter, escapes: 'double' } }
  }
  const dialect = { delimiter, escapes: 'backslash' } as const
  return { cells: scan(text, dialect, false) ?? [], dialect }
}

function scan(text: string, dialect: Dialect, givesUp: boolean): Cell[] | undefined {
  const { delimiter } = dialect
  const cells: Cell[] = []
  const said = /^sep=.(?:\r\n|\r|\n)/.exec(text)?.[0].length ?? 0
  let [row, column, at] = [0, 0, said]
  while (at < text.length) {
    const start = at
    let [value, isQuoted] = ['', text[at] === '"']
    if (isQuoted) {
      const quoted = readQuoted(text, at, dialect)
      value = quoted.value
      at = quoted.end
    }
    const closed = at
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1
    const isOdd = isQuoted && at > closed
    if (isOdd && givesUp && text[closed - 2] === '\\') return undefined
    if (!isQuoted) value = text.slice(start, at)
    cells.push({ row, column, value, start, end: at, isQuoted, isOdd })
    isQuoted = false
    if (text[at] === delimiter) {
      column += 1
      at += 1
      // A delimiter at the end of the file is followed by an empty cell, which can be ignored.
      continue
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    row += 1
    column = 0
  }
  return cells
}

function readQuoted(text: string, start: number, { escapes }: Dialect): { value: string; end: number } {
  const parts: string[] = []
  let from = start + 1
  for (let at = from; at < text.length; at++) {
    if (escapes === 'backslash' && text[at] === '\\' && /["\\]/.test(text.charAt(at + 1))) {
      parts.push(text.slice(from, at))
      from = at + 1
      at += 1
    } else if (text[at] === '"') {
      parts.push(text.slice(from, at))
      if (text[at + 1] !== '"') return { value: parts.join(''), end: at + 1 }
      from = at + 1
      at += 1
    }
  }
  const line = text.slice(0, start).split(/\r\n|\r|\n/).length
  throw new FormatError(
    'MALFORMED',
    `The table is not well-formed: a quote that opens on line ${line} is never closed.`,
  )
}
