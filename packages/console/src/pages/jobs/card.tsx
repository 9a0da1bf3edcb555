/**
 * A job on the board: name, due date, languages, state of its requests, and what can be done with
 * it.
 */
import type { Job } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Glyph } from '../../look/glyphs.tsx'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Menu } from '../../parts/menu.tsx'
import { StateBar } from '../../parts/plots/state-bar.tsx'
import { useMay } from '../../session.tsx'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'
import { type ActName, acts, isAllowed } from './acts.ts'
import css from './board.module.css'
import { Due } from './due.tsx'

type CardProps = {
  readonly job: Job
  readonly at: number
  readonly top: number
  readonly height: number
}

export function Card({ job, at, top, height }: CardProps) {
  const t = useWords<keyof typeof en>('jobs')
  const [, go] = useLocation()
  const may = useMay('manager')
  const [act, setAct] = useState<ActName>()
  const offered: readonly ActName[] = ['submit', 'complete', 'reopen', 'archive']
  return (
    <li
      aria-posinset={at + 1}
      aria-setsize={-1}
      className={css.place}
      style={{ blockSize: height, transform: `translateY(${top}px)` }}
    >
      <article className={css.card}>
        <div className={css.top}>
          <Link href={`/jobs/${job.jobId}`} data-card={job.jobId} className={css.name}>
            <bdi>{job.jobName}</bdi>
          </Link>
          <Menu
            label={t('menuOf', { name: job.jobName })}
            items={[
              {
                name: 'open',
                title: t('open'),
                glyph: 'next',
                act: () => go(`/jobs/${job.jobId}`),
              },
              ...offered.map((name) => ({
                name,
                title: t(`bulk.${name}` as 'bulk.archive'),
                glyph: acts[name].glyph,
                refusal: !may
                  ? t('needsManager')
                  : isAllowed(name, job)
                    ? undefined
                    : t('notInState'),
                act: () => setAct(name),
              })),
            ]}
          />
        </div>
        <div className={css.meta}>
          <Due job={job} />
          {job.hasError && (
            <span className={css.bad} title={job.latestErrorMessage}>
              <Glyph
                name="error"
                size={14}
                label={t('hasError', { error: job.latestErrorMessage ?? '' })}
              />
            </span>
          )}
        </div>
        <StateBar counts={job.aggregateRequests?.byStatusCode ?? {}} size="small" />
      </article>
      {act && <ActDialog act={act} job={job} onClose={() => setAct(undefined)} />}
    </li>
  )
}

function ActDialog({
  act,
  job,
  onClose,
}: {
  readonly act: ActName
  readonly job: Job
  readonly onClose: () => void
}) {
  const t = useWords<keyof typeof en>('jobs')
  const title = t(`bulk.${act}` as 'bulk.archive')
  return (
    <AskDialog
      title={title}
      act={title}
      call={acts[act].call}
      input={{ params: { jobId: job.jobId } }}
      changes={['listJobs', 'listArchivedJobs', 'countJobs', 'findJob']}
      onClose={onClose}
      onDone={onClose}
    >
      <p>{t(`ask.${act}` as 'ask.archive', { count: 1 })}</p>
      <p>
        <bdi>{job.jobName}</bdi>
      </p>
    </AskDialog>
  )
}
