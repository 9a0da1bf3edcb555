/**
 * Reports read their jobs, moves and quotes from an index, in its order, on both databases; and many
 * jobs hold up nobody.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectEffort } from '../packages/server/src/domain/views/reports/effort-rows.ts'
import * as latency from '../packages/server/src/domain/views/reports/latency-rows.ts'
import * as rows from '../packages/server/src/domain/views/reports/report-rows.ts'
import type { Database, Db } from '../packages/server/src/store/database.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { databases, startHub } from './hub.ts'
import { plansOf } from './query-plans.ts'
import type { StorePlace } from './store-fixtures.ts'
import { onEachDatabase } from './store-place.ts'

const numbers = (many: number) =>
  sql.raw(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${many})`)

/** Jobs that were submitted a minute apart, each with a quote and four moves. */
async function fill(db: Db, many: number, since: number): Promise<void> {
  const begin = sql`cast(${since} as bigint)`
  const site = sql.raw(`case when i % 40 = 0 then 'small' else 'demo' end`)
  const id = sql.raw(`'j' || cast(i as text)`)
  await sql`${numbers(many)} insert into jobs (job_id, site_id, job_name, status, archive_status, archived, has_error, creator_id,
      provider_id, submitted_at, due_at, created_at, modified_at, activity_at, archival_at, cause_id)
    select ${id}, ${site}, 'n', 'COMPLETED', 'ACTIVE', 0, 0, 'c', 'p', ${begin} + i * 60000, ${begin} + i * 60000,
      ${begin}, ${begin} + i * 60000, 1, 1, 'c' from n`.execute(db)
  const quote = JSON.stringify({
    currency: 'EUR',
    total: '0.10',
    complete: true,
    priceListId: 'l',
    lines: [],
  })
  await sql`${numbers(many)} insert into job_quotes (job_id, site_id, quote, quoted_at, cause_id)
    select ${id}, ${site}, cast(${quote} as text), 1, 'c' from n`.execute(db)
  await sql`${numbers(many)} insert into job_codes (job_id, site_id, level, code_key)
    select ${id}, ${site}, 1 + i % 3, 'code' from n`.execute(db)
  for (const [at, move, from, to] of [
    [1, 'submit', 'CREATED', 'SENDING'],
    [2, 'sent', 'SENDING', 'SENT_TO_PROVIDER'],
    [3, 'deliver', 'SENT_TO_PROVIDER', 'REVIEW_TRANSLATION'],
    [4, 'approve', 'REVIEW_TRANSLATION', 'TRANSLATION_APPROVED'],
  ] as const)
    await sql`${numbers(many)} insert into moves (move_id, site_id, job_id, request_ids, move, from_status, to_status, moved_at, cause_id)
      select 'm' || cast(i * 10 + ${at} as text), ${site}, ${id}, '["r' || cast(i as text) || '"]', cast(${move} as text),
        cast(${from} as text), cast(${to} as text), ${begin} + i * 60000, 'c' from n`.execute(db)
}

onEachDatabase('the rows of reports', (makePlace) => {
  let place: StorePlace
  let db: Database
  beforeAll(async () => {
    place = await makePlace('migrated')
    db = await place.open()
    await migrate(db, 1)
    await db.transact((tx) => fill(tx, 4_000, 0))
    if (db.name === 'postgres') await sql`analyze`.execute(db.read)
  })
  afterAll(async () => {
    await db.close()
    await place.clear()
  })

  const span = { from: 60_000_000, to: 120_000_000 }
  const ids = Array.from({ length: 50 }, (_, at) => `j${at}`)
  it.each<[string, (db: Db) => Promise<unknown>]>([
    ['jobs_submitted', (db) => rows.selectSubmitted(db, 'demo', span, { limit: 50 })],
    ['engine_effort_days', (db) => selectEffort(db, 'demo', span, { limit: 50 })],
    [
      'jobs_submitted',
      (db) => rows.selectSubmitted(db, 'demo', span, { after: [90_000_000, 'j1500'], limit: 50 }),
    ],
    [
      'jobs_due',
      (db) =>
        rows.selectDue(
          db,
          'demo',
          { ...span, archived: 0 },
          { after: [90_000_000, 'j1500'], limit: 50 },
        ),
    ],
    ['moves_job', (db) => rows.selectMoves(db, 'demo', ids, { limit: 50 })],
    ['moves_job', (db) => rows.selectMoves(db, 'demo', ids, { after: ['j30', 1, 'm'], limit: 50 })],
    [
      'engine_usage_days',
      (db) => rows.selectEngineUsage(db, 'demo', { ...span, ofJobs: false }, { limit: 50 }),
    ],
    [
      'engine_usage_days',
      (db) =>
        rows.selectEngineUsage(
          db,
          'demo',
          { ...span, ofJobs: true },
          { after: [86_400_000, 'p', 'j', 'TOKENS'], limit: 50 },
        ),
    ],
    [
      'deliveries_site',
      (db) => latency.selectCreated(db, 'demo', { ...span, state: 'DELIVERED' }, { limit: 50 }),
    ],
    [
      'deliveries_site',
      (db) =>
        latency.selectCreated(
          db,
          'demo',
          { ...span, state: 'PARKED' },
          { after: [90_000_000, 5], limit: 50 },
        ),
    ],
    [
      'attempts_pkey|sqlite_autoindex_attempts_1|PRIMARY KEY',
      (db) => latency.selectDurations(db, [1, 2, 3]),
    ],
    ['call_times_pkey|PRIMARY KEY', (db) => latency.selectTimes(db, 'demo', span)],
    ['job_codes_job|job_codes_key', (db) => rows.selectCodes(db, 'demo', 2, ids)],
    [
      'requests_position|requests_pkey|sqlite_autoindex_requests',
      (db) => rows.selectRequests(db, 'demo', ids, { limit: 50 }),
    ],
    [
      'job_quotes_pkey|sqlite_autoindex_job_quotes_1|PRIMARY KEY',
      (db) => rows.selectQuotes(db, 'demo', ids),
    ],
  ])('%s', async (index, ask) => {
    const plan = await plansOf(db, ask, { without: ['bitmapscan', 'seqscan'] })
    expect(plan).toMatch(new RegExp(`\\b(${index})\\b`))
    expect(plan).not.toMatch(/Seq Scan|SCAN (?!.*USING)/)
  })
})

describe.each(databases)('a report over many jobs, on %s', (database) => {
  it('is exact, and lets other calls in', async () => {
    const many = 2_000
    const hub = await startHub({ database })
    const begin = Math.floor(hub.inner.clock.now() / 86_400_000) * 86_400_000 - 30 * 86_400_000
    await hub.inner.db.transact((tx) => fill(tx, many, begin))
    const token = await hub.token('demo-admin')
    const ask = (path: string) =>
      hub.call<{ totals: { amount?: string; jobs?: number }[] }>('GET', path, {
        headers: { authorization: `Bearer ${token}` },
      })
    let isDone = false
    const asked = ask('/v2/reports/money').finally(() => {
      isDone = true
    })
    // Each of these is answered while the report is being computed.
    let meanwhile = 0
    while (!isDone && meanwhile < 3) {
      expect((await ask('/v2/providers')).status).toBe(200)
      if (!isDone) meanwhile += 1
    }
    const { body } = await asked
    const own = many - many / 40
    expect(body.totals).toMatchObject([{ jobs: own, amount: (own / 10).toFixed(2) }])
    expect(meanwhile).toBeGreaterThan(0)
    const { body: moved } = await ask('/v2/reports/throughput')
    expect(moved.totals).toMatchObject([
      { submitted: own, delivered: own, approved: own, backlog: 0 },
    ])
    await hub.close()
  })
})
