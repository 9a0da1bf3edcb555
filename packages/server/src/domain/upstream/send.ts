/**
 * Creates the job at the upstream with everything in it, and submits it. Nothing is submitted
 * before the ids of all its things are saved here, and every POST has an Idempotency-Key made of
 * our own ids: a step that is repeated has its effect once.
 */
import type { NewJob, NewRequest } from '@dragoman/contract'
import { openNote } from '../files/seals/notes.ts'
import { mustBeStored, readPart } from '../files/serve.ts'
import { readAssets, readTmUpdates } from '../jobs/assets/assets-of-job.ts'
import { describeJob } from '../jobs/describe-job.ts'
import { openContents } from '../jobs/requests/open-contents.ts'
import type { WholeRequest } from '../jobs/requests/request.ts'
import { readRequests } from '../jobs/requests/requests-of-job.ts'
import { keepLinks, linkOf, newLink, startLinks, theirJobOf, type Walk } from './walk.ts'

/** Requests in one call, and about how many bytes of content. */
const perCall = { requests: 100, bytes: 2 * 1024 ** 2 }
const everyAsset = 100_000

const keyOf = ({ hubId, jobId, state }: Walk, ...of: (string | number)[]): string =>
  [hubId, jobId, state.round, ...of].join(':')

export async function sendAll(walk: Walk): Promise<Walk> {
  let at = walk.state.jobId === undefined ? await createThere(walk) : walk
  if (!at.state.submitted) {
    at = await sendAssets(at)
    at = await sendRequests(at)
    const { connection, providerId } = at.upstream
    const body = providerId === undefined ? {} : { providerId }
    await connection.submitJob({ params: { jobId: theirJobOf(at) }, body })
    at = await keepLinks(at, [], { submitted: true, changedAt: at.hub.clock.now() })
  }
  return sendTmUpdates(at)
}

const passedOn = [
  'jobName',
  'description',
  'poReference',
  'dueDate',
  'customData',
  'shouldQuote',
  'connectorName',
  'connectorVersion',
  'serviceType',
  'extendedMetadata',
  'formatOptions',
  'labels',
  'sourceNativeLanguageCode',
  'targetNativeLanguageCodes',
] as const

async function createThere(walk: Walk): Promise<Walk> {
  const { hub, hubId, job, upstream } = walk
  const shown = describeJob(hub, job)
  const known = passedOn
    .filter((name) => shown[name] !== undefined)
    .map((name) => [name, shown[name]])
  const hops = [...(shown.hops ?? []), hubId]
  const segmentation = job.segmentation === null ? {} : { segmentation: job.segmentation }
  const body = { ...Object.fromEntries(known), ...segmentation, hops } as NewJob
  const { jobId } = await upstream.connection.createJob({ body }, { key: keyOf(walk, 'job') })
  return startLinks(walk, newLink(walk, 'job', walk.jobId, jobId))
}

/** Their id of a file of ours, which is sent if it is not there yet. */
async function sendFile(walk: Walk, fileId: string): Promise<{ walk: Walk; fmsFileId: string }> {
  const known = linkOf(walk, 'file', fileId)
  if (known) return { walk, fmsFileId: known.their_id }
  const { hub, siteId, jobId, upstream } = walk
  const file = await mustBeStored(hub, siteId, jobId, fileId)
  const { fmsFileId } = await upstream.connection.upload(theirJobOf(walk), {
    name: file.name,
    size: file.size,
    contentType: file.content_type,
    version: file.sha256,
    read: (start, end) => readPart(hub, file, start, end),
  })
  return { walk: await keepLinks(walk, [newLink(walk, 'file', fileId, fmsFileId)]), fmsFileId }
}

const parsed = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text))

/** Leaves out what is not there. */
const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], null | undefined> } =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as never

async function sendAssets(walk: Walk): Promise<Walk> {
  const { hub, siteId, jobId } = walk
  let at = walk
  for (const asset of await readAssets(hub.db.read, siteId, jobId, { limit: everyAsset })) {
    if (linkOf(at, 'asset', asset.asset_id)) continue
    const sent = await sendFile(at, asset.file_id)
    const body = given({
      fmsFileId: sent.fmsFileId,
      description: openNote(hub, asset.description),
      sourceNativeIds: parsed(asset.source_native_ids) as string[] | undefined,
      sourceNativeLanguageCode: asset.source_language,
      targetNativeLanguageCodes: parsed(asset.target_languages) as string[] | undefined,
      extendedMetadata: parsed(asset.extended_metadata) as object | undefined,
    })
    const params = { jobId: theirJobOf(sent.walk) }
    const key = keyOf(walk, 'asset', asset.asset_id)
    const { supportassetId } = await at.upstream.connection.createSupportAsset(
      { params, body: body as never },
      { key },
    )
    at = await keepLinks(sent.walk, [newLink(walk, 'asset', asset.asset_id, supportassetId)])
  }
  return at
}

/** TM updates may come until the job is archived, so also after the submission. */
async function sendTmUpdates(walk: Walk): Promise<Walk> {
  const { hub, siteId, jobId } = walk
  let at = walk
  for (const update of await readTmUpdates(hub.db.read, siteId, jobId, { limit: everyAsset })) {
    if (linkOf(at, 'tm-update', update.tmupdate_id)) continue
    const sent = await sendFile(at, update.file_id)
    const body = given({
      fmsFileId: sent.fmsFileId,
      sourceNativeLanguageCode: update.source_language,
      targetNativeLanguageCode: update.target_language,
      extendedMetadata: parsed(update.extended_metadata) as object | undefined,
    })
    const params = { jobId: theirJobOf(sent.walk) }
    const key = keyOf(walk, 'tm', update.tmupdate_id)
    const { tmupdateId } = await at.upstream.connection.createTmUpdate(
      { params, body: body as never },
      { key },
    )
    at = await keepLinks(sent.walk, [newLink(walk, 'tm-update', update.tmupdate_id, tmupdateId)])
  }
  return at
}

type Prepared = { readonly request: WholeRequest; readonly body: NewRequest }

/** In the order of their positions, so that a repeated call has the same body. */
async function sendRequests(walk: Walk): Promise<Walk> {
  const { hub, siteId, jobId } = walk
  let at = walk
  for (let after = 0; ; ) {
    const page = await readRequests(hub.db.read, siteId, jobId, {
      after,
      limit: perCall.requests,
    })
    const [last] = page.slice(-1)
    if (!last) return at
    after = last.position
    const contents = await openContents(hub, siteId, jobId, page)
    let batch: Prepared[] = []
    let bytes = 0
    for (const request of page) {
      if (linkOf(at, 'request', request.request_id)) continue
      const size = contents.sizeOf(request)
      if (batch.length > 0 && bytes + size > perCall.bytes) {
        at = await addThere(at, batch)
        batch = []
        bytes = 0
      }
      const { walk: next, content } = await contentOf(at, request, contents)
      at = next
      batch.push({ request, body: { ...bodyOf(request), ...content } as NewRequest })
      bytes += size
    }
    if (batch.length > 0) at = await addThere(at, batch)
  }
}

async function contentOf(
  walk: Walk,
  request: WholeRequest,
  contents: Awaited<ReturnType<typeof openContents>>,
) {
  if (request.file_id === null) return { walk, content: { fields: await contents.read(request) } }
  const sent = await sendFile(walk, request.file_id)
  return { walk: sent.walk, content: { fmsFileId: sent.fmsFileId } }
}

const bodyOf = (request: WholeRequest) =>
  given({
    requestName: request.request_name,
    sourceNativeId: request.source_native_id,
    sourceNativeLanguageCode: request.source_language,
    targetNativeLanguageCodes: [request.target_language],
    targetNativeIds: request.target_native_id === null ? undefined : [request.target_native_id],
    wordCount: request.word_count,
    extendedMetadata: parsed(request.extended_metadata) as object | undefined,
  })

/**
 * A list of requests is not of the specification: where it is refused, they are sent one by one.
 */
async function addThere(walk: Walk, batch: readonly Prepared[]): Promise<Walk> {
  const { connection } = walk.upstream
  const params = { jobId: theirJobOf(walk) }
  const [first] = batch
  if (!first) return walk
  if (batch.length > 1) {
    const key = keyOf(walk, 'requests', first.request.position, batch.length)
    const body = { requests: batch.map((one) => one.body) }
    const added = await connection
      .addRequests({ params, body }, { key })
      .catch((error: unknown) => {
        if ((error as { status?: number }).status === 400) return undefined
        throw error
      })
    if (added) {
      if (added.requests.length !== batch.length)
        throw new Error('The upstream made another number of requests.')
      const links = batch.map(({ request }, at) =>
        newLink(walk, 'request', request.request_id, added.requests[at]?.requestId ?? ''),
      )
      return keepLinks(walk, links)
    }
  }
  let at = walk
  for (const { request, body } of batch) {
    const key = keyOf(walk, 'request', request.request_id)
    const { requests } = await connection.addRequests({ params, body }, { key })
    const [made] = requests
    if (!made) throw new Error('The upstream made no request.')
    at = await keepLinks(at, [newLink(walk, 'request', request.request_id, made.requestId)])
  }
  return at
}
