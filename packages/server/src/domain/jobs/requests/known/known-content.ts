/**
 * What the hub already has (contract, section 17): the newest request of a source that is not
 * cancelled, and for a source that it has not, the request that a new one can supersede. Reads only
 * the site of the caller.
 */
import { findLanguage, type KnownContents, type KnownQuestion } from '@dragoman/contract'
import type { Hub } from '../../../../hub.ts'
import type { Call } from '../../../access/caller.ts'
import { sealedHash } from '../sealed-contents.ts'
import { type SentSource, selectNewest, selectWithHashes } from './known-rows.ts'

export async function findKnownContent(
  hub: Hub,
  call: Call,
  { items, targetNativeLanguageCodes, customData }: KnownQuestion,
): Promise<KnownContents> {
  const scope = { siteId: call.caller.siteId, customData }
  const wanted = new Set(targetNativeLanguageCodes.map(languageOf))
  const isWanted = ({ target_language }: SentSource) => wanted.has(languageOf(target_language))
  const asked = items.map(({ sourceNativeId: id, sha256 }) => {
    const hash = sha256.toLowerCase()
    return { id, hashes: [hash, sealedHash(hub, hash) ?? hash] }
  })
  const { read } = hub.db
  const ids = [...new Set(asked.map(({ id }) => id))]
  const newest = lastOf((await selectNewest(read, scope, ids)).filter(isWanted))
  const same = (await selectWithHashes(read, scope, asked)).filter(isWanted)
  const hashesOf = new Map<string, Set<string>>()
  for (const { id, hashes } of asked)
    hashesOf.set(id, new Set([...(hashesOf.get(id) ?? []), ...hashes]))
  const found = lastOf(
    same.filter((row) => hashesOf.get(row.source_native_id)?.has(row.sha256 ?? '')),
  )
  return {
    known: [...found].map(([key, row]) => ({
      ...placeOf(row),
      statusCode: row.status,
      isCurrent: isCurrent(row, newest.get(key)),
    })),
    latest: [...newest]
      .filter(([key, row]) => !isKnown(found.get(key), row) && canBeSuperseded(row))
      .map(([, row]) => placeOf(row)),
  }
}

const languageOf = (code: string): string => findLanguage(code) ?? code

/** Of the rows with the same id and language, which are in order, the last. */
function lastOf(rows: readonly SentSource[]): Map<string, SentSource> {
  return new Map(
    rows.map((row) => [
      JSON.stringify([row.source_native_id, languageOf(row.target_language)]),
      row,
    ]),
  )
}

const isCurrent = (row: SentSource, newest: SentSource | undefined): boolean =>
  !newest || newest.sha256 === row.sha256 || newest.created_at <= row.created_at

/** A source that went back to what it was is new to the newest request. */
const isKnown = (found: SentSource | undefined, newest: SentSource): boolean =>
  found !== undefined && isCurrent(found, newest)

const canBeSuperseded = ({ status, superseded_by }: SentSource): boolean =>
  status !== 'CANCELLED' && superseded_by === null

const placeOf = (row: SentSource) => ({
  sourceNativeId: row.source_native_id,
  targetNativeLanguageCode: row.target_language,
  requestId: row.request_id,
  jobId: row.job_id,
})
