/**
 * CSV and TSV: every cell with a letter is a segment, except header cells and formulas. An option limits the columns. A cell keeps its
 * quotes; a cell without them gets them if its translation needs them.
 */

import { defineFormat, edgesOf, escapeId, type Place } from '../define-format.ts'
import { hasLetter } from '../placeholders/letters.ts'
import { type Cell, type Dialect, scanCsv, sniffDelimiter } from './csv-scan.ts'

export const csv = defineFormat({
  id: 'csv',
  charset: { fallsBack: true },
  protects: { newlines: true },
  find: function* (text, { csv: options = {} }) {
    const { cells, dialect } = scanCsv(text, options.delimiter ?? sniffDelimiter(text), options.escape)
    const composes = composesOf(dialect)
    const hasHeader = options.header !== false
    const names: string[] = []
    const wanted = options.columns?.length && new Set(options.columns)
    for (const cell of cells) {
      const { row, column, value } = cell
      if (hasHeader && row === 0) {
        names.push(value.trim())
        continue
      }
      if (cell.isOdd || !hasLetter(value) || isFormula(value)) continue
      const name = names[column] || String(column + 1)
      if (!wanted || wanted.has(name)) yield placeCell(cell, `${row + (hasHeader ? 0 : 1)}/${escapeId(name)}`, composes)
    }
  },
})

/** Whether a spreadsheet would evaluate it; a dash before a word is only a dash. */
const isFormula = (value: string): boolean => !/^\w/.test(value) && /^\s*(?:[=@]|[+-][\d(.=]|[+-]\w+\()/.test(value)

const same = (text: string): string => text

type Composes = { readonly quoted: NonNullable<Place['compose']>; readonly bare: NonNullable<Place['compose']> }

/** How to write a cell with quotes, and one without. */
function composesOf({ delimiter, escapes }: Dialect): Composes {
  const quoted = (text: string): string =>
    `"${escapes === 'double' ? text.replaceAll('"', '""') : text.replace(/["\\]/g, '\\$&')}"`
  const needsQuotes = (text: string): boolean =>
    text.startsWith('"') || text.includes(delimiter) || text.includes('\n') || text.includes('\r')
  return { quoted, bare: (text) => (needsQuotes(text) ? quoted(text) : text) }
}

function placeCell({ value, start, end, isQuoted }: Cell, id: string, composes: Composes): Place {
  return {
    id,
    pieces: [{ type: 'text', text: value.trim() }],
    start,
    end,
    spell: same,
    around: edgesOf(value, same),
    compose: isQuoted ? composes.quoted : composes.bare,
  }
}
