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

/** How late something is, in whole days: the same words wherever it stands. */
export function useLateWords(): (at: string, now: number) => string {
  const t = useWords<keyof typeof en>('parts')
  return (at, now) => {
    const days = Math.floor((now - new Date(at).getTime()) / day)
    return days === 0 ? t('late') : t('lateDays', { days })
  }
}

export function Due({ at, isOpen = true, why }: DueProps) {
  const t = useWords<keyof typeof en>('parts')
  const late = useLateWords()
  const writers = useWriters()
  const now = useMinute()
  if (at === undefined) return <span className="dim">{t('noDue')}</span>
  const ms = new Date(at).getTime() - now
  return (
    <time dateTime={at} title={`${writers.full(at)}, ${at}`} className={css.due}>
      <span>{writers.date(at)}</span>
      {ms < 0 && isOpen ? (
        <span className={css.late} title={why}>
          <Glyph name="clock" size={12} />
          {late(at, now)}
          {why && <span className="unseen">: {why}</span>}
        </span>
      ) : (
        <span className="dim">{isOpen ? writers.relative(at, now) : ''}</span>
      )}
    </time>
  )
}
