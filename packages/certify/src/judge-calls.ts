/**
 * Obligations on how a connector calls: its token, its retries, its Accept header, pages and
 * redirects.
 */
import type { SeenCall } from './seen.ts'
import {
  broken,
  callsOf,
  isApi,
  isAt,
  type Judged,
  kept,
  many,
  notSeen,
  type Round,
} from './verdict.ts'

const tokenCall = 'POST /connect/token'

/**
 * A new token is justified at the start, after a 401, and when the old one has reached half of its
 * lifetime.
 */
export function judgeToken(rounds: readonly Round[]): Judged {
  const asked = callsOf(rounds).filter((call) => isAt(call, tokenCall) && call.status === 200)
  const used = callsOf(rounds).filter((call) => isApi(call) && call.token !== undefined)
  if (asked.length === 0 || used.length < 2)
    return notSeen('Fewer than two calls were made with a token.')
  const needless = rounds.flatMap(({ calls }) => needlessTokens(calls))
  if (needless.length > 0)
    return broken(
      `${many(needless.length, 'token')} of ${asked.length} requested while the previous one was still valid.`,
      needless,
    )
  return kept(
    `${many(asked.length, 'token')} for ${many(used.length, 'call')} in ${many(rounds.length, 'run')}.`,
    asked,
  )
}

function needlessTokens(calls: readonly SeenCall[]): SeenCall[] {
  const needless: SeenCall[] = []
  let held: SeenCall | undefined
  let refused = false
  for (const call of calls) {
    if (call.status === 401) refused = true
    if (!isAt(call, tokenCall) || call.status !== 200) continue
    const lifeMs = (held?.answered?.expiresIn ?? 0) * 1_000
    if (held && !refused && call.at - held.at < lifeMs / 2) needless.push(call)
    held = call
    refused = false
  }
  return needless
}

const isRefusal = ({ status }: SeenCall): boolean =>
  status === 429 || (status >= 500 && status !== 501)
const nameOf = ({ method, route, ids, query, idempotencyKey }: SeenCall): string =>
  JSON.stringify([method, route, ids, query, idempotencyKey])
/** Tolerance for a clock that is read at both ends. */
const toleranceMs = 60
/** Without a Retry-After: the average pause required between repeated refusals. */
const minPauseMs = 50
const maxTries = 12

export function judgeBackoff(rounds: readonly Round[]): Judged {
  const refused = callsOf(rounds).filter(isRefusal)
  if (refused.length === 0) return notSeen('No call was refused with 429 or 50x.')
  const hasty: SeenCall[] = []
  const endless: SeenCall[] = []
  let repeated = 0
  for (const { calls } of rounds)
    for (const row of rowsOf(calls)) {
      repeated += row.length - 1
      for (const one of hastyIn(row)) hasty.push(one)
      if (row.filter(isRefusal).length > maxTries) for (const one of row) endless.push(one)
    }
  if (hasty.length > 0)
    return broken(`${many(hasty.length, 'call')} retried without the required pause.`, hasty)
  if (endless.length > 0) return broken(`A call was sent more than ${maxTries} times.`, endless)
  return kept(
    `${many(refused.length, 'refusal')}, ${repeated} retried, each after its pause.`,
    refused,
  )
}

/** Consecutive refusals of the same call, with the call that ends them. */
function rowsOf(calls: readonly SeenCall[]): SeenCall[][] {
  const open = new Map<string, SeenCall[]>()
  const rows: SeenCall[][] = []
  for (const call of calls) {
    const name = nameOf(call)
    const row = open.get(name)
    // A call sent before the refusal left the hub is not a retry of it.
    const refusedAt = row?.at(-1)?.endedAt ?? 0
    if (row && call.at < refusedAt) continue
    if (row) row.push(call)
    else if (isRefusal(call)) open.set(name, [call])
    if (isRefusal(call)) continue
    if (row) rows.push(row)
    open.delete(name)
  }
  return [...rows, ...open.values()]
}

/** Calls that came too soon after the previous one. */
function hastyIn(row: readonly SeenCall[]): SeenCall[] {
  const hasty: SeenCall[] = []
  let silent = 0
  let waited = 0
  for (const [at, call] of row.entries()) {
    const next = row[at + 1]
    if (!next) break
    const gap = next.at - (call.endedAt ?? call.at)
    if (call.retryAfter === undefined) {
      silent += 1
      waited += gap
    } else if (gap < Number(call.retryAfter) * 1_000 - toleranceMs) hasty.push(next)
  }
  const last = row.at(-1)
  return last && silent > 0 && waited < minPauseMs * silent ? [...hasty, last] : hasty
}

export function judgeAccept(rounds: readonly Round[]): Judged {
  const calls = callsOf(rounds).filter(isApi)
  if (calls.length === 0) return notSeen('No call was made.')
  const without = calls.filter(({ accept, route }) =>
    route.endsWith('/retrievefile')
      ? !/octet-stream/i.test(accept ?? '')
      : !/json/i.test(accept ?? ''),
  )
  if (without.length > 0)
    return broken(
      `${many(without.length, 'call')} of ${calls.length} without Accept: application/json (application/octet-stream for files).`,
      without,
    )
  const untyped = calls.filter(({ sent, contentType }) => sent && !/json/i.test(contentType ?? ''))
  if (untyped.length > 0)
    return broken(
      `${many(untyped.length, 'body', 'bodies')} without Content-Type: application/json.`,
      untyped,
    )
  return kept(`On all ${many(calls.length, 'call')}.`)
}

/** A page of updates may also be requested again once all of its updates are acknowledged. */
export function judgePages(rounds: readonly Round[]): Judged {
  const paged = callsOf(rounds).filter(({ answered, status }) => status === 200 && answered?.next)
  if (paged.length === 0) return notSeen('No response had a next page.')
  const left = rounds.flatMap(({ calls }) =>
    calls.filter((call) => call.status === 200 && call.answered?.next && !isFollowed(call, calls)),
  )
  if (left.length > 0)
    return broken(
      `${many(left.length, 'page')} of ${paged.length} with a next cursor that was not followed.`,
      left,
    )
  return kept(`${many(paged.length, 'cursor')} followed.`, paged)
}

function isFollowed(page: SeenCall, calls: readonly SeenCall[]): boolean {
  const later = calls.filter(({ number, route }) => number > page.number && route === page.route)
  if (later.some(({ cursor }) => cursor === page.answered?.next)) return true
  const updates = page.answered?.updates ?? []
  const acknowledged = (updateId: string) =>
    calls.some(
      (call) =>
        isAt(call, 'PUT /v2/statusupdates/{updateId}/acknowledge') &&
        call.ids?.updateId === updateId,
    )
  return (
    updates.length > 0 &&
    later.length > 0 &&
    updates.every(({ updateId }) => acknowledged(updateId))
  )
}

export function judgeRedirect(rounds: readonly Round[]): Judged {
  const redirects = callsOf(rounds).filter(
    ({ status, answered }) => status === 307 && answered?.link,
  )
  if (redirects.length === 0) return notSeen('No file was requested.')
  const links = new Set(callsOf(rounds).map(({ link }) => link))
  const left = redirects.filter(({ answered }) => !links.has(answered?.link))
  if (left.length > 0)
    return broken(`${many(left.length, 'redirect')} of ${redirects.length} not followed.`, left)
  return kept(`${many(redirects.length, 'redirect')} followed.`, redirects)
}
