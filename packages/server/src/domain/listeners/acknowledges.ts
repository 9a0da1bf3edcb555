/**
 * Implicit acknowledgement (specification, Events 3; contract, section 11): an update that will be
 * delivered to an enabled listener counts as acknowledged. Decided in the transaction of the
 * update.
 */
import { listenerTypes } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import { selectAcknowledger } from './listener-rows.ts'

/** The update, with the site and client that own its job. */
export type UpdateToSend = {
  siteId: string
  clientId: string
  jobId: string
  status: string
  isError: boolean
}

/** Locks the listener, so it cannot be disabled before this transaction ends. */
export async function acknowledgesFor(tx: Db, update: UpdateToSend): Promise<boolean> {
  const listener = await selectAcknowledger(tx, update.siteId, update.clientId)
  if (!listener || (listener.job_id !== null && listener.job_id !== update.jobId)) return false
  const codes: readonly string[] =
    listener.request_codes === null
      ? listenerTypes.REQUEST_STATUS_UPDATED
      : JSON.parse(listener.request_codes)
  return update.isError || codes.includes(update.status)
}
