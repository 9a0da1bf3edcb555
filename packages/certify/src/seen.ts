/**
 * What the sandbox records of each call and delivery, by which a connector is judged. Secrets are
 * recorded only as digests.
 */
import type { ScenarioName } from './scenarios.ts'

export type SeenCall = {
  /** Increases by one; `after` of GET /sandbox/calls. */
  readonly number: number
  /** x-request-id, and traceId of an error. */
  readonly id: string
  /** On the hub's clock, which may have been advanced. */
  readonly time: string
  /** Milliseconds on the machine's clock, which measures waits. */
  readonly at: number
  readonly method: string
  /** With its placeholders: `/v2/jobs/{jobId}`. */
  route: string
  ids?: Readonly<Record<string, string>>
  client?: string | undefined
  readonly accept?: string
  readonly contentType?: string
  /** Digest of the bearer token. */
  readonly token?: string
  readonly idempotencyKey?: string
  /** Digest of the query, to tell two calls to one route apart. */
  readonly query?: string
  /** Digest of the cursor, if the call has one. */
  readonly cursor?: string
  /** Digest of the URL, for calls under /fms. */
  readonly link?: string
  sent?: Sent | undefined
  /** 0 if the connection ended without a response. */
  status: number
  code?: string
  retryAfter?: string
  deprecated?: true
  answered?: Answered
  /**
   * When the response was about to leave. A client measures its wait from the arrival, so its real
   * wait is longer.
   */
  endedAt?: number
  fault?: { readonly id: string; readonly scenario: ScenarioName }
}

export type SeenDelivery = {
  readonly number: number
  readonly time: string
  readonly at: number
  readonly listenerId: string
  readonly jobId: string
  readonly webhookId: string
  /** False if a fault prevented the delivery. */
  readonly made: boolean
  readonly fault?: { readonly id: string; readonly scenario: ScenarioName }
}

/** What the connector stated about itself and its content. */
export type Sent = {
  readonly connectorName?: string
  readonly connectorVersion?: string
  /** Names of jobs and requests with their size in UTF-8: the longest first, truncated. */
  readonly names?: readonly { readonly name: string; readonly bytes: number }[]
  readonly languages?: readonly string[]
  readonly requestIds?: readonly string[]
}
/** What the hub answered. */
export type Answered = {
  readonly jobId?: string
  readonly requestIds?: readonly string[]
  readonly updates?: readonly SeenUpdate[]
  /** For a page: the number of items, and the digest of the next cursor. */
  readonly items?: number
  readonly next?: string
  /** Digest of the redirect target. */
  readonly link?: string
  readonly expiresIn?: number
}
export type SeenUpdate = {
  readonly updateId: string
  readonly jobId: string
  readonly requestIds: readonly string[]
  readonly statusCode: string
  readonly hasError: boolean
}
