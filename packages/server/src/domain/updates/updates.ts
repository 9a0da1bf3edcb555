/** Status updates as a connector pulls them: the open ones oldest first, the whole ledger by sequence, acknowledgement. */
import { formatTime, HubError, limits, type QuotaList, type StatusUpdate } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { openCursor, type Page, sealCursor } from '../../store/page.ts'
import type { StatusUpdateRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { listQuotas, mustFit } from '../access/quota.ts'
import { acknowledge, countOpen, removeOld, selectUpdates } from './update-rows.ts'

export type UpdateListing = {
  navNext?: string
  pageSize?: number
  since?: number
  acknowledged?: 'true' | 'false' | 'all'
}

/** Without `since` only what nobody acknowledged; with it the ledger, unless `acknowledged` narrows it. */
export function listUpdates(hub: Hub, call: Call, asked: UpdateListing, jobId?: string): Promise<Page<StatusUpdate>> {
  const which = asked.acknowledged ?? (asked.since === undefined ? 'false' : 'all')
  return list(hub, call, asked, which, jobId)
}

async function list(
  hub: Hub,
  call: Call,
  asked: UpdateListing,
  which: string,
  jobId?: string,
): Promise<Page<StatusUpdate>> {
  const { siteId, clientId } = call.caller
  const name = jobId === undefined ? 'statusupdates' : `statusupdates:${jobId}`
  const owner = `${siteId}\n${clientId}`
  const cursor = asked.navNext ? openCursor(hub.vault, owner, name, asked.navNext) : undefined
  const state = cursor?.filter ?? which
  const limit = asked.pageSize ?? limits.pageItems
  const rows = await selectUpdates(hub.engine.read, siteId, clientId, {
    ...(jobId === undefined ? {} : { jobId }),
    ...(state === 'all' ? {} : { acknowledged: state === 'true' }),
    after: cursor ? Number(cursor.key[0]) : (asked.since ?? 0),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const items = page.map(describeUpdate)
  const last = page.at(-1)
  if (rows.length <= limit || !last) return { items }
  return { items, next: sealCursor(hub.vault, owner, { list: name, key: [last.sequence], filter: state }) }
}

/** The update as it was: acknowledging changes no field of it. */
export async function acknowledgeUpdate(hub: Hub, call: Call, updateId: string): Promise<StatusUpdate> {
  const { siteId, clientId } = call.caller
  const now = hub.clock.now()
  const row = await hub.engine.transact((tx) => acknowledge(tx, siteId, clientId, updateId, now))
  if (!row) throw new HubError('STATUS_UPDATE_NOT_FOUND', { updateId })
  return describeUpdate(row)
}

/** At the limit no job is submitted any more (contract, section 6): nothing that happened is ever dropped. */
export async function mustTakeUpdates(hub: Hub, db: Db, call: Call): Promise<void> {
  mustFit(call.caller, 'MaxStatusUpdatesPerSite', await openOf(hub, db, call))
}

/** A client of an outside issuer has no row: where one is trusted, nobody can be told to be gone. */
const openOf = (hub: Hub, db: Db, { caller }: Call): Promise<number> =>
  countOpen(db, caller.siteId, hub.config.outsideIssuer === undefined)

/** Every quota of the caller; of the updates also how many are used, for they are counted for the whole site. */
export async function findQuotas(hub: Hub, call: Call): Promise<QuotaList> {
  const used = await openOf(hub, hub.engine.read, call)
  const { quotas } = listQuotas(call.caller)
  return { quotas: quotas.map((quota) => (quota.name === 'MaxStatusUpdatesPerSite' ? { ...quota, used } : quota)) }
}

/** For how long an acknowledged update can still be read in the ledger. */
const keptMs = 90 * 86_400_000

export async function pruneUpdates(hub: Hub): Promise<void> {
  const before = hub.clock.now() - keptMs
  await hub.engine.transact((tx) => removeOld(tx, before))
}

function describeUpdate(row: StatusUpdateRow): StatusUpdate {
  return {
    updateId: row.update_id,
    sequence: row.sequence,
    jobId: row.job_id,
    ...(row.provider_id === null ? {} : { providerId: row.provider_id }),
    requestIds: JSON.parse(row.request_ids),
    statusCode: row.status as StatusUpdate['statusCode'],
    updateTime: formatTime(row.updated_at),
    hasError: row.has_error === 1,
    ...(row.error_message === null ? {} : { errorMessage: row.error_message }),
  }
}
