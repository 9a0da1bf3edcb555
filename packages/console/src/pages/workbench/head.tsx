/** The head of the workbench: what is translated, until when, what stands in the way of the delivery, and the main buttons. */
import type { ReactNode } from 'react'
import { Glyph } from '../../look/glyphs.tsx'
import { StatePill, type Status } from '../../look/states.tsx'
import { Due } from '../../parts/due.tsx'
import { Page } from '../../parts/page.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import type { Task } from './task.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

/** What a provider calls the states, as the console shows them: at the provider, or in translation once somebody has claimed it. */
function shownStatus({ statusCode, assignee }: Task['task']): Status {
  if (statusCode === 'TRANSLATION_SUBMITTED') return 'REVIEW_TRANSLATION'
  if (statusCode === 'SENDING' || statusCode === 'SENT_TO_PROVIDER')
    return assignee ? 'IN_TRANSLATION' : 'SENT_TO_PROVIDER'
  return statusCode as Status
}

type FrameProps = {
  readonly task: Task
  readonly blocks?: string | undefined
  readonly acts: ReactNode
  readonly head?: ReactNode
  readonly children: ReactNode
}

export function BenchFrame({ task: { task, jobName, dueDate }, blocks, acts, head, children }: FrameProps) {
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  return (
    <Page
      title={task.requestName}
      above={{ href: '/work', text: t('work'), of: jobName }}
      fills="screen"
      beside={
        <>
          <span className="mut">
            {t('fromTo', {
              from: writers.language(task.sourceNativeLanguageCode),
              to: writers.language(task.targetNativeLanguageCode),
            })}
          </span>
          <StatePill status={shownStatus(task)} />
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
