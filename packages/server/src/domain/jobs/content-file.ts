/**
 * Keys and values as a file (contract, section 11): UTF-8 XML, named after the request, written when it is asked for and
 * read back when a provider delivers one.
 */
import { createHash } from 'node:crypto'
import { addDuration, HubError, limits } from '@dragoman/contract'
import { SaxesParser } from 'saxes'
import type { Hub } from '../../hub.ts'
import type { Caller } from '../access/caller.ts'
import { holderOf, mustBeHeld } from '../files/holder.ts'
import { checkLink, type Form, type Link, signLink } from '../files/sas.ts'
import type { LinkTo, Served } from '../files/serve.ts'
import { selectContentOfRequest } from './content-rows.ts'
import type { RequestWithFile } from './request-rows.ts'
import { openFields } from './sealed-contents.ts'
import type { Fields } from './source-content.ts'

export const contentFileName = (requestName: string): string => `${requestName}.xml`

export function linkToContent(
  hub: Hub,
  caller: Caller,
  request: RequestWithFile,
  contentId: string,
  form: Form,
): LinkTo {
  const subject = `${request.job_id}.${request.request_id}.${contentId}`
  const until = addDuration(hub.clock.now(), hub.config.downloadLife)
  return { link: signLink(hub.vault, { subject, form, until, by: holderOf(caller) }) }
}

export async function mustFollowContent(hub: Hub, link: Link, address: string): Promise<Served> {
  checkLink(hub.vault, link, hub.clock.now())
  const [jobId = '', requestId = '', contentId = ''] = link.subject.split('.')
  const found = await selectContentOfRequest(hub.engine.read, jobId, requestId, contentId)
  if (!found) throw new HubError('SOURCE_CONTENT_NOT_FOUND', { sourcecontentId: contentId })
  if (found.archive_status !== 'ACTIVE')
    throw new HubError('JOB_ARCHIVED', { jobId: found.job_id, archiveStatus: found.archive_status })
  if (link.by) await mustBeHeld(hub, found.site_id, link.by, address)
  const fields = await openFields(hub, found.site_id, jobId, { content_id: contentId, fields: found.fields })
  const bytes = Buffer.from(writeFields(fields))
  return {
    name: contentFileName(found.request_name),
    contentType: 'application/xml',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    createdAt: found.modified_at,
    read: async (range) => pieces(range ? bytes.subarray(range.start, range.end + 1) : bytes),
  }
}

async function* pieces(bytes: Buffer): AsyncIterable<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

export function writeFields(fields: Fields): string {
  const rows = fields.map(({ key, value }) => `  <field key="${escaped(key)}">${escaped(value)}</field>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<content>\n${rows.join('')}</content>\n`
}

/** Line ends and tabs are written as references, or a reader would take them for white space and fold them. */
const escaped = (text: string): string => text.replace(/[&<>"\t\n\r]/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Asked of the row, before a delivered file is read. */
export function mustBeFieldsSize(bytes: number): void {
  if (bytes > limits.inlineBytes * 8) refuse('it is larger than any key-value file of this hub.')
}

/** The fields of a key-value file; a sentence says what is wrong with another. */
export function readFields(bytes: Uint8Array): Fields {
  mustBeFieldsSize(bytes.length)
  const fields: Fields = []
  const depth: string[] = []
  let field: { key: string; value: string } | undefined
  const parser = new SaxesParser()
  parser.on('error', (error) => refuse(`${error.message}.`))
  parser.on('doctype', () => refuse('it has a DOCTYPE, which is not allowed.'))
  parser.on('opentag', ({ name, attributes }) => {
    const at = depth.push(name)
    if (at === 1 && name !== 'content') refuse(`its root is <${name}>, not <content>.`)
    if (at === 2 && (name !== 'field' || attributes.key === undefined))
      refuse('only <field key="…"> may stand in <content>.')
    if (at > 2) refuse('a field holds another element.')
    if (at === 2) field = { key: attributes.key ?? '', value: '' }
  })
  const text = (more: string) => {
    if (field) field.value += more
  }
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', () => {
    if (depth.pop() === 'field' && field) fields.push(field)
    field = undefined
  })
  parser.write(textOf(bytes)).close()
  return fields
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse('it is not UTF-8.')
  }
}

function refuse(because: string): never {
  throw new HubError('INVALID_REQUEST', { because: `the delivered key-value file cannot be read: ${because}` })
}
