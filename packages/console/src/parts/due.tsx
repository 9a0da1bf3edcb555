/** When something is due, and how soon that is. What is late is shown by glyph, word and colour. */
import { useMinute } from '../clock.ts'
import { Glyph } from '../look/glyphs.tsx'
import { useWriters } from '../times.ts'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import css from './due.module.css'

const day = 86_400_000

type DueProps = {
  readonly at: string | undefined
  readonly isOpen?: boolean
  /** What it waits for, said by the mark of what is late. */
  readonly why?: string
}

export function Due({ at, isOpen = true, why }: DueProps) {
  const t = useWords<keyof typeof en>('parts')
  const writers = useWriters()
  const now = useMinute()
  if (at === undefined) return <span className="dim">{t('noDue')}</span>
  const ms = new Date(at).getTime() - now
  const days = Math.floor(-ms / day)
  return (
    <time dateTime={at} title={`${writers.full(at)}, ${at}`} className={css.due}>
      <span>{writers.date(at)}</span>
      {ms < 0 && isOpen ? (
        <span className={css.late} title={why}>
          <Glyph name="clock" size={12} />
          {days === 0 ? t('late') : t('lateDays', { days })}
          {why && <span className="unseen">: {why}</span>}
        </span>
      ) : (
        <span className="dim">{isOpen ? writers.relative(at, now) : ''}</span>
      )}
    </time>
  )
}
