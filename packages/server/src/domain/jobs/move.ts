/**
 * The only place that writes a job's status. It looks up each move in the lifecycle table and
 * refuses others with the table's error code; a job that already has the status stays unchanged.
 * Each move saves a history row with its cause, creates a status update if its table row has
 * `notifies`, and is announced to listeners, all in the caller's transaction.
 */
import {
  type ArchiveMove,
  archiveMoves,
  findMove,
  HubError,
  isAlready,
  isArchived,
  type JobMove,
  type JobStatus,
  jobMoves,
  type Move,
  movesFrom,
} from '@dragoman/contract'
import type { Change } from '../../hub.ts'
import { newId } from '../../store/ids.ts'
import type { JobRow } from '../../store/tables.ts'
import { sealNote } from '../files/seals/notes.ts'
import { announce } from '../listeners/announce.ts'
import { recordUpdate } from '../listeners/updates/record.ts'
import { type RowChange, updateJob } from './job-rows.ts'
import { insertMove } from './move-rows.ts'
import { resumeSoon } from './resume-soon.ts'
import { followSoon, leaveSoon } from './sent-on.ts'

/** Columns that a move writes beside the status. */
type Also = Omit<RowChange, 'status' | 'archive_status' | 'archived' | 'archived_at'>

/**
 * Moves the job, which the caller has locked in this transaction. Returns it unchanged if it
 * already has the status.
 */
export async function moveJob(
  change: Change,
  job: JobRow,
  on: JobMove,
  { errorMessage, ...also }: Also & { readonly errorMessage?: string } = {},
): Promise<JobRow> {
  const failing = errorMessage === undefined ? undefined : { errorMessage }
  if (isAlready(jobMoves, job.status, on)) return job
  const move: Move<JobStatus> | undefined = findMove(jobMoves, job.status, on)
  if (!move) throw refusal(job, on, job.status, movesFrom(jobMoves, on))
  const to = move.to === 'same' ? job.status : move.to
  await noteMove(change, job, { on, from: job.status, to })
  // A successful move clears the error (contract, section 5).
  const error = {
    has_error: failing ? 1 : 0,
    error_message: sealNote(change.hub, failing?.errorMessage ?? null),
  }
  const moved = await updateJob(change.tx, job.site_id, job.job_id, {
    ...error,
    ...also,
    status: to,
  })
  const sequence = move.notifies
    ? await recordUpdate(change, { job: moved, requestIds: [], status: to, ...failing })
    : undefined
  await announceJob(change, moved, {
    isError: failing !== undefined,
    message: failing?.errorMessage,
    sequence,
  })
  if (on === 'complete' || on === 'reopen') await followSoon(change, moved)
  if (on === 'reopen') await resumeSoon(change, moved)
  if (on === 'cancel') await leaveSoon(change, moved, false)
  return moved
}

export async function moveArchive(
  change: Change,
  job: JobRow,
  on: ArchiveMove,
  also: Also = {},
): Promise<JobRow> {
  if (isAlready(archiveMoves, job.archive_status, on)) return job
  const move = findMove(archiveMoves, job.archive_status, on)
  if (!move) throw refusal(job, on, job.archive_status, movesFrom(archiveMoves, on))
  const { to } = move
  await noteMove(change, job, { on, from: job.archive_status, to })
  const archived_at = to === 'ARCHIVED' ? change.hub.clock.now() : null
  const columns = { ...also, archive_status: to, archived: isArchived(to) ? 1 : 0, archived_at }
  const moved = await updateJob(change.tx, job.site_id, job.job_id, columns)
  if (to === 'ARCHIVED') await announceJob(change, moved, { archived: true })
  if (to === 'ARCHIVED' || to === 'ACTIVE') await followSoon(change, moved)
  if (to === 'ACTIVE') await resumeSoon(change, moved)
  return moved
}

type Announcement = {
  isError?: boolean
  message?: string | undefined
  sequence?: number | undefined
  archived?: boolean
}

/** Notifies the listeners of the job's current status. */
async function announceJob(change: Change, job: JobRow, event: Announcement): Promise<void> {
  const { isError = false, message, sequence, archived = false } = event
  await announce(change, [
    {
      kind: 'job',
      job,
      status: job.status,
      isError,
      archived,
      deleted: false,
      ...(message === undefined ? {} : { message }),
      ...(sequence === undefined ? {} : { sequence }),
    },
  ])
}

const refusal = (job: JobRow, move: string, status: string, from: readonly string[]) =>
  new HubError('INVALID_TRANSITION', {
    thing: 'Job',
    id: job.job_id,
    status,
    move,
    from: from.join(', '),
  })

export type Step = {
  readonly on: string
  readonly from: string
  readonly to: string
  /** The requests that make this move; absent if the job itself moves. */
  readonly requestIds?: readonly string[]
}

/** Adds one row to the history. */
export async function noteMove(
  { hub, tx, causeId }: Change,
  job: JobRow,
  step: Step,
): Promise<void> {
  await insertMove(tx, {
    move_id: newId(),
    site_id: job.site_id,
    job_id: job.job_id,
    request_ids: step.requestIds ? JSON.stringify(step.requestIds) : null,
    move: step.on,
    from_status: step.from,
    to_status: step.to,
    moved_at: hub.clock.now(),
    cause_id: causeId,
  })
}
