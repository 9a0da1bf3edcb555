/**
 * Texts that several people translate, each of them the positions of their share (contract, section
 * 15). A request says whether it is shared, so that only those ask for more.
 */
import type { Db } from '../../../store/database.ts'
import type { RequestRow, ShareRow } from '../../../store/tables.ts'
import { selectShares } from './share-rows.ts'

export { replaceShares, type TaskPlace } from './share-rows.ts'

export type Shared = Pick<RequestRow, 'site_id' | 'job_id' | 'request_id' | 'is_shared'>

/** In the order of their positions. */
export async function sharesOf(db: Db, request: Shared): Promise<ShareRow[]> {
  return (await sharesByRequest(db, [request])).get(request.request_id) ?? []
}

/** Of requests of one site. */
export async function sharesByRequest(
  db: Db,
  requests: readonly Shared[],
): Promise<ReadonlyMap<string, ShareRow[]>> {
  const shared = requests.filter(({ is_shared }) => is_shared === 1)
  const [first] = shared
  if (!first) return new Map()
  const found = new Map<string, ShareRow[]>()
  for (const share of await selectShares(db, first.site_id, shared)) {
    const known = found.get(share.request_id)
    if (known) known.push(share)
    else found.set(share.request_id, [share])
  }
  return found
}

/** Everybody who works on these requests, each person once for a request. */
export async function workersOf(
  db: Db,
  requests: readonly (Shared & Pick<RequestRow, 'assignee'>)[],
): Promise<{ readonly jobId: string; readonly personId: string }[]> {
  const shares = await sharesByRequest(db, requests)
  return requests.flatMap(({ job_id: jobId, request_id, assignee }) => {
    const sharers = shares.get(request_id)?.map(({ person_id }) => person_id) ?? []
    const all = new Set([...(assignee === null ? [] : [assignee]), ...sharers])
    return [...all].map((personId) => ({ jobId, personId }))
  })
}
