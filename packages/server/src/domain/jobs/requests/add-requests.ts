/**
 * Adds requests to a job before submission: one per target language, in order, all or none.
 * Thousands of requests take a few statements. The job's lock keeps concurrent calls within the
 * quota.
 */
import {
  type Endpoints,
  findLanguage,
  type Input,
  type JobRequest,
  type NewRequest,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { newId } from '../../../store/ids.ts'
import { openPauses, yieldWholeTurn } from '../../../turns/pauses.ts'
import type { Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { mustFit } from '../../access/quota.ts'
import { metadataBytes } from '../../access/site-bytes.ts'
import { mustAllow } from '../find-job.ts'
import { touchJob } from '../job-activity.ts'
import { describeLight } from './describe-request.ts'
import { type Detected, detectFormats, formatColumns } from './detect-formats.ts'
import { mustSupersede } from './newer/supersede.ts'
import type { WholeRequest } from './request.ts'
import { type Answered, mustFitCall, withTexts } from './request-metadata.ts'
import { insertRequests, measureRequests } from './request-rows.ts'
import {
  checkSource,
  inside,
  type NewContents,
  newContents,
  refusal,
  resolveSources,
  type SourceColumns,
} from './request-source.ts'
import { storeContents } from './sealed-contents.ts'
import { mustFitContents } from './source-content.ts'

export type NewRequests = Input<Endpoints['addRequests']>['body']

export async function addRequests(
  hub: Hub,
  call: Call,
  jobId: string,
  body: NewRequests,
): Promise<Answered<JobRequest>> {
  const { siteId } = call.caller
  const inputs = inputsOf(body)
  const metadata = await checked(body)
  const detected = await detectFormats(hub, siteId, jobId, inputs)
  const made = await newContents(hub, siteId, jobId, inputs)
  const { items } = await once(hub, call, (tx) =>
    addInside(hub, tx, call, { jobId, inputs, metadata, detected, made }),
  )
  // A repeated call has the same body, so that its answer need not be stored with the metadata.
  const texts = inputs.flatMap((input, at) =>
    input.targetNativeLanguageCodes.map(() => metadata[at] ?? null),
  )
  return withTexts(items, texts)
}

/** The same inside a transaction, for requests without files; the answer has no metadata. */
export async function addContentRequests(
  hub: Hub,
  tx: Db,
  call: Call,
  { jobId, body }: { readonly jobId: string; readonly body: NewRequests },
): Promise<Added> {
  const inputs = inputsOf(body)
  const metadata = await checked(body)
  const made = await newContents(hub, call.caller.siteId, jobId, inputs)
  return addInside(hub, tx, call, { jobId, inputs, metadata, detected: new Map(), made })
}

const inputsOf = (body: NewRequests): readonly NewRequest[] =>
  'requests' in body ? body.requests : [body]

/** Returns the metadata of each request as JSON. Pauses: a body can hold megabytes. */
async function checked(body: NewRequests): Promise<(string | null)[]> {
  const metadata: (string | null)[] = []
  const pause = openPauses(yieldWholeTurn)
  let bytes = 0
  for (const input of inputsOf(body)) {
    checkRequest(input, 'requests' in body ? `requests[${metadata.length}]` : '')
    const written = input.extendedMetadata ? JSON.stringify(input.extendedMetadata) : null
    metadata.push(written)
    bytes += Buffer.byteLength(written ?? '') * input.targetNativeLanguageCodes.length
    mustFitCall(bytes)
    const wait = pause()
    if (wait) await wait
  }
  return metadata
}

type CheckedRequests = Pick<Wanted, 'jobId' | 'inputs' | 'metadata' | 'detected'> & {
  readonly made: NewContents
}

async function addInside(
  hub: Hub,
  tx: Db,
  call: Call,
  { made, ...given }: CheckedRequests,
): Promise<Added> {
  const { siteId } = call.caller
  const { jobId, inputs, metadata } = given
  const wanted = inputs.reduce((sum, input) => sum + input.targetNativeLanguageCodes.length, 0)
  await mustAllow(tx, siteId, jobId, 'addRequests')
  const { count, last } = await measureRequests(tx, siteId, jobId)
  mustFit(call.caller, 'MaxReqsPerJob', count, wanted)
  const columnsOf = await resolveSources(tx, { siteId, jobId }, inputs, made)
  await mustSupersede(tx, { siteId, jobId }, inputs)
  const contents = [...made.values()]
  await mustFitContents(tx, call, jobId, contents.length)
  const { rows, items } = newRows(hub, call, { ...given, columnsOf, after: last })
  const copies = inputs.map(
    ({ targetNativeLanguageCodes: { length } }, at) => metadataBytes(metadata[at]) * length,
  )
  const stored = copies.reduce((sum, bytes) => sum + bytes, 0)
  await storeContents(hub, tx, call.caller, { contents, metadata: stored })
  await insertRequests(tx, rows)
  await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
  return { items }
}

/** Replaces the old pair of lists by `fields`. */
function foldPair(input: NewRequest, path: string): void {
  const { fieldNames: names, fieldValues: values } = input
  if (!names && !values) return
  if (input.fields) throw refusal(path, 'has fields and fieldNames; give one of them')
  if (names?.length !== values?.length)
    throw refusal(
      inside(path, 'fieldNames'),
      `has ${names?.length ?? 0} names for ${values?.length ?? 0} fieldValues; give one value for each name`,
    )
  delete input.fieldNames
  delete input.fieldValues
  if (names?.length) input.fields = names.map((key, at) => ({ key, value: values?.[at] ?? '' }))
}

function checkRequest(input: NewRequest, path: string): void {
  foldPair(input, path)
  checkSource(input, path, true)
  const { targetNativeLanguageCodes: codes, targetNativeIds: ids = [] } = input
  if (ids.length > codes.length)
    throw refusal(
      inside(path, 'targetNativeIds'),
      `has ${ids.length} ids for ${codes.length} languages`,
    )
  if (codes.length < 2) return
  const seen = new Set<string | undefined>()
  for (const [at, code] of codes.entries()) {
    const language = findLanguage(code)
    if (seen.has(language))
      throw refusal(
        inside(path, `targetNativeLanguageCodes[${at}]`),
        `names the language "${code}" a second time`,
      )
    seen.add(language)
  }
}

type Wanted = {
  readonly jobId: string
  readonly inputs: readonly NewRequest[]
  /** There is one entry for each input, as JSON. */
  readonly metadata: readonly (string | null)[]
  columnsOf(input: NewRequest): SourceColumns | undefined
  readonly detected: Detected
  /** The position of the job's last request so far. */
  readonly after: number
}

type Added = { readonly items: JobRequest[] }

/** The rows and what the answer shows of them. */
function newRows(
  hub: Hub,
  call: Call,
  { jobId, inputs, metadata, columnsOf, detected, after }: Wanted,
): Added & { readonly rows: WholeRequest[] } {
  const now = hub.clock.now()
  const rows: WholeRequest[] = []
  const items: JobRequest[] = []
  let index = -1
  for (const input of inputs) {
    index += 1
    const source = columnsOf(input)
    const format = formatColumns(detected, input)
    for (let at = 0; at < input.targetNativeLanguageCodes.length; at += 1) {
      const position = after + 1 + rows.length
      const row = newRow(call, now, {
        jobId,
        position,
        input,
        metadata: metadata[index] ?? null,
        source,
        format,
        at,
      })
      rows.push(row)
      items.push(describeLight(hub, row))
    }
  }
  return { rows, items }
}

type New = {
  readonly jobId: string
  readonly position: number
  readonly input: NewRequest
  readonly metadata: string | null
  readonly source: SourceColumns | undefined
  readonly format: ReturnType<typeof formatColumns>
  /** The index of the target language. */
  readonly at: number
}

function newRow(
  call: Call,
  now: number,
  { jobId, position, input, metadata, source, format, at }: New,
): WholeRequest {
  return {
    request_id: newId(),
    site_id: call.caller.siteId,
    job_id: jobId,
    position,
    request_name: input.requestName,
    status: 'CREATED',
    has_error: 0,
    error_message: null,
    source_native_id: input.sourceNativeId,
    source_language: input.sourceNativeLanguageCode,
    target_native_id: input.targetNativeIds?.[at] ?? null,
    target_language: input.targetNativeLanguageCodes[at] as string,
    created_at: now,
    modified_at: now,
    word_count: input.wordCount ?? null,
    file_id: source?.file_id ?? null,
    file_name: source?.file_name ?? null,
    content_id: source?.content_id ?? null,
    provider_reference: null,
    reject_note: null,
    extended_metadata: metadata,
    translation_file_id: null,
    translation_content_id: null,
    incoming_file_id: null,
    incoming_content_id: null,
    format: format.format,
    warnings: format.warnings,
    forced: 0,
    last_try: null,
    assignee: null,
    claimed_at: null,
    delivered_at: null,
    is_shared: 0,
    desk_version: null,
    supersedes: input.supersedes ?? null,
    superseded_by: null,
    cancel_cause: null,
    cause_id: call.traceId,
  }
}
