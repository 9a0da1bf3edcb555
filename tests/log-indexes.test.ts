/**
 * Pages of the call log, the audit log and a timeline are read from an index in its order, whatever
 * the filter.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectUpdates } from '../packages/server/src/domain/listeners/updates/update-rows.ts'
import { selectActs } from '../packages/server/src/domain/views/history/act-list-rows.ts'
import {
  countNewest,
  selectCall,
  selectCalls,
} from '../packages/server/src/domain/views/history/call-list-rows.ts'
import * as timeline from '../packages/server/src/domain/views/history/timeline-rows.ts'
import type { Database, Db } from '../packages/server/src/store/database.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { plansOf } from './query-plans.ts'
import type { StorePlace } from './store-fixtures.ts'
import { onEachDatabase } from './store-place.ts'

const part = { limit: 51 }
const later = { after: [1_500, 700], limit: 51 }

onEachDatabase('pages of what happened', (makePlace) => {
  let place: StorePlace
  let db: Database
  beforeAll(async () => {
    place = await makePlace('migrated')
    db = await place.open()
    await migrate(db, 1)
    const numbers = sql.raw(
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000)',
    )
    // One of 400 is of each rare kind; the small site has one of 40.
    const rare = (name: string) =>
      sql.raw(`case when i % 400 = 0 then 'rare' else '${name}-' || cast(i % 7 as text) end`)
    const site = sql.raw(`case when i % 40 = 0 then 'small' else 'large' end`)
    await db.transact(async (tx) => {
      await sql`${numbers} insert into calls (call_id, trace_id, called_at, method, route, site_id, client_id, job_id,
          address, status, error_code, duration_us, bytes_in, bytes_out, count, bytes, hash)
        select i, 't' || cast(i as text), i, 'GET', ${rare('route')}, ${site}, ${rare('client')}, ${rare('job')}, 'a',
          case when i % 400 = 0 then 404 when i % 9 = 0 then 201 else 200 end,
          case when i % 400 = 0 then 'RARE' when i % 11 = 0 then 'OFTEN' end, 1, 1, 1, 1, 1, 'h' from n`.execute(
        tx,
      )
      await sql`${numbers} insert into audit (audit_id, acted_at, actor, client_id, site_id, verb, thing, thing_id, trace_id, hash)
        select i, i, 'client', ${rare('client')}, ${site}, ${rare('verb')}, ${rare('thing')}, ${rare('id')}, 't', 'h'
        from n`.execute(tx)
    })
    if (db.name === 'postgres') await sql`analyze`.execute(db.read)
  })
  afterAll(async () => {
    await db.close()
    await place.clear()
  })

  const holds = async (index: string, ask: (db: Db) => Promise<unknown>) => {
    const plan = await plansOf(db, ask, { without: ['sort', 'bitmapscan', 'seqscan'] })
    expect(plan).toMatch(new RegExp(`\\b${index}\\b`))
    expect(plan).not.toMatch(/TEMP B-TREE|Sort|Seq Scan|SCAN (?!found|.*USING INDEX)/)
  }

  describe.each([
    ['the first page', part],
    ['a later page', later],
  ])('%s', (_, page) => {
    it.each<[string, string | undefined, Parameters<typeof selectCalls>[2]]>([
      ['calls_called', undefined, {}],
      ['calls_called', undefined, { since: 3_990 }],
      ['calls_called', undefined, { status: 200 }],
      ['calls_site', 'small', {}],
      ['calls_site', 'small', { until: 50 }],
      ['calls_client', undefined, { clientId: 'rare' }],
      ['calls_client', 'large', { clientId: 'rare', status: 200 }],
      ['calls_job', 'large', { jobId: 'rare', status: 200 }],
      ['calls_code', undefined, { code: 'RARE' }],
      ['calls_site_code', 'small', { code: 'RARE', since: 10 }],
      ['calls_status', undefined, { status: 404 }],
      ['calls_site_status', 'small', { status: 404, since: 10 }],
      ['calls_route', undefined, { route: 'rare' }],
      ['calls_site_route', 'small', { route: 'rare', since: 10, until: 3_000 }],
      ['calls_client', 'small', { clientId: 'rare', since: 10, until: 3_000 }],
      ['calls_status', undefined, { statusClass: 'failed' }],
      ['calls_site_status', 'small', { statusClass: '4xx', since: 10 }],
      ['calls_site_status', 'small', { statusClass: 'failed', route: 'rare' }],
      ['calls_job', 'large', { jobId: 'rare', statusClass: 'failed' }],
      ['calls_site_code', 'small', { code: 'RARE', statusClass: '4xx' }],
      ['calls_site', 'small', { without: 'console' }],
      ['calls_site_status', 'small', { statusClass: 'failed', without: 'console' }],
    ])('of calls by %s', async (index, siteId, filter) => {
      await holds(index, (db) => selectCalls(db, siteId, filter, page))
    })

    it.each<[string, string | undefined, Parameters<typeof selectActs>[2]]>([
      ['audit_acted', undefined, {}],
      ['audit_site', 'small', {}],
      ['audit_client', undefined, { clientId: 'rare' }],
      ['audit_thing_id', 'large', { thingId: 'rare' }],
      ['audit_thing', undefined, { thing: 'rare' }],
      ['audit_site_thing', 'small', { thing: 'rare' }],
      ['audit_verb', undefined, { verb: 'rare' }],
      ['audit_site_verb', 'small', { verb: 'rare', since: 10, until: 3_000 }],
    ])('of acts by %s', async (index, siteId, filter) => {
      await holds(index, (db) => selectActs(db, siteId, filter, page))
    })
  })

  it.each<[string, string | undefined, Parameters<typeof countNewest>[2]]>([
    ['calls_called', undefined, { without: 'console' }],
    ['calls_site', 'small', { since: 10 }],
    ['calls_client', 'small', { clientId: 'rare' }],
    ['calls_site_status', 'small', { statusClass: 'failed', without: 'console' }],
  ])('calls are counted by %s', async (index, siteId, filter) => {
    const plan = await plansOf(db, (db) => countNewest(db, siteId, filter, 100), {
      without: ['sort', 'bitmapscan', 'seqscan'],
    })
    expect(plan).toMatch(new RegExp(`\\b${index}\\b`))
  })

  it('one call is found by its trace', async () => {
    await holds('calls_trace', (db) => selectCall(db, 'large', 't7'))
  })

  it.each([
    ['calls_job', timeline.callsOfJob],
    ['upstream_calls_job', timeline.upstreamCallsOfJob],
    ['moves_job', timeline.movesOfJob],
    ['status_updates_time', timeline.updatesOfJob],
    ['files_created', timeline.filesOfJob],
    ['deliveries_job', timeline.deliveriesOfJob],
  ] as const)('a timeline reads %s', async (index, select) => {
    // An empty table has no plan worth a look on PostgreSQL, which knows that it is empty.
    if (db.name === 'postgres' && index !== 'calls_job') return
    const key = ['calls_job', 'deliveries_job'].includes(index) ? [1_500, -1] : [1_500, '']
    for (const descending of [false, true])
      await holds(index, (db) =>
        select(
          db,
          { siteId: 'large', jobId: 'rare', now: 1 },
          { after: key, limit: 51, descending },
        ),
      )
  })

  it('a timeline reads attempts_job', async () => {
    if (db.name === 'postgres') return
    for (const descending of [false, true])
      await holds('attempts_job', (db) =>
        timeline.attemptsOfJob(
          db,
          { siteId: 'large', jobId: 'rare', now: 1 },
          { after: [1_500, -1, -1], limit: 51, descending },
        ),
      )
  })

  it('a later page of the updates of all clients begins at its own first update', async () => {
    const after = { clientId: 'client', sequence: 500 }
    const asked = { jobIds: [], statuses: [], acknowledged: false, after, limit: 51 }
    const plan = await plansOf(db, (db) => selectUpdates(db, 'large', asked), {
      without: ['sort', 'bitmapscan', 'seqscan'],
    })
    const search =
      db.name === 'sqlite'
        ? /\(client_id,sequence\)>\(\?,\?\)/
        : /Index Cond: .*ROW\(client_id, sequence\) > /
    expect(plan).toMatch(search)
  })
})
