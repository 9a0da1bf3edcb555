/**
 * What can be done with a job now, by the tables of the contract, and why the rest cannot.
 */
import {
  type ArchiveStatus,
  allowed,
  archiveMoves,
  errors,
  fill,
  findMove,
  type Job,
  type JobStatus,
  jobMoves,
  movesFrom,
  refusalFor,
} from '@dragoman/contract/wire'

const jobActs = [
  'submit',
  'plan',
  'copy',
  'complete',
  'reopen',
  'archive',
  'unarchive',
  'invoke',
  'cancel',
  'delete',
] as const
export type JobAct = (typeof jobActs)[number]
/** `from`: only in these states. */
export type Refusal =
  | { readonly why: 'archived' | 'empty' }
  | { readonly why: 'state'; readonly from: readonly JobStatus[] }
  | { readonly why: 'archiveState'; readonly from: readonly ArchiveStatus[] }
type OfferedAct = { readonly act: JobAct; readonly refusal: Refusal | undefined }

type Shown = Pick<Job, 'jobId' | 'statusCode' | 'archiveStatus' | 'aggregateRequests'>

const decided: readonly string[] = ['TRANSLATION_APPROVED', 'CANCELLED']

/** How many requests of each state nobody has approved. */
export const openStatesOf = ({
  aggregateRequests,
}: Shown): readonly (readonly [status: string, count: number])[] =>
  Object.entries(aggregateRequests?.byStatusCode ?? {}).filter(
    ([status, count]) => count > 0 && !decided.includes(status),
  )

/**
 * The next step of the job: the page's main button. None while requests are translated or reviewed.
 */
export function mainActOf(job: Shown): JobAct | undefined {
  const { statusCode, archiveStatus, aggregateRequests } = job
  if (archiveStatus !== 'ACTIVE') return 'unarchive'
  const isDone = (aggregateRequests?.total ?? 0) > 0 && openStatesOf(job).length === 0
  const last = isDone ? 'complete' : undefined
  const next: Readonly<Record<JobStatus, JobAct | undefined>> = {
    CREATED: 'submit',
    SENDING: undefined,
    SENT_TO_PROVIDER: last,
    IN_TRANSLATION: last,
    COMPLETED: 'reopen',
    CANCELLED: 'archive',
  }
  return next[statusCode]
}

/** Every act, in the order of a job's life cycle. */
export const actsOf = (job: Shown): OfferedAct[] =>
  jobActs.map((act) => ({ act, refusal: refusalOfAct(act, job) }))

const contentActs = {
  delete: 'deleteJob',
  invoke: 'invoke',
  plan: 'planJob',
  copy: 'copyJob',
} as const

function refusalOfAct(act: JobAct, job: Shown): Refusal | undefined {
  const { statusCode, archiveStatus } = job
  if (act === 'archive' || act === 'unarchive') {
    if (findMove(archiveMoves, archiveStatus, act)) return undefined
    return { why: 'archiveState', from: movesFrom(archiveMoves, act) }
  }
  if (archiveStatus !== 'ACTIVE') return { why: 'archived' }
  if (act === 'delete' || act === 'invoke' || act === 'plan' || act === 'copy') {
    const name = contentActs[act]
    return (
      refusalFor(name, statusCode, archiveStatus) && { why: 'state', from: allowed[name].status }
    )
  }
  if (act === 'submit' && statusCode === 'CREATED' && job.aggregateRequests?.total === 0)
    return { why: 'empty' }
  if (findMove(jobMoves, statusCode, act)) return undefined
  return { why: 'state', from: movesFrom(jobMoves, act) }
}

/** Whether requests can be approved and rejected. */
export const reviewRefusal = (job: Shown): string | undefined => {
  const code = refusalFor('reviewRequests', job.statusCode, job.archiveStatus)
  const { jobId, statusCode: status, archiveStatus } = job
  return code && fill(errors[code].says, { jobId, status, archiveStatus })
}
