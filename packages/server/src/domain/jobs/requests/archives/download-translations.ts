/**
 * All translations of a job that are ready, as one ZIP that is written while it is sent, one file at
 * a time (contract, section 15). Each is what its request has when its turn comes.
 */
import {
  type FileAnswer,
  HubError,
  isSameLanguage,
  type TranslationsQuery,
  translationReady,
} from '@dragoman/contract'
import { type NewEntry, zipStream } from '@dragoman/text/formats'
import type { Hub } from '../../../../hub.ts'
import type { Call } from '../../../access/caller.ts'
import { findStored, listStored, streamStored } from '../../../files/serve.ts'
import { mustReach } from '../../job-activity.ts'
import { requestsSeen } from '../../work.ts'
import { writeFields } from '../content-file.ts'
import { mustFindRequest } from '../find-request.ts'
import type { RequestWithFile } from '../request.ts'
import { readRange } from '../requests-of-job.ts'
import { findFields } from '../sealed-contents.ts'
import { type PlacedRequest, placed, safeName } from './place-requests.ts'

/** What an archive holds whose sizes have 32 bits, with room for names and directory. */
const mostBytes = 4_000_000_000
const mostFiles = 65_000

export async function downloadTranslations(
  hub: Hub,
  call: Call,
  jobId: string,
  { language, approved = false }: TranslationsQuery,
): Promise<FileAnswer> {
  const { siteId } = call.caller
  const job = await mustReach(hub.db.read, siteId, jobId)
  const range = { after: 0, limit: Number.MAX_SAFE_INTEGER }
  const all = placed(await readRange(hub.db.read, siteId, jobId, range))
  const seen = await requestsSeen(hub, call.caller, jobId)
  const isWanted = ({ request }: PlacedRequest): boolean =>
    isReady(request, approved) &&
    (language === undefined || isSameLanguage(request.target_language, language)) &&
    (!seen || seen.has(request.request_id))
  const wanted = all.filter(isWanted)
  await mustFit(hub, siteId, jobId, wanted)
  return {
    fileName: `${safeName(job.job_name)}.zip`,
    contentType: 'application/zip',
    bytes: zipStream(entriesOf(hub, wanted, approved)),
  }
}

const isReady = ({ status }: RequestWithFile, approved: boolean): boolean =>
  approved
    ? status === 'TRANSLATION_APPROVED'
    : (translationReady.status as readonly string[]).includes(status)

async function mustFit(
  hub: Hub,
  siteId: string,
  jobId: string,
  wanted: readonly PlacedRequest[],
): Promise<void> {
  const fileIds = wanted.flatMap(({ request }) => request.translation_file_id ?? [])
  const files = await listStored(hub, siteId, jobId, fileIds)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const what = 'The archive of all translations (name one language, or take them one by one)'
  if (bytes > mostBytes || wanted.length > mostFiles)
    throw new HubError('CONTENT_TOO_LARGE', { what, limit: mostBytes })
}

async function* entriesOf(
  hub: Hub,
  wanted: readonly PlacedRequest[],
  approved: boolean,
): AsyncGenerator<NewEntry> {
  for (const { request, folder, name } of wanted) {
    const { site_id: siteId, job_id: jobId, request_id: requestId } = request
    const now = await mustFindRequest(hub.db.read, siteId, jobId, requestId)
    const content = isReady(now, approved) ? await translationOf(hub, now) : undefined
    if (content !== undefined) yield { name: `${folder}/${name}`, content }
  }
}

/** Undefined if it was freed or replaced just now: the next delivery brings another one. */
async function translationOf(
  hub: Hub,
  request: RequestWithFile,
): Promise<NewEntry['content'] | undefined> {
  const { site_id, job_id, translation_file_id: fileId, translation_content_id: of } = request
  if (fileId !== null) {
    const file = await findStored(hub, site_id, job_id, fileId)
    return file && streamStored(hub, file)
  }
  const fields = of === null ? undefined : await findFields(hub, site_id, job_id, of)
  return fields && writeFields(fields)
}
