/**
 * Status updates for polling: the unacknowledged ones oldest first, all of them by sequence, and
 * acknowledgement. They belong to the client that created the job; an admin can read and
 * acknowledge those of the whole site (contract, section 11).
 */
import {
  formatTime,
  HubError,
  limits,
  type QuotaList,
  type QuotaName,
  type StatusUpdate,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { openCursor, type Page, sealCursor } from '../../../store/page.ts'
import type { StatusUpdateRow } from '../../../store/tables.ts'
import type { Call } from '../../access/caller.ts'
import { listQuotas, mustFit } from '../../access/quota.ts'
import { bytesOfSite } from '../../access/site-bytes.ts'
import { openNote } from '../../files/seals/notes.ts'
import { acknowledge, acknowledgeJob, countOpen, removeOld, selectUpdates } from './update-rows.ts'

export type UpdateListing = {
  navNext?: string
  pageSize?: number
  since?: number
  acknowledged?: 'true' | 'false' | 'all'
  jobId?: readonly string[]
  statusCode?: readonly string[]
  client?: string
}

/**
 * Without `since`, only unacknowledged updates; with it, all, unless `acknowledged` says otherwise.
 */
export function listUpdates(
  hub: Hub,
  call: Call,
  asked: UpdateListing,
  jobId?: string,
): Promise<Page<StatusUpdate>> {
  const acknowledged = asked.acknowledged ?? (asked.since === undefined ? 'false' : 'all')
  return list(hub, call, {
    ...asked,
    acknowledged,
    jobIds: jobId === undefined ? asked.jobId : [jobId],
  })
}

const isAdmin = ({ caller }: Call): boolean => caller.scopes.includes('admin')

/**
 * The client whose updates are listed, or undefined for the whole site. Sequences are per client,
 * so `since` refers to the caller's unless a client is named.
 */
function whose(call: Call, { client, since }: UpdateListing): string | undefined {
  const { clientId } = call.caller
  if (client !== undefined && client !== clientId && !isAdmin(call))
    throw new HubError('FORBIDDEN', {
      because: 'only an admin of the site can read the updates of another client.',
    })
  return client ?? (isAdmin(call) && since === undefined ? undefined : clientId)
}

async function list(
  hub: Hub,
  call: Call,
  {
    jobIds = [],
    ...asked
  }: Omit<UpdateListing, 'jobId'> & { readonly jobIds: readonly string[] | undefined },
): Promise<Page<StatusUpdate>> {
  const { siteId } = call.caller
  const client = whose(call, asked)
  const { statusCode = [] } = asked
  const narrowed = statusCode.length > 0 ? [statusCode.join(',')] : []
  const name = ['statusupdates', ...jobIds, ...narrowed].join(':')
  const owner = [siteId, client ?? ''].join('\n')
  const cursor = asked.navNext ? openCursor(hub.vault, owner, name, asked.navNext) : undefined
  const state = cursor?.filter ?? asked.acknowledged
  const limit = asked.pageSize ?? limits.pageItems
  const [after = asked.since ?? 0, of = ''] = cursor?.key ?? []
  const rows = await selectUpdates(hub.db.read, siteId, {
    ...(client === undefined ? {} : { clientId: client }),
    jobIds,
    statuses: statusCode,
    ...(state === 'all' ? {} : { acknowledged: state === 'true' }),
    after: { clientId: String(of), sequence: Number(after) },
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const items = page.map((row) => describeUpdate(hub, row, isAdmin(call)))
  const last = page.at(-1)
  if (rows.length <= limit || !last) return { items }
  return {
    items,
    next: sealCursor(hub.vault, owner, {
      list: name,
      key: [last.sequence, last.client_id],
      ...(state && { filter: state }),
    }),
  }
}

/** Returns the update. Acknowledging changes none of its fields. */
export async function acknowledgeUpdate(
  hub: Hub,
  call: Call,
  updateId: string,
): Promise<StatusUpdate> {
  const { siteId, clientId } = call.caller
  const now = hub.clock.now()
  const of = isAdmin(call) ? undefined : clientId
  const row = await hub.db.transact((tx) =>
    acknowledge(tx, siteId, { updateId, clientId: of }, now),
  )
  if (!row) throw new HubError('STATUS_UPDATE_NOT_FOUND', { updateId })
  return describeUpdate(hub, row, isAdmin(call))
}

/** Runs in the transaction that deletes the job: its updates no longer count in the quota. */
export const closeUpdates = (hub: Hub, tx: Db, siteId: string, jobId: string): Promise<void> =>
  acknowledgeJob(tx, siteId, jobId, hub.clock.now())

/**
 * At the limit no more jobs can be submitted (contract, section 6), because updates are never
 * dropped.
 */
export async function mustTakeUpdates(hub: Hub, db: Db, call: Call): Promise<void> {
  mustFit(call.caller, 'MaxStatusUpdatesPerSite', await openOf(hub, db, call))
}

/**
 * A client of an outside issuer has no row, so with such an issuer, removed clients cannot be told
 * apart.
 */
const openOf = (hub: Hub, db: Db, { caller }: Call): Promise<number> =>
  countOpen(db, caller.siteId, hub.config.outsideIssuer === undefined)

/** All quotas of the caller; for those counted per site, also the current use. */
export async function findQuotas(hub: Hub, call: Call): Promise<QuotaList> {
  const { read } = hub.db
  const { caller } = call
  const used: Partial<Record<QuotaName, number>> = {
    MaxStatusUpdatesPerSite: await openOf(hub, read, call),
    MaxBytesPerSite: await bytesOfSite(read, caller.siteId),
  }
  const { quotas } = listQuotas({
    quotas: { MaxBytesPerSite: hub.config.siteBytes, ...caller.quotas },
  })
  return {
    quotas: quotas.map((quota) => {
      const many = used[quota.name]
      return many === undefined ? quota : { ...quota, used: many }
    }),
  }
}

/** How long an acknowledged update stays readable. */
const retentionMs = 90 * 86_400_000

export async function pruneUpdates(hub: Hub): Promise<void> {
  const before = hub.clock.now() - retentionMs
  await hub.db.transact((tx) => removeOld(tx, before))
}

function describeUpdate(hub: Hub, row: StatusUpdateRow, forAdmin: boolean): StatusUpdate {
  const errorMessage = openNote(hub, row.error_message)
  return {
    updateId: row.update_id,
    sequence: row.sequence,
    jobId: row.job_id,
    ...(row.provider_id === null ? {} : { providerId: row.provider_id }),
    requestIds: JSON.parse(row.request_ids),
    statusCode: row.status as StatusUpdate['statusCode'],
    updateTime: formatTime(row.updated_at),
    hasError: row.has_error === 1,
    ...(errorMessage === null ? {} : { errorMessage }),
    ...(row.superseded_by !== null && { cause: 'SUPERSEDED', supersededBy: row.superseded_by }),
    ...(forAdmin ? { clientId: row.client_id } : {}),
  }
}
