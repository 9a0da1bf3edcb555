/** The input and output of certification. Judging is pure: rounds in, verdicts out. */
import type { SeenCall, SeenDelivery } from './seen.ts'

/** One run of the connector, with or without a fault. */
export type Round = {
  /** `plain` without a fault. */
  readonly scenario: string
  readonly says: string
  /** How a good connector reacts. */
  readonly goodConnector: string
  readonly calls: readonly SeenCall[]
  readonly deliveries: readonly SeenDelivery[]
  /** How often the fault acted. */
  readonly acted: number
  /** How it ended: with this exit code, by itself in time, or at the timeout. */
  readonly ended: { readonly code: number } | 'in time' | 'late'
}

/** The round without a fault. */
export const plain = {
  name: 'plain',
  says: 'No fault.',
  goodConnector: 'Creates a job, waits, and downloads every translation.',
} as const

export type Result = 'kept' | 'broken' | 'not seen' | 'asked'

export type Verdict = {
  readonly name: string
  /** The obligation, or the fault and a good connector's reaction. */
  readonly says: string
  readonly result: Result
  readonly because: string
  /** The first calls by id (x-request-id). */
  readonly evidence: readonly Evidence[]
  /** What to do, and the page and heading that say more; only if it is broken. */
  readonly advice?: string
  readonly guide?: string
}

export type Evidence = {
  readonly id: string
  readonly call: string
  readonly status: number
  readonly time: string
}

export type Judged = Pick<Verdict, 'result' | 'because' | 'evidence'>

const maxEvidence = 10

export const kept = (because: string, calls: readonly SeenCall[] = []): Judged =>
  judged('kept', because, calls)
export const broken = (because: string, calls: readonly SeenCall[] = []): Judged =>
  judged('broken', because, calls)
export const notSeen = (because: string): Judged => judged('not seen', because, [])

function judged(result: Result, because: string, calls: readonly SeenCall[]): Judged {
  const evidence = calls.slice(0, maxEvidence).map(({ id, method, route, status, time }) => ({
    id,
    call: `${method} ${route}`,
    status,
    time,
  }))
  return { result, because, evidence }
}

export const callsOf = (rounds: readonly Round[]): SeenCall[] =>
  rounds.flatMap(({ calls }) => calls)
export const isAt = (call: SeenCall, what: string): boolean =>
  `${call.method} ${call.route}` === what
export const isApi = (call: SeenCall): boolean => call.route.startsWith('/v2')
/** A round is over when one of its jobs was completed or approved. */
export const endsRound = ({ route, method, status }: SeenCall): boolean =>
  method === 'PUT' && status === 200 && /\/(complete|approve)$/.test(route)
export const succeeded = ({ status }: SeenCall): boolean => status >= 200 && status < 400
const isAsking = ({ route }: SeenCall): boolean =>
  /^\/v2\/jobs\/\{jobId\}\/requests\/\{requestId\}\/retrieve(file)?$/.test(route)

/**
 * Calls that fetched a translation: key-value content directly, a file once its redirect was
 * followed to the bytes.
 */
export function retrievalsIn(calls: readonly SeenCall[]): SeenCall[] {
  const links = new Set(
    calls.filter(({ link, status }) => link && [200, 206].includes(status)).map(({ link }) => link),
  )
  return calls.filter(
    (call) =>
      isAsking(call) &&
      (call.status === 200 || (call.status === 307 && links.has(call.answered?.link))),
  )
}

export const many = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`
