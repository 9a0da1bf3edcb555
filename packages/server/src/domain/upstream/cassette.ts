/**
 * Records the calls of a job whose provider has `record` on: what we call at the upstream and what
 * its listeners call here. Kept with the job up to a size, and sealed like other notes. Readings
 * that brought nothing new are left out: a player repeats the last one.
 */
import { createHash } from 'node:crypto'
import {
  type Cassette,
  type CassetteCall,
  type CassetteSide,
  formatTime,
  limits,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { records } from '../engines/drivers/upstream.ts'
import type { MadeCall, RecordedBody } from '../engines/drivers/watched-fetch.ts'
import { findProviderIfAny } from '../engines/providers.ts'
import { openNote, sealNote } from '../files/seals/notes.ts'
import { findIfAny, lockIfAny, mustFindJob } from '../jobs/find-job.ts'
import { sentOn } from '../jobs/sent-on.ts'
import { isJobCall, pathAt } from './addresses.ts'
import { bodyOf, plainUrl, type ReplacedUrl } from './cassette-body.ts'
import * as rows from './recorded-rows.ts'
import { allRecorded } from './recording-queue.ts'

type Job = { readonly siteId: string; readonly jobId: string }
/** What is stored of a call; side and time have columns. */
type RecordedFields = Omit<CassetteCall, 'side' | 'time'>
export type ToKeep = {
  readonly calledAt: number
  readonly side: CassetteSide
  readonly call: RecordedFields
  readonly look?: string
}

const sentHeaders = [
  'content-type',
  'idempotency-key',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'range',
]
const answerHeaders = [
  ...['content-type', 'content-disposition', 'etag', 'location', 'retry-after'],
  ...['tus-resumable', 'upload-length', 'upload-offset'],
]

function headersIn(
  headers: Headers,
  names: readonly string[],
  place: ReplacedUrl,
): { headers?: Record<string, string> } {
  const found = names.flatMap((name) => {
    const value = headers.get(name)
    if (value === null) return []
    return [[name, name === 'location' ? plainUrl(value, place) : value] as const]
  })
  return found.length === 0 ? {} : { headers: Object.fromEntries(found) }
}

/** The calls of one run at the upstream, in order. */
export async function recordThere(
  hub: Hub,
  of: Job & { readonly url: string },
  calls: readonly MadeCall[],
): Promise<void> {
  const found = await Promise.all(
    calls.filter(({ url }) => isJobCall(of.url, url)).map((call) => describe(of.url, call)),
  )
  const looks = found.filter(({ look }) => look !== undefined)
  const known = looks.length === 0 ? new Map() : await knownLooks(hub, of)
  const isOld = looks.every(({ call, look }) => known.get(call.path) === look)
  await keepCalls(hub, of, isOld ? found.filter(({ look }) => look === undefined) : found)
}

async function describe(url: string, made: MadeCall): Promise<ToKeep> {
  const place: ReplacedUrl = { url, word: '{upstream}' }
  const { path, query, transfer } = pathAt(url, made.url)
  const { sent, answered } = (await made.bodies) ?? {}
  const body = bodyOf(sent, made.sent.get('content-type'), place)
  const answer = bodyOf(answered, made.headers.get('content-type'), place)
  const call: RecordedFields = {
    method: made.method,
    path: transfer === undefined ? path + query : `/fms/${transfer}`,
    durationMs: made.durationUs / 1_000,
    request: { ...headersIn(made.sent, sentHeaders, place), ...(body && { body }) },
    ...(made.status !== undefined && {
      response: {
        status: made.status,
        ...headersIn(made.headers, answerHeaders, place),
        ...(answer && { body: answer }),
      },
    }),
    ...(made.error !== undefined && { error: made.error }),
  }
  const isLook = made.method === 'GET' && transfer === undefined
  return { calledAt: made.calledAt, side: 'UPSTREAM', call, ...(isLook && { look: lookOf(call) }) }
}

const lookOf = ({ path, response, error }: RecordedFields): string =>
  `${createHash('sha256')
    .update(JSON.stringify([response, error]))
    .digest('base64url')} ${path}`

/** How many readings back are compared; an older one is recorded again. */
const looksBack = 200

async function knownLooks({ db }: Hub, { siteId, jobId }: Job): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  for (const { look } of await rows.selectLooks(db.read, siteId, jobId, looksBack)) {
    const path = look?.slice(look.indexOf(' ') + 1) ?? ''
    if (look && !known.has(path)) known.set(path, look)
  }
  return known
}

/** A listener of the upstream called about the job. Its signature is not kept. */
export async function recordHeard(
  hub: Hub,
  of: Job & { readonly providerId: string },
  body: string,
): Promise<void> {
  const provider = await findProviderIfAny(hub.db.read, of.siteId, of.providerId)
  if (!provider || !records(provider)) return
  const recordedBody: RecordedBody = { bytes: Buffer.from(body), isCut: false }
  const given = bodyOf(recordedBody, 'application/json', { url: '', word: '{upstream}' })
  const call: RecordedFields = {
    method: 'POST',
    path: '/upstream',
    durationMs: 0,
    request: { ...(given && { body: given }) },
    response: { status: 204 },
  }
  await keepCalls(hub, of, [{ calledAt: hub.clock.now(), side: 'LISTENER', call }])
}

/** The size of a row beside its text. */
const rowBytes = 200

export async function keepCalls(
  hub: Hub,
  { siteId, jobId }: Job,
  calls: readonly ToKeep[],
): Promise<void> {
  if (calls.length === 0) return
  await hub.db.transact(async (tx) => {
    if (!(await lockIfAny(tx, siteId, jobId))) return
    let { bytes, isFull } = await rows.sumRecorded(tx, siteId, jobId)
    for (const { calledAt, side, call, look = null } of calls) {
      if (isFull) return
      const text = JSON.stringify(call)
      const size = Buffer.byteLength(text) + rowBytes
      bytes += size
      isFull = bytes > limits.cassetteBytes
      const row = { site_id: siteId, job_id: jobId, called_at: calledAt }
      if (isFull)
        await rows.insertRecorded(tx, { ...row, side: 'FULL', look: null, call: '{}', bytes: 0 })
      else
        await rows.insertRecorded(tx, {
          ...row,
          side,
          look,
          call: sealNote(hub, text),
          bytes: size,
        })
    }
  })
}

export async function findCassette(hub: Hub, { caller }: Call, jobId: string): Promise<Cassette> {
  const { siteId } = caller
  await allRecorded(hub)
  const job = await mustFindJob(hub.db.read, siteId, jobId)
  const found = await rows.selectRecorded(hub.db.read, siteId, jobId)
  const remoteJobId = sentOn(job)?.jobId
  return {
    format: 'dragoman-cassette',
    version: 1,
    jobId,
    ...(remoteJobId !== undefined && { upstreamJobId: remoteJobId }),
    complete: !found.some(({ side }) => side === 'FULL'),
    calls: found.flatMap(({ side, called_at, call }) => {
      const text = side === 'FULL' ? null : openNote(hub, call)
      if (side === 'FULL' || text === null) return []
      return [{ side, time: formatTime(called_at), ...(JSON.parse(text) as RecordedFields) }]
    }),
  }
}

/**
 * Whether calls of the job are recorded: by its provider or, before it has one, because some
 * provider of the site records.
 */
export async function isRecorded({ db }: Hub, { siteId, jobId }: Job): Promise<boolean> {
  const job = await findIfAny(db.read, siteId, jobId)
  if (!job || job.status === 'CREATED') return job !== undefined
  const provider = await findProviderIfAny(db.read, siteId, job.provider_id ?? '')
  return provider?.type_id === 'upstream' && records(provider)
}

export const forgetRecorded = ({ db }: Hub, { siteId, jobId }: Job): Promise<void> =>
  db.transact((tx) => rows.deleteRecorded(tx, siteId, jobId))
