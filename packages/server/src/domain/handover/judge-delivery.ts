/**
 * Checks a provider's delivery before it becomes a translation: outside any transaction, in a
 * worker, one file at a time. The transaction that moves the request accepts only what was checked.
 */
import { type CheckSettings, HubError, limits, mayBeRead } from '@dragoman/contract'
import { type CheckedDelivery, type DeliveryRules, judgeCheckedFields } from '@dragoman/text/checks'
import { bounded, bounds, FormatError, limitIn, notCompared } from '@dragoman/text/formats'
import type { Hub } from '../../hub.ts'
import { findStored, mustBeStored, readWhole, type StoredFile } from '../files/serve.ts'
import { readingOf } from '../jobs/find-job.ts'
import { mustFindRequest } from '../jobs/requests/find-request.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import { findFields, mustFindFields } from '../jobs/requests/sealed-contents.ts'
import type { Fields } from '../jobs/requests/source-content.ts'
import { checkSettingsOf } from '../language/checks/check-settings.ts'
import { termPagesFor, termsFor } from '../language/terms/known-terms.ts'
import { holdContent } from '../language/worker/in-flight.ts'
import { isSmall, runSafely, textWork } from '../language/worker/run.ts'

/** The result of a check: the id of the file or content, and the fields of a key-value file. */
export type Judged = {
  readonly incoming: string
  readonly fields?: Fields
  readonly warnings: readonly string[]
  readonly forced: boolean
}

const fieldsFile = new URL('../jobs/requests/read-fields.ts', import.meta.url)

/**
 * Returns undefined if nothing new was sent. Throws DELIVERY_INVALID, which names the asset task.
 */
export async function judgeDelivery(
  hub: Hub,
  request: RequestWithFile,
  force: boolean,
): Promise<Judged | undefined> {
  const { incoming_file_id: fileId, incoming_content_id: contentId } = request
  const incoming = contentId ?? fileId
  if (incoming === null) return undefined
  const severities = await checkSettingsOf(hub.db.read, request.site_id)
  const checked = await check(hub, request, severities)
  const { refusing, shown } = weighDelivery(hub, request.site_id, checked, severities)
  if (refusing.length > 0 && !force) throw refusal(request, refusing.join(' '), refusing)
  const { fields } = checked
  return { incoming, ...(fields && { fields }), warnings: shown, forced: refusing.length > 0 }
}

/**
 * The sentences for which the delivery is refused, and those that a delivery which is taken shows
 * as warnings.
 */
export function weighDelivery(
  hub: Hub,
  siteId: string,
  delivery: CheckedDelivery,
  severities: CheckSettings,
): { readonly refusing: readonly string[]; readonly shown: readonly string[] } {
  const { invalid, warnings, checks } = delivery
  const shown =
    invalid === undefined ? bounded([...warnings, ...checks.map(({ says }) => says)]) : [invalid]
  return { refusing: refusingOf(delivery, isStrict(hub, siteId), severities), shown }
}

/**
 * A strict site refuses what differs and what blocks; every site refuses what its own settings make
 * BLOCKING.
 */
function refusingOf(
  { invalid, warnings, checks }: CheckedDelivery,
  strict: boolean,
  severities: CheckSettings,
): string[] {
  if (invalid !== undefined) return [invalid]
  const blocking = checks.filter(
    ({ check, severity }) =>
      severities[check] === 'BLOCKING' || (strict && severity === 'BLOCKING'),
  )
  return [...(strict ? warnings : []), ...blocking.map(({ says }) => says)]
}

const isStrict = (hub: Hub, siteId: string): boolean =>
  hub.config.strictDeliveries.some((site) => site === siteId || site === 'all')

/** A delivered file, stored or at hand. */
export type Given = { readonly size: number; read(): Promise<Uint8Array> }
export type Checked = CheckedDelivery & { readonly fields?: Fields }

/** The same for a file that is at hand and was not sent for this task alone. */
export async function judgeGiven(
  hub: Hub,
  request: RequestWithFile,
  given: Given,
  severities: CheckSettings,
): Promise<Checked> {
  return checkGiven(hub, request, given, await askedOf(hub, request, severities))
}

async function askedOf(
  hub: Hub,
  request: RequestWithFile,
  severities: CheckSettings,
): Promise<DeliveryRules> {
  const {
    site_id,
    job_id,
    request_id,
    source_language: sourceLanguage,
    target_language: targetLanguage,
  } = request
  const { extended_metadata } = await mustFindRequest(hub.db.read, site_id, job_id, request_id)
  return { sourceLanguage, targetLanguage, severities, limit: limitIn(extended_metadata) }
}

async function checkGiven(
  hub: Hub,
  request: RequestWithFile,
  given: Given,
  asked: DeliveryRules,
): Promise<Checked> {
  if (request.content_id === null) return checkFile(hub, request, given, asked)
  const source = await mustFindFields(hub, request.site_id, request.job_id, request.content_id)
  const fields = await readDelivered(request, given)
  return { fields, ...(await checkFields(hub, request.site_id, [source, fields], asked)) }
}

async function check(
  hub: Hub,
  request: RequestWithFile,
  severities: CheckSettings,
): Promise<Checked> {
  const asked = await askedOf(hub, request, severities)
  const { site_id: siteId, job_id: jobId, incoming_content_id: contentId } = request
  if (contentId === null) {
    const file = await mustHaveArrived(hub, request)
    return checkGiven(hub, request, { size: file.size, read: () => readWhole(hub, file) }, asked)
  }
  if (request.content_id === null) return nothing
  const source = await mustFindFields(hub, siteId, jobId, request.content_id)
  // If it is gone, something else was sent in the meantime.
  const delivered = await findFields(hub, siteId, jobId, contentId)
  if (!delivered) throw notReady(request)
  return checkFields(hub, siteId, [source, delivered], asked)
}

const nothing: CheckedDelivery = { warnings: [], checks: [] }

async function checkFields(
  hub: Hub,
  siteId: string,
  [source, delivered]: readonly [Fields, Fields],
  asked: DeliveryRules,
): Promise<CheckedDelivery> {
  const { sourceLanguage, targetLanguage } = asked
  if (isSmall([...source, ...delivered].map(({ value }) => value)))
    return judgeCheckedFields(
      source,
      delivered,
      asked,
      await termsFor(hub, siteId, sourceLanguage, targetLanguage),
    )
  const terms = await termPagesFor(hub, siteId, sourceLanguage, targetLanguage)
  return runSafely(textWork.checks, 'judgeFields', [source, delivered, { ...asked, terms }], {
    siteId,
    moves: [terms],
  })
}

/**
 * `force` does not help here: a file that cannot be read as key-value pairs has no fields to store.
 */
async function readDelivered(request: RequestWithFile, file: Given): Promise<Fields> {
  const siteId = request.site_id
  if (file.size > limits.inlineBytes * 8) {
    const because = 'The key-value file is larger than any key-value file of this hub.'
    throw refusal(request, because, [because])
  }
  try {
    return await holdContent('here', siteId, file.size, async () =>
      runSafely<Fields>(fieldsFile, 'readFields', [await file.read()], { siteId }),
    )
  } catch (error) {
    if (error instanceof FormatError) throw refusal(request, error.message, [error.message])
    throw error
  }
}

async function checkFile(
  hub: Hub,
  request: RequestWithFile,
  file: Given,
  asked: DeliveryRules,
): Promise<CheckedDelivery> {
  const { site_id: siteId, job_id: jobId, file_id: sourceId } = request
  if (sourceId === null)
    throw new Error(`Request ${request.request_id} has neither a file nor content.`)
  const source = await mustBeStored(hub, siteId, jobId, sourceId)
  const { format, target_language: targetLanguage } = request
  if (
    (format === null && !mayBeRead(source.name, source.content_type)) ||
    source.size > bounds.bytes
  )
    return nothing
  const { options } = await readingOf(hub.db.read, siteId, jobId)
  const terms = await termPagesFor(hub, siteId, asked.sourceLanguage, asked.targetLanguage)
  if (file.size > bounds.bytes) return unread(`it has more than ${bounds.bytes} bytes.`)
  try {
    return await holdContent('here', siteId, source.size + file.size, async () =>
      runSafely<CheckedDelivery>(
        textWork.checks,
        'judgeFile',
        [
          {
            fileName: source.name,
            contentType: source.content_type,
            format: format ?? undefined,
            options,
            targetLanguage,
          },
          await readWhole(hub, source),
          await file.read(),
          { ...asked, terms },
        ],
        { siteId },
      ),
    )
  } catch (error) {
    // The hub ran out of time or memory. That is not the file's fault.
    if (error instanceof FormatError) return unread(error.message)
    throw error
  }
}

const unread = (because: string): CheckedDelivery => ({
  warnings: [notCompared(because)],
  checks: [],
})

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
        : 'not all of its bytes have arrived, or the transfer has expired; upload them, or request a new translatedFile.',
  })

function refusal(
  { request_id: assetTaskId }: RequestWithFile,
  because: string,
  sentences: readonly string[],
): HubError {
  const details = sentences.map((message) => ({ path: assetTaskId, message }))
  return new HubError('DELIVERY_INVALID', { assetTaskId, because }, { details })
}
