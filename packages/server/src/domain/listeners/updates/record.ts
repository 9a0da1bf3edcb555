/**
 * Records a status update in the transaction of its move: its number, and whether a listener
 * acknowledges it implicitly (specification, Events 3). Nobody polls for the updates of jobs that
 * people made in the console, so those are acknowledged at once. Only moves marked
 * `notifies` create one.
 */
import type { Change } from '../../../hub.ts'
import { newId } from '../../../store/ids.ts'
import type { JobRow } from '../../../store/tables.ts'
import { consoleClientId } from '../../access/client-names.ts'
import { sealNote } from '../../files/seals/notes.ts'
import { acknowledgesFor } from '../acknowledges.ts'
import { insertUpdate, takeSequence } from './update-rows.ts'

export type NewUpdate = {
  readonly job: JobRow
  /** Empty if the update is about the job itself. */
  readonly requestIds: readonly string[]
  readonly status: string
  /** Set for an error. */
  readonly errorMessage?: string
  /** The newer request, if its only one is cancelled for that. */
  readonly supersededBy?: string | undefined
}

/** Returns the sequence of the update. */
export async function recordUpdate(
  { hub, tx, causeId }: Change,
  update: NewUpdate,
): Promise<number> {
  const { job, errorMessage } = update
  const isError = errorMessage !== undefined
  const fits = {
    siteId: job.site_id,
    clientId: job.creator_id,
    jobId: job.job_id,
    status: update.status,
    isError,
  }
  const acknowledged = job.creator_id === consoleClientId || (await acknowledgesFor(tx, fits))
  const sequence = await takeSequence(tx, job.site_id, job.creator_id)
  const now = hub.clock.now()
  await insertUpdate(tx, {
    update_id: newId(),
    site_id: job.site_id,
    client_id: job.creator_id,
    sequence,
    job_id: job.job_id,
    provider_id: job.provider_id,
    request_ids: JSON.stringify(update.requestIds),
    superseded_by: update.supersededBy ?? null,
    status: update.status,
    has_error: isError ? 1 : 0,
    error_message: sealNote(hub, errorMessage ?? null),
    updated_at: now,
    acknowledged_at: acknowledged ? now : null,
    cause_id: causeId,
  })
  return sequence
}
