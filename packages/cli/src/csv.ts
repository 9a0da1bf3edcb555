/**
 * CSV as in RFC 4180: quoted cells may contain anything; the separator is a comma, semicolon or
 * tab, detected in the first row.
 */

/** A table, or its syntax error and the row it is in (the first is 1). */
export type Table =
  | { readonly rows: readonly (readonly string[])[] }
  | { readonly row: number; readonly wrong: string }

const separators = [',', ';', '\t'] as const

export function readCsv(given: string): Table {
  const text = given.replace(/^\ufeff/, '')
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  const count = (separator: string): number => head.split(separator).length
  const separator = separators.reduce((best, one) => (count(one) > count(best) ? one : best))
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"\\r\\n${separator}]*))(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  )
  while (at < text.length) {
    cell.lastIndex = at
    const found = cell.exec(text)
    if (!found)
      return { row: rows.length + 1, wrong: 'a quote is not closed, or is in the middle of a cell' }
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    at = cell.lastIndex
    if (found[3] === separator && at < text.length) continue
    if (found[3] === separator) row.push('')
    rows.push(row)
    row = []
  }
  return { rows }
}

export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')

const writeCell = (text: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
