/** SQL of sites as an operator sees and removes them. */
import { limits } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import { type Key, pageAfter } from '../../store/page.ts'
import type { SiteRow } from '../../store/tables.ts'

const newestFirst = [
  { column: 'created_at', descending: true },
  { column: 'site_id', descending: true },
]

/** No site: only an operator lists them. */
export function pageOfSites(
  db: Db,
  page: { readonly after: Key | undefined; readonly limit: number },
): Promise<SiteRow[]> {
  return pageAfter(db.selectFrom('sites').selectAll(), newestFirst, page.after)
    .limit(page.limit)
    .execute()
}

export type Sizes = { readonly jobs: number; readonly clients: number; readonly bytes: number }

/**
 * Rows are counted up to a limit, so that a site with millions of jobs costs no more than others.
 */
export async function sizesOf(db: Db, siteId: string): Promise<Sizes> {
  const counted = async (table: 'jobs' | 'clients'): Promise<number> => {
    const some = db
      .selectFrom(table)
      .select('site_id')
      .where('site_id', '=', siteId)
      .limit(limits.countedRows)
    const { many } = await db
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.countAll<number>().as('many'))
      .executeTakeFirstOrThrow()
    return Number(many)
  }
  const { bytes } = await db
    .selectFrom('site_bytes')
    .select((eb) => eb.fn.sum('bytes').as('bytes'))
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow()
  return {
    jobs: await counted('jobs'),
    clients: await counted('clients'),
    bytes: Math.max(0, Number(bytes ?? 0)),
  }
}

export function lockSiteRow(tx: Db, siteId: string): Promise<SiteRow | undefined> {
  return lock(
    tx,
    tx.selectFrom('sites').selectAll().where('site_id', '=', siteId),
  ).executeTakeFirst()
}

/** Marks the site as being removed and disables all of its clients; returns their ids. */
export async function beginRemoval(tx: Db, siteId: string, now: number): Promise<string[]> {
  await tx.updateTable('sites').set({ removing_at: now }).where('site_id', '=', siteId).execute()
  const clients = await tx
    .updateTable('clients')
    .set((eb) => ({ disabled_at: eb.fn.coalesce('disabled_at', eb.val(now)) }))
    .where('site_id', '=', siteId)
    .returning('client_id')
    .execute()
  return clients.map(({ client_id }) => client_id)
}
