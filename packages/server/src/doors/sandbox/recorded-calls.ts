/**
 * What the sandbox remembers of the last calls and deliveries, for tests and for certification: headers that matter, ids,
 * and a few facts of the bodies. Never a secret: tokens, cursors and signed links stand only as short digests. Kept in
 * memory, a bounded number of them; the call log of the hub is a table of its own.
 */
import { createHash } from 'node:crypto'
import { formatTime } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Answered, Sent } from './call-facts.ts'
import type { ScenarioName } from './scenarios.ts'

export type RecordedCall = {
  /** Counts up; `after` of GET /sandbox/calls. */
  readonly number: number
  /** x-request-id, and traceId of an error. */
  readonly id: string
  /** By the hub's clock, which may have been moved. */
  readonly time: string
  /** Milliseconds by the machine's clock, which waits are measured by. */
  readonly at: number
  readonly method: string
  /** With its blanks: `/v2/jobs/{jobId}`. */
  route: string
  ids?: Readonly<Record<string, string>>
  client?: string
  readonly accept?: string
  readonly contentType?: string
  /** Digest of the bearer token. */
  readonly token?: string
  readonly idempotencyKey?: string
  /** Digest of the query, so that two calls to one route can be told apart. */
  readonly query?: string
  /** Digest of the cursor, where the call has one. */
  readonly cursor?: string
  /** Digest of the address, for calls under /fms. */
  readonly link?: string
  sent?: Sent
  /** 0 where the connection ended without an answer. */
  status: number
  code?: string
  retryAfter?: string
  deprecated?: true
  answered?: Answered
  /** When the answer was about to leave: whoever waits from when it arrives has waited longer. */
  endedAt?: number
  fault?: { readonly id: string; readonly scenario: ScenarioName }
}

export type RecordedDelivery = {
  readonly number: number
  readonly time: string
  readonly at: number
  readonly listenerId: string
  readonly jobId: string
  readonly webhookId: string
  /** False where a fault kept it from being made. */
  readonly made: boolean
  readonly fault?: { readonly id: string; readonly scenario: ScenarioName }
}

const mostCalls = 10_000
const mostDeliveries = 2_000

export type Recorded = ReturnType<typeof openRecord>

export function openRecord(hub: Hub) {
  let number = 0
  const calls: RecordedCall[] = []
  const deliveries: RecordedDelivery[] = []
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
    call: (begun: Omit<RecordedCall, 'number' | 'time' | 'at' | 'status'>): RecordedCall =>
      keep(calls, { ...stamp(), ...begun, status: 0 }, mostCalls),
    now: (): number => hub.clock.now() - hub.clock.offset(),
    delivery: (
      of: { readonly listenerId: string; readonly jobId: string },
      headers: Readonly<Record<string, string>>,
      fault: RecordedDelivery['fault'],
      made: boolean,
    ): void => {
      const { listenerId, jobId } = of
      const by = fault && { fault: { id: fault.id, scenario: fault.scenario } }
      keep(
        deliveries,
        { ...stamp(), listenerId, jobId, webhookId: headers['webhook-id'] ?? '', made, ...by },
        mostDeliveries,
      )
    },
    callsAfter: (after: number, limit: number): RecordedCall[] =>
      calls.filter((call) => call.number > after).slice(0, limit),
    deliveriesAfter: (after: number, limit: number): RecordedDelivery[] =>
      deliveries.filter((one) => one.number > after).slice(0, limit),
  }
}

/** Enough to tell two apart, too little to find out what it was. */
export const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url').slice(0, 12)
