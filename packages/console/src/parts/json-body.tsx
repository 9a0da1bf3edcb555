/**
 * A body, one value per line; a line with an error is marked, and the message is shown below it.
 */
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <div className={css.body} tabIndex={0} dir="ltr">
        {lines.map((line, at) => {
          const found = messages.get(at)
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key, and never move.
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
