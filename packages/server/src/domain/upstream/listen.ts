/**
 * Listeners at the upstream that call this hub, so that news arrive at once. A call only says where
 * to look: the job is read anyway, so calls that are lost, repeated or out of order do no harm.
 * Where the hub has no public address, or another listener has the place, jobs are only read from
 * time to time, and their updates are acknowledged by hand.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { issuerOf } from '../access/tokens.ts'
import { lockIfAny } from '../jobs/find-job.ts'
import { followSoon, sentOn } from '../jobs/sent-on.ts'
import { keyOf } from '../listeners/sign.ts'
import { recordHeard } from './cassette.ts'
import { selectOurJobs } from './link-rows.ts'
import { recordLater } from './recording-queue.ts'
import { idIn } from './remote-shapes.ts'
import { remoteJobIdOf, type SyncRun } from './sync-run.ts'

const types = ['JOB_STATUS_UPDATED', 'REQUEST_STATUS_UPDATED'] as const

/** The rest comes with the next look. */
const mostAcknowledged = 1_000
const atMost = { mostPages: limits.outsidePages }

/** How long an answer of the upstream about its listeners counts. */
const knownMs = 600_000
type Known = { readonly url: string; readonly until: number; readonly isHeard: boolean }
const knownOf = perHub(() => new LRUCache<string, Known>({ max: 2_000 }))

/** Made of the master key, so that every node knows it and no row holds it. */
const secretOf = ({ vault }: Hub, providerId: string): string =>
  `whsec_${vault.sign('upstream', providerId).toString('base64')}`

/**
 * Where the upstream can call this hub. In the sandbox that is the address of the process itself.
 */
function addressOf(hub: Hub, providerId: string): string | undefined {
  const { publicUrl, profile } = hub.config
  const base = publicUrl ?? (profile === 'sandbox' ? issuerOf(hub) : undefined)
  return base && `${base}/upstream/${providerId}`
}

export async function registerListener(run: SyncRun): Promise<void> {
  const { hub, state, upstream } = run
  const known = knownOf(hub).get(state.providerId)
  const now = hub.clock.now()
  if (known && known.url === upstream.url && known.until > now) return
  const uri = addressOf(hub, state.providerId)
  const isHeard = uri !== undefined && (await register(run, uri))
  knownOf(hub).set(state.providerId, { url: upstream.url, until: now + knownMs, isHeard })
}

/** False if the upstream does not take our listener: then the job does without. */
async function register({ hub, upstream, state }: SyncRun, uri: string): Promise<boolean> {
  const { connection } = upstream
  const secret = secretOf(hub, state.providerId)
  try {
    const there = new Map<string, { listenerId: string; uri: string }>()
    const isOurs = (type: string) => types.some((one) => one === type)
    for await (const listener of connection.each('listListeners', {}, atMost)) {
      if (isOurs(listener.type)) there.set(listener.type, listener)
      if (there.size === types.length) break
    }
    for (const type of types) {
      const found = there.get(type)
      if (!found) await connection.createListener({ body: { uri, type, secret } })
      else if (found.uri === uri)
        await connection.changeListener({
          params: { listenerId: found.listenerId },
          body: { secret, disabled: false },
        })
      else return false
    }
    return true
  } catch (error) {
    hub.log.warn(
      { err: error, providerId: state.providerId },
      'the upstream does not take a listener; its jobs are polled',
    )
    return false
  }
}

/**
 * Without a listener of ours nobody acknowledges the updates of the job there, and the upstream
 * allows only so many.
 */
export async function acknowledgeRemote(run: SyncRun): Promise<void> {
  const { hub, state, upstream } = run
  // Of a job that another node submitted, or this one before it was restarted.
  if (!knownOf(hub).has(state.providerId)) await registerListener(run)
  if (knownOf(hub).get(state.providerId)?.isHeard !== false) return
  const query = { jobId: [remoteJobIdOf(run)] }
  let left = mostAcknowledged
  const updates = upstream.connection.each('listStatusUpdates', { query }, atMost)
  for await (const update of updates) {
    const params = { updateId: idIn(update, 'updateId') }
    await upstream.connection.acknowledgeStatusUpdate({ params })
    left -= 1
    if (left === 0) return
  }
}

export type UpdateCall = {
  readonly providerId: string
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  readonly body: string
  readonly traceId: string
}

/**
 * False if it is not signed with our secret. An old call that comes again is harmless, so its time
 * is not looked at.
 */
export async function receiveUpdate(hub: Hub, call: UpdateCall): Promise<boolean> {
  const text = `${call.id}.${call.timestamp}.${call.body}`
  const right = createHmac('sha256', keyOf(secretOf(hub, call.providerId)))
    .update(text)
    .digest()
  const isSigned = call.signature.split(' ').some((one) => isSame(right, one))
  if (!isSigned) return false
  const theirJobId = jobIn(call.body)
  for (const { site_id: siteId, job_id: jobId } of theirJobId
    ? await selectOurJobs(hub.db.read, theirJobId)
    : []) {
    const isOurs = await hub.db.transact(async (tx) => {
      const job = await lockIfAny(tx, siteId, jobId)
      if (!job || sentOn(job)?.providerId !== call.providerId) return false
      await followSoon({ hub, tx, causeId: call.traceId }, job)
      return true
    })
    const { providerId, body } = call
    if (isOurs)
      recordLater(hub, body.length, () => recordHeard(hub, { siteId, jobId, providerId }, body))
  }
  return true
}

function isSame(right: Buffer, given: string): boolean {
  const [version, text = ''] = given.split(',', 2)
  const bytes = Buffer.from(text, 'base64')
  return version === 'v1' && bytes.length === right.length && timingSafeEqual(bytes, right)
}

function jobIn(body: string): string | undefined {
  try {
    const { jobId } = JSON.parse(body) as { jobId?: unknown }
    return typeof jobId === 'string' ? jobId : undefined
  } catch {
    return undefined
  }
}
