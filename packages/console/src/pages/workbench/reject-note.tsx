/** Why the whole text came back: the note that the reviewer gave with the rejection. */
import { Glyph } from '../../look/glyphs.tsx'
import { useWords } from '../../words/words.ts'
import { isOver, type Task } from './task.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

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
