/** What the reviewer says: of one segment, and of the whole text that came back. */
import { Glyph } from '../../look/glyphs.tsx'
import { useWords } from '../../words/words.ts'
import { isOver, type Task } from './task.ts'
import type { Key } from './texts.ts'
import type { Shown } from './use-segments.ts'
import css from './workbench.module.css'

/** Nothing for a segment that was not found wrong. */
export function SegmentNote({ row: { review } }: { readonly row: Shown }) {
  const t = useWords<Key>('workbench')
  if (review?.verdict !== 'WRONG') return null
  return (
    <p className={css.verdict}>
      <Glyph name="again" size={14} />
      <span>
        <b>{t('reviewer')}</b> <bdi>{review.note ?? t('mark.rejected')}</bdi>{' '}
        {review.type && <span className="dim">{t(`type.${review.type}`)}</span>}
      </span>
    </p>
  )
}

export function RejectNote({ task }: { readonly task: Task }) {
  const t = useWords<Key>('workbench')
  const { rejectNote } = task.task
  if (isOver(task) || !rejectNote) return null
  return (
    <p className={css.verdict}>
      <Glyph name="again" size={14} />
      <span>
        <b>{t('reviewer')}</b> <bdi className={css.lines}>{rejectNote}</bdi>
      </span>
    </p>
  )
}
