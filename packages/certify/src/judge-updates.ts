/**
 * Obligations on how a connector learns what is ready: acknowledging, re-delivery, and polling
 * beside a listener.
 */
import type { SeenCall } from './seen.ts'
import {
  broken,
  callsOf,
  isAt,
  type Judged,
  kept,
  many,
  notSeen,
  type Round,
  retrievalsIn,
} from './verdict.ts'

const acknowledgement = 'PUT /v2/statusupdates/{updateId}/acknowledge'

/**
 * An update about translations is acknowledged after they have been fetched, not before. Older jobs
 * do not count.
 */
export function judgeAcknowledging(rounds: readonly Round[]): Judged {
  const calls = callsOf(rounds)
  const mine = new Set(
    calls.filter((call) => isAt(call, 'POST /v2/jobs')).map(({ answered }) => answered?.jobId),
  )
  const told = new Map(
    calls.flatMap(({ answered }) => answered?.updates ?? []).map((one) => [one.updateId, one]),
  )
  const early: SeenCall[] = []
  let right = 0
  for (const call of calls.filter((one) => isAt(one, acknowledgement) && one.status === 200)) {
    const update = told.get(call.ids?.updateId ?? '')
    if (
      !update ||
      update.hasError ||
      update.statusCode !== 'REVIEW_TRANSLATION' ||
      !mine.has(update.jobId)
    )
      continue
    const before = calls.filter(
      ({ number, ids, link }) => number < call.number && (link || ids?.jobId === update.jobId),
    )
    const fetched = new Set(retrievalsIn(before).map(({ ids }) => ids?.requestId))
    if (update.requestIds.every((requestId) => fetched.has(requestId))) right += 1
    else early.push(call)
  }
  if (early.length > 0)
    return broken(
      `${many(early.length, 'update')} acknowledged before the translations were downloaded.`,
      early,
    )
  if (right === 0) return notSeen('No update about a translation was acknowledged.')
  return kept(`${many(right, 'update')} acknowledged after the translations were downloaded.`)
}

const approval = 'PUT /v2/jobs/{jobId}/requests/approve'

export function judgeRedelivery(rounds: readonly Round[]): Judged {
  const approvals = callsOf(rounds).filter(
    (call) =>
      isAt(call, approval) &&
      call.fault?.scenario === 'redelivery-after-approval' &&
      call.status === 200,
  )
  if (approvals.length === 0)
    return notSeen('No translation was delivered again after its approval.')
  const fetched = retrievalsIn(callsOf(rounds))
  const left = approvals.filter(
    ({ number, sent }) =>
      !sent?.requestIds?.every((requestId) =>
        fetched.some((call) => call.number > number && call.ids?.requestId === requestId),
      ),
  )
  if (left.length > 0)
    return broken('A translation that was delivered again was not downloaded again.', left)
  return kept('Translations delivered again after approval were downloaded again.', approvals)
}

export function judgePolling(rounds: readonly Round[]): Judged {
  const silent = rounds.flatMap(({ deliveries }) =>
    deliveries.filter(({ fault, made }) => fault?.scenario === 'never-called' && !made),
  )
  if (silent.length === 0)
    return notSeen('The connector has no listener, or none for these updates.')
  const fetched = retrievalsIn(callsOf(rounds))
  const jobs = [...new Set(silent.map(({ jobId }) => jobId))]
  const left = jobs.filter((jobId) => !fetched.some((call) => call.ids?.jobId === jobId))
  if (left.length > 0)
    return broken(
      `Its listener was not called, and the translations of ${left.join(', ')} were never downloaded.`,
    )
  const found = fetched.filter((call) => jobs.includes(call.ids?.jobId ?? ''))
  return kept(
    `${many(jobs.length, 'job')} downloaded although the listener was never called.`,
    found,
  )
}
