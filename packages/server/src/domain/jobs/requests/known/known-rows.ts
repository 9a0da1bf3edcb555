/** SQL that finds requests by the ids and hashes of their sources. */
import type { RequestStatus } from '@dragoman/contract'
import { sql } from 'kysely'
import type { Db } from '../../../../store/database.ts'

export type SentSource = {
  readonly request_id: string
  readonly job_id: string
  readonly source_native_id: string
  readonly target_language: string
  readonly status: RequestStatus
  readonly created_at: number
  readonly superseded_by: string | null
  readonly sha256: string | null
}

const idsAtOnce = 200

/** In all jobs of the site, or in those with this custom data. */
export type Scope = { readonly siteId: string; readonly customData?: string | undefined }

const requestsIn = (db: Db, { siteId, customData }: Scope, ids: readonly string[]) => {
  const some = db
    .selectFrom('requests')
    .where('requests.site_id', '=', siteId)
    .where('requests.source_native_id', 'in', [...ids])
  if (customData === undefined) return some
  return some.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('jobs')
        .select('jobs.job_id')
        .whereRef('jobs.job_id', '=', 'requests.job_id')
        .where('jobs.site_id', '=', siteId)
        .where('jobs.custom_data', '=', customData),
    ),
  )
}

const sourcesOf = (db: Db, scope: Scope, ids: readonly string[]) =>
  requestsIn(db, scope, ids)
    .leftJoin('files', (join) =>
      join
        .onRef('files.file_id', '=', 'requests.file_id')
        .onRef('files.site_id', '=', 'requests.site_id'),
    )
    .leftJoin('source_contents', (join) =>
      join
        .onRef('source_contents.job_id', '=', 'requests.job_id')
        .onRef('source_contents.content_id', '=', 'requests.content_id')
        .onRef('source_contents.site_id', '=', 'requests.site_id'),
    )
    .select(['requests.request_id', 'requests.job_id', 'requests.source_native_id'])
    .select(['requests.target_language', 'requests.status', 'requests.created_at'])
    .select('requests.superseded_by')
    .select(sql<string | null>`coalesce(files.sha256, source_contents.sha256)`.as('sha256'))

/** Requests with one of these hashes, oldest first. A sealed content has a hash of its own. */
export async function selectWithHashes(
  db: Db,
  scope: Scope,
  asked: readonly { readonly id: string; readonly hashes: readonly string[] }[],
): Promise<SentSource[]> {
  const found: SentSource[] = []
  for (let from = 0; from < asked.length; from += idsAtOnce) {
    const some = asked.slice(from, from + idsAtOnce)
    const ids = some.map(({ id }) => id)
    const hashes = some.flatMap((one) => one.hashes)
    const rows = await sourcesOf(db, scope, ids)
      .where('requests.status', '<>', 'CANCELLED')
      .where(({ eb, or }) =>
        or([eb('files.sha256', 'in', hashes), eb('source_contents.sha256', 'in', hashes)]),
      )
      .orderBy('requests.created_at')
      .orderBy('requests.position')
      .execute()
    for (const row of rows) found.push(row)
  }
  return found
}

/** The newest request of each id and language that was submitted, whatever its source. */
export async function selectNewest(
  db: Db,
  scope: Scope,
  asked: readonly string[],
): Promise<SentSource[]> {
  const found: SentSource[] = []
  for (let from = 0; from < asked.length; from += idsAtOnce) {
    const ids = asked.slice(from, from + idsAtOnce)
    const newest = requestsIn(db, scope, ids)
      .select(['requests.source_native_id', 'requests.target_language'])
      .select(({ fn }) => fn.max('requests.created_at').as('newest'))
      .where('requests.status', '<>', 'CREATED')
      .groupBy(['requests.source_native_id', 'requests.target_language'])
    const rows = await sourcesOf(db, scope, ids)
      .innerJoin(newest.as('last'), (join) =>
        join
          .onRef('last.source_native_id', '=', 'requests.source_native_id')
          .onRef('last.target_language', '=', 'requests.target_language')
          .onRef('last.newest', '=', 'requests.created_at'),
      )
      .where('requests.status', '<>', 'CREATED')
      .orderBy('requests.created_at')
      .orderBy('requests.position')
      .execute()
    for (const row of rows) found.push(row)
  }
  return found
}
