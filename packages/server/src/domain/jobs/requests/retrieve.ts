/** Returns translations to the connector, as a file or as key-value content. */
import { HubError, type TranslationContent, translationReady } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import type { Form } from '../../files/sas.ts'
import { findStored, type LinkTo, linkTo } from '../../files/serve.ts'
import { mustReach } from '../job-activity.ts'
import { linkToContent } from './content-file.ts'
import { selectContentIds } from './content-rows.ts'
import { mustFindRequest } from './find-request.ts'
import type { RequestWithFile } from './request.ts'
import { findFields } from './sealed-contents.ts'

async function mustBeReady(
  hub: Hub,
  call: Call,
  jobId: string,
  requestId: string,
): Promise<RequestWithFile> {
  const { siteId } = call.caller
  await mustReach(hub.db.read, siteId, jobId)
  const request = await mustFindRequest(hub.db.read, siteId, jobId, requestId)
  if (!(translationReady.status as readonly string[]).includes(request.status))
    throw notReady(
      requestId,
      `it is ${request.status}; the translation can be had from REVIEW_TRANSLATION on.`,
    )
  return request
}

const notReady = (requestId: string, because: string): HubError =>
  new HubError('TRANSLATION_NOT_READY', { requestId, because })

/**
 * Finds the request's translation. If a delivery replaces it between the two reads, the row is read
 * again.
 */
async function mustFollow<T>(
  hub: Hub,
  call: Call,
  { jobId, requestId }: { readonly jobId: string; readonly requestId: string },
  find: (request: RequestWithFile) => Promise<T | undefined>,
): Promise<{ readonly request: RequestWithFile; readonly found: T }> {
  for (let last: RequestWithFile | undefined; ; ) {
    const request = await mustBeReady(hub, call, jobId, requestId)
    const found = await find(request)
    if (found !== undefined) return { request, found }
    if (last && isSame(last, request))
      throw notReady(requestId, 'what was delivered is gone; the provider must deliver it again.')
    last = request
  }
}

const isSame = (one: RequestWithFile, other: RequestWithFile): boolean =>
  one.translation_file_id === other.translation_file_id &&
  one.translation_content_id === other.translation_content_id

/** Key-value requests answer with the key-value file (contract, section 11). */
export async function retrieveFile(
  hub: Hub,
  call: Call,
  { jobId, requestId }: { readonly jobId: string; readonly requestId: string },
  form: Form,
): Promise<LinkTo> {
  const { siteId } = call.caller
  const { found } = await mustFollow(hub, call, { jobId, requestId }, async (request) => {
    const { translation_file_id: fileId, translation_content_id: contentId } = request
    if (fileId !== null) {
      const file = await findStored(hub, siteId, jobId, fileId)
      return file && linkTo(hub, call.caller, file, form)
    }
    const there =
      contentId === null ? [] : await selectContentIds(hub.db.read, siteId, jobId, [contentId])
    return there[0] === undefined
      ? undefined
      : linkToContent(hub, call.caller, { request, contentId: there[0] }, form)
  })
  return found
}

export async function retrieveContent(
  hub: Hub,
  call: Call,
  jobId: string,
  requestId: string,
): Promise<{ items: TranslationContent[] }> {
  const { request, found } = await mustFollow(hub, call, { jobId, requestId }, async (request) => {
    if (request.content_id === null) throw new HubError('TRANSLATION_IS_FILE', { jobId, requestId })
    const contentId = request.translation_content_id
    return contentId === null ? undefined : findFields(hub, call.caller.siteId, jobId, contentId)
  })
  const item: TranslationContent = {
    requestId,
    sourceNativeId: request.source_native_id,
    sourceNativeLanguageCode: request.source_language,
    ...(request.target_native_id === null ? {} : { targetNativeId: request.target_native_id }),
    targetNativeLanguageCode: request.target_language,
    targetContent: found,
  }
  return { items: [item] }
}
