/**
 * SQL that finds what changed last, newest first, each from the end of an index. No site: a node
 * reads once for all of its streams, and sends each change to those of its site only.
 */
import type { Db } from '../../../store/database.ts'

export const jobsChanged = (db: Db, since: number, limit: number) =>
  db
    .selectFrom('jobs')
    .select(['job_id', 'site_id', 'version', 'modified_at'])
    .where('modified_at', '>=', since)
    .orderBy('modified_at', 'desc')
    .limit(limit)
    .execute()

export const deliveriesAdded = (db: Db, after: number, limit: number) =>
  db
    .selectFrom('deliveries')
    .select(['position', 'delivery_id', 'site_id', 'job_id'])
    .where('position', '>', after)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()

export const attemptsMade = (db: Db, since: number, limit: number) =>
  db
    .selectFrom('attempts')
    .innerJoin('deliveries', 'deliveries.position', 'attempts.position')
    .select(['attempts.position', 'attempts.number', 'attempts.attempted_at'])
    .select([
      'deliveries.delivery_id',
      'deliveries.site_id',
      'deliveries.job_id',
      'deliveries.listener_id',
    ])
    .where('attempts.attempted_at', '>=', since)
    .orderBy('attempts.attempted_at', 'desc')
    .limit(limit)
    .execute()

export const callsAdded = (db: Db, after: number, limit: number) =>
  db
    .selectFrom('calls')
    .select(['call_id', 'trace_id', 'site_id', 'job_id', 'method', 'route', 'status'])
    .where('call_id', '>', after)
    .orderBy('call_id', 'desc')
    .limit(limit)
    .execute()

export const actsAdded = (db: Db, after: number, limit: number) =>
  db
    .selectFrom('audit')
    .select(['audit_id', 'site_id', 'thing', 'thing_id'])
    .where('audit_id', '>', after)
    .orderBy('audit_id', 'desc')
    .limit(limit)
    .execute()

/** The numbers of the newest call and the newest act. */
export async function chainEnds(db: Db): Promise<{ calls: number; audit: number }> {
  const rows = await db.selectFrom('chains').select(['name', 'last']).execute()
  const lastOf = (name: string): number => rows.find((row) => row.name === name)?.last ?? 0
  return { calls: lastOf('calls'), audit: lastOf('audit') }
}

export async function lastDelivery(db: Db): Promise<number> {
  const row = await db
    .selectFrom('deliveries')
    .select('position')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.position ?? 0
}
