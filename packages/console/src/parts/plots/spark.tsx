/**
 * A day in 24 bars: what arrived above the line, what failed below it. A sentence says the same.
 */
import css from './spark.module.css'

type SparkProps = {
  readonly up: readonly number[]
  readonly down: readonly number[]
  /** The sentence says in words what the plot shows. */
  readonly label: string
  readonly large?: boolean
}

const bar = 4
const gap = 1
const half = 14

export function Spark({ up, down, label, large }: SparkProps) {
  const most = Math.max(1, ...up, ...down)
  const width = up.length * (bar + gap) - gap
  const sizeOf = (count: number): number =>
    count === 0 ? 0 : Math.max(1.5, (count / most) * (half - 1))
  return (
    <svg
      className={large ? css.large : css.spark}
      viewBox={`0 0 ${width} ${half * 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      focusable="false"
    >
      <path d={`M0 ${half}H${width}`} className={css.line} />
      {up.map((count, at) => {
        const height = sizeOf(count)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the index of a bar is its hour.
            key={at}
            className={css.up}
            x={at * (bar + gap)}
            y={half - height}
            width={bar}
            height={height}
          />
        )
      })}
      {down.map((count, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          key={at}
          className={css.down}
          x={at * (bar + gap)}
          y={half}
          width={bar}
          height={sizeOf(count)}
        />
      ))}
    </svg>
  )
}
