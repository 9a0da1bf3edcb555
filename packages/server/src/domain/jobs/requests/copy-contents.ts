/** Copies key-value contents of requests into another job, one at a time: each may hold a megabyte. */
import { HubError } from '@dragoman/contract'
import { BlobTrouble } from '../../../blobs/blob-store.ts'
import type { Change } from '../../../hub.ts'
import type { JobRow } from '../../../store/tables.ts'
import type { Caller } from '../../access/caller.ts'
import { mustFitBytes } from '../../access/site-bytes.ts'
import { selectContent } from './content-rows.ts'
import type { FoundRequest } from './request-rows.ts'
import { addContents, openFields } from './sealed-contents.ts'
import { newContent } from './source-content.ts'

type Places = { readonly job: JobRow; readonly to: string }

/** The new ids by the old ones. */
export async function copyContents(
  { hub, tx }: Change,
  caller: Pick<Caller, 'siteId' | 'quotas'>,
  { job: { site_id: siteId, job_id: jobId }, to }: Places,
  wanted: readonly { readonly from: FoundRequest }[],
): Promise<ReadonlyMap<string, string>> {
  const copied = new Map<string, string>()
  const erased = (requestId: string) => new HubError('CONTENT_ERASED', { requestId })
  for (const {
    from: { content_id: contentId, request_id: requestId },
  } of wanted) {
    if (contentId === null || copied.has(contentId)) continue
    const row = await selectContent(tx, siteId, jobId, contentId)
    if (!row) throw erased(requestId)
    const fields = await openFields(hub, siteId, jobId, row, tx).catch((error: unknown) => {
      throw error instanceof BlobTrouble ? erased(requestId) : error
    })
    const copy = newContent(hub.clock.now(), siteId, to, fields)
    await mustFitBytes(hub, tx, caller, copy.bytes)
    await addContents(hub, tx, [copy])
    copied.set(contentId, copy.content_id)
  }
  return copied
}
