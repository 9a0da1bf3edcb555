/**
 * Implicit acknowledgement (specification, Events 3; contract, section 11): an update that an enabled listener will be told
 * of counts as acknowledged, decided in the transaction of the update.
 */
import { listenerTypes } from '@dragoman/contract'
import type { Db } from '../../store/engine.ts'
import { selectAcknowledger } from './listener-rows.ts'

/** The update, with the site and the client that own its job. */
export type Fitting = { siteId: string; clientId: string; jobId: string; status: string; isError: boolean }

/** The listener cannot be disabled between this answer and the delivery: its row is held for the rest of the transaction. */
export async function acknowledgesFor(tx: Db, update: Fitting): Promise<boolean> {
  const listener = await selectAcknowledger(tx, update.siteId, update.clientId)
  if (!listener || (listener.job_id !== null && listener.job_id !== update.jobId)) return false
  const codes: readonly string[] =
    listener.request_codes === null ? listenerTypes.REQUEST_STATUS_UPDATED : JSON.parse(listener.request_codes)
  return update.isError || codes.includes(update.status)
}
