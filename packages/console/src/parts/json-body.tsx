/** A body, one value a line; where a message is about a value, its line is marked and the message stands below it. */
import type { CSSProperties } from 'react'
import { Glyph } from '../look/glyphs.tsx'
import css from './json-body.module.css'
import { type Detail, linesOf, messagesByLine } from './json-lines.ts'
import { Code } from './page.tsx'

export function JsonBody({
  text,
  label,
  details = [],
}: {
  readonly text: string
  readonly label: string
  readonly details?: readonly Detail[]
}) {
  const lines = linesOf(text)
  if (!lines) return <Code text={text} label={label} />
  const messages = messagesByLine(lines, details)
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key. */}
      <div className={css.body} tabIndex={0} dir="ltr">
        {lines.map((line, at) => {
          const found = messages.get(at)
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
              key={at}
              className={found ? `${css.line} ${css.marked}` : css.line}
              style={{ '--depth': line.depth } as CSSProperties}
            >
              {line.text}
              {found?.map((message) => (
                <div key={message} className={css.message} lang="en">
                  <Glyph name="error" size={14} />
                  <span>{message}</span>
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </section>
  )
}
