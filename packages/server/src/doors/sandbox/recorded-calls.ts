/**
 * The last calls and deliveries, recorded in the sandbox for tests and certification: the relevant
 * headers, ids, and a few facts from the bodies. Never a secret: tokens, cursors and signed links
 * appear only as short digests. Kept in memory, up to a limit; the hub's call log is a separate
 * table.
 */
import { createHash } from 'node:crypto'
import type { SeenCall, SeenDelivery } from '@dragoman/certify'
import { formatTime } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import type { Fault } from './fault.ts'

/**
 * Where a round of a certification begins: a fault was set, or, without one, faults were cleared.
 */
export type Mark = { readonly number: number; readonly fault: Fault | undefined }

const maxCalls = 10_000
const maxDeliveries = 2_000
const maxMarks = 1_000
const maxClients = 1_000

export type Recorded = ReturnType<typeof openRecord>

export function openRecord(hub: Hub) {
  let number = 0
  const calls: SeenCall[] = []
  const deliveries: SeenDelivery[] = []
  const marks: Mark[] = []
  const tokens = new LRUCache<string, number>({ max: maxClients })
  const stamp = () => {
    number += 1
    const now = hub.clock.now()
    return { number, time: formatTime(now), at: now - hub.clock.offset() }
  }
  const keep = <T>(list: T[], one: T, most: number): T => {
    list.push(one)
    if (list.length > most) list.splice(0, list.length - most)
    return one
  }
  return {
    call: (begun: Omit<SeenCall, 'number' | 'time' | 'at' | 'status'>): SeenCall =>
      keep(calls, { ...stamp(), ...begun, status: 0 }, maxCalls),
    now: (): number => hub.clock.now() - hub.clock.offset(),
    delivery: (
      of: { readonly listenerId: string; readonly jobId: string },
      headers: Readonly<Record<string, string>>,
      fault: SeenDelivery['fault'],
      made: boolean,
    ): void => {
      const { listenerId, jobId } = of
      const by = fault && { fault: { id: fault.id, scenario: fault.scenario } }
      keep(
        deliveries,
        { ...stamp(), listenerId, jobId, webhookId: headers['webhook-id'] ?? '', made, ...by },
        maxDeliveries,
      )
    },
    mark: (fault?: Fault): void => void keep(marks, { number, fault }, maxMarks),
    marks: (): readonly Mark[] => marks,
    /** Each client's last token, and when it expires on the hub's clock. */
    token: (client: string, expiresIn: number): void =>
      void tokens.set(client, hub.clock.now() + expiresIn * 1_000),
    tokens: (): Iterable<[client: string, expiresAt: number]> => tokens.entries(),
    newestCalls: (limit: number): SeenCall[] => calls.slice(-limit),
    callsAfter: (after: number, limit: number): SeenCall[] =>
      calls.filter((call) => call.number > after).slice(0, limit),
    deliveriesAfter: (after: number, limit: number): SeenDelivery[] =>
      deliveries.filter((one) => one.number > after).slice(0, limit),
  }
}

/** Long enough to tell two apart, too short to reveal the original. */
export const digest = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url').slice(0, 12)
