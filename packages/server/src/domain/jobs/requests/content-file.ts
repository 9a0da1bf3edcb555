/**
 * Key-value content as a file (contract, section 11): UTF-8 XML, named after the request, written
 * on demand. read-fields.ts parses such files when a provider delivers one.
 */
import { createHash } from 'node:crypto'
import { addDuration, HubError, isActive } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Caller } from '../../access/caller.ts'
import { holderOf, mustBeHeld } from '../../files/holder.ts'
import { checkLink, type Form, type Link, signLink } from '../../files/sas.ts'
import type { LinkTo, Served } from '../../files/serve.ts'
import { selectContentOfRequest } from './content-rows.ts'
import type { RequestWithFile } from './request.ts'
import { openFields } from './sealed-contents.ts'
import type { Fields } from './source-content.ts'

export const contentFileName = (requestName: string): string => `${requestName}.xml`

export function linkToContent(
  hub: Hub,
  caller: Caller,
  { request, contentId }: { readonly request: RequestWithFile; readonly contentId: string },
  form: Form = 'bytes',
): LinkTo {
  const subject = `${request.job_id}.${request.request_id}.${contentId}`
  const until = addDuration(hub.clock.now(), hub.config.downloadLife)
  return { link: signLink(hub.vault, { subject, form, until, by: holderOf(caller) }) }
}

export async function mustFollowContent(hub: Hub, link: Link, address: string): Promise<Served> {
  checkLink(hub.vault, link, hub.clock.now())
  const [jobId = '', requestId = '', contentId = ''] = link.subject.split('.')
  const found = await selectContentOfRequest(hub.db.read, jobId, requestId, contentId)
  if (!found) throw new HubError('SOURCE_CONTENT_NOT_FOUND', { sourcecontentId: contentId })
  if (!isActive(found.archive_status))
    throw new HubError('JOB_ARCHIVED', { jobId: found.job_id, archiveStatus: found.archive_status })
  if (link.by) await mustBeHeld(hub, found.site_id, link.by, address)
  const fields = await openFields(hub, found.site_id, jobId, {
    content_id: contentId,
    fields: found.fields,
  })
  const bytes = Buffer.from(writeFields(fields))
  return {
    of: { siteId: found.site_id, jobId },
    name: contentFileName(found.request_name),
    contentType: 'application/xml',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    createdAt: found.modified_at,
    read: async (range) => chunks(range ? bytes.subarray(range.start, range.end + 1) : bytes),
  }
}

async function* chunks(bytes: Buffer): AsyncIterable<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

export function writeFields(fields: Fields): string {
  const rows = fields.map(
    ({ key, value }) => `  <field key="${escaped(key)}">${escaped(value)}</field>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<content>\n${rows.join('')}</content>\n`
}

/**
 * Line ends and tabs are written as character references, because XML parsers normalize them
 * otherwise.
 */
const escaped = (text: string): string =>
  text.replace(/[&<>"\t\n\r]/g, (letter) => `&#${letter.charCodeAt(0)};`)
