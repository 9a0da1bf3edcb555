/**
 * A table as rows of cells, for lists that people keep in a spreadsheet: terms and prices. Cells
 * are as in RFC 4180, between commas, semicolons, tabs or bars.
 */
import { scanCsv, sniffDelimiter } from './csv-scan.ts'

export type CsvRow = {
  /** The line where the row begins; the first is 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** A cell goes on after its closing quote. */
  readonly isOdd: boolean
}

/** Throws a FormatError if a quote is never closed. */
export function* rowsOfCsv(given: string): Generator<CsvRow> {
  const text = given.replace(/^\ufeff/, '')
  const { cells } = scanCsv(text, sniffDelimiter(text), 'double')
  let [line, counted, row] = [1, 0, 0]
  let current: { line: number; cells: string[]; isOdd: boolean } = { line, cells: [], isOdd: false }
  for (const cell of cells) {
    if (cell.row !== row) {
      yield current
      for (
        let at = text.indexOf('\n', counted);
        at >= 0 && at < cell.start;
        at = text.indexOf('\n', at + 1)
      )
        line += 1
      counted = cell.start
      row = cell.row
      current = { line, cells: [], isOdd: false }
    }
    if (cell.isOdd) current.isOdd = true
    current.cells.push(cell.value)
  }
  if (current.cells.length > 0) yield current
}

const quoted = (cell: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Reads back as the same cells. */
export const rowOfCsv = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`
