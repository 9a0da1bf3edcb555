/**
 * SQL that reads the audit log for people. No site: an operator sees all of them; an admin's is
 * always given.
 */

import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { conditionsOf, type GivenFilters, type PageBounds } from '../../../store/filtered-page.ts'
import { pageAfter } from '../../../store/page.ts'
import type { AuditRow } from '../../../store/tables.ts'

export type ActFilter = {
  readonly thingId?: string | undefined
  readonly clientId?: string | undefined
  readonly personId?: string | undefined
  readonly verb?: string | undefined
  readonly thing?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

const newest = ['acted_at', 'audit_id'].map((column) => ({ column, descending: true }))
const twice = { verb: sql<SqlBool>`verb <> ''`, thing: sql<SqlBool>`thing <> ''` }

/** The newest entry comes first. */
export function selectActs(
  db: Db,
  siteId: string | undefined,
  filter: ActFilter,
  part: PageBounds,
): Promise<AuditRow[]> {
  const { since, until } = filter
  const given: GivenFilters = [
    ['thing_id', filter.thingId],
    ['client_id', filter.clientId],
    ['person_id', filter.personId],
    ['verb', filter.verb],
    ['thing', filter.thing],
  ]
  // An erased act says nothing.
  let query = db.selectFrom('audit').selectAll().where('actor', '<>', '')
  for (const condition of conditionsOf(db, siteId, given, twice).all) query = query.where(condition)
  if (since !== undefined) query = query.where('acted_at', '>=', since)
  if (until !== undefined) query = query.where('acted_at', '<=', until)
  return pageAfter(query, newest, part.after).limit(part.limit).execute()
}
