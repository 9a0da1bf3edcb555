/**
 * Pages of clients and sites, and jobs that retention removes, are read from an index in their
 * order, on both databases.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageOfClients } from '../packages/server/src/domain/access/client-rows.ts'
import { selectArchivedUntil } from '../packages/server/src/domain/jobs/job-rows.ts'
import { pageOfSites } from '../packages/server/src/domain/sites/site-rows.ts'
import type { Database, Db } from '../packages/server/src/store/database.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { plansOf } from './query-plans.ts'
import { jobRow, type StorePlace } from './store-fixtures.ts'
import { onEachDatabase } from './store-place.ts'

onEachDatabase('pages for operators', (makePlace) => {
  let place: StorePlace
  let db: Database
  beforeAll(async () => {
    place = await makePlace('migrated')
    db = await place.open()
    await migrate(db, 1)
    const numbers = Array.from({ length: 2_000 }, (_, at) => at)
    const sites = numbers.map((at) => ({
      site_id: `site-${at}`,
      created_at: at,
      removing_at: null,
    }))
    const clients = numbers.map((at) => ({
      ...{
        client_id: `client-${at}`,
        site_id: at % 10 === 0 ? 'one' : `site-${at}`,
        scopes: 'content',
      },
      ...{
        page_format: 'full' as const,
        quotas: null,
        created_at: at,
        disabled_at: null,
        rate_limit: null,
      },
      ...{ allow_from: null, certificates: null, last_used_at: null },
    }))
    const jobs = numbers.map((at) => ({
      ...jobRow({ created_at: at }),
      site_id: at % 10 === 0 ? 'one' : 'site',
      archived_at: at % 2 === 0 ? at : null,
    }))
    await db.transact(async (tx) => {
      for (let from = 0; from < numbers.length; from += 200) {
        await tx
          .insertInto('sites')
          .values(sites.slice(from, from + 200))
          .execute()
        await tx
          .insertInto('clients')
          .values(clients.slice(from, from + 200))
          .execute()
        await tx
          .insertInto('jobs')
          .values(jobs.slice(from, from + 200))
          .execute()
      }
    })
    if (db.name === 'postgres') await sql`analyze`.execute(db.read)
  })
  afterAll(async () => {
    await db.close()
    await place.clear()
  })

  const after = [1_000, 'x']
  it.each<[string, (db: Db) => Promise<unknown>]>([
    ['clients_created', (db) => pageOfClients(db, undefined, { after: undefined, limit: 11 })],
    ['clients_created', (db) => pageOfClients(db, undefined, { after, limit: 11 })],
    ['clients_of_site', (db) => pageOfClients(db, 'one', { after: undefined, limit: 11 })],
    ['clients_of_site', (db) => pageOfClients(db, 'one', { after, limit: 11 })],
    ['sites_created', (db) => pageOfSites(db, { after: undefined, limit: 11 })],
    ['sites_created', (db) => pageOfSites(db, { after, limit: 11 })],
    ['jobs_retained', (db) => selectArchivedUntil(db, undefined, 1_000, 50)],
    ['jobs_retained_of_site', (db) => selectArchivedUntil(db, 'one', 1_000, 3)],
  ])('%s serves its page without sorting', async (index, read) => {
    const plan = await plansOf(db, read)
    expect(plan).toMatch(new RegExp(`\\b${index}\\b`))
    expect(plan).not.toMatch(/TEMP B-TREE|Sort/)
  })
})
