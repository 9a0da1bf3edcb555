/**
 * Writes who has a request: one person, nobody, or several with a share each. Whoever gets work
 * starts it, and hears of it unless they took it themselves.
 */
import { findMove, requestMoves } from '@dragoman/contract'
import type { Change } from '../../../hub.ts'
import type { JobRow, ShareRow } from '../../../store/tables.ts'
import { recordActs } from '../../access/audit/record-acts.ts'
import { actorOf, type Call } from '../../access/caller.ts'
import { touchJob } from '../../jobs/job-activity.ts'
import { moveRequests } from '../../jobs/requests/move-requests.ts'
import type { WholeRequest } from '../../jobs/requests/request.ts'
import { updateRequests } from '../../jobs/requests/requests-of-job.ts'
import { replaceShares, sharesOf } from '../../jobs/shares/shares.ts'

export type Given = {
  readonly assignee: string | null
  readonly shares?: readonly Pick<
    ShareRow,
    'from_position' | 'to_position' | 'person_id' | 'words'
  >[]
}

/** The caller has locked the job. Returns the request as it is now, and who is new on it. */
export async function giveTask(
  change: Change,
  call: Call,
  { job, request }: { readonly job: JobRow; readonly request: WholeRequest },
  { assignee, shares = [] }: Given,
): Promise<{ readonly request: WholeRequest; readonly told: readonly string[] }> {
  const { hub, tx } = change
  const { site_id, job_id, request_id } = request
  const before = await sharesOf(tx, request)
  const had = new Set([request.assignee, ...before.map(({ person_id }) => person_id)])
  const has = [assignee, ...shares.map(({ person_id }) => person_id)].filter((id) => id !== null)
  const isShared = shares.length > 0
  const isSame = !isShared && before.length === 0 && assignee === request.assignee
  let now: WholeRequest = request
  if (!isSame) {
    const columns = {
      assignee,
      is_shared: isShared ? 1 : 0,
      claimed_at: has.length > 0 ? hub.clock.now() : null,
    }
    now = { ...request, ...columns }
    await updateRequests(tx, [site_id, job_id], columns, [{ request_id }])
    if (isShared || before.length > 0)
      await replaceShares(
        tx,
        request,
        shares.map((share) => ({ ...share, site_id, job_id, request_id })),
      )
    // Streams tell of jobs: those who see the job learn that its work changed hands.
    await touchJob(change, job)
    const verb = isShared ? 'shared' : assignee === null ? 'released' : 'claimed'
    await recordActs(hub, tx, actorOf(call), [{ thing: 'request', verb, id: request_id }])
  }
  if (has.length > 0 && findMove(requestMoves, request.status, 'start')) {
    const { requests } = await moveRequests(change, job, [{ request: now }], { on: 'start' })
    now = requests[0] ?? now
  }
  const self = call.caller.person?.personId
  const told = new Set(has.filter((id) => !had.has(id) && id !== self))
  return { request: now, told: [...told] }
}
