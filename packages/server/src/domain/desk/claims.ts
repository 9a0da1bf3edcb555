/**
 * Who works on an asset task: claimed, given back, handed over, alone or many at once. A claim
 * starts the task; giving it back does not undo that. Either ends the sharing of a text.
 */
import { type AssetTask, type HandOver, HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { describeNamed, type OneTask } from '../handover/asset-tasks.ts'
import { claimed, manages, mustHold } from '../handover/hold-task.ts'
import { lockProviderJob, mustOwnProvider } from '../handover/provider-jobs.ts'
import { checkAct } from '../jobs/find-job.ts'
import { type OneMail, queueMail } from '../jobs/queue-mail.ts'
import { mustFindRequest } from '../jobs/requests/find-request.ts'
import type { WholeRequest } from '../jobs/requests/request.ts'
import { mustBeWork } from '../jobs/work.ts'
import { giveTask } from './team/give-task.ts'
import { mustWorkFor } from './team/may-work.ts'
import { selectJobsOf } from './work-rows.ts'

export { type Holding, mustHold } from '../handover/hold-task.ts'

export function claimAssetTask(
  hub: Hub,
  call: Call,
  at: OneTask,
  asked: { personId?: string },
): Promise<AssetTask> {
  const { person } = call.caller
  const personId = asked.personId ?? person?.personId
  if (personId === undefined)
    throw new HubError('INVALID_REQUEST', {
      because: 'personId is missing: a client claims for a person.',
    })
  if (personId !== person?.personId && !manages(call))
    throw new HubError('FORBIDDEN', {
      because: 'only a provider-manager may claim a task for somebody else.',
    })
  return write(hub, call, at, async (tx, request) => {
    const { assignee, target_language: language } = request
    if (request.is_shared === 1) await mustHold(tx, call, request)
    if (assignee !== null && assignee !== personId && !(person && manages(call)))
      throw await claimed(tx, at.assetTaskId, assignee)
    await mustWorkFor(tx, call, personId, { providerId: at.providerId, language })
    return personId
  })
}

export const releaseAssetTask = (hub: Hub, call: Call, at: OneTask): Promise<AssetTask> =>
  write(hub, call, at, async (tx, request) => {
    await mustHold(tx, call, request)
    return null
  })

function write(
  hub: Hub,
  call: Call,
  at: OneTask,
  decide: (tx: Db, request: WholeRequest) => Promise<string | null>,
): Promise<AssetTask> {
  const { siteId } = call.caller
  return once(hub, call, async (tx) => {
    const job = await lockProviderJob(tx, call, at.providerId, at.jobId)
    checkAct(job, 'deliver')
    const request = await mustFindRequest(tx, siteId, at.jobId, at.assetTaskId)
    const assignee = await decide(tx, request)
    const change = { hub, tx, causeId: call.traceId }
    const given = await giveTask(change, call, { job, request }, { assignee })
    await queueMail(
      change,
      given.told.map((personId) => ({ kind: 'given', siteId, jobId: at.jobId, personId })),
    )
    return describeNamed(hub, tx, given.request)
  })
}

/** Hands over asset tasks of any jobs of the provider, all of them or none. One message tells it. */
export async function handOverTasks(
  hub: Hub,
  call: Call,
  providerId: string,
  { personId, assetTaskIds }: HandOver,
): Promise<{ items: AssetTask[] }> {
  const { siteId } = call.caller
  await mustOwnProvider(hub.db.read, call, providerId)
  const ids = [...new Set(assetTaskIds)]
  const jobs = await selectJobsOf(hub.db.read, { siteId, providerId }, ids)
  const jobOf = new Map(jobs.map(({ request_id, job_id }) => [request_id, job_id]))
  const missing = ids.find((id) => !jobOf.has(id))
  if (missing !== undefined) throw new HubError('REQUEST_NOT_FOUND', { requestId: missing })
  // Always in this order, so that two calls never wait for each other.
  const jobIds = [...new Set(jobOf.values())].sort()
  for (const jobId of jobIds) {
    const own = ids.filter((id) => jobOf.get(id) === jobId)
    await mustBeWork(hub, call, { params: { providerId, jobId }, body: { assetTaskIds: own } })
  }
  return once(hub, call, async (tx) => {
    const change = { hub, tx, causeId: call.traceId }
    const given = new Map<string, WholeRequest>()
    const mails: OneMail[] = []
    for (const jobId of jobIds) {
      for (const id of ids.filter((one) => jobOf.get(one) === jobId)) {
        // Each move of a request may have moved the job.
        const job = await lockProviderJob(tx, call, providerId, jobId)
        checkAct(job, 'deliver')
        const request = await mustFindRequest(tx, siteId, jobId, id)
        const language = request.target_language
        await mustWorkFor(tx, call, personId, { providerId, language })
        const one = await giveTask(change, call, { job, request }, { assignee: personId })
        given.set(id, one.request)
        if (one.told.length > 0) mails.push({ kind: 'given', siteId, jobId, personId })
      }
    }
    await queueMail(change, mails.slice(0, 1))
    const items: AssetTask[] = []
    for (const id of ids) {
      const request = given.get(id)
      if (request) items.push(await describeNamed(hub, tx, request))
    }
    return { items }
  })
}
