/**
 * The head of the workbench: what is translated, until when, what stands in the way of the
 * delivery, and the main buttons.
 */
import type { ReactNode } from 'react'
import { Glyph } from '../../look/glyphs.tsx'
import { deskStatus, StatePill } from '../../look/states.tsx'
import { Due } from '../../parts/due.tsx'
import { Page } from '../../parts/page.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import type { Task } from './task.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

type FrameProps = {
  readonly task: Task
  readonly blocks?: string | undefined
  readonly acts: ReactNode
  readonly head?: ReactNode
  readonly children: ReactNode
}

export function BenchFrame({
  task: { at, task, jobName, dueDate },
  blocks,
  acts,
  head,
  children,
}: FrameProps) {
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  return (
    <Page
      title={task.requestName}
      above={{
        href: '/work',
        text: t('work'),
        of: { href: `/jobs/${at.jobId}`, text: jobName ?? at.jobId },
      }}
      fills="screen"
      beside={
        <>
          <span className="mut">
            {t('fromTo', {
              from: writers.language(task.sourceNativeLanguageCode),
              to: writers.language(task.targetNativeLanguageCode),
            })}
          </span>
          <StatePill status={deskStatus(task.statusCode, task.assignee !== undefined)} />
          {dueDate && (
            <span className={css.due}>
              <span className="dim">{t('due')}</span> <Due at={dueDate} />
            </span>
          )}
        </>
      }
      acts={
        <>
          {blocks && (
            <span className={css.blocks}>
              <Glyph name="error" size={14} />
              {blocks}
            </span>
          )}
          {acts}
        </>
      }
      head={head}
    >
      {children}
    </Page>
  )
}
