/**
 * Slows down guessing (contract, sections 2 and 11). After 10 failures within a minute for one
 * client id and address, the pause grows with each further try, up to a minute after the last
 * secret that was actually checked. So the right secret works after that minute, however many tries
 * were refused. Other addresses and clients are not affected. The counts are in a table and so hold
 * on all nodes.
 */
import { isIPv6 } from 'node:net'
import { HubError, limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import type { Db } from '../../store/database.ts'
import { type InTurn, openTurn } from '../../turns/in-turn.ts'
import * as rows from './login-throttle-rows.ts'

const windowMs = 60_000
const firstPauseMs = 5_000
/** Once blocked, each failure blocks again, until the pair has been quiet for this long. */
const quietMs = 600_000
/** How many tries of one pair may wait in line. */
const maxWaiting = 256

/** The name whose secret is tried, from which address, and how a refusal calls it. */
export type Guesser = {
  readonly name: string
  readonly ip: string
  readonly of?: string
  /**
   * A right secret does not clear the failures: others share the name, and its owner must not guess
   * theirs for free.
   */
  readonly shared?: boolean
}

/**
 * Returns the result of `check`, unless the pair is blocked; undefined means a wrong secret and is
 * counted. Tries of one pair run one after the other, so that a hundred at once are not a hundred
 * free guesses. This holds per node; a guesser who knows several nodes gains one try on each.
 */
export function limitGuesses<T>(
  hub: Hub,
  { name: clientId, ip, of = 'of this client id', shared = false }: Guesser,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const source = { clientId, address: addressOf(ip) }
  return inTurn(hub, `${source.address} ${clientId}`, async () => {
    const known = await rows.triesOf(hub.db.read, source)
    if (known && known.blocked_until > hub.clock.now()) throw await refusal(hub, source, known, of)
    const found = await check()
    if (found === undefined) await countFailure(hub, source)
    else if (known && !shared) await hub.db.transact((tx) => rows.deleteTries(tx, source))
    return found
  })
}

/**
 * Forgets the failures of a name that is gone, or whose secret was replaced, from every address.
 */
export const forgetGuessesOf = (tx: Db, clientId: string): Promise<void> =>
  rows.deleteTriesOf(tx, clientId)

/** Part of the sweep: removes pairs that have been quiet. */
export const forgetGuesses = (tx: Db, now: number): Promise<void> =>
  rows.deleteOldTries(tx, now - quietMs)

const pause = (failures: number): number =>
  failures < limits.guesses
    ? 0
    : Math.min(limits.guessPauseMs, firstPauseMs * 2 ** (failures - limits.guesses))

/**
 * `since` is the first failure of the minute or, from the tenth failure on, when a secret was last
 * checked.
 */
async function countFailure(hub: Hub, source: rows.Source): Promise<void> {
  const now = hub.clock.now()
  await hub.db.transact(async (tx) => {
    const known = await rows.lockTries(tx, source)
    const counts =
      known && now - known.since < (known.failures < limits.guesses ? windowMs : quietMs)
    const failures = (counts ? known.failures : 0) + 1
    const since = counts && failures < limits.guesses ? known.since : now
    await rows.keepTries(tx, source, { failures, since, blocked_until: now + pause(failures) })
    if (isTimeToForget(hub, now)) await forgetGuesses(tx, now)
  })
}

const forgetEveryMs = 60_000
const forgotten = perHub(() => ({ at: 0 }))

/** Each made-up client id costs a row, so old rows are removed more often than by the sweep. */
function isTimeToForget(hub: Hub, now: number): boolean {
  if (Math.abs(now - forgotten(hub).at) < forgetEveryMs) return false
  forgotten(hub).at = now
  return true
}

async function refusal(
  hub: Hub,
  source: rows.Source,
  known: rows.Tries,
  of: string,
): Promise<HubError> {
  const now = hub.clock.now()
  const failures = known.failures + 1
  const wanted = Math.min(known.since + limits.guessPauseMs, now + pause(failures))
  // At the maximum pause nothing is written, so a flood of refused calls costs no commits.
  if (wanted > known.blocked_until)
    await hub.db.transact((tx) =>
      rows.keepTries(tx, source, { failures, since: known.since, blocked_until: wanted }),
    )
  const seconds = Math.max(1, Math.ceil((Math.max(wanted, known.blocked_until) - now) / 1_000))
  const because = `too many failed logins ${of} from this address.`
  return new HubError('RATE_LIMITED', { because, seconds }, { retryAfter: seconds })
}

/** An IPv6 /64 counts as one address, because one guesser can have all of it. */
export function addressOf(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
  return `${groups.join(':')}::/64`
}

type Queue = { readonly inTurn: InTurn; length: number }
const queuesOf = perHub(() => new Map<string, Queue>())

async function inTurn<T>(hub: Hub, key: string, work: () => Promise<T>): Promise<T> {
  const queues = queuesOf(hub)
  const queue = queues.get(key) ?? { inTurn: openTurn(), length: 0 }
  queues.set(key, queue)
  if (queue.length >= maxWaiting)
    throw new HubError(
      'SERVICE_UNAVAILABLE',
      { because: 'too many token calls of this client.' },
      { retryAfter: 2 },
    )
  queue.length += 1
  try {
    return await queue.inTurn(work)
  } finally {
    queue.length -= 1
    if (queue.length === 0) queues.delete(key)
  }
}
