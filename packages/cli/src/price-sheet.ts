/**
 * A price list as a spreadsheet: one row for the list itself, then one per band and line,
 * distinguished by the first column. Every cell knows its field, so that errors can name row and
 * column.
 */
import type { Detail, PriceList } from '@dragoman/contract'
import { rowOfCsv, rowsOfCsv } from '@dragoman/text/csv'

/** Column to field, for each kind of row. */
const kinds = {
  List: {
    Name: 'name',
    Currency: 'currency',
    ValidFrom: 'validFrom',
    ValidTo: 'validTo',
    MinimumFee: 'minimumFee',
    ManagementFeePercent: 'managementFeePercent',
  },
  Band: {
    Name: 'name',
    Kind: 'kind',
    MinPercent: 'minPercent',
    MaxPercent: 'maxPercent',
    Factor: 'factor',
  },
  Line: {
    Service: 'service',
    SourceLanguage: 'sourceLanguage',
    TargetLanguage: 'targetLanguage',
    Unit: 'unit',
    UnitPrice: 'unitPrice',
    MinimumFee: 'minimumFee',
    AnalysisCodeID: 'analysisCodeId',
  },
} as const
type Kind = keyof typeof kinds
const columns = ['Row', ...new Set(Object.values(kinds).flatMap((fields) => Object.keys(fields)))]

export type Sheet = {
  /** The body of the REST call. */
  readonly list: unknown
  /** Unreadable cells, by row and column. */
  readonly refused: readonly string[]
  /** The row and column of a field that the hub refuses. */
  readonly placeOf: (path: string) => string
}

export function readSheet(text: string): Sheet {
  const table = readTable(text)
  if ('wrong' in table) return broken(table.wrong)
  const [head = [], ...rows] = table.rows
  const refused = checkHead(head)
  if (refused.length > 0) return { ...broken(''), refused }
  const list: Record<string, unknown> = {}
  const parts: Record<'Band' | 'Line', Record<string, unknown>[]> = { Band: [], Line: [] }
  /** The path of each row's object, as in the hub's errors, mapped to its row number. */
  const places = new Map<string, number>()
  rows.forEach((cells, index) => {
    const row = index + 2
    const named = new Map(
      cells.map((cell, column) => [head[column] ?? `${column + 1}`, cell.trim()]),
    )
    if ([...named.values()].every((cell) => cell === '')) return
    const kind = named.get('Row') ?? ''
    if (!Object.hasOwn(kinds, kind)) {
      refused.push(
        `row ${row}, column Row: "${kind}" is not a kind of row; use ${Object.keys(kinds).join(', ')}.`,
      )
      return
    }
    const fields: Readonly<Record<string, string>> = kinds[kind as Kind]
    const object: Record<string, unknown> = {}
    for (const [column, cell] of named) {
      if (column === 'Row' || cell === '') continue
      const field = fields[column]
      if (field === undefined)
        refused.push(
          `row ${row}, column ${column}: a row ${kind} has no ${column}; leave the cell empty.`,
        )
      else
        object[field] =
          /Percent$/.test(column) && kind === 'Band' && /^\d{1,3}$/.test(cell) ? Number(cell) : cell
    }
    if (kind === 'List') {
      if (places.has(''))
        refused.push(`row ${row}, column Row: there is already a row List, row ${places.get('')}.`)
      else places.set('', row)
      Object.assign(list, object)
      return
    }
    const many = parts[kind as 'Band' | 'Line']
    places.set(`${kind === 'Band' ? 'bands' : 'lines'}[${many.length}]`, row)
    many.push(object)
  })
  if (!places.has(''))
    refused.push('The row List is missing; it sets the currency and the first day.')
  return {
    list: { ...list, bands: parts.Band, lines: parts.Line },
    refused,
    placeOf: (path) => placeOf(places, path),
  }
}

function readTable(
  text: string,
): { readonly rows: (readonly string[])[] } | { readonly wrong: string } {
  const rows: (readonly string[])[] = []
  try {
    for (const { cells, isOdd } of rowsOfCsv(text)) {
      rows.push(cells)
      if (isOdd)
        return {
          wrong: `row ${rows.length}: a cell goes on after its closing quote; double the quotes inside it.`,
        }
    }
    return { rows }
  } catch (error) {
    if (error instanceof Error && error.name === 'FormatError') return { wrong: error.message }
    throw error
  }
}

const broken = (sentence: string): Sheet => ({
  list: undefined,
  refused: [sentence],
  placeOf: (path) => path,
})

function checkHead(head: readonly string[]): string[] {
  const refused = head.flatMap((name, at) => {
    if (!columns.includes(name))
      return [
        `row 1, column ${at + 1}: "${name}" is not a column; the columns are ${columns.join(', ')}.`,
      ]
    return head.indexOf(name) < at
      ? [`row 1, column ${at + 1}: the column ${name} appears twice.`]
      : []
  })
  return head.includes('Row') ? refused : [...refused, 'row 1: the column Row is missing.']
}

/** `lines[2].unitPrice` is row 9, column UnitPrice. */
function placeOf(places: ReadonlyMap<string, number>, path: string): string {
  const [, object = '', field = ''] = /^((?:bands|lines)\[\d+\])?\.?(\w*)$/.exec(path) ?? []
  const kind: Kind = object.startsWith('bands') ? 'Band' : object ? 'Line' : 'List'
  const row = places.get(object)
  const column = Object.entries(kinds[kind]).find(([, name]) => name === field)?.[0]
  if (row === undefined || (field !== '' && column === undefined)) return path
  return column === undefined ? `row ${row}` : `row ${row}, column ${column}`
}

/** Errors with their position in the file. */
export const sayRefusals = (
  details: readonly Detail[],
  place: (path: string) => string,
): string[] =>
  details.map(({ path, message }) => {
    const mended = message.replace(/\b(?:bands|lines)\[\d+\]/g, place)
    return `${place(path)}: ${/[.!?]$/.test(mended) ? mended : `${mended}.`}`
  })

export function writeSheet(list: PriceList): string {
  const row = (kind: Kind, object: object): string[] => {
    const fields: Readonly<Record<string, string>> = kinds[kind]
    const values = object as Readonly<Record<string, unknown>>
    return columns.map((column) =>
      column === 'Row' ? kind : String(values[fields[column] ?? ''] ?? ''),
    )
  }
  return [
    columns,
    row('List', list),
    ...list.bands.map((band) => row('Band', band)),
    ...list.lines.map((line) => row('Line', line)),
  ]
    .map(rowOfCsv)
    .join('')
}
