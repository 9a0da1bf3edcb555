/**
 * Keeps people whose roles are limited to the work of theirs (contract, section 13, Roles): a job
 * of another provider, or without a request into one of their languages, is answered like one that
 * does not exist. What a call names by its path or body is checked here for every call; lists,
 * streams and the search ask for what is theirs.
 */
import { HubError, spellingsOf } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { Call, Caller, Work } from '../access/caller.ts'
import type { Filter } from './filter.ts'
import * as rows from './work-rows.ts'

const rowsOf = ({ providerIds, languages }: Work): rows.WorkOf => ({
  providerIds,
  languages: languages?.flatMap((code) => spellingsOf(code)),
})

/** The filter of a job list, narrowed to the caller's work. */
export function withWork(
  { work }: Pick<Caller, 'work'>,
  filter: Filter | undefined,
): Filter | undefined {
  if (!work) return filter
  const own: Filter = { is: 'work', of: rowsOf(work) }
  return filter ? { is: 'and', parts: [own, filter] } : own
}

/** For a list of requests: the only languages it may show. */
export const languagesOf = ({ work }: Pick<Caller, 'work'>): readonly string[] | undefined =>
  work && rowsOf(work).languages

/** Those of the jobs that the caller sees. */
export async function jobsSeen(
  hub: Hub,
  { siteId, work }: Pick<Caller, 'siteId' | 'work'>,
  jobIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!work) return new Set(jobIds)
  return new Set(await rows.jobsAmong(hub.db.read, siteId, rowsOf(work), jobIds))
}

/** Those of a job's requests that the caller sees; undefined: all. */
export async function requestsSeen(
  hub: Hub,
  caller: Caller,
  jobId: string,
): Promise<ReadonlySet<string> | undefined> {
  const { work, siteId } = caller
  if (work?.languages === undefined) return undefined
  return new Set(await rows.requestIdsInto(hub.db.read, siteId, jobId, rowsOf(work)))
}

/** How many requests of each job the caller sees; undefined: all. */
export async function countSeen(db: Db, { work, siteId }: Caller, jobIds: readonly string[]) {
  if (work?.languages === undefined) return undefined
  return rows.countInto(db, siteId, rowsOf(work), jobIds)
}

type Named = { readonly params?: unknown; readonly body?: unknown }

/** Before a call of a limited caller does anything. */
export async function mustBeWork(
  hub: Hub,
  { caller }: Call,
  { params = {}, body = {} }: Named,
): Promise<void> {
  const { work, siteId } = caller
  if (!work) return
  const named = params as Readonly<Record<string, string | undefined>>
  const { providerId, jobId } = named
  if (providerId !== undefined && !work.providerIds.includes(providerId))
    throw new HubError('PROVIDER_NOT_FOUND', { providerId })
  if (jobId === undefined) return
  if (!(await jobsSeen(hub, caller, [jobId])).has(jobId))
    throw new HubError('JOB_NOT_FOUND', { jobId })
  const lists = body as {
    readonly requestIds?: readonly string[]
    readonly assetTaskIds?: readonly string[]
  }
  const requestIds = [
    named.requestId,
    named.assetTaskId,
    ...(lists.requestIds ?? []),
    ...(lists.assetTaskIds ?? []),
  ]
  const seen = await requestsSeen(hub, caller, jobId)
  const unseen = requestIds.find((id) => id !== undefined && seen && !seen.has(id))
  if (unseen !== undefined) throw new HubError('REQUEST_NOT_FOUND', { requestId: unseen })
  const { sourcecontentId, fmsFileId = named.fileId } = named
  const contentId = sourcecontentId ?? fmsFileId
  if (contentId === undefined) return
  if (await rows.hasContent(hub.db.read, siteId, jobId, { ...rowsOf(work), contentId })) return
  throw sourcecontentId === undefined
    ? new HubError('FILE_NOT_FOUND', { fmsFileId: contentId })
    : new HubError('SOURCE_CONTENT_NOT_FOUND', { sourcecontentId })
}

/** The same as an answer. */
export const isWork = (hub: Hub, call: Call, named: Named): Promise<boolean> =>
  mustBeWork(hub, call, named).then(
    () => true,
    (error: unknown) => {
      if (error instanceof HubError) return false
      throw error
    },
  )
