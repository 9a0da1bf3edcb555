/**
 * The table of a run: on the terminal, and as Markdown between two marks of docs/performance.md.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { repository } from './built.ts'
import { type FigureRow, meets } from './figure.ts'

const heads = ['Figure', 'Ours', 'Anchor', 'Median', 'Spread', 'Target', '']

function cells(row: FigureRow, quick: boolean): string[] {
  const { median, low, high } = row.measured
  const show = (value: number): string =>
    `${value.toFixed(row.unit === 'MB' ? 0 : 2)}${row.unit === 'x' ? '' : ` ${row.unit}`}`
  const target = !row.target
    ? ''
    : 'atLeast' in row.target
      ? `>= ${row.target.atLeast}`
      : `<= ${row.target.atMost}`
  const verdict = quick || !row.target ? 'printed' : meets(row) ? 'ok' : 'miss'
  return [
    row.figure,
    row.ours,
    row.anchor,
    show(median),
    `${show(low)} to ${show(high)}`,
    target,
    verdict,
  ]
}

export function textTable(rows: readonly FigureRow[], quick: boolean): string {
  const lines = [heads, ...rows.map((row) => cells(row, quick))]
  const widths = heads.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const begin = '<!-- table: npm run bench -- --write -->'
const end = '<!-- end of table -->'
const page = new URL('docs/performance.md', repository)

/** The page has the table of one run on one machine: what did not run is not in it. */
export async function writeTable(rows: readonly FigureRow[], taken: string): Promise<void> {
  const text = await readFile(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < 0)
    throw new Error('docs/performance.md has lost the marks around its table.')
  const head = [...heads.slice(0, -1), 'Verdict']
  const table = [head, head.map(() => '---'), ...rows.map((row) => cells(row, false))]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n')
  await writeFile(
    page,
    `${text.slice(0, from)}${begin}\n\nTaken ${taken}.\n\n${table}\n\n${text.slice(to)}`,
  )
}
