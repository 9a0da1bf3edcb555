/**
 * Copies the content of a job into a new one: for another provider, or into more languages. Stored
 * files get a second name; only sealed ones are sealed again, under a key of the copy, so that
 * removing either job erases its own content and nothing else.
 */
import { randomUUID } from 'node:crypto'
import { HubError, type Job, type JobCopy, type NewJob } from '@dragoman/contract'
import { BlobMissing } from '../../../blobs/blob-store.ts'
import type { Change, Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { newId } from '../../../store/ids.ts'
import type { JobRow } from '../../../store/tables.ts'
import type { Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { mustFit } from '../../access/quota.ts'
import { metadataBytes, storeBytes } from '../../access/site-bytes.ts'
import { findProviderIfAny } from '../../engines/providers.ts'
import { type CopiedFile, copyFile, insertCopy } from '../../files/copy-file.ts'
import { addJob } from '../create-job.ts'
import { describeJob } from '../describe-job.ts'
import { checkAct, mustAllow, mustFindJob } from '../find-job.ts'
import { copyContents } from '../requests/copy-contents.ts'
import { mustFindRequests } from '../requests/find-request.ts'
import type { WholeRequest } from '../requests/request.ts'
import { mustFitCall } from '../requests/request-metadata.ts'
import {
  type FoundRequest,
  insertRequests,
  readAllFound,
  readMetadata,
} from '../requests/requests-of-job.ts'

export async function copyJob(
  hub: Hub,
  call: Call,
  jobId: string,
  asked: JobCopy = {},
): Promise<Job> {
  const { siteId } = call.caller
  const { read } = hub.db
  checkAct(await mustFindJob(read, siteId, jobId), 'copyJob')
  const found = await requestsOf(read, siteId, jobId, asked)
  if (found.length === 0) throw new HubError('JOB_EMPTY', { jobId })
  const wanted = wantedOf(found, asked.targetNativeLanguageCodes)
  mustFit(call.caller, 'MaxReqsPerJob', 0, wanted.length)
  const bytes = wanted.reduce((sum, { from }) => sum + Number(from.metadata_bytes), 0)
  mustFitCall(bytes)
  const files = new Map<string, CopiedFile>()
  let isUsed = false
  const drop = async () => {
    if (!isUsed) for (const { blob } of files.values()) await hub.blobs.remove(blob.blobId)
  }
  try {
    for (const { request_id, file_id: fileId } of found)
      if (fileId !== null && !files.has(fileId))
        files.set(fileId, await mustCopy(hub, { siteId, jobId, fileId, requestId: request_id }))
    const answer = await once(hub, call, async (tx) => {
      const job = await mustAllow(tx, siteId, jobId, 'copyJob')
      isUsed = true
      const copy = await addJob(hub, tx, call, await newJobOf(hub, tx, job, asked))
      await fill({ hub, tx, causeId: call.traceId }, call, { job, copy, wanted, files })
      return copy
    })
    await drop()
    return answer
  } catch (error) {
    // After any other error the rows may be there all the same.
    if (error instanceof HubError) {
      isUsed = false
      await drop()
    } else if (!isUsed) await drop()
    throw error
  }
}

const requestsOf = (
  db: Db,
  siteId: string,
  jobId: string,
  { requestIds }: JobCopy,
): Promise<FoundRequest[]> =>
  requestIds
    ? mustFindRequests(db, siteId, jobId, [...new Set(requestIds)])
    : readAllFound(db, siteId, jobId)

type Wanted = { readonly from: FoundRequest; readonly language: string }

/** With languages: one for each content and language; else one for each request. */
function wantedOf(
  found: readonly FoundRequest[],
  languages: readonly string[] | undefined,
): Wanted[] {
  if (!languages) return found.map((from) => ({ from, language: from.target_language }))
  const contents = new Map<string, FoundRequest>()
  for (const one of found) {
    const { file_id, content_id, source_native_id, request_name, source_language } = one
    const key = JSON.stringify([
      file_id ?? content_id,
      source_native_id,
      request_name,
      source_language,
    ])
    if (!contents.has(key)) contents.set(key, one)
  }
  const different = [...new Map(languages.map((code) => [spelled(code), code])).values()]
  return [...contents.values()].flatMap((from) => different.map((language) => ({ from, language })))
}

const spelled = (code: string): string => code.toLowerCase().replaceAll('_', '-')

type Source = {
  readonly siteId: string
  readonly jobId: string
  readonly fileId: string
  readonly requestId: string
}

async function mustCopy(hub: Hub, { requestId, ...at }: Source): Promise<CopiedFile> {
  const copied = await copyFile(hub, at).catch((error: unknown) => {
    if (error instanceof BlobMissing) return undefined
    throw error
  })
  if (!copied) throw new HubError('CONTENT_ERASED', { requestId })
  return copied
}

/** The fields of the job, as if they were sent again. */
async function newJobOf(
  hub: Hub,
  tx: Db,
  job: JobRow,
  { jobName, providerId, targetNativeLanguageCodes: languages }: JobCopy,
): Promise<NewJob> {
  const shown = describeJob(hub, job)
  const own = providerId ?? (await enabledProvider(tx, job))
  const { description, poReference, customData, shouldQuote, connectorName, connectorVersion } =
    shown
  const { serviceType, extendedMetadata, formatOptions, segmentation, labels } = shown
  const { sourceNativeLanguageCode, analysisCodes } = shown
  const targets = languages ?? shown.targetNativeLanguageCodes
  const isAhead = job.due_at !== null && job.due_at > hub.clock.now()
  const all = {
    ...{ description, poReference, customData, shouldQuote, connectorName, connectorVersion },
    ...{ serviceType, extendedMetadata, formatOptions, labels, sourceNativeLanguageCode },
    ...{ analysisCodes, providerId: own, targetNativeLanguageCodes: targets },
    ...(isAhead && { dueDate: shown.dueDate }),
    ...(segmentation === 'SENTENCES' && { segmentation }),
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return { ...given, jobName: jobName ?? job.job_name }
}

/** That of the job, or the chain that it was submitted to, while it can take a job. */
async function enabledProvider(tx: Db, job: JobRow): Promise<string | undefined> {
  const providerId = job.chain_id ?? job.provider_id
  if (providerId === null) return undefined
  const provider = await findProviderIfAny(tx, job.site_id, providerId)
  return provider?.status === 'ENABLED' ? providerId : undefined
}

type Filling = {
  readonly job: JobRow
  readonly copy: Job
  readonly wanted: readonly Wanted[]
  readonly files: ReadonlyMap<string, CopiedFile>
}

async function fill(
  change: Change,
  call: Call,
  { job, copy, wanted, files }: Filling,
): Promise<void> {
  const { hub, tx } = change
  const { site_id: siteId, job_id: jobId } = job
  const at = { site_id: siteId, job_id: copy.jobId, client_id: call.caller.clientId }
  const metadata = await readMetadata(tx, siteId, jobId, [
    ...new Set(wanted.map(({ from }) => from.request_id)),
  ])
  const metadataOf = new Map(metadata.map((one) => [one.request_id, one.extended_metadata]))
  const texts = wanted.map(({ from }) => metadataOf.get(from.request_id) ?? null)
  const fileBytes = [...files.values()].reduce((sum, { size }) => sum + size, 0)
  const textBytes = texts.reduce((sum, text) => sum + metadataBytes(text), 0)
  await storeBytes(hub, tx, call.caller, fileBytes + textBytes)
  const fileIds = new Map<string, string>()
  for (const [fileId, file] of files) {
    const id = randomUUID()
    await insertCopy(change, at, { ...file, fileId: id })
    fileIds.set(fileId, id)
  }
  const contentIds = await copyContents(change, call.caller, { job, to: copy.jobId }, wanted)
  const now = hub.clock.now()
  const rows = wanted.map(({ from, language }, index): WholeRequest => {
    const isSame = language === from.target_language
    return {
      ...from,
      ...blank,
      request_id: newId(),
      job_id: copy.jobId,
      position: index + 1,
      target_language: language,
      target_native_id: isSame ? from.target_native_id : null,
      ...{ created_at: now, modified_at: now },
      file_id: from.file_id === null ? null : (fileIds.get(from.file_id) ?? null),
      content_id: from.content_id === null ? null : (contentIds.get(from.content_id) ?? null),
      extended_metadata: texts[index] ?? null,
      cause_id: change.causeId,
    }
  })
  await insertRequests(tx, rows)
}

/** What a request has that nobody has worked on. */
const blank = {
  status: 'CREATED',
  ...{ has_error: 0, error_message: null, provider_reference: null, reject_note: null },
  ...{ translation_file_id: null, translation_content_id: null },
  ...{ incoming_file_id: null, incoming_content_id: null },
  ...{ supersedes: null, superseded_by: null, cancel_cause: null },
  ...{ claimed_at: null, delivered_at: null, is_shared: 0 },
  ...{ warnings: null, forced: 0, last_try: null, assignee: null, desk_version: null },
} as const
