/**
 * Rows for people: as columns if they fit the terminal, otherwise one row after the other with a
 * name before each value. Colour is used only on a terminal, unless FORCE_COLOR or NO_COLOR says
 * otherwise.
 */
import type { Screen } from './command.ts'
import { hasColour } from './printable.ts'

export type Column<T> = {
  readonly title: string
  readonly of: (row: T) => string | number | undefined
}

export function showTable<T>(
  screen: Screen,
  rows: readonly T[],
  columns: readonly Column<T>[],
  none: string,
): void {
  if (rows.length === 0) {
    screen.out(none)
    return
  }
  const cells = rows.map((row) => columns.map(({ of }) => String(of(row) ?? '')))
  const titles = columns.map(({ title }) => title)
  const widths = titles.map((title, at) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), widthOf(title)),
  )
  const total = widths.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1)
  if (total <= screen.columns || !screen.isTerminal.out) {
    const line = (row: readonly string[]) =>
      row
        .map((cell, at) => padded(cell, widths[at] ?? 0))
        .join('  ')
        .trimEnd()
    screen.out(strong(screen, line(titles)))
    for (const row of cells) screen.out(line(row))
    return
  }
  for (const [at, row] of cells.entries()) {
    if (at > 0) screen.out('')
    for (const [column, cell] of row.entries())
      if (cell !== '')
        for (const line of wrapped(`${titles[column]}: ${cell}`, screen.columns)) screen.out(line)
  }
}

/** East Asian wide characters and emoji take up two columns. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text,
  ))
    width +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u.test(
        segment,
      )
        ? 2
        : 1
  return width
}

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text,
  )) {
    if (widthOf(line + segment) > columns) {
      lines.push(line)
      line = '  '
    }
    line += segment
  }
  return [...lines, line]
}

const paint =
  (code: number) =>
  (screen: Screen, text: string, to: 'out' | 'err' = 'out'): string =>
    hasColour(screen, to) ? `\u001b[${code}m${text}\u001b[0m` : text
export const strong = paint(1)
export const dim = paint(2)
export const red = paint(31)
export const green = paint(32)
export const yellow = paint(33)

export const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Writes a size as `12.3 kB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return at === 0 ? `${bytes} B` : `${(bytes / 1_000 ** at).toFixed(1)} ${units[at]}`
}

export const count = (many: number, what: string): string =>
  `${many} ${what}${many === 1 ? '' : 's'}`
