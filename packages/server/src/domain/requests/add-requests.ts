/**
 * Adds requests to a job before submission: one per target language, in order, all or none. Thousands of requests take a
 * few statements. The job's lock keeps concurrent calls within the quota.
 */
import { type Endpoints, findLanguage, type Input, type JobRequest, type NewRequest } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { newId } from '../../store/ids.ts'
import type { Page } from '../../store/page.ts'
import type { Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { mustFit } from '../access/quota.ts'
import { mustFitBytes } from '../access/site-bytes.ts'
import { mustAllow } from '../jobs/find-job.ts'
import { touchJob } from '../jobs/job-activity.ts'
import { sumOf } from './content-rows.ts'
import { describeRequest } from './describe-request.ts'
import { type Detected, detectFormats, formatColumns } from './detect-formats.ts'
import type { RequestWithFile } from './request.ts'
import { insertRequests, measureRequests } from './request-rows.ts'
import { checkSource, inside, refusal, resolveSources, type SourceColumns } from './request-source.ts'
import { addContents } from './sealed-contents.ts'
import { mustFitContents } from './source-content.ts'

export type NewRequests = Input<Endpoints['addRequests']>['body']

export async function addRequests(hub: Hub, call: Call, jobId: string, body: NewRequests): Promise<Page<JobRequest>> {
  const { siteId } = call.caller
  const inputs = checked(body)
  const detected = await detectFormats(hub, siteId, jobId, inputs)
  return once(hub, call, (tx) => addInside(hub, tx, call, { jobId, inputs, detected }))
}

/** The same inside a transaction, for requests without files. */
export const addContentRequests = (
  hub: Hub,
  tx: Db,
  call: Call,
  jobId: string,
  body: NewRequests,
): Promise<Page<JobRequest>> => addInside(hub, tx, call, { jobId, inputs: checked(body), detected: new Map() })

function checked(body: NewRequests): readonly NewRequest[] {
  const inputs = 'requests' in body ? body.requests : [body]
  for (const [at, input] of inputs.entries()) checkRequest(input, 'requests' in body ? `requests[${at}]` : '')
  return inputs
}

type Given = Pick<Wanted, 'jobId' | 'inputs' | 'detected'>

async function addInside(hub: Hub, tx: Db, call: Call, { jobId, inputs, detected }: Given): Promise<Page<JobRequest>> {
  const { siteId } = call.caller
  const wanted = inputs.reduce((sum, input) => sum + input.targetNativeLanguageCodes.length, 0)
  await mustAllow(tx, siteId, jobId, 'addRequests')
  const { count, last } = await measureRequests(tx, siteId, jobId)
  mustFit(call.caller, 'MaxReqsPerJob', count, wanted)
  const { contents, columnsOf } = await resolveSources(hub, tx, siteId, jobId, inputs)
  await mustFitContents(tx, call, jobId, contents.length)
  if (contents.length > 0) await mustFitBytes(hub, tx, call.caller, sumOf(contents))
  const rows = newRows(hub, call, { jobId, inputs, columnsOf, detected, after: last })
  await addContents(hub, tx, siteId, jobId, contents)
  await insertRequests(tx, rows)
  await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
  return { items: rows.map(describeRequest) }
}

function checkRequest(input: NewRequest, path: string): void {
  checkSource(input, path, true)
  const { targetNativeLanguageCodes: codes, targetNativeIds: ids = [] } = input
  if (ids.length > codes.length)
    throw refusal(inside(path, 'targetNativeIds'), `has ${ids.length} ids for ${codes.length} languages`)
  const seen = new Set<string | undefined>()
  for (const [at, code] of codes.entries()) {
    const language = findLanguage(code)
    if (seen.has(language))
      throw refusal(inside(path, `targetNativeLanguageCodes[${at}]`), `names the language "${code}" a second time`)
    seen.add(language)
  }
}

type Wanted = {
  readonly jobId: string
  readonly inputs: readonly NewRequest[]
  columnsOf(input: NewRequest): SourceColumns | undefined
  readonly detected: Detected
  /** The position of the job's last request so far. */
  readonly after: number
}

function newRows(hub: Hub, call: Call, { jobId, inputs, columnsOf, detected, after }: Wanted): RequestWithFile[] {
  const now = hub.clock.now()
  const rows: RequestWithFile[] = []
  for (const input of inputs) {
    const source = columnsOf(input)
    const format = formatColumns(detected, input)
    for (let at = 0; at < input.targetNativeLanguageCodes.length; at += 1) {
      const position = after + 1 + rows.length
      rows.push(newRow(call, now, { jobId, position, input, source, format, at }))
    }
  }
  return rows
}

type New = {
  readonly jobId: string
  readonly position: number
  readonly input: NewRequest
  readonly source: SourceColumns | undefined
  readonly format: ReturnType<typeof formatColumns>
  /** The index of the target language. */
  readonly at: number
}

function newRow(call: Call, now: number, { jobId, position, input, source, format, at }: New): RequestWithFile {
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
    extended_metadata: input.extendedMetadata ? JSON.stringify(input.extendedMetadata) : null,
    translation_file_id: null,
    translation_content_id: null,
    incoming_file_id: null,
    incoming_content_id: null,
    ...format,
    forced: 0,
    last_try: null,
    cause_id: call.traceId,
  }
}
