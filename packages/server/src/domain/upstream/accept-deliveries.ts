/**
 * Brings translations back: downloads each, checks it as every delivery of a provider, and delivers
 * a batch in one transaction that also notes which version it was. A version that was taken is
 * never taken again.
 */
import { HubError, limits, refusalFor } from '@dragoman/contract'
import { BlobTooLarge } from '../../blobs/blob-store.ts'
import type { UpstreamLinkRow } from '../../store/tables.ts'
import { findStored } from '../files/serve.ts'
import {
  blobOf,
  isOpen,
  placeTranslation,
  type StoredTranslation,
  storeTranslation,
} from '../handover/deliver-batch.ts'
import { type Checked, judgeGiven, weighDelivery } from '../handover/judge-delivery.ts'
import { deliverRequests } from '../jobs/requests/deliveries/deliver-requests.ts'
import { readFormers } from '../jobs/requests/deliveries/former-targets.ts'
import { type Moving, moveRequests } from '../jobs/requests/move-requests.ts'
import type { RequestWithFile, WholeRequest } from '../jobs/requests/request.ts'
import { readRequests } from '../jobs/requests/requests-of-job.ts'
import { findFields } from '../jobs/requests/sealed-contents.ts'
import { checkSettingsOf } from '../language/checks/check-settings.ts'
import { writeLinks } from './link-rows.ts'
import { nameOf, remoteJobIdOf, type SyncRun, saveStep } from './sync-run.ts'

/** A request of ours with its link, and the version in which it is there. */
export type DueRequest = {
  readonly request: RequestWithFile
  readonly link: UpstreamLinkRow
  readonly version: string
}

type FetchedDelivery = DueRequest & {
  readonly stored?: StoredTranslation
  readonly warnings: readonly string[]
  /** Why it was refused. */
  readonly broken?: string
  /** The same as what is here and in review. */
  readonly isKnown?: boolean
}

/** The mark of a version that was refused here, for the rejection there. */
export const brokenMark = (version: string): string => `broken ${version}`

export async function acceptDeliveries(run: SyncRun, due: readonly DueRequest[]): Promise<SyncRun> {
  const fetched: FetchedDelivery[] = []
  for (const one of due) fetched.push(await fetchDelivery(run, one))
  const unused: string[] = []
  const formers = await readFormers(
    run.hub,
    fetched.flatMap(({ request, isKnown }) => (isKnown ? [] : [request])),
  )
  const next = await saveStep(run, async (change, { job }) => {
    const ids = fetched.map(({ request }) => request.request_id)
    const limit = ids.length
    const fresh = await readRequests(change.tx, job.site_id, job.job_id, { ids, limit })
    const now = new Map(fresh.map((request) => [request.request_id, request]))
    const closed = refusalFor('deliver', job.status, job.archive_status) !== undefined
    const moving: Moving<WholeRequest>[] = []
    const links: UpstreamLinkRow[] = []
    const failing: { request: WholeRequest; message: string }[] = []
    for (const { request: before, link, version, stored, warnings, broken, isKnown } of fetched) {
      const request = now.get(before.request_id)
      if (closed || !request || !isOpen(request) || isKnown) {
        unused.push(...blobOf(stored))
        // What came while the job took nothing is taken when it does again.
        if (isKnown || (request && !closed)) links.push({ ...link, taken: version })
        continue
      }
      if (broken !== undefined || !stored) {
        unused.push(...blobOf(stored))
        links.push({ ...link, taken: version, failed: brokenMark(version) })
        failing.push({ request, message: broken ?? '' })
        continue
      }
      const placed = await placeTranslation(change, job, before, stored)
      const shown = warnings.length > 0 ? JSON.stringify(warnings) : null
      moving.push({
        request,
        also: { ...placed, warnings: shown, forced: 0, provider_reference: link.their_id },
      })
      links.push({ ...link, taken: version, failed: null, told: null })
    }
    const moved = await deliverRequests(change, job, moving, formers)
    for (const { request, message } of failing)
      await moveRequests(change, moved.job, [{ request }], { on: 'fail', errorMessage: message })
    await writeLinks(change.tx, links)
    for (const link of links) run.links.set(nameOf('request', link.our_id), link)
    return { changedAt: change.hub.clock.now() }
  })
  for (const blobId of unused) await run.hub.blobs.remove(blobId)
  return next
}

async function fetchDelivery(run: SyncRun, due: DueRequest): Promise<FetchedDelivery> {
  const { hub, siteId } = run
  const { request, link } = due
  const download = await run.upstream.connection.download(
    { jobId: remoteJobIdOf(run), requestId: link.their_id },
    { signal: AbortSignal.timeout(mostDownloadMs) },
  )
  const file =
    request.file_id === null ? undefined : await findStored(hub, siteId, run.jobId, request.file_id)
  const stored = await storeTranslation(
    hub,
    request,
    { bytes: download.chunks(), most: limits.fileBytes },
    file?.content_type,
  ).catch((error: unknown) => {
    if (error instanceof BlobTooLarge) return undefined
    throw error
  })
  if (!stored)
    return { ...due, warnings: [], broken: brokenSentence('it is larger than a file may be.') }
  if (!('blob' in stored)) throw new Error('A download is stored as a file.')
  const { blob, size } = stored
  const read = async () => readAll(await blob.store.open(blob.blobId), size)
  const severities = await checkSettingsOf(hub.db.read, siteId)
  let checked: Checked
  try {
    checked = await judgeGiven(hub, request, { size, read }, severities)
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'DELIVERY_INVALID') throw error
    return {
      ...due,
      stored,
      warnings: [],
      broken: brokenSentence(error.details?.[0]?.message ?? error.message),
    }
  }
  const { refusing, shown } = weighDelivery(hub, siteId, checked, severities)
  if (refusing.length > 0)
    return { ...due, stored, warnings: [], broken: brokenSentence(refusing.join(' ')) }
  if (!checked.fields)
    return {
      ...due,
      stored,
      warnings: shown,
      isKnown: await isSameFile(run, request, stored.sha256),
    }
  await hub.blobs.remove(blob.blobId)
  const content = await storeTranslation(hub, request, { fields: checked.fields })
  return {
    ...due,
    stored: content,
    warnings: shown,
    isKnown: await isSameContent(run, request, checked.fields),
  }
}

/** A file that comes in drops holds its place among the calls no longer than this. */
const mostDownloadMs = 3_600_000

const brokenSentence = (because: string): string =>
  `The upstream delivered a translation that cannot be used: ${because}`

async function readAll(
  { stream }: { readonly stream: AsyncIterable<Uint8Array> },
  size: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of stream) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/**
 * Their version also changes when nothing of the translation does. Only what is in review is
 * compared: all else is a delivery.
 */
async function isSameFile(
  { hub }: SyncRun,
  request: RequestWithFile,
  sha256: string,
): Promise<boolean> {
  if (!isReviewed(request) || request.translation_file_id === null) return false
  const file = await findStored(hub, request.site_id, request.job_id, request.translation_file_id)
  return file?.sha256 === sha256
}

async function isSameContent(
  { hub }: SyncRun,
  request: RequestWithFile,
  fields: object,
): Promise<boolean> {
  if (!isReviewed(request) || request.translation_content_id === null) return false
  const known = await findFields(
    hub,
    request.site_id,
    request.job_id,
    request.translation_content_id,
  )
  return JSON.stringify(known) === JSON.stringify(fields)
}

const isReviewed = ({ status }: RequestWithFile): boolean =>
  status === 'REVIEW_TRANSLATION' || status === 'TRANSLATION_APPROVED'
