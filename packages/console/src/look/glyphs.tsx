/**
 * Our own icons, drawn on a 16-pixel grid: a state is recognisable by its shape, before word and
 * colour. Lines are styled by `.glyph` (tokens.css): a list draws thousands, and attributes on each
 * would cost as much as the shape.
 */
// Imported here too, so that these styles come before those of every part.
import './styles.ts'
import type { ReactElement } from 'react'

const ring = <circle cx="8" cy="8" r="6" />
const dashes = <circle cx="8" cy="8" r="6" strokeLinecap="butt" strokeDasharray="2.4 2.3" />
const on = 'var(--tint, var(--bg))'

const shapes = {
  created: dashes,
  sending: [dashes, <path key="a" d="M8 11V5M5.6 7.3 8 4.9l2.4 2.4" />],
  sent: [ring, <circle key="d" cx="8" cy="8" r="2.2" fill="currentColor" stroke="none" />],
  translating: [
    ring,
    <path key="h" d="M8 4.2a3.8 3.8 0 0 1 0 7.6z" fill="currentColor" stroke="none" />,
  ],
  review: [
    <path key="d" d="M8 1.8 14.2 8 8 14.2 1.8 8z" />,
    <circle key="c" cx="8" cy="8" r="2" fill="currentColor" stroke="none" />,
  ],
  approved: [
    <circle key="c" cx="8" cy="8" r="6.7" fill="currentColor" stroke="none" />,
    <path key="t" d="m5 8.3 2.1 2.1L11 6.3" stroke={on} strokeWidth={1.8} />,
  ],
  rejected: [
    <rect
      key="s"
      x="1.6"
      y="1.6"
      width="12.8"
      height="12.8"
      rx="3"
      fill="currentColor"
      stroke="none"
    />,
    <path key="b" d="M6.6 4.9 4.5 7l2.1 2.1M4.7 7h4.4a2.2 2.2 0 0 1 0 4.4H8" stroke={on} />,
  ],
  cancelled: [ring, <path key="s" d="m4 12 8-8" />],
  error: [<path key="t" d="M8 2 14.6 13.6H1.4z" />, <path key="m" d="M8 6.2v3.4M8 11.4v.4" />],
  call: <path d="M2 8h8.6M7.6 4.8 10.9 8l-3.3 3.2M14 3.2v9.6" />,
  upstream: <path d="M2 3.2v9.6M5.2 8H14M10.7 4.8 14 8l-3.3 3.2" />,
  move: <path d="M3.2 11.5V5.2H11M8.6 2.8 11 5.2 8.6 7.6" />,
  file: <path d="M4 1.9h5l3.3 3.2v9H4zM9 1.9v3.2h3.3" />,
  update: <path d="M8 1.8v1.6M4.1 11V7.4a3.9 3.9 0 0 1 7.8 0V11l1.2 1.5H2.9zM6.8 14.3h2.4" />,
  delivery: <path d="M2 7.9 14 2.3 10.6 14 7.5 9z" />,
  cost: [
    ring,
    <path key="e" d="M10.2 5.9a2.9 2.9 0 1 0 0 4.2M4.8 7.2h3.8M4.8 8.8h3.8" strokeWidth={1.3} />,
  ],
  task: [
    <path key="a" d="M8 2v2.4M8 11.6V14M2 8h2.4M11.6 8H14" />,
    <circle key="c" cx="8" cy="8" r="2.6" />,
  ],
  jobs: <path d="M2.2 4h11.6M2.2 8h11.6M2.2 12h11.6" />,
  work: <path d="M2.6 13.4 3.4 10 10.6 2.8a1.7 1.7 0 0 1 2.4 2.4L5.8 12.4z" />,
  reports: <path d="M3 13.4V8.6M8 13.4V3M13 13.4V6.4" strokeWidth={2} />,
  listeners: <path d="M8 1.8v1.6M4.1 11V7.4a3.9 3.9 0 0 1 7.8 0V11l1.2 1.5H2.9zM6.8 14.3h2.4" />,
  health: <path d="M1.8 8.4h2.8L6.4 4l3 8 1.8-3.6h3" />,
  sandbox: <path d="M6 1.9h4M6.8 2v4L3 13.5h10L9.2 6V2" />,
  providers: [
    <circle key="h" cx="8" cy="5" r="2.7" />,
    <path key="b" d="M2.6 14c.6-3 2.6-4.4 5.4-4.4s4.8 1.4 5.4 4.4" />,
  ],
  routing: (
    <path d="M2 8h3.2c3 0 2.6-4.4 5.6-4.4h2.6M5.2 8c3 0 2.6 4.4 5.6 4.4h2.6M11.4 1.6l2.2 2-2.2 2M11.4 10.4l2.2 2-2.2 2" />
  ),
  prices: [
    ring,
    <path key="e" d="M10.2 5.9a2.9 2.9 0 1 0 0 4.2M4.8 7.2h3.8M4.8 8.8h3.8" strokeWidth={1.3} />,
  ],
  access: [<circle key="c" cx="5" cy="8" r="2.9" />, <path key="s" d="M7.9 8h6.3M12 8v2.8" />],
  docs: (
    <path d="M8 4.4C6.6 3.3 4.7 2.9 2.2 2.9v9.3c2.5 0 4.4.4 5.8 1.5 1.4-1.1 3.3-1.5 5.8-1.5V2.9c-2.5 0-4.4.4-5.8 1.5zM8 4.4v9.3" />
  ),
  find: [<circle key="c" cx="7" cy="7" r="4.4" />, <path key="s" d="m10.4 10.4 3.4 3.4" />],
  clock: [ring, <path key="h" d="M8 4.6V8l2.3 1.5" />],
  tick: <path d="m3 8.5 3.2 3.2L13 4.9" strokeWidth={1.8} />,
  copy: [
    <rect key="r" x="5.4" y="5.4" width="8" height="8" rx="1.6" />,
    <path key="p" d="M10.6 3.6v-1h-8v8h1" />,
  ],
  again: <path d="M13 8a5 5 0 1 1-1.6-3.7M13 2v3.2H9.8" />,
  more: [
    <circle key="a" cx="3.4" cy="8" r="1.3" fill="currentColor" stroke="none" />,
    <circle key="b" cx="8" cy="8" r="1.3" fill="currentColor" stroke="none" />,
    <circle key="c" cx="12.6" cy="8" r="1.3" fill="currentColor" stroke="none" />,
  ],
  close: <path d="m3.6 3.6 8.8 8.8M12.4 3.6l-8.8 8.8" />,
  add: <path d="M8 3v10M3 8h10" />,
  up: <path d="m4 9.8 4-4 4 4" />,
  down: <path d="m4 6.2 4 4 4-4" />,
  next: <path d="m6.2 4 4 4-4 4" />,
  filter: <path d="M2 3.4h12L9.4 8.8v4.4l-2.8-1.4v-3z" />,
  person: [
    <circle key="h" cx="8" cy="5" r="2.7" />,
    <path key="b" d="M2.6 14c.6-3 2.6-4.4 5.4-4.4s4.8 1.4 5.4 4.4" />,
  ],
  key: [<circle key="c" cx="5" cy="8" r="2.9" />, <path key="s" d="M7.9 8h6.3M12 8v2.8" />],
  lock: [
    <rect key="r" x="3.4" y="7" width="9.2" height="6.6" rx="1.4" />,
    <path key="b" d="M5.4 7V5a2.6 2.6 0 0 1 5.2 0v2" />,
  ],
  play: <path d="M4.6 2.8 12.6 8l-8 5.2z" />,
  bin: <path d="M2.8 4.4h10.4M6.4 4.2V2.4h3.2v1.8M4.2 4.6l.6 9h6.4l.6-9" />,
  download: <path d="M8 2v7.4M4.8 6.6 8 9.8l3.2-3.2M2.6 13.4h10.8" />,
  upload: <path d="M8 10V2.6M4.8 5.6 8 2.4l3.2 3.2M2.6 13.4h10.8" />,
} satisfies Record<string, ReactElement | ReactElement[]>

export type GlyphName = keyof typeof shapes

/** Decorative, because the word beside it says the same. Give it a `label` if there is no word. */
export function Glyph({
  name,
  size = 16,
  label,
}: {
  readonly name: GlyphName
  readonly size?: number
  readonly label?: string
}) {
  const told = label
    ? ({ role: 'img', 'aria-label': label } as const)
    : ({ 'aria-hidden': true } as const)
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has a label, or is hidden.
    <svg
      className="glyph"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      focusable="false"
      {...told}
    >
      {shapes[name]}
    </svg>
  )
}
