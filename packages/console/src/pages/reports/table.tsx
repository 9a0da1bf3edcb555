/** A report as a table: every row, and the totals below. */
import type { Report } from '@dragoman/contract/wire'
import { type Figure, useFigures } from './columns.ts'
import css from './reports.module.css'

export function ReportTable({
  report,
  label,
}: {
  readonly report: Report
  readonly label: string
}) {
  const figures = useFigures(report)
  const { rows, totals } = report
  const cells = (row: Report['rows'][number]) =>
    figures.map((figure) => (
      <td key={figure.name} className={classOf(figure)}>
        <bdi>{figure.text(row)}</bdi>
      </td>
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className={css.scroll} aria-label={label} tabIndex={0}>
      <table className={css.table}>
        <thead>
          <tr>
            {figures.map((figure) => (
              <th key={figure.name} scope="col" className={classOf(figure)}>
                {figure.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.day} ${row.group} ${row.currency ?? row.countedIn} ${row.state}`}>
              {cells(row)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          {totals.map((row) => (
            <tr key={`${row.group} ${row.currency ?? row.countedIn} ${row.state}`}>{cells(row)}</tr>
          ))}
        </tfoot>
      </table>
    </section>
  )
}

const classOf = ({ isNumber }: Figure): string | undefined => (isNumber ? css.number : undefined)
