/** When a job is due, and how soon that is. A late one is shown by glyph, word and colour. */
import type { Job } from '@dragoman/contract/wire'
import { useMinute } from '../../clock.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'
import css from './jobs.module.css'

const day = 86_400_000
const isOpen = (job: Job): boolean => job.statusCode !== 'COMPLETED' && job.statusCode !== 'CANCELLED'

export function Due({ job }: { readonly job: Job }) {
  const t = useWords<keyof typeof en>('jobs')
  const writers = useWriters()
  const now = useMinute()
  const { dueDate } = job
  if (dueDate === undefined) return <span className="dim">{t('noDue')}</span>
  const ms = new Date(dueDate).getTime() - now
  const isLate = ms < 0 && isOpen(job)
  const days = Math.floor(-ms / day)
  return (
    <time dateTime={dueDate} title={`${writers.full(dueDate)}, ${dueDate}`} className={css.due}>
      <span>{writers.date(dueDate)}</span>
      {isLate ? (
        <span className={css.late}>
          <Glyph name="clock" size={12} />
          {days === 0 ? t('late') : t('lateDays', { days })}
        </span>
      ) : (
        <span className="dim">{isOpen(job) ? writers.relative(dueDate, now) : ''}</span>
      )}
    </time>
  )
}
