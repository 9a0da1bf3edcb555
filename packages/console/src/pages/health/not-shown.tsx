/** Replaces a part that the person may not see: why, who can, and the command that shows it. */
import { Copy } from '../../parts/controls.tsx'
import { Empty } from '../../parts/said.tsx'
import css from './health.module.css'

export function NotShown({
  title,
  body,
  command,
}: {
  readonly title: string
  readonly body: string
  readonly command?: string
}) {
  return (
    <Empty glyph="lock" title={title}>
      <p>{body}</p>
      {command && (
        <p className={css.command}>
          <code>{command}</code>
          <Copy text={command} label={command} />
        </p>
      )}
    </Empty>
  )
}
