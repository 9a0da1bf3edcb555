/**
 * Shares a text between people by positions (contract, section 15). Whoever had it alone has it no
 * more; what is written stays. Without a share it is open to everybody again.
 */
import { type AssetTask, type GivenShares, HubError } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import type { Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { describeNamed, type OneTask, reachWithJob } from '../../handover/asset-tasks.ts'
import { lockProviderJob } from '../../handover/provider-jobs.ts'
import { checkAct } from '../../jobs/find-job.ts'
import { queueMail } from '../../jobs/queue-mail.ts'
import { mustFindRequest } from '../../jobs/requests/find-request.ts'
import { type Desk, openDesk } from '../open-desk.ts'
import { giveTask } from './give-task.ts'
import { mustWorkFor } from './may-work.ts'

type GivenShare = GivenShares['shares'][number]

export async function shareAssetTask(
  hub: Hub,
  call: Call,
  at: OneTask,
  { shares }: GivenShares,
): Promise<AssetTask> {
  const { siteId } = call.caller
  const { job: state, request: found } = await reachWithJob(hub, call, at)
  checkAct(state, 'deliver')
  const desk = await openDesk(hub, found)
  mustFitDesk(shares, desk.length)
  const words = await wordsOf(desk, shares)
  return once(hub, call, async (tx) => {
    const change = { hub, tx, causeId: call.traceId }
    const job = await lockProviderJob(tx, call, at.providerId, at.jobId)
    checkAct(job, 'deliver')
    const request = await mustFindRequest(tx, siteId, at.jobId, at.assetTaskId)
    const { target_language: language } = request
    for (const personId of new Set(shares.map((one) => one.personId)))
      await mustWorkFor(tx, call, personId, { providerId: at.providerId, language })
    // Nothing ends where nothing was shared.
    if (shares.length === 0 && request.is_shared === 0) return describeNamed(hub, tx, request)
    const given = await giveTask(
      change,
      call,
      { job, request },
      {
        assignee: null,
        shares: shares.map(({ personId, from, to }, index) => ({
          ...{ person_id: personId, from_position: from, to_position: to },
          words: words[index] ?? 0,
        })),
      },
    )
    await queueMail(
      change,
      given.told.map((personId) => ({ kind: 'given', siteId, jobId: at.jobId, personId })),
    )
    return describeNamed(hub, tx, given.request)
  })
}

/** Ends with the last segment, begins before it ends, and overlaps with no other. */
function mustFitDesk(shares: readonly GivenShare[], segments: number): void {
  for (const [at, { from, to }] of shares.entries()) {
    if (to > segments)
      throw invalid(`shares[${at}].to`, `the text has ${segments} segments, not ${to}`)
    if (from > to)
      throw invalid(`shares[${at}].from`, `${from} is behind the end of the share, ${to}`)
    const other = shares.findIndex((one, index) => index < at && one.from <= to && from <= one.to)
    if (other >= 0)
      throw invalid(`shares[${at}]`, `${from} to ${to} overlaps with shares[${other}]`)
  }
}

function invalid(path: string, message: string): HubError {
  return new HubError(
    'INVALID_REQUEST',
    { because: `${path}: ${message}.` },
    { details: [{ path, message }] },
  )
}

async function wordsOf(desk: Desk, shares: readonly GivenShare[]): Promise<number[]> {
  const pause = openPauses()
  const sums: number[] = []
  for (const { from, to } of shares) {
    let sum = 0
    for (let place = from - 1; place < to; place += 1) {
      sum += desk.at(place).words
      await pause()
    }
    sums.push(sum)
  }
  return sums
}
