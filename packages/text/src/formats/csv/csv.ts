/**
 * CSV and TSV: every cell with a letter is a segment, except header cells, formulas, dates, numbers
 * and the keys of the rows. An option names the columns instead. A cell keeps its quotes; a cell
 * without them gets them if its translation needs them. A translation that a spreadsheet would run
 * gets an apostrophe, which is no part of the text when it is read again.
 */

import { hasLetter } from '../../placeholders/letters.ts'
import { defineFormat, edgesOf, escapeId, type SegmentPlace } from '../define-format.ts'
import { isData, isFormula, isKeyColumn, withGuard, withoutGuard } from './csv-cells.ts'
import { type Cell, type Dialect, scanCsv, sniffDelimiter } from './csv-scan.ts'

export const csv = defineFormat({
  id: 'csv',
  charset: { fallsBack: true },
  protects: { newlines: true },
  find: function* (text, { csv: options = {} }) {
    const { cells, dialect } = scanCsv(
      text,
      options.delimiter ?? sniffDelimiter(text),
      options.escape,
    )
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
      if (cell.isOdd || !hasLetter(value) || isFormula(value) || isData(value)) continue
      const name = names[column] || String(column + 1)
      if (wanted ? wanted.has(name) : !isKeyColumn(names[column] ?? ''))
        yield placeCell(cell, `${row + (hasHeader ? 0 : 1)}/${escapeId(name)}`, composes)
    }
  },
})

const same = (text: string): string => text

type Composes = {
  readonly quoted: NonNullable<SegmentPlace['compose']>
  readonly bare: NonNullable<SegmentPlace['compose']>
}

/** How to write a cell with quotes, and one without. */
function composesOf({ delimiter, escapes }: Dialect): Composes {
  const quoted = (text: string): string =>
    `"${escapes === 'double' ? text.replaceAll('"', '""') : text.replace(/["\\]/g, '\\$&')}"`
  const needsQuotes = (text: string): boolean =>
    text.includes('"') || text.includes(delimiter) || text.includes('\n') || text.includes('\r')
  const guarded = (text: string): string => quoted(withGuard(text))
  return { quoted: guarded, bare: (text) => (needsQuotes(text) ? guarded(text) : withGuard(text)) }
}

function placeCell(
  { value: whole, start, end, isQuoted }: Cell,
  id: string,
  composes: Composes,
): SegmentPlace {
  const value = withoutGuard(whole)
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
