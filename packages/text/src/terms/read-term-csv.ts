/**
 * Reads terms from a table with a header: one row for each entry (columns `language` and `text`),
 * one row for each term with a column for each language, or `term` and `translation` with the
 * languages of the call. Comma, semicolon, tab or bar; RFC 4180.
 */
import type { GivenTermEntry, TermStatus } from '@dragoman/contract'
import { limits } from '@dragoman/contract/wire'
import { rowsOfCsv } from '../formats/csv/csv-rows.ts'
import {
  type ListedTerm,
  mustFitEntries,
  noPause,
  type Pause,
  refuseList,
  statusIn,
} from './listed-term.ts'
import { languageOf } from './word-forms.ts'

/** The languages of `term` and `translation`. */
export type CsvLanguages = {
  readonly source?: string | undefined
  readonly target?: string | undefined
}
type CsvRow = { readonly line: number; readonly cells: readonly string[] }

/** Other names of a column, in lower case and without blanks. */
const names: Readonly<Record<string, string>> = {
  termid: 'termId',
  conceptid: 'termId',
  language: 'language',
  lang: 'language',
  locale: 'language',
  text: 'text',
  term: 'term',
  source: 'term',
  translation: 'translation',
  target: 'translation',
  status: 'status',
  forms: 'forms',
  note: 'note',
  notes: 'note',
  comment: 'note',
  definition: 'definition',
  description: 'definition',
}

export async function* readTermCsv(
  text: string,
  pair: CsvLanguages,
  pause: Pause = noPause,
): AsyncGenerator<ListedTerm> {
  let read: ((row: CsvRow) => ListedTerm) | undefined
  let open: (ListedTerm & { definition?: string }) | undefined
  for await (const row of rowsOf(text, pause)) {
    if (!read) {
      read = readerFor(row, pair)
      continue
    }
    if (row.cells.every((cell) => cell.trim() === '')) continue
    const term = read(row)
    // Rows with the same termId that follow each other are one term.
    if (open && term.termId !== undefined && term.termId === open.termId) {
      open.definition ||= term.definition ?? ''
      for (const entry of term.entries) open.entries.push(entry)
      mustFitEntries(open.entries.length, row.line)
    } else {
      if (open) yield open
      open = term
    }
  }
  if (open) yield open
}

async function* rowsOf(text: string, pause: Pause): AsyncGenerator<CsvRow> {
  for (const { line, cells, isOdd } of rowsOfCsv(text)) {
    if (isOdd)
      refuseList('a cell goes on after its closing quote; double the quotes inside it.', line)
    yield { line, cells: cells.map(withoutGuard) }
    await pause()
  }
}

/** A column for each language that a term may have, and one for each meaning. */
const mostColumns = limits.termEntries + Object.keys(names).length

/** What a column holds: a meaning, or the texts of a language. */
type Column = { readonly meaning?: string; readonly language?: string }

function columnOf(cell: string, line: number): Column {
  const name = cell.trim()
  const meaning = names[name.toLowerCase().replace(/[\s_]+/g, '')]
  if (meaning !== undefined) return { meaning }
  if (isLanguage(name)) return { language: name.replaceAll('_', '-') }
  return refuseList(
    `the column "${name.slice(0, 50)}" is neither a language nor one of termId, language, text, status, forms, note, definition.`,
    line,
  )
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const isLanguage = (name: string): boolean =>
  /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i.test(name) &&
  languageNames.of(languageOf(name)) !== undefined

function readerFor(
  { cells, line }: CsvRow,
  { source, target }: CsvLanguages,
): (row: CsvRow) => ListedTerm {
  if (cells.length > mostColumns)
    refuseList(`the header has ${cells.length} columns; at most ${mostColumns} are allowed.`, line)
  const columns = cells.map((cell) => columnOf(cell, line))
  const at = (meaning: string): number => columns.findIndex((column) => column.meaning === meaning)
  const texts = columns.flatMap(({ language }, column) =>
    language === undefined ? [] : [{ language, column }],
  )
  const inTerm = at('text') >= 0 ? at('text') : at('term')
  if (at('language') >= 0 && inTerm >= 0 && texts.length === 0) return oneEntryEach(at, inTerm)
  if (texts.length > 0) return oneTermEach(at, texts)
  if (at('term') < 0 || at('translation') < 0)
    return refuseList(
      'the header names no language; use columns such as en,de or language,text, or term,translation with sourceNativeLanguageCode and targetNativeLanguageCode.',
      line,
    )
  if (source === undefined || target === undefined)
    return refuseList(
      'the columns term and translation need sourceNativeLanguageCode and targetNativeLanguageCode.',
      line,
    )
  return oneTermEach(at, [
    { language: source, column: at('term') },
    { language: target, column: at('translation') },
  ])
}

type At = (meaning: string) => number

function oneEntryEach(at: At, inTerm: number): (row: CsvRow) => ListedTerm {
  return (row) => {
    const cell = cellsOf(row, at)
    const text = row.cells[inTerm]?.trim() ?? ''
    if (text === '') refuseList('the row has no text.', row.line)
    return termOf(row, cell, [{ language: cell('language').trim(), text, ...detailsOf(row, cell) }])
  }
}

/**
 * The status, the forms and the note are those of the last language; the first one is the term
 * itself.
 */
function oneTermEach(
  at: At,
  texts: readonly { language: string; column: number }[],
): (row: CsvRow) => ListedTerm {
  return (row) => {
    const cell = cellsOf(row, at)
    const filled = texts.flatMap(({ language, column }) => {
      const text = row.cells[column]?.trim() ?? ''
      return text === '' ? [] : [{ language, text }]
    })
    if (filled.length === 0) refuseList('the row has no text in any language.', row.line)
    const { status, ...details } = detailsOf(row, cell)
    const entries = filled.map((entry, place): GivenTermEntry => {
      const isOwn = place === 0 && filled.length > 1
      const isLast = place === filled.length - 1
      return { ...entry, ...(isOwn ? {} : { status }), ...(isLast ? details : {}) }
    })
    return termOf(row, cell, entries)
  }
}

const cellsOf =
  ({ cells }: CsvRow, at: At) =>
  (meaning: string): string =>
    cells[at(meaning)] ?? ''
type Cell = ReturnType<typeof cellsOf>

function detailsOf(
  { line }: CsvRow,
  cell: Cell,
): Pick<GivenTermEntry, 'forms' | 'note'> & { status: TermStatus } {
  const forms = formsIn(cell('forms'), line)
  const note = cell('note').trim()
  return {
    status: statusIn(cell('status'), line),
    ...(forms.length > 0 && { forms }),
    ...(note !== '' && { note }),
  }
}

function termOf({ line }: CsvRow, cell: Cell, entries: GivenTermEntry[]): ListedTerm {
  const termId = cell('termId').trim()
  return { line, ...(termId !== '' && { termId }), definition: cell('definition'), entries }
}

/** Forms of a cell, with the empty ones between them. */
const mostForms = limits.termForms * 4

/** One a line; in a single line, with bars between them. */
export function formsIn(cell: string, line?: number): string[] {
  const given = cell.split(cell.includes('\n') ? '\n' : '|', mostForms + 1)
  if (given.length > mostForms)
    refuseList(`the cell has more than ${limits.termForms} forms.`, line)
  return given.map((form) => form.trim()).filter((form) => form !== '')
}
/** The last line end says that the bar of a single form is part of it. */
export const formsOut = (forms: readonly string[]): string =>
  forms.join('\n') + (forms.length === 1 && forms[0]?.includes('|') ? '\n' : '')

/**
 * An apostrophe keeps a spreadsheet from running a text as a formula; one more marks a text that
 * begins like that.
 */
export const withGuard = (text: string): string => (/^'*[=+\-@]/.test(text) ? `'${text}` : text)
const withoutGuard = (cell: string): string => (/^'+[=+\-@]/.test(cell) ? cell.slice(1) : cell)
