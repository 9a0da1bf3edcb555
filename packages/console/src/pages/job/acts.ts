/**
 * What can be done with a job now, by the tables of the contract; what cannot be done says why, with the sentence of the table.
 */
import {
  type ArchiveStatus,
  archiveMoves,
  type ErrorCode,
  errors,
  fill,
  findMove,
  type Job,
  type JobStatus,
  jobMoves,
  movesFrom,
  refusalFor,
  refusalOf,
} from '@dragoman/contract/wire'

const jobActs = ['submit', 'complete', 'reopen', 'archive', 'unarchive', 'invoke', 'cancel', 'delete'] as const
export type JobAct = (typeof jobActs)[number]
type OfferedAct = { readonly act: JobAct; readonly refusal: string | undefined }

type Shown = Pick<Job, 'jobId' | 'statusCode' | 'archiveStatus' | 'aggregateRequests'>

/** The next step of the job: the page's main button. */
export function mainActOf({ statusCode, archiveStatus }: Shown): JobAct {
  if (archiveStatus !== 'ACTIVE') return 'unarchive'
  const next: Readonly<Record<JobStatus, JobAct>> = {
    CREATED: 'submit',
    SENDING: 'complete',
    SENT_TO_PROVIDER: 'complete',
    IN_TRANSLATION: 'complete',
    COMPLETED: 'reopen',
    CANCELLED: 'archive',
  }
  return next[statusCode]
}

/** Every act, in the order of a job's life cycle. */
export const actsOf = (job: Shown): OfferedAct[] => jobActs.map((act) => ({ act, refusal: refusalOfAct(act, job) }))

function refusalOfAct(act: JobAct, job: Shown): string | undefined {
  const { statusCode, archiveStatus } = job
  if (act === 'archive' || act === 'unarchive') {
    if (findMove(archiveMoves, archiveStatus, act)) return undefined
    return refusedMove(refusalOf(archiveMoves, act), job, {
      status: archiveStatus,
      move: act,
      from: movesFrom(archiveMoves, act),
    })
  }
  if (act === 'delete' || act === 'invoke') {
    const code = refusalFor(act === 'delete' ? 'deleteJob' : 'invoke', statusCode, archiveStatus)
    return code && sentence(code, job, {})
  }
  const isArchived = refusalFor('moveJob', statusCode, archiveStatus)
  if (isArchived) return sentence(isArchived, job, {})
  if (act === 'submit' && job.aggregateRequests?.total === 0) return sentence('JOB_EMPTY', job, {})
  if (findMove(jobMoves, statusCode, act)) return undefined
  return refusedMove(refusalOf(jobMoves, act), job, { status: statusCode, move: act, from: movesFrom(jobMoves, act) })
}

type RefusedMove = {
  readonly status: JobStatus | ArchiveStatus
  readonly move: string
  readonly from: readonly string[]
}

const refusedMove = (code: ErrorCode, job: Shown, { status, move, from }: RefusedMove): string =>
  sentence(code, job, { thing: 'Job', id: job.jobId, status, move, from: from.join(', ') })

const sentence = (
  code: ErrorCode,
  { jobId, statusCode, archiveStatus }: Shown,
  facts: Record<string, string>,
): string => fill(errors[code].says, { jobId, status: statusCode, archiveStatus, ...facts })

/** Whether requests can be approved and rejected. */
export const reviewRefusal = (job: Shown): string | undefined => {
  const code = refusalFor('reviewRequests', job.statusCode, job.archiveStatus)
  return code && sentence(code, job, {})
}
