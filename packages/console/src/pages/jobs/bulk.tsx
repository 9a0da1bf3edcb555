/** Actions on the marked jobs: one after the other, with the result of each. */
import type { Job } from '@dragoman/contract/wire'
import { call } from '../../hub.ts'
import { BulkBar } from '../../parts/list/bulk-bar.tsx'
import { ManyDialog, Names } from '../../parts/list/many-dialog.tsx'
import type { Marked } from '../../parts/list/marked.ts'
import { useMay } from '../../session.tsx'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'
import { type ActName, acts, isAllowed } from './acts.ts'

type BulkProps = {
  readonly marked: Marked<Job>
  readonly isArchive: boolean
  readonly onDone: () => void
}
const keys: Partial<Record<ActName, string>> = { complete: 'c', archive: 'a', unarchive: 'a' }
const changes = ['listJobs', 'listArchivedJobs', 'countJobs', 'findJob'] as const

export function JobBulkBar({ marked, isArchive, onDone }: BulkProps) {
  const t = useWords<keyof typeof en>('jobs')
  const may = useMay('manager')
  const offered: readonly ActName[] = isArchive ? ['unarchive'] : ['complete', 'reopen', 'archive']
  return (
    <BulkBar
      marked={marked}
      acts={offered.map((name) => ({
        name,
        says: t(`bulk.${name}` as 'bulk.archive'),
        key: keys[name],
        glyph: acts[name].glyph,
        refusal: may ? undefined : t('needsManager'),
      }))}
      says={t('marked', { count: marked.size })}
      unmark={t('unmark')}
      onDone={onDone}
      dialog={(act, jobs, onClose) => <BulkDialog act={act} jobs={jobs} onClose={onClose} />}
    />
  )
}

type DialogProps = {
  readonly act: ActName
  readonly jobs: readonly Job[]
  readonly onClose: (isDone: boolean) => void
}

function BulkDialog({ act, jobs, onClose }: DialogProps) {
  const t = useWords<keyof typeof en>('jobs')
  const fitting = jobs.filter((job) => isAllowed(act, job))
  const left = jobs.length - fitting.length
  const title = t(`bulk.${act}` as 'bulk.archive')
  return (
    <ManyDialog
      title={title}
      act={title}
      steps={fitting.map(({ jobId, jobName }) => ({
        id: jobId,
        names: [jobName],
        run: () => call(acts[act].call, { params: { jobId } }),
      }))}
      changes={changes}
      says={(done, all) => t('done', { done, all })}
      refusal={fitting.length === 0 ? t('noneFits') : undefined}
      ask={t(`ask.${act}` as 'ask.archive', { count: fitting.length })}
      note={left > 0 && <p className="mut">{t('leftOut', { count: left })}</p>}
      staysOpen
      onClose={onClose}
    >
      <Names rows={fitting.map(({ jobId, jobName }) => ({ id: jobId, name: jobName }))} />
    </ManyDialog>
  )
}
