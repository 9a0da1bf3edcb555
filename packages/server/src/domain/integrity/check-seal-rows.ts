/** SQL of the check of seals, page by page. No site: the check covers all sites. */
import type { Db } from '../../store/engine.ts'
import { sql } from '../../store/kysely.ts'

const page = 500

/** Every content key. */
export async function* contentKeys(db: Db) {
  let after = ''
  for (;;) {
    const found = await db
      .selectFrom('content_keys')
      .select(['key_of', 'site_id', 'job_id'])
      .where('key_of', '>', after)
      .orderBy('key_of')
      .limit(page)
      .execute()
    yield* found
    after = found.at(-1)?.key_of ?? ''
    if (found.length < page) return
  }
}

/** Every content whose text starts with this prefix. */
export async function* sealedContents(db: Db, prefix: string) {
  let after = ''
  for (;;) {
    const found = await db
      .selectFrom('source_contents')
      .select(['content_id', 'site_id', 'job_id', 'fields'])
      .where('content_id', '>', after)
      .where(sql`substr(fields, 1, ${prefix.length})`, '=', prefix)
      .orderBy('content_id')
      .limit(page)
      .execute()
    yield* found
    after = found.at(-1)?.content_id ?? ''
    if (found.length < page) return
  }
}

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
