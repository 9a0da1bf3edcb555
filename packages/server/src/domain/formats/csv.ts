/**
 * CSV and TSV: every cell with a letter is a segment, except header cells and formulas. An option limits the columns. A cell keeps its
 * quotes; a cell without them gets them if its translation needs them.
 */
import { type Cell, type Dialect, scanCsv, sniffDelimiter } from './csv-scan.ts'
import { defineFormat, escapeId, type Place } from './define-format.ts'

export const csv = defineFormat({
  id: 'csv',
  charset: { fallsBack: true },
  protects: { newlines: true },
  find: (text, { csv: options = {} }) => {
    const { cells, dialect } = scanCsv(text, options.delimiter ?? sniffDelimiter(text), options.escape)
    const composes = composesOf(dialect)
    const hasHeader = options.header !== false
    const names = hasHeader ? cells.filter(({ row }) => row === 0).map(({ value }) => value.trim()) : []
    const wanted = options.columns?.length && new Set(options.columns)
    const nameOf = (column: number): string => names[column] || String(column + 1)
    return cells
      .filter(({ row, column, value, isOdd }) => {
        if (isOdd || (hasHeader && row === 0) || isFormula(value) || !/\p{L}/u.test(value)) return false
        return !wanted || wanted.has(nameOf(column))
      })
      .map((cell) => placeCell(cell, `${cell.row + (hasHeader ? 0 : 1)}/${escapeId(nameOf(cell.column))}`, composes))
  },
})

/** Whether a spreadsheet would evaluate it; a dash before a word is only a dash. */
const isFormula = (value: string): boolean => /^\s*(?:[=@]|[+-][\d(.=]|[+-]\w+\()/.test(value)

const same = (text: string): string => text
const noEdges: [string, string] = ['', '']

type Composes = { readonly quoted: NonNullable<Place['compose']>; readonly bare: NonNullable<Place['compose']> }

/** How to write a cell with quotes, and one without. */
function composesOf({ delimiter, escapes }: Dialect): Composes {
  const quoted = (text: string): string =>
    `"${escapes === 'double' ? text.replaceAll('"', '""') : text.replace(/["\\]/g, '\\$&')}"`
  const needsQuotes = (text: string): boolean => text.startsWith('"') || text.includes(delimiter) || /[\r\n]/.test(text)
  return { quoted, bare: (text) => (needsQuotes(text) ? quoted(text) : text) }
}

function placeCell({ value, start, end, isQuoted }: Cell, id: string, composes: Composes): Place {
  const inner = value.trim()
  const lead = value.indexOf(inner)
  return {
    id,
    pieces: [{ text: inner }],
    start,
    end,
    spell: same,
    around: inner === value ? noEdges : [value.slice(0, lead), value.slice(lead + inner.length)],
    compose: isQuoted ? composes.quoted : composes.bare,
  }
}
