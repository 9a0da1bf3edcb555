/**
 * Key-value content of a job: at most 1 MiB of UTF-8, unique keys; order and empty values are
 * preserved.
 */
import { hash } from 'node:crypto'
import { HubError, limits, type SourceContent } from '@dragoman/contract'
import { findOutsideXml } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { newId } from '../../../store/ids.ts'
import type { SourceContentRow } from '../../../store/tables.ts'
import type { Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { mustFit } from '../../access/quota.ts'
import { countBytes, mustFitBytes } from '../../access/site-bytes.ts'
import { mustAllow } from '../find-job.ts'
import { mustReach, touchJob } from '../job-activity.ts'
import { countContents, selectContent, selectContentIds } from './content-rows.ts'
import { addContents, changeContent, findFields } from './sealed-contents.ts'

export type Fields = SourceContent['fields']

export function createSourceContent(
  hub: Hub,
  call: Call,
  jobId: string,
  fields: Fields,
): Promise<SourceContent> {
  const { siteId } = call.caller
  mustBeContent(fields, 'fields')
  return once(hub, call, async (tx) => {
    await mustAllow(tx, siteId, jobId, 'writeSourceContent')
    await mustFitContents(tx, call, jobId, 1)
    const row = newContent(hub.clock.now(), siteId, jobId, fields)
    await mustFitBytes(hub, tx, call.caller, row.bytes)
    await addContents(hub, tx, [row])
    await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
    return { sourcecontentId: row.content_id, fields: plain(fields) }
  })
}

export async function findSourceContent(
  hub: Hub,
  call: Call,
  jobId: string,
  sourcecontentId: string,
): Promise<SourceContent> {
  const { siteId } = call.caller
  await mustReach(hub.db.read, siteId, jobId)
  const fields = await findFields(hub, siteId, jobId, sourcecontentId)
  if (!fields) throw missing(sourcecontentId)
  return { sourcecontentId, fields }
}

export function replaceSourceContent(
  hub: Hub,
  call: Call,
  { jobId, sourcecontentId }: { readonly jobId: string; readonly sourcecontentId: string },
  fields: Fields,
): Promise<SourceContent> {
  const { siteId } = call.caller
  mustBeContent(fields, 'fields')
  return hub.db.transact(async (tx) => {
    await mustAllow(tx, siteId, jobId, 'writeSourceContent')
    const text = JSON.stringify(plain(fields))
    const change = {
      fields: text,
      sha256: hash('sha256', text),
      bytes: bytesOf(fields),
      modified_at: hub.clock.now(),
    }
    const before = await selectContent(tx, siteId, jobId, sourcecontentId)
    if (!before) throw missing(sourcecontentId)
    const more = change.bytes - before.bytes
    if (more > 0) await mustFitBytes(hub, tx, call.caller, more)
    await changeContent(hub, tx, { siteId, jobId, contentId: sourcecontentId }, change)
    await countBytes(hub.db, tx, siteId, more)
    await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
    return { sourcecontentId, fields: plain(fields) }
  })
}

/** The caller has locked the job. Contents of deleted requests still exist, so they count. */
export async function mustFitContents(
  tx: Db,
  call: Call,
  jobId: string,
  added: number,
): Promise<void> {
  if (added === 0) return
  const used = await countContents(tx, call.caller.siteId, jobId)
  mustFit(call.caller, 'MaxSourceContentsPerJob', used, added)
}

/**
 * Refuses duplicate keys, characters that a key-value file cannot hold, and content over the size
 * limit. `path` is the place in the body.
 */
export function mustBeContent(fields: Fields, path: string): void {
  mustFitInline(fields, path)
  const keys = new Set<string>()
  let at = 0
  for (const { key, value } of fields) {
    if (keys.has(key))
      throw refusal(`${path}[${at}].key`, `has the key "${key}" for the second time`)
    keys.add(key)
    const inKey = findOutsideXml(key)
    const letter = inKey ?? findOutsideXml(value)
    if (letter !== undefined)
      throw refusal(
        `${path}[${at}].${inKey === undefined ? 'value' : 'key'}`,
        `contains the character ${letter}, which XML does not allow (key ${quoted(key)})`,
      )
    at += 1
  }
}

function mustFitInline(fields: Fields, path: string): void {
  let length = 0
  for (const { key, value } of fields) length += key.length + value.length
  // No text has more bytes, and counting them takes longer.
  if (length * maxBytesOfUnit <= limits.inlineBytes || bytesOf(fields) <= limits.inlineBytes) return
  const message = `keys and values have ${bytesOf(fields)} bytes together`
  throw new HubError(
    'CONTENT_TOO_LARGE',
    { what: path, limit: limits.inlineBytes },
    { details: [{ path, message }] },
  )
}

/** A UTF-16 unit takes at most this many bytes in UTF-8. */
const maxBytesOfUnit = 3

/** As JSON, so that control characters are visible. */
const quoted = (key: string): string => JSON.stringify([...key].slice(0, 100).join(''))

function refusal(path: string, message: string): HubError {
  return new HubError(
    'INVALID_REQUEST',
    { because: `${path} ${message}.` },
    { details: [{ path, message }] },
  )
}

export function newContent(
  now: number,
  siteId: string,
  jobId: string,
  fields: Fields,
): SourceContentRow {
  const text = textOf(fields)
  return {
    content_id: newId(),
    site_id: siteId,
    job_id: jobId,
    fields: text,
    bytes: bytesOf(fields),
    sha256: hash('sha256', text),
    created_at: now,
    modified_at: now,
  }
}

/** Throws SOURCE_CONTENT_NOT_FOUND unless the job has all these contents. */
export async function mustFindContents(
  db: Db,
  siteId: string,
  jobId: string,
  ids: readonly string[],
): Promise<void> {
  const wanted = [...new Set(ids)]
  const found = new Set(await selectContentIds(db, siteId, jobId, wanted))
  const unknown = wanted.find((id) => !found.has(id))
  if (unknown !== undefined) throw missing(unknown)
}

const missing = (sourcecontentId: string) =>
  new HubError('SOURCE_CONTENT_NOT_FOUND', { sourcecontentId })

/**
 * The JSON of `plain`, without a copy where nothing is dropped: thousands of requests have a few
 * fields each.
 */
const textOf = (fields: Fields): string =>
  JSON.stringify(fields.every(isPlain) ? fields : plain(fields))

/** Whether a field has a key and a value, in this order, and nothing else. */
function isPlain(field: Fields[number]): boolean {
  let many = 0
  for (const name in field) {
    many += 1
    if (name !== (many === 1 ? 'key' : 'value')) return false
  }
  return many === 2
}

/** Drops other properties that a caller put into a field. */
const plain = (fields: Fields): Fields => fields.map(({ key, value }) => ({ key, value }))

const bytesOf = (fields: Fields): number =>
  fields.reduce((sum, { key, value }) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
