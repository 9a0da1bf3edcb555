/**
 * Records what a connector calls here, for jobs that go to an upstream whose provider has `record`
 * on. Which provider a job gets is known at its submission, so until then the calls of all new jobs
 * of a site with such a provider are kept.
 */
import type { Hub } from '../../hub.ts'
import { issuerOf } from '../access/tokens.ts'
import type { RecordedBody } from '../engines/drivers/watched-fetch.ts'
import { siteRecords } from '../engines/recording-sites.ts'
import { nameOfTransfer, pathAt } from './addresses.ts'
import { forgetRecorded, isRecorded, keepCalls, type ToKeep } from './cassette.ts'
import { bodyOf, plainUrl, type ReplacedUrl } from './cassette-body.ts'
import { recordLater } from './recording-queue.ts'

export type CallHere = {
  readonly siteId: string
  readonly jobId: string
  readonly method: string
  /** The path includes the query. */
  readonly path: string
  readonly status: number
  readonly durationMs: number
  readonly sent: {
    readonly type: string | null
    readonly key?: string
    readonly body?: RecordedBody
    readonly bytes: number
  }
  readonly answered: {
    readonly type: string | null
    readonly location?: string
    readonly body?: RecordedBody
    readonly bytes: number
  }
}

/** Returns at once. */
export function recordHere(hub: Hub, call: CallHere): void {
  const calledAt = Math.round(hub.clock.now() - call.durationMs)
  const bodyBytes = (call.sent.body?.bytes.length ?? 0) + (call.answered.body?.bytes.length ?? 0)
  recordLater(hub, bodyBytes, async () => {
    if (!(await siteRecords(hub, call.siteId))) return
    if (await isRecorded(hub, call)) await keepCalls(hub, call, [describe(hub, call, calledAt)])
    else if (call.path.endsWith('/submit')) await forgetRecorded(hub, call)
  })
}

function describe(hub: Hub, call: CallHere, calledAt: number): ToKeep {
  const place: ReplacedUrl = { url: issuerOf(hub), word: '{hub}' }
  const address = new URL(call.path, place.url)
  const isTransfer = address.pathname.includes('/fms/')
  const { path, query } = pathAt(place.url, address.href)
  const { sent, answered } = call
  const request =
    bodyOf(sent.body, sent.type, place) ?? (sent.bytes > 0 ? { bytes: sent.bytes } : undefined)
  const response =
    bodyOf(answered.body, answered.type, place) ??
    (answered.bytes > 0 ? { bytes: answered.bytes } : undefined)
  const headers = {
    ...(answered.type !== null && { 'content-type': answered.type }),
    ...(answered.location !== undefined && { location: plainUrl(answered.location, place) }),
  }
  return {
    calledAt,
    side: 'CONNECTOR',
    call: {
      method: call.method,
      path: isTransfer ? `/fms/${nameOfTransfer(address)}` : path + query,
      durationMs: call.durationMs,
      request: {
        ...(sent.type !== null && {
          headers: {
            'content-type': sent.type,
            ...(sent.key !== undefined && { 'idempotency-key': sent.key }),
          },
        }),
        ...(request && { body: request }),
      },
      response: { status: call.status, headers, ...(response && { body: response }) },
    },
  }
}
