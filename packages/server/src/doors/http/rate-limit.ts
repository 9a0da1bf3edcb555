/**
 * Throttling (contract, section 3): a token bucket per address and per client, implemented as GCRA,
 * so that a steady stream at the limit is never refused; the burst is one second's worth. Counts
 * are kept in memory on one node and in the database when several nodes are alive; addresses known
 * to be over their limit are refused from memory. Database errors never refuse a call.
 */
import { createHash } from 'node:crypto'
import { addressOf } from '../../domain/access/login-throttle.ts'
import type { Hub } from '../../hub.ts'
import { countLiveNodes } from '../../store/nodes.ts'
import { pruneThrottle, takeShared } from '../../store/throttle-rows.ts'
import { withTimeout } from '../../turns/timeout.ts'

export type Taken = {
  readonly allowed: boolean
  /** Calls per second; Infinity if throttling is off. */
  readonly limit: number
  readonly remaining: number
  /** 0 when allowed. */
  readonly retryAfterSeconds: number
  /** Seconds until the full burst is available again. */
  readonly resetSeconds: number
}
/** Calls per second. */
export type Limit = number | 'off'
export type Throttle = {
  take(address: string): Promise<Taken>
  /** The same for a client, from any address. */
  takeFor(
    client: { readonly siteId: string; readonly clientId: string },
    limit: Limit,
  ): Promise<Taken>
}

const second = 1_000_000
/**
 * Nodes' clocks may differ by this much; a later arrival time was written before the clock was set
 * back.
 */
const skew = 60 * second
const remembered = 50_000
const longestAddress = 64
const nodesCheckedEveryMs = 5_000
const prunedEveryMs = 60_000
/** A call waits this long for the shared count; then this node counts alone. */
const usualPatienceMs = 250
const restAfterTroubleMs = 1_000

const unlimited: Taken = {
  allowed: true,
  limit: Infinity,
  remaining: Infinity,
  retryAfterSeconds: 0,
  resetSeconds: 0,
}

export function openThrottle(hub: Hub, options: { patienceMs?: number } = {}): Throttle {
  const arrivals = new Map<string, number>()
  let several = false
  let checkedAt = Number.NEGATIVE_INFINITY
  let troubleAt = Number.NEGATIVE_INFINITY
  let prunedAt = hub.clock.now()

  /**
   * Moves the address to the end of the map on each call, so that the first entry is the least
   * recently seen.
   */
  const remember = (address: string, arrivesAt: number): void => {
    arrivals.delete(address)
    arrivals.set(address, arrivesAt)
    if (arrivals.size <= remembered) return
    const [oldest] = arrivals.keys()
    if (oldest !== undefined) arrivals.delete(oldest)
  }

  const lookForNodes = (now: number): void => {
    if (Math.abs(now - checkedAt) < nodesCheckedEveryMs) return
    checkedAt = now
    countLiveNodes(hub.db.read, now).then(
      (nodes) => {
        several = nodes > 1
      },
      (error: unknown) =>
        hub.log.warn(
          { err: error },
          'live nodes could not be counted; keeping the previous rate limit',
        ),
    )
  }

  /** Each address costs a row: rows must not pile up until the sweep. */
  const prune = (now: number): void => {
    if (Math.abs(now - prunedAt) < prunedEveryMs) return
    prunedAt = now
    pruneThrottle(hub.db, now * 1000).catch((error: unknown) =>
      hub.log.warn({ err: error }, 'the shared rate limit could not be pruned'),
    )
  }

  const answer = (limit: number, allowed: boolean, arrivesAt: number, now: number): Taken => {
    const interval = Math.floor(second / limit)
    return {
      allowed,
      limit,
      remaining: Math.max(0, Math.floor((now + second - arrivesAt) / interval)),
      retryAfterSeconds: allowed
        ? 0
        : Math.max(1, Math.ceil((arrivesAt + interval - second - now) / second)),
      resetSeconds: Math.max(0, Math.ceil((arrivesAt - now) / second)),
    }
  }

  /** Has no await, so that simultaneous calls are counted one after the other. */
  const takeHere = (
    address: string,
    interval: number,
    now: number,
  ): { allowed: boolean; arrivesAt: number } => {
    const known = arrivals.get(address) ?? now
    const from = known > now + second + skew ? now : Math.max(known, now)
    if (from + interval > now + second) return { allowed: false, arrivesAt: from }
    remember(address, from + interval)
    return { allowed: true, arrivesAt: from + interval }
  }

  const takeAs = async (who: string, limit: Limit): Promise<Taken> => {
    if (limit === 'off') return unlimited
    const interval = Math.floor(second / limit)
    const ms = hub.clock.now()
    lookForNodes(ms)
    const now = ms * 1000
    const address = who.slice(0, longestAddress)
    const here = takeHere(address, interval, now)
    // This node never counts more than all nodes together: if it refuses, the shared count would,
    // too.
    if (!here.allowed || !several || Math.abs(ms - troubleAt) < restAfterTroubleMs)
      return answer(limit, here.allowed, here.arrivesAt, now)
    prune(ms)
    try {
      const take = { address, now, interval, window: second, latest: now + second + skew }
      const shared = await withTimeout(
        options.patienceMs ?? usualPatienceMs,
        takeShared(hub.db, take),
      )
      remember(address, shared.arrivesAt)
      return answer(limit, shared.allowed, shared.arrivesAt, now)
    } catch (error) {
      troubleAt = ms
      hub.log.warn({ err: error }, 'the shared rate limit failed; counting on this node alone')
      return answer(limit, true, here.arrivesAt, now)
    }
  }

  return {
    take: (address) => takeAs(addressOf(address), hub.config.rateLimit),
    takeFor: ({ siteId, clientId }, limit) =>
      takeAs(`client ${digestOf(`${siteId}/${clientId}`)}`, limit),
  }
}

/** Turns a name of any length into one of fixed length. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
