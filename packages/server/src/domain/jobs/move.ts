/**
 * The only writer of a status. A move is looked up in the lifecycle table; what the table lacks is refused with the
 * table's own code, what is already so stays as it is. Every move leaves a row with its cause, makes a status update
 * where its row `tells`, and is announced to whoever listens, all in the caller's transaction.
 */
import {
  type ArchiveMove,
  type ArchiveStatus,
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
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { newId } from '../../store/ids.ts'
import type { JobRow } from '../../store/tables.ts'
import { announce } from '../listeners/announce.ts'
import { recordUpdate } from '../updates/record.ts'
import { type RowChange, updateJob } from './job-rows.ts'
import { insertMove } from './move-rows.ts'

/** What else a move writes in the same row. */
type Also = Omit<RowChange, 'status' | 'archive_status' | 'archived'>
export type Failing = { readonly errorMessage: string }

/** Moves the job (read under lock in this transaction), or gives it back as it is when it is already so. */
export async function moveJob(
  hub: Hub,
  tx: Db,
  causeId: string,
  job: JobRow,
  on: JobMove,
  also: Also = {},
  failing?: Failing,
): Promise<JobRow> {
  if (isAlready(jobMoves, job.status, on)) return job
  const move: Move<JobStatus> | undefined = findMove(jobMoves, job.status, on)
  if (!move) throw refusal(job, on, job.status, movesFrom(jobMoves, on))
  const to = move.to === 'same' ? job.status : move.to
  await note(hub, tx, causeId, job, on, job.status, to)
  // A successful move clears an error (contract, section 5).
  const error = failing ? { has_error: 1, error_message: failing.errorMessage } : { has_error: 0, error_message: null }
  const moved = await updateJob(tx, job.site_id, job.job_id, { ...error, ...also, status: to })
  const sequence = move.notifies
    ? await recordUpdate(hub, tx, causeId, { job: moved, requestIds: [], status: to, ...failing })
    : undefined
  await announceJob(hub, tx, causeId, moved, {
    isError: failing !== undefined,
    message: failing?.errorMessage,
    sequence,
  })
  return moved
}

export async function moveArchive(
  hub: Hub,
  tx: Db,
  causeId: string,
  job: JobRow,
  on: ArchiveMove,
  also: Also = {},
): Promise<JobRow> {
  if (isAlready(archiveMoves, job.archive_status, on)) return job
  const move = findMove(archiveMoves, job.archive_status, on)
  if (!move) throw refusal(job, on, job.archive_status, movesFrom(archiveMoves, on))
  const to = move.to as ArchiveStatus
  await note(hub, tx, causeId, job, on, job.archive_status, to)
  const change = { ...also, archive_status: to, archived: isArchived(to) ? 1 : 0 }
  const moved = await updateJob(tx, job.site_id, job.job_id, change)
  if (to === 'ARCHIVED') await announceJob(hub, tx, causeId, moved, { archived: true })
  return moved
}

type Telling = { isError?: boolean; message?: string | undefined; sequence?: number | undefined; archived?: boolean }

/** Tells the listeners how the job stands now. */
async function announceJob(hub: Hub, tx: Db, causeId: string, job: JobRow, telling: Telling): Promise<void> {
  const { isError = false, message, sequence, archived = false } = telling
  await announce(hub, tx, causeId, [
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
  new HubError('INVALID_TRANSITION', { thing: 'Job', id: job.job_id, status, move, from: from.join(', ') })

async function note(
  hub: Hub,
  tx: Db,
  causeId: string,
  job: JobRow,
  on: string,
  from: string,
  to: string,
): Promise<void> {
  const row = { move_id: newId(), site_id: job.site_id, job_id: job.job_id, request_ids: null, move: on }
  const moved = { ...row, from_status: from, to_status: to, moved_at: hub.clock.now(), cause_id: causeId }
  await insertMove(tx, moved)
}
