/** SQL of the check of seals, page by page. No site: the check covers all sites. */

import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { everyRow } from '../../../store/every-row.ts'

const pageSize = 500

/** Every content key. */
export const contentKeys = (db: Db) =>
  everyRow(
    pageSize,
    (after, limit) =>
      db
        .selectFrom('content_keys')
        .select(['key_of', 'site_id', 'job_id'])
        .where('key_of', '>', after)
        .orderBy('key_of')
        .limit(limit)
        .execute(),
    ({ key_of }) => key_of,
  )

/** Every content whose text starts with this prefix. */
export const sealedContents = (db: Db, prefix: string) =>
  everyRow(
    pageSize,
    (after, limit) =>
      db
        .selectFrom('source_contents')
        .select(['content_id', 'site_id', 'job_id', 'fields'])
        .where('content_id', '>', after)
        .where(sql`substr(fields, 1, ${prefix.length})`, '=', prefix)
        .orderBy('content_id')
        .limit(limit)
        .execute(),
    ({ content_id }) => content_id,
  )

/** Whether the job still exists: it may have been deleted meanwhile. */
export async function hasJob(db: Db, siteId: string, jobId: string): Promise<boolean> {
  const job = await db
    .selectFrom('jobs')
    .select('job_id')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return job !== undefined
}
