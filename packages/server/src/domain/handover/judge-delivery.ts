/**
 * Checks a provider's delivery before it becomes a translation: outside any transaction, in a worker, one file at a time.
 * The transaction that moves the request accepts only what was checked.
 */
import { HubError, limits, mayBeRead } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { findStored, mustBeStored, readWhole, type StoredFile } from '../files/serve.ts'
import { bounds } from '../formats/bounds.ts'
import { FormatError } from '../formats/format-error.ts'
import { type Judgement, judgeFields, notCompared } from '../formats/worker/compare-delivery.ts'
import { holdContent } from '../formats/worker/in-flight.ts'
import { isSmall, judgeSafely, runSafely } from '../formats/worker/run.ts'
import { formatOptionsOf } from '../jobs/find-job.ts'
import type { RequestWithFile } from '../requests/request.ts'
import { findFields, mustFindFields } from '../requests/sealed-contents.ts'
import type { Fields } from '../requests/source-content.ts'

/** The result of a check: the id of the file or content, and the fields of a key-value file. */
export type Judged = {
  readonly incoming: string
  readonly fields?: Fields
  readonly warnings: readonly string[]
  readonly forced: boolean
}

const compare = new URL('../formats/worker/compare-delivery.ts', import.meta.url)
const fieldsFile = new URL('../requests/read-fields.ts', import.meta.url)

/** Returns undefined if nothing new was sent. Throws DELIVERY_INVALID, which names the asset task. */
export async function judgeDelivery(hub: Hub, request: RequestWithFile, force: boolean): Promise<Judged | undefined> {
  const { incoming_file_id: fileId, incoming_content_id: contentId } = request
  const incoming = contentId ?? fileId
  if (incoming === null) return undefined
  const { fields, invalid, warnings } = await check(hub, request)
  const strict = isStrict(hub, request.site_id)
  const refused = invalid ?? (strict ? warnings.join(' ') || undefined : undefined)
  if (refused !== undefined && !force) throw refusal(request, refused, invalid === undefined ? warnings : [refused])
  const shown = invalid === undefined ? warnings : [invalid]
  return { incoming, ...(fields && { fields }), warnings: shown, forced: refused !== undefined }
}

const isStrict = (hub: Hub, siteId: string): boolean =>
  hub.config.strictDeliveries.some((site) => site === siteId || site === 'all')

type Checked = Judgement & { readonly fields?: Fields }

async function check(hub: Hub, request: RequestWithFile): Promise<Checked> {
  const { site_id: siteId, job_id: jobId, incoming_content_id: contentId } = request
  const file = contentId === null ? await mustHaveArrived(hub, request) : undefined
  if (request.content_id === null) return file ? checkFile(hub, request, file) : { warnings: [] }
  const source = await mustFindFields(hub, siteId, jobId, request.content_id)
  if (file) return checkFields(hub, request, source, file)
  // If it is gone, something else was sent in the meantime.
  const delivered = contentId === null ? undefined : await findFields(hub, siteId, jobId, contentId)
  if (!delivered) throw notReady(request)
  if (isSmall([...source, ...delivered].map(({ value }) => value))) return judgeFields(source, delivered)
  return runSafely(compare, 'judgeFields', [source, delivered], { siteId })
}

/** `force` does not help here: a file that cannot be read as key-value pairs has no fields to store. */
async function checkFields(hub: Hub, request: RequestWithFile, source: Fields, file: StoredFile): Promise<Checked> {
  const siteId = request.site_id
  if (file.size > limits.inlineBytes * 8) {
    const because = 'The key-value file is larger than any key-value file of this hub.'
    throw refusal(request, because, [because])
  }
  try {
    return await holdContent('here', siteId, file.size, async () =>
      runSafely<Checked>(fieldsFile, 'judgeFieldsFile', [source, await readWhole(hub, file)], { siteId }),
    )
  } catch (error) {
    if (error instanceof FormatError) throw refusal(request, error.message, [error.message])
    throw error
  }
}

async function checkFile(hub: Hub, request: RequestWithFile, file: StoredFile): Promise<Judgement> {
  const { site_id: siteId, job_id: jobId, file_id: sourceId } = request
  if (sourceId === null) throw new Error(`Request ${request.request_id} has neither a file nor content.`)
  const source = await mustBeStored(hub, siteId, jobId, sourceId)
  const { format, target_language: targetLanguage } = request
  if ((format === null && !mayBeRead(source.name, source.content_type)) || source.size > bounds.bytes)
    return { warnings: [] }
  const options = await formatOptionsOf(hub.engine.read, siteId, jobId)
  if (file.size > bounds.bytes) return { warnings: [notCompared(`it has more than ${bounds.bytes} bytes.`)] }
  try {
    return await holdContent('here', siteId, source.size + file.size, async () =>
      judgeSafely(
        siteId,
        {
          fileName: source.name,
          contentType: source.content_type,
          format: format ?? undefined,
          options,
          targetLanguage,
        },
        await readWhole(hub, source),
        await readWhole(hub, file),
      ),
    )
  } catch (error) {
    // The hub ran out of time or memory. That is not the file's fault.
    if (error instanceof FormatError) return { warnings: [notCompared(error.message)] }
    throw error
  }
}

async function mustHaveArrived(hub: Hub, request: RequestWithFile): Promise<StoredFile> {
  const { site_id, job_id, incoming_file_id: fileId } = request
  const file = fileId === null ? undefined : await findStored(hub, site_id, job_id, fileId)
  if (!file) throw notReady(request)
  return file
}

export const notReady = (request: RequestWithFile): HubError =>
  new HubError('TRANSLATION_NOT_READY', {
    requestId: request.request_id,
    because:
      request.incoming_file_id === null
        ? 'nothing has been uploaded; send a translatedFile or translatedContent first.'
        : 'its bytes have not all come, or their transfer has expired; upload them, or ask for a new translatedFile.',
  })

function refusal(
  { request_id: assetTaskId }: RequestWithFile,
  because: string,
  sentences: readonly string[],
): HubError {
  const details = sentences.map((message) => ({ path: assetTaskId, message }))
  return new HubError('DELIVERY_INVALID', { assetTaskId, because }, { details })
}
