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
import { idIn, WrongAnswer } from './remote-shapes.ts'
import { linkOf, newLink, remoteJobIdOf, type SyncRun, saveJobLink, saveLinks } from './sync-run.ts'

/** Requests in one call, and about how many bytes of content and metadata. */
const perCall = { requests: 100, bytes: 2 * 1024 ** 2 }
const everyAsset = 100_000

const keyOf = ({ hubId, jobId, state }: SyncRun, ...of: (string | number)[]): string =>
  [hubId, jobId, state.round, ...of].join(':')

export async function sendJob(run: SyncRun): Promise<SyncRun> {
  let at = run.state.jobId === undefined ? await createRemoteJob(run) : run
  if (!at.state.submitted) {
    at = await sendAssets(at)
    at = await sendRequests(at)
    const { connection, providerId } = at.upstream
    const body = providerId === undefined ? {} : { providerId }
    await connection.submitJob({ params: { jobId: remoteJobIdOf(at) }, body })
    at = await saveLinks(at, [], { submitted: true, changedAt: at.hub.clock.now() })
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

async function createRemoteJob(run: SyncRun): Promise<SyncRun> {
  const { hub, hubId, job, upstream } = run
  const shown = describeJob(hub, job)
  const known = passedOn
    .filter((name) => shown[name] !== undefined)
    .map((name) => [name, shown[name]])
  const hops = [...(shown.hops ?? []), hubId]
  const segmentation = job.segmentation === null ? {} : { segmentation: job.segmentation }
  const body = { ...Object.fromEntries(known), ...segmentation, hops } as NewJob
  const made = await upstream.connection.createJob({ body }, { key: keyOf(run, 'job') })
  const jobId = idIn(made, 'jobId')
  return saveJobLink(run, newLink(run, 'job', run.jobId, jobId))
}

/** Their id of a file of ours, which is sent if it is not there yet. */
async function sendFile(
  run: SyncRun,
  fileId: string,
): Promise<{ run: SyncRun; fmsFileId: string }> {
  const known = linkOf(run, 'file', fileId)
  if (known) return { run, fmsFileId: known.their_id }
  const { hub, siteId, jobId, upstream } = run
  const file = await mustBeStored(hub, siteId, jobId, fileId)
  const sent = await upstream.connection.upload(remoteJobIdOf(run), {
    name: file.name,
    size: file.size,
    contentType: file.content_type,
    version: file.sha256,
    read: (start, end) => readPart(hub, file, start, end),
  })
  const fmsFileId = idIn(sent, 'fmsFileId')
  return { run: await saveLinks(run, [newLink(run, 'file', fileId, fmsFileId)]), fmsFileId }
}

const parsed = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text))

/** Leaves out what is not there. */
const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], null | undefined> } =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as never

async function sendAssets(run: SyncRun): Promise<SyncRun> {
  const { hub, siteId, jobId } = run
  let at = run
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
    const params = { jobId: remoteJobIdOf(sent.run) }
    const key = keyOf(run, 'asset', asset.asset_id)
    const made = await at.upstream.connection.createSupportAsset(
      { params, body: body as never },
      { key },
    )
    at = await saveLinks(sent.run, [
      newLink(run, 'asset', asset.asset_id, idIn(made, 'supportassetId')),
    ])
  }
  return at
}

/** TM updates may come until the job is archived, so also after the submission. */
async function sendTmUpdates(run: SyncRun): Promise<SyncRun> {
  const { hub, siteId, jobId } = run
  let at = run
  for (const update of await readTmUpdates(hub.db.read, siteId, jobId, { limit: everyAsset })) {
    if (linkOf(at, 'tm-update', update.tmupdate_id)) continue
    const sent = await sendFile(at, update.file_id)
    const body = given({
      fmsFileId: sent.fmsFileId,
      sourceNativeLanguageCode: update.source_language,
      targetNativeLanguageCode: update.target_language,
      extendedMetadata: parsed(update.extended_metadata) as object | undefined,
    })
    const params = { jobId: remoteJobIdOf(sent.run) }
    const key = keyOf(run, 'tm', update.tmupdate_id)
    const made = await at.upstream.connection.createTmUpdate(
      { params, body: body as never },
      { key },
    )
    at = await saveLinks(sent.run, [
      newLink(run, 'tm-update', update.tmupdate_id, idIn(made, 'tmupdateId')),
    ])
  }
  return at
}

type Prepared = { readonly request: WholeRequest; readonly body: NewRequest }

/** In the order of their positions, so that a repeated call has the same body. */
async function sendRequests(run: SyncRun): Promise<SyncRun> {
  const { hub, siteId, jobId } = run
  let at = run
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
      const size = contents.sizeOf(request) + (request.extended_metadata?.length ?? 0)
      if (batch.length > 0 && bytes + size > perCall.bytes) {
        at = await addRemoteRequests(at, batch)
        batch = []
        bytes = 0
      }
      const { run: next, content } = await contentOf(at, request, contents)
      at = next
      batch.push({ request, body: { ...bodyOf(request), ...content } as NewRequest })
      bytes += size
    }
    if (batch.length > 0) at = await addRemoteRequests(at, batch)
  }
}

async function contentOf(
  run: SyncRun,
  request: WholeRequest,
  contents: Awaited<ReturnType<typeof openContents>>,
) {
  if (request.file_id === null) return { run, content: { fields: await contents.read(request) } }
  const sent = await sendFile(run, request.file_id)
  return { run: sent.run, content: { fmsFileId: sent.fmsFileId } }
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
async function addRemoteRequests(run: SyncRun, batch: readonly Prepared[]): Promise<SyncRun> {
  const { connection } = run.upstream
  const params = { jobId: remoteJobIdOf(run) }
  const [first] = batch
  if (!first) return run
  if (batch.length > 1) {
    const key = keyOf(run, 'requests', first.request.position, batch.length)
    const body = { requests: batch.map((one) => one.body) }
    const added = await connection
      .addRequests({ params, body }, { key })
      .catch((error: unknown) => {
        if ((error as { status?: number }).status === 400) return undefined
        throw error
      })
    if (added) {
      const { requests } = added
      if (!Array.isArray(requests) || requests.length !== batch.length)
        throw new WrongAnswer('The upstream made another number of requests.')
      const links = batch.map(({ request }, at) =>
        newLink(run, 'request', request.request_id, idIn(requests[at], 'requestId')),
      )
      return saveLinks(run, links)
    }
  }
  let at = run
  for (const { request, body } of batch) {
    const key = keyOf(run, 'request', request.request_id)
    const { requests } = await connection.addRequests({ params, body }, { key })
    const made = Array.isArray(requests) ? requests[0] : undefined
    if (!made) throw new WrongAnswer('The upstream made no request.')
    const theirs = idIn(made, 'requestId')
    at = await saveLinks(at, [newLink(run, 'request', request.request_id, theirs)])
  }
  return at
}
