/**
 * Rows with bars, one per series: a length with its text at the end; or a distribution: a thick bar
 * to the median, a thin one to the 75th percentile, a line to the 95th.
 */
import css from './plot.module.css'
import {
  isMirrored,
  Legend,
  PlotFrame,
  PlotLinks,
  type Series,
  ticksTo,
  usePatterns,
  useWidth,
} from './plot.tsx'

type PlotBar = {
  readonly value: number
  /** For a distribution: the 75th and the 95th percentile. */
  readonly wider?: readonly [number, number]
  /** The text stands at the end of the bar. */
  readonly text: string
}
type PlotRow = {
  readonly name: string
  /** One per series; a missing one leaves its place empty. */
  readonly bars: readonly (PlotBar | undefined)[]
  readonly said: string
  readonly href?: string
}

type PlotRowsProps = {
  readonly label: string
  readonly rows: readonly PlotRow[]
  readonly series: readonly Series[]
  readonly tick: (value: number) => string
  /** Round numbers by default. */
  readonly ticks?: (largest: number) => number[]
}

const barHeight = 16
const textWidth = 76
const tickWidth = 60
const foot = 22

export function PlotRows({ label, rows, series, tick, ticks: ticksFor = ticksTo }: PlotRowsProps) {
  const [frame, width] = useWidth()
  const { defs, of } = usePatterns(series)
  const mirrored = isMirrored()
  const nameRoom = Math.min(180, width * 0.32)
  const rowHeight = series.length * barHeight + 14
  const height = rows.length * rowHeight + foot
  const ends = rows.flatMap(({ bars }) =>
    bars.flatMap((bar) => (bar ? [bar.wider?.[1] ?? bar.value] : [])),
  )
  const ticks = ticksFor(Math.max(0, ...ends))
  const inside = Math.max(0, width - nameRoom - textWidth)
  const most = ticks.at(-1) ?? 1
  const length = (value: number) => (inside * value) / most
  const named = Math.max(1, Math.ceil((tickWidth * (ticks.length - 1)) / Math.max(1, inside)))
  /** The left edge of a segment that begins at `from` and is `long`. */
  const x = (from: number, long = 0) =>
    mirrored ? width - nameRoom - from - long : nameRoom + from
  const towards = mirrored ? 'end' : 'start'
  return (
    <>
      {series.length > 1 && <Legend series={series} />}
      <PlotFrame frame={frame}>
        {width > 0 && (
          <svg width={width} height={height} role="img" aria-label={label} focusable="false">
            {defs}
            {ticks.map((value, at) => (
              <g key={value}>
                <line
                  className={value === 0 ? css.base : css.axis}
                  x1={x(length(value))}
                  x2={x(length(value))}
                  y1={0}
                  y2={height - foot}
                />
                {at % named === 0 && (
                  <text x={x(length(value))} y={height - 6} textAnchor="middle">
                    {tick(value)}
                  </text>
                )}
              </g>
            ))}
            {rows.map((row, at) => (
              <g key={row.name}>
                <text
                  className={css.said}
                  x={mirrored ? width : 0}
                  y={at * rowHeight + rowHeight / 2 + 4}
                  textAnchor={towards}
                >
                  {cut(row.name, nameRoom)}
                </text>
                {row.bars.map((bar, number) => {
                  if (!bar) return null
                  const y = at * rowHeight + 7 + number * barHeight
                  const [wide, widest] = bar.wider ?? [bar.value, bar.value]
                  const middle = y + barHeight / 2
                  return (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a series has no other key here.
                    <g key={number}>
                      {bar.wider && (
                        <line
                          className={css.whisker}
                          x1={x(length(wide))}
                          x2={x(length(widest))}
                          y1={middle}
                          y2={middle}
                        />
                      )}
                      {bar.wider && (
                        <line
                          className={css.whisker}
                          x1={x(length(widest))}
                          x2={x(length(widest))}
                          y1={middle - 4}
                          y2={middle + 4}
                        />
                      )}
                      {bar.wider && (
                        <rect
                          x={x(0, length(wide))}
                          width={length(wide)}
                          y={middle - 3}
                          height={6}
                          fill={of(number)}
                        />
                      )}
                      <rect
                        className={css.shape}
                        x={x(0, Math.max(1, length(bar.value)))}
                        width={Math.max(1, length(bar.value))}
                        y={y + 1}
                        height={barHeight - 2}
                        fill={of(number)}
                      />
                      <text x={x(length(widest) + 6)} y={middle + 4} textAnchor={towards}>
                        {bar.text}
                      </text>
                    </g>
                  )
                })}
              </g>
            ))}
          </svg>
        )}
        <PlotLinks
          label={label}
          links={rows.flatMap(({ href, said }, at) =>
            href === undefined || width === 0
              ? []
              : [{ href, said, box: { x: 0, y: at * rowHeight, width, height: rowHeight } }],
          )}
        />
      </PlotFrame>
    </>
  )
}

/** Names that do not fit are cut off; the table has the full ones. */
function cut(name: string, room: number): string {
  const most = Math.max(6, Math.floor(room / 7))
  const letters = [...name]
  return letters.length <= most ? name : `${letters.slice(0, most - 1).join('')}…`
}
