/** Translations on their way back to the connector: as a file, or as keys and values. */
import { HubError, type TranslationContent, translationReady } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import type { Form } from '../files/sas.ts'
import { type LinkTo, linkTo, mustBeStored } from '../files/serve.ts'
import { linkToContent } from './content-file.ts'
import { mustFindRequest } from './find-request.ts'
import { mustReach } from './job-contents.ts'
import type { RequestWithFile } from './request-rows.ts'
import { findFields } from './sealed-contents.ts'

async function mustBeReady(hub: Hub, call: Call, jobId: string, requestId: string): Promise<RequestWithFile> {
  const { siteId } = call.caller
  await mustReach(hub.engine.read, siteId, jobId)
  const request = await mustFindRequest(hub.engine.read, siteId, jobId, requestId)
  if (!(translationReady.status as readonly string[]).includes(request.status))
    throw new HubError('TRANSLATION_NOT_READY', { requestId, status: request.status })
  return request
}

/** KVP requests answer with the key-value file (contract, section 11). */
export async function retrieveFile(
  hub: Hub,
  call: Call,
  jobId: string,
  requestId: string,
  form: Form,
): Promise<LinkTo> {
  const request = await mustBeReady(hub, call, jobId, requestId)
  if (request.translation_file_id === null)
    return linkToContent(hub, call.caller, request, request.translation_content_id ?? '', form)
  return linkTo(hub, call.caller, await mustBeStored(hub, call.caller.siteId, jobId, request.translation_file_id), form)
}

export async function retrieveContent(
  hub: Hub,
  call: Call,
  jobId: string,
  requestId: string,
): Promise<{ items: TranslationContent[] }> {
  const request = await mustBeReady(hub, call, jobId, requestId)
  if (request.content_id === null) throw new HubError('TRANSLATION_IS_FILE', { jobId, requestId })
  const content =
    request.translation_content_id === null
      ? undefined
      : await findFields(hub, call.caller.siteId, jobId, request.translation_content_id)
  const item: TranslationContent = {
    requestId,
    sourceNativeId: request.source_native_id,
    sourceNativeLanguageCode: request.source_language,
    ...(request.target_native_id === null ? {} : { targetNativeId: request.target_native_id }),
    targetNativeLanguageCode: request.target_language,
    targetContent: content ?? [],
  }
  return { items: [item] }
}
