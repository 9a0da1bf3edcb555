/**
 * Who works on an asset task: claimed, given back, handed over. One person at a time. A claim
 * starts the task; giving it back does not undo that.
 */
import {
  type AssetTask,
  endpoints,
  findMove,
  HubError,
  isLimited,
  isSameLanguage,
  requestMoves,
  rolesOf,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { RequestRow } from '../../store/tables.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { describeNamed, type OneTask } from '../handover/asset-tasks.ts'
import { claimed, manages, mustHold } from '../handover/hold-task.ts'
import { lockProviderJob } from '../handover/provider-jobs.ts'
import { checkAct } from '../jobs/find-job.ts'
import { touchJob } from '../jobs/job-activity.ts'
import { queueMail } from '../jobs/queue-mail.ts'
import { mustFindRequest } from '../jobs/requests/find-request.ts'
import { moveRequests } from '../jobs/requests/move-requests.ts'
import type { WholeRequest } from '../jobs/requests/request.ts'
import { updateRequests } from '../jobs/requests/requests-of-job.ts'
import { selectWorker } from './segment-rows.ts'

export { mustHold } from '../handover/hold-task.ts'

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
  return write(hub, call, at, async (tx, { assignee, target_language: language }) => {
    if (assignee !== null && assignee !== personId && !(person && manages(call)))
      throw await claimed(tx, at.assetTaskId, assignee)
    await mustWorkFor(tx, call, personId, { providerId: at.providerId, language })
    return personId
  })
}

export const releaseAssetTask = (hub: Hub, call: Call, at: OneTask): Promise<AssetTask> =>
  write(hub, call, at, async (tx, request) => {
    await mustHold(tx, call, at, request)
    return null
  })

function write(
  hub: Hub,
  call: Call,
  at: OneTask,
  decide: (tx: Db, request: RequestRow) => Promise<string | null>,
): Promise<AssetTask> {
  const { siteId } = call.caller
  return once(hub, call, async (tx) => {
    const job = await lockProviderJob(tx, call, at.providerId, at.jobId)
    checkAct(job, 'deliver')
    const request = await mustFindRequest(tx, siteId, at.jobId, at.assetTaskId)
    const assignee = await decide(tx, request)
    const change = { hub, tx, causeId: call.traceId }
    let now: WholeRequest = { ...request, assignee }
    if (assignee !== request.assignee) {
      await updateRequests(tx, [siteId, at.jobId], { assignee }, [{ request_id: at.assetTaskId }])
      // Streams tell of jobs: those who see the job learn that its work changed hands.
      await touchJob({ hub, tx }, job)
      if (assignee !== null && assignee !== call.caller.person?.personId)
        await queueMail(change, [{ kind: 'given', siteId, jobId: at.jobId, personId: assignee }])
      const verb = assignee === null ? 'released' : 'claimed'
      await recordActs(hub, tx, actorOf(call), [{ thing: 'request', verb, id: at.assetTaskId }])
    }
    if (assignee !== null && findMove(requestMoves, request.status, 'start')) {
      const { requests } = await moveRequests(change, job, [{ request: now }], { on: 'start' })
      now = requests[0] ?? now
    }
    return describeNamed(hub, tx, now)
  })
}

/**
 * Roles that write translations: whoever has none of them could hold a task, but do nothing with
 * it.
 */
const writing = rolesOf(endpoints.changeSegments)

type Wanted = { readonly providerId: string; readonly language: string }

async function mustWorkFor(
  tx: Db,
  { caller }: Call,
  personId: string,
  { providerId, language }: Wanted,
): Promise<void> {
  const roles = await selectWorker(tx, caller.siteId, personId)
  const may = roles.some(({ role, providers, languages }) => {
    if (!writing.includes(role)) return false
    if (!isLimited(role, undefined)) return true
    const isInto = listIn(languages)?.some((code) => isSameLanguage(code, language)) ?? true
    return listIn(providers)?.includes(providerId) === true && isInto
  })
  if (may) return
  const found = roles.find(({ role, providers }) => {
    const limits = listIn(providers)
    return isLimited(role, limits) && limits?.includes(providerId)
  })
  if (!found) throw new HubError('PERSON_NOT_FOUND', { personId })
  throw new HubError('FORBIDDEN', {
    because: `${found.name} does not translate into ${language} for this provider. Claim it for a translator or a provider-manager of this provider and language.`,
  })
}

const listIn = (json: string | null): string[] | undefined =>
  json === null ? undefined : (JSON.parse(json) as string[])
