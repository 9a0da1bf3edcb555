/** Actions on the marked jobs: one after the other, with the result of each. */
import type { Job } from '@dragoman/contract/wire'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, HubFailure } from '../../hub.ts'
import { useKeys } from '../../keys.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Button } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useMay } from '../../session.tsx'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'
import { type ActName, acts, isAllowed } from './acts.ts'
import css from './jobs.module.css'

type BulkProps = {
  readonly marked: ReadonlyMap<string, Job>
  readonly isArchive: boolean
  readonly onDone: () => void
}
const keys: Partial<Record<ActName, string>> = { complete: 'c', archive: 'a', unarchive: 'a' }

export function BulkBar({ marked, isArchive, onDone }: BulkProps) {
  const t = useWords<keyof typeof en>('jobs')
  const may = useMay('manager')
  const [act, setAct] = useState<ActName>()
  const offered: readonly ActName[] = isArchive ? ['unarchive'] : ['complete', 'reopen', 'archive']
  const jobs = [...marked.values()]
  const isOffered = jobs.length > 0 && may
  useKeys(
    isOffered
      ? offered.flatMap((name) => {
          const key = keys[name]
          return key
            ? [{ keys: key, says: t(`bulk.${name}` as 'bulk.archive'), act: () => setAct(name) }]
            : []
        })
      : [],
  )
  return (
    <>
      <div role="status" className="unseen">
        {jobs.length > 0 && t('marked', { count: jobs.length })}
      </div>
      {jobs.length > 0 && (
        <section className={css.bulk} aria-label={t('marked', { count: jobs.length })}>
          <b>{t('marked', { count: jobs.length })}</b>
          {offered.map((name) => (
            <Button
              key={name}
              small
              glyph={acts[name].glyph}
              refusal={may ? undefined : t('needsManager')}
              onClick={() => setAct(name)}
            >
              {t(`bulk.${name}` as 'bulk.archive')}
            </Button>
          ))}
          <Button small kind="quiet" glyph="close" onClick={onDone}>
            {t('unmark')}
          </Button>
        </section>
      )}
      {act && (
        <BulkDialog
          act={act}
          jobs={jobs}
          onClose={(isDone) => {
            setAct(undefined)
            if (isDone) onDone()
          }}
        />
      )}
    </>
  )
}

type Outcome = { readonly job: Job; readonly failure?: HubFailure }

function BulkDialog({
  act,
  jobs,
  onClose,
}: {
  readonly act: ActName
  readonly jobs: readonly Job[]
  readonly onClose: (isDone: boolean) => void
}) {
  const t = useWords<keyof typeof en>('jobs')
  const client = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [isRunning, setRunning] = useState(false)
  const fitting = jobs.filter((job) => isAllowed(act, job))
  const left = jobs.length - fitting.length
  const refused = outcomes.filter(({ failure }) => failure)
  const isOver = !isRunning && outcomes.length > 0
  const run = async () => {
    setRunning(true)
    for (const job of fitting) {
      const failure = await call(acts[act].call, { params: { jobId: job.jobId } }).then(
        () => undefined,
        (error: unknown) => error as HubFailure,
      )
      setOutcomes((all) => [...all, { job, ...(failure instanceof HubFailure && { failure }) }])
    }
    for (const name of ['listJobs', 'listArchivedJobs', 'countJobs', 'findJob'] as const)
      void client.invalidateQueries({ queryKey: [name] })
    setRunning(false)
  }
  return (
    <Dialog
      title={t(`bulk.${act}` as 'bulk.archive')}
      onClose={() => onClose(outcomes.length > 0)}
      busy={isRunning}
      {...(!isOver && { act: t(`bulk.${act}` as 'bulk.archive'), onAct: () => void run() })}
      refusal={fitting.length === 0 ? t('noneFits') : undefined}
    >
      <p role="status">
        {outcomes.length === 0
          ? t(`ask.${act}` as 'ask.archive', { count: fitting.length })
          : t('done', { done: outcomes.length - refused.length, all: fitting.length })}
      </p>
      {left > 0 && <p className="mut">{t('leftOut', { count: left })}</p>}
      <ul className={css.names}>
        {(outcomes.length > 0 ? refused : fitting.map((job): Outcome => ({ job })))
          .slice(0, 20)
          .map(({ job, failure }) => (
            <li key={job.jobId}>
              <bdi>{job.jobName}</bdi>
              {failure && (
                <span className={css.late}>
                  <Glyph name="error" size={14} />
                  <bdi>{failure.message}</bdi>
                </span>
              )}
            </li>
          ))}
      </ul>
    </Dialog>
  )
}
