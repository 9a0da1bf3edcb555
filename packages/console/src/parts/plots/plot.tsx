/**
 * What all plots share. A plot is one image with a text alternative; its links are separate
 * elements over it, one of them in the tab order, and arrow keys move between them. Series differ
 * in pattern and word, then in colour.
 */
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import css from './plot.module.css'

/** One of the fills of tokens.css. */
export type Fill =
  | 'created'
  | 'sending'
  | 'sent'
  | 'translating'
  | 'review'
  | 'approved'
  | 'rejected'
  | 'cancelled'
export type Pattern = 'plain' | 'up' | 'down' | 'dots' | 'grid'
export type Series = {
  readonly name: string
  readonly fill: Fill
  readonly pattern: Pattern
  /** Shown beside its name in the legend. */
  readonly total?: string
}

/** The pattern over a fill; `plain` has none. */
const marks: Readonly<Record<Exclude<Pattern, 'plain'>, ReactNode>> = {
  up: <path className={css.mark} d="M-2 2 2-2M0 8 8 0M6 10l4-4" />,
  down: <path className={css.mark} d="m-2 6 4 4M0 0l8 8M6-2l4 4" />,
  dots: <circle className={css.mark} cx="4" cy="4" r="1" />,
  grid: <path className={css.mark} d="M0 4h8M4 0v8" />,
}

const fillVariable = (fill: Fill): string => `var(--fill-${fill})`

/** How a series is drawn: call `of` for the `fill` of a shape. `defs` goes into the SVG. */
export function usePatterns(series: readonly Series[]): {
  defs: ReactNode
  of: (at: number) => string
} {
  const id = useId()
  const nameOf = (at: number) => `${id}-${at}`
  const defs = (
    <defs>
      {series.map(({ name, fill, pattern }, at) => (
        <pattern key={name} id={nameOf(at)} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect width="8" height="8" style={{ fill: fillVariable(fill) }} />
          {pattern !== 'plain' && marks[pattern]}
        </pattern>
      ))}
    </defs>
  )
  return { defs, of: (at) => `url(#${nameOf(at)})` }
}

/** The current width of an element. */
export function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return [ref, width]
}

export const isMirrored = (): boolean => document.documentElement.dir === 'rtl'

/** Round numbers from 0 to at least the largest, four steps or fewer. */
export function ticksTo(largest: number): number[] {
  if (!(largest > 0)) return [0, 1]
  const raw = largest / 4
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= raw) ?? 10) * power
  // Counts have no fractions.
  const whole = largest >= 4 ? step : Math.max(step, largest >= 1 ? 1 : step)
  const many = Math.ceil(largest / whole)
  return Array.from({ length: many + 1 }, (_, at) => at * whole)
}

export function Legend({
  series,
  line,
}: {
  readonly series: readonly Series[]
  readonly line?: string | undefined
}) {
  const { defs, of } = usePatterns(series)
  return (
    <ul className={css.legend}>
      {series.map(({ name, total }, at) => (
        <li key={name}>
          <svg width="14" height="14" aria-hidden="true" focusable="false">
            {at === 0 && defs}
            <rect width="14" height="14" rx="2" fill={of(at)} />
          </svg>
          <span>{name}</span>
          {total !== undefined && <b>{total}</b>}
        </li>
      ))}
      {line !== undefined && (
        <li>
          <svg width="18" height="14" aria-hidden="true" focusable="false">
            <path className={css.line} d="M0 7h18" />
            <circle className={css.dot} cx="9" cy="7" r="3" />
          </svg>
          <span>{line}</span>
        </li>
      )}
    </ul>
  )
}

type PlotLink = {
  readonly href: string
  readonly said: string
  readonly box: {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }
}

/** Links over the plot, in the order of the marks. */
export function PlotLinks({
  label,
  links,
}: {
  readonly label: string
  readonly links: readonly PlotLink[]
}) {
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  if (links.length === 0) return null
  const current = Math.min(at, links.length - 1)
  const onKey = (event: KeyboardEvent) => {
    const forward = isMirrored() ? 'ArrowLeft' : 'ArrowRight'
    const back = isMirrored() ? 'ArrowRight' : 'ArrowLeft'
    const to: Record<string, number> = {
      [forward]: current + 1,
      ArrowDown: current + 1,
      [back]: current - 1,
      ArrowUp: current - 1,
      Home: 0,
      End: links.length - 1,
    }
    const next = to[event.key]
    if (next === undefined) return
    event.preventDefault()
    const found = Math.max(0, Math.min(links.length - 1, next))
    setAt(found)
    list.current?.querySelectorAll('a')[found]?.focus()
  }
  return (
    <ul className={css.links} ref={list} aria-label={label} onKeyDown={onKey}>
      {links.map(({ href, said, box }, index) => (
        <li key={`${href} ${said}`}>
          <Link
            href={href}
            title={said}
            tabIndex={index === current ? 0 : -1}
            onFocus={() => setAt(index)}
            style={{
              insetInlineStart: box.x,
              insetBlockStart: box.y,
              inlineSize: box.width,
              blockSize: box.height,
            }}
          >
            <span className="unseen">{said}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

export function PlotFrame({
  frame,
  children,
}: {
  readonly frame: React.RefObject<HTMLDivElement | null>
  readonly children: ReactNode
}) {
  return (
    <div className={css.plot} ref={frame}>
      {children}
    </div>
  )
}
