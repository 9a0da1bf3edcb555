/** Columns over time, side by side or stacked, and a line over them. */
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

type PlotColumn = {
  /** Below the axis, if there is room. */
  readonly name: string
  /** One per series. They only set heights: texts come from `said`. */
  readonly values: readonly number[]
  readonly line?: number
  /** Above the column, if there is room. */
  readonly top?: string
  /** Everything in words. */
  readonly said: string
  readonly href?: string
}

type PlotColumnsProps = {
  /** What the plot shows, for people who cannot see it. */
  readonly label: string
  readonly columns: readonly PlotColumn[]
  readonly series: readonly Series[]
  readonly stacked?: boolean
  /** The name of the line. */
  readonly line?: string
  readonly height?: number
  readonly tick: (value: number) => string
}

const room = { start: 48, end: 8, top: 18, foot: 22 }
const nameWidth = 56
/** The maximum width of a column, however few there are. */
const maxWidth = 72

export function PlotColumns({
  label,
  columns,
  series,
  stacked,
  line,
  height = 220,
  tick,
}: PlotColumnsProps) {
  const [frame, width] = useWidth()
  const { defs, of } = usePatterns(series)
  const mirrored = isMirrored()
  const heightOf = ({ values }: PlotColumn) =>
    stacked ? values.reduce((sum, one) => sum + one, 0) : Math.max(0, ...values)
  const ticks = ticksTo(
    Math.max(0, ...columns.map((one) => Math.max(heightOf(one), one.line ?? 0))),
  )
  const most = ticks.at(-1) ?? 1
  const [left, right] = mirrored ? [room.end, room.start] : [room.start, room.end]
  const inside = Math.max(0, width - left - right)
  const tall = height - room.top - room.foot
  const step = columns.length > 0 ? inside / columns.length : inside
  const gap = Math.max(Math.min(24, step * 0.3), step - maxWidth)
  const y = (value: number) => room.top + tall * (1 - value / most)
  const x = (at: number) => left + (mirrored ? columns.length - 1 - at : at) * step
  const named = Math.max(1, Math.ceil(nameWidth / Math.max(1, step)))
  const hasTops = step >= nameWidth
  return (
    <>
      <Legend series={series} line={line} />
      <PlotFrame frame={frame}>
        {width > 0 && (
          <svg width={width} height={height} role="img" aria-label={label} focusable="false">
            {defs}
            {ticks.map((value) => (
              <g key={value}>
                <line
                  className={value === 0 ? css.base : css.axis}
                  x1={left}
                  x2={left + inside}
                  y1={y(value)}
                  y2={y(value)}
                />
                <text
                  x={mirrored ? width - room.start + 6 : room.start - 6}
                  y={y(value) + 4}
                  textAnchor={mirrored ? 'start' : 'end'}
                >
                  {tick(value)}
                </text>
              </g>
            ))}
            {columns.map((column, at) => (
              <g key={column.name}>
                <Bars
                  column={column}
                  stacked={stacked ?? false}
                  x={x(at) + gap / 2}
                  width={step - gap}
                  y={y}
                  fillOf={of}
                />
                {at % named === 0 && (
                  <text x={x(at) + step / 2} y={height - 6} textAnchor="middle">
                    {column.name}
                  </text>
                )}
                {hasTops && column.top && (
                  <text
                    className={css.said}
                    x={x(at) + step / 2}
                    y={y(heightOf(column)) - 5}
                    textAnchor="middle"
                  >
                    {column.top}
                  </text>
                )}
              </g>
            ))}
            {line !== undefined && (
              <Line columns={columns} x={(at) => x(at) + step / 2} y={y} dots={step >= 12} />
            )}
          </svg>
        )}
        <PlotLinks
          label={label}
          links={columns.flatMap(({ href, said }, at) =>
            href === undefined || width === 0
              ? []
              : [
                  {
                    href,
                    said,
                    box: { x: room.start + at * step, y: room.top, width: step, height: tall },
                  },
                ],
          )}
        />
      </PlotFrame>
    </>
  )
}

type BarsProps = {
  readonly column: PlotColumn
  readonly stacked: boolean
  readonly x: number
  readonly width: number
  readonly y: (value: number) => number
  readonly fillOf: (at: number) => string
}

function Bars({ column: { values }, stacked, x, width, y, fillOf }: BarsProps) {
  const each = stacked ? width : width / Math.max(1, values.length)
  let below = 0
  return values.map((value, at) => {
    const from = stacked ? below : 0
    below += value
    if (value <= 0) return null
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: a series has no other key here.
        key={at}
        className={css.shape}
        x={stacked ? x : x + at * each}
        width={Math.max(1, each)}
        y={y(from + value)}
        height={Math.max(1, y(from) - y(from + value))}
        fill={fillOf(at)}
      />
    )
  })
}

type LineProps = {
  readonly columns: readonly PlotColumn[]
  readonly x: (at: number) => number
  readonly y: (value: number) => number
  readonly dots: boolean
}

function Line({ columns, x, y, dots }: LineProps) {
  const points = columns.flatMap(({ line }, at) =>
    line === undefined ? [] : [[x(at), y(line)] as const],
  )
  return (
    <>
      <path
        className={css.line}
        d={points.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${px} ${py}`).join('')}
      />
      {dots &&
        points.map(([px, py]) => <circle key={px} className={css.dot} cx={px} cy={py} r="3" />)}
    </>
  )
}
