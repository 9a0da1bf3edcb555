/**
 * Seals and opens key-value content. If sealing is on, new content is sealed under its own key,
 * derived from its job's key; otherwise it is stored as JSON. Each row shows which of the two it
 * is, so both can coexist.
 */
import { HubError } from '@dragoman/contract'
import { BlobDamaged } from '../../../blobs/blob-store.ts'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { seal, unseal } from '../../../store/seal.ts'
import type { SourceContentRow } from '../../../store/tables.ts'
import type { Caller } from '../../access/caller.ts'
import { mustFitBytes, storeBytes } from '../../access/site-bytes.ts'
import { deriveKey, keyOfJob, mustFindContentKey } from '../../files/seals/content-keys.ts'
import {
  type ContentChange,
  type ContentPath,
  insertContents,
  selectContent,
  selectContents,
  sumOf,
  updateContent,
} from './content-rows.ts'

export type Fields = { key: string; value: string }[]

/** The prefix of sealed content. JSON never starts with it. */
export const sealPrefix = 'sealed.1.'

/** Adds contents of one job, in a transaction that has locked it. */
export async function addContents(
  hub: Hub,
  tx: Db,
  contents: readonly SourceContentRow[],
  alsoBytes = 0,
): Promise<void> {
  const [first] = contents
  if (!first) return
  if (!hub.config.sealContent) return insertContents(hub.db, tx, contents, alsoBytes)
  const key = await keyOfJob(hub, tx, first.site_id, first.job_id)
  const rows = contents.map((row) => ({
    ...row,
    sha256: sealedHash(hub, row.sha256),
    fields: sealText(key, row.content_id, row.fields),
  }))
  await insertContents(hub.db, tx, rows, alsoBytes)
}

/**
 * The same for a call that stores metadata beside contents, or alone. Refuses to exceed the site's
 * byte quota.
 */
export async function storeContents(
  hub: Hub,
  tx: Db,
  caller: Pick<Caller, 'siteId' | 'quotas'>,
  {
    contents,
    metadata,
  }: { readonly contents: readonly SourceContentRow[]; readonly metadata: number },
): Promise<void> {
  if (contents.length === 0) return storeBytes(hub, tx, caller, metadata)
  const more = sumOf(contents) + metadata
  if (more > 0) await mustFitBytes(hub, tx, caller, more)
  await addContents(hub, tx, contents, metadata)
}

/** Returns whether the content exists. */
export async function changeContent(
  hub: Hub,
  tx: Db,
  at: ContentPath,
  change: ContentChange,
): Promise<boolean> {
  const { siteId, jobId, contentId } = at
  const key = hub.config.sealContent ? await keyOfJob(hub, tx, siteId, jobId) : undefined
  const { fields, sha256 } = change
  return updateContent(tx, at, {
    ...change,
    fields: sealText(key, contentId, fields),
    sha256: key ? sealedHash(hub, sha256) : sha256,
  })
}

/** A short text could be guessed from its hash. */
export const sealedHash = ({ vault }: Hub, sha256: string | null): string | null =>
  sha256 === null ? null : vault.digest('note', sha256)

export async function findFields(
  hub: Hub,
  siteId: string,
  jobId: string,
  contentId: string,
): Promise<Fields | undefined> {
  const row = await selectContent(hub.db.read, siteId, jobId, contentId)
  return row && openFields(hub, siteId, jobId, row)
}

/**
 * The fields of a content that a request names. They can be gone if the job was deleted or another
 * delivery replaced them.
 */
export async function mustFindFields(
  hub: Hub,
  siteId: string,
  jobId: string,
  contentId: string | null,
): Promise<Fields> {
  if (contentId === null)
    throw new Error(`A request of job ${jobId} has neither a file nor content.`)
  const fields = await findFields(hub, siteId, jobId, contentId)
  if (!fields) throw new HubError('SOURCE_CONTENT_NOT_FOUND', { sourcecontentId: contentId })
  return fields
}

/** The fields by content id. */
export async function listFields(
  hub: Hub,
  siteId: string,
  jobId: string,
  contentIds: readonly string[],
): Promise<Map<string, Fields>> {
  const texts = await selectContents(hub.db, siteId, jobId, contentIds)
  const isSealed = [...texts.values()].some((text) => text.startsWith(sealPrefix))
  const key = isSealed ? await mustFindContentKey(hub, hub.db.read, siteId, jobId) : undefined
  return new Map([...texts].map(([contentId, text]) => [contentId, openText(key, contentId, text)]))
}

export async function openFields(
  hub: Hub,
  siteId: string,
  jobId: string,
  { content_id, fields }: Pick<SourceContentRow, 'content_id' | 'fields'>,
  db: Db = hub.db.read,
): Promise<Fields> {
  const key = fields.startsWith(sealPrefix)
    ? await mustFindContentKey(hub, db, siteId, jobId)
    : undefined
  return openText(key, content_id, fields)
}

const sealText = (key: Buffer | undefined, contentId: string, text: string): string =>
  key ? sealPrefix + seal(deriveKey(key, contentId), text) : text

function openText(key: Buffer | undefined, contentId: string, text: string): Fields {
  if (!key || !text.startsWith(sealPrefix)) return JSON.parse(text) as Fields
  try {
    return JSON.parse(
      unseal(deriveKey(key, contentId), text.slice(sealPrefix.length)).toString(),
    ) as Fields
  } catch {
    throw new BlobDamaged(
      `the content ${contentId} is damaged; the operator must look at it (dragoman check).`,
    )
  }
}
