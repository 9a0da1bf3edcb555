/**
 * Someone else has written this segment in the meantime: both versions, and a choice. Nothing is
 * lost before it is made.
 */
import type { Segment } from '@dragoman/contract/wire'
import { ChipText } from '../../parts/chip-editor/chip-text.tsx'
import { Button } from '../../parts/controls.tsx'
import { useWords } from '../../words/words.ts'
import type { Drafts } from './drafts/use-drafts.ts'
import type { Task } from './task.ts'
import type { Key } from './texts.ts'
import type { Shown } from './use-segments.ts'
import css from './workbench.module.css'

type ConflictProps = {
  readonly task: Task
  readonly segment: Shown
  readonly theirs: Segment
  readonly drafts: Drafts
}

export function Conflict({ task, segment, theirs, drafts }: ConflictProps) {
  const t = useWords<Key>('workbench')
  const language = task.task.targetNativeLanguageCode
  const mine = drafts.of(segment.segmentId)?.target ?? segment.target ?? []
  const versions = [
    { which: 'mine', text: mine, title: t('mine') },
    { which: 'theirs', text: theirs.target ?? [], title: t('theirs') },
  ] as const
  return (
    <div className={css.notice} role="alert">
      <p>
        <b>{t('conflict', { position: segment.position })}</b>
      </p>
      {versions.map(({ which, text, title }) => (
        <div key={which} className={css.version}>
          <ChipText text={text} tags={segment.tags} language={language} />
          <Button small onClick={() => drafts.choose(segment.segmentId, which)}>
            {title}
          </Button>
        </div>
      ))}
    </div>
  )
}
