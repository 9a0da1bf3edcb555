/**
 * A page of the deliveries of a site, and of tasks, is read from an index in its order, on both
 * engines.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  countNewest,
  type DeliveryFilter,
  selectCauses,
  selectNewest,
} from '../packages/server/src/domain/listeners/site-delivery-rows.ts'
import {
  countByHour,
  countDurations,
  selectLastFailures,
} from '../packages/server/src/domain/listeners/statistics-rows.ts'
import type { Database, Db } from '../packages/server/src/store/database.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { migrations } from '../packages/server/src/store/migrations/index.ts'
import { selectTasks, type TaskFilter } from '../packages/server/src/store/tasks/list-tasks.ts'
import { plansOf as plansOfAll } from './query-plans.ts'
import type { StorePlace } from './store-fixtures.ts'
import { onEachDatabase } from './store-place.ts'

const many = 3_000
const now = 10_000

onEachDatabase('pages of an operator', (makePlace) => {
  let place: StorePlace
  let db: Database
  beforeAll(async () => {
    place = await makePlace('migrated')
    db = await place.open()
    await migrate(db, 1)
    await db.transact(async (tx) => {
      for (const [listener_id, site_id] of [
        ['one', 'site'],
        ['two', 'site'],
        ['far', 'other'],
      ] as const)
        await insertListener(tx, listener_id, site_id)
      const states = ['DELIVERED', 'DELIVERED', 'DELIVERED', 'PENDING', 'PARKED'] as const
      const rows = Array.from({ length: many }, (_, at) => ({
        delivery_id: `d-${at}`,
        listener_id: ['one', 'two', 'far'][at % 3] ?? 'one',
        site_id: at % 3 === 2 ? 'other' : 'site',
        event_type: 'JOB_UPDATE',
        job_id: `job-${at % 500}`,
        request_ids: null,
        sequence: null,
        uri: 'http://a/',
        body: '{}',
        state: states[at % 5] ?? 'PENDING',
        created_at: at,
        next_attempt_at: null,
        attempts: 1,
        first_attempt_at: at,
        cause_id: 'x',
        last_code: at % 5 < 3 ? 204 : 500,
        last_error: null,
        last_attempt_at: at,
      }))
      const tasks = Array.from({ length: many }, (_, at) => ({
        name: at % 50 === 0 ? 'translate' : 'deliver',
        payload: '{}',
        site_id: at % 3 === 0 ? 'site' : at % 3 === 1 ? 'other' : null,
        key: null,
        due_at: at * 10,
        attempts: 0,
        parked: at % 40 === 0 ? 1 : 0,
        lane: at % 2,
        fence: 0,
        cause_id: 'x',
        created_at: at,
        job_id: `job-${at % 500}`,
      }))
      for (let from = 0; from < many; from += 100) {
        await tx
          .insertInto('deliveries')
          .values(rows.slice(from, from + 100))
          .execute()
        await tx
          .insertInto('tasks')
          .values(tasks.slice(from, from + 100))
          .execute()
      }
    })
    if (db.name === 'postgres') {
      await sql`vacuum analyze deliveries`.execute(db.read)
      await sql`vacuum analyze tasks`.execute(db.read)
    }
  })
  afterAll(async () => {
    await db.close()
    await place.clear()
  })

  /** The plans of the queries of `work` on this table. */
  const plansOf = (only: RegExp, work: (db: Db) => Promise<unknown>): Promise<string> =>
    plansOfAll(db, work, { only, without: ['sort', 'seqscan'] })
  /**
   * A range that is sorted or read as a whole. The keys of all ranges, at most a page of each, are
   * merged by sorting.
   */
  const notRead =
    /TEMP B-TREE[\s\S]*SCAN part|Seq Scan|SCAN (deliveries|tasks)\b(?! USING)|-> {2}Sort .*\n.*Sort Key.*\n *-> {2}(Bitmap|Index|Seq)/

  const deliveries: [string, DeliveryFilter][] = [
    ['deliveries_site', { siteId: 'site' }],
    ['deliveries_site', { siteId: 'site', states: ['PARKED'] }],
    ['deliveries_site', { siteId: 'site', states: ['PENDING'], since: 5, until: 2_900 }],
    ['deliveries_site', { siteId: undefined }],
    ['deliveries_site', { siteId: undefined, states: ['PARKED'] }],
    ['deliveries_listener', { siteId: 'site', listenerId: 'one' }],
    ['deliveries_job', { siteId: 'site', jobId: 'job-1' }],
    ['deliveries_code', { siteId: 'site', responseCode: 500 }],
    ['deliveries_code', { siteId: undefined, responseCode: 204 }],
  ]
  it.each(deliveries)('a page of deliveries is read from %s: %j', async (index, filter) => {
    for (const before of [undefined, [1_500, 1_500]] as const) {
      const plan = await plansOf(/order by created_at/, (db) =>
        selectNewest(db, filter, { ...(before && { before }), limit: 51 }),
      )
      expect(plan).toMatch(new RegExp(`\\b${index}\\b`))
      expect(plan).not.toMatch(notRead)
    }
  })

  it('the pages of every filter hold the rows of that filter, newest first', async () => {
    for (const [, filter] of deliveries) {
      const seen: number[] = []
      let before: readonly [number, number] | undefined
      do {
        const page = await selectNewest(db.read, filter, {
          ...(before && { before }),
          limit: 200,
        })
        seen.push(...page.map(({ created_at }) => created_at))
        const last = page.at(-1)
        before = last && [last.created_at, last.position]
      } while (before)
      const { siteId, states, listenerId, jobId, responseCode, since, until } = filter
      const rows = await db.read
        .selectFrom('deliveries')
        .selectAll()
        .orderBy('created_at', 'desc')
        .execute()
      const fitting = rows.filter(
        (row) =>
          (siteId === undefined || row.site_id === siteId) &&
          (states === undefined || states.includes(row.state)) &&
          (listenerId === undefined || row.listener_id === listenerId) &&
          (jobId === undefined || row.job_id === jobId) &&
          (responseCode === undefined || row.last_code === responseCode) &&
          (since === undefined || row.created_at >= since) &&
          (until === undefined || row.created_at <= until),
      )
      expect(seen).toEqual(fitting.map(({ created_at }) => created_at))
    }
  })

  it('causes look only at what fails', async () => {
    for (const siteId of ['site', undefined]) {
      const plan = await plansOf(/group by/, (db) => selectCauses(db, siteId, 200))
      expect(plan).toMatch(/\bdeliveries_(failing|waiting)\b/)
      expect(plan).not.toMatch(/Seq Scan/)
    }
    expect(await selectCauses(db.read, 'site', 200)).toMatchObject([
      { listener_id: 'one', last_code: 500, count: 400 },
      { listener_id: 'two', last_code: 500, count: 400 },
    ])
  })

  it('the figures of listeners read one range of deliveries_listener each, and attempts by position', async () => {
    const sample = { listenerIds: ['one', 'two'], since: 100, limit: 200 }
    for (const read of [
      (db: Db) => countByHour(db, 'site', sample, 1_000),
      (db: Db) => countDurations(db, 'site', sample),
      (db: Db) => selectLastFailures(db, 'site', sample),
    ]) {
      const plan = await plansOf(/order by created_at/, read)
      expect(plan).toMatch(/\bdeliveries_listener\b/)
      expect(plan).not.toMatch(/Seq Scan|SCAN (deliveries|a)\b(?! USING)/)
    }
    const counted = await countByHour(db.read, 'site', sample, 1_000)
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(400)
    expect(await countByHour(db.read, 'other', sample, 1_000)).toEqual([])
  })

  it('a count for a filter stops at its limit', async () => {
    const plan = await plansOf(/order by created_at/, (db) =>
      countNewest(db, { siteId: 'site', listenerId: 'one' }, 50),
    )
    expect(plan).toMatch(/\bdeliveries_listener\b/)
    expect(plan).not.toMatch(notRead)
    const counts = await countNewest(db.read, { siteId: 'site', states: ['PARKED', 'PENDING'] }, 50)
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(50)
  })

  const tasks: [string, TaskFilter][] = [
    ['tasks_site', { siteId: 'site' }],
    ['tasks_site', { siteId: 'site', state: 'due' }],
    ['tasks_site', { siteId: 'site', state: 'later', since: 20_000 }],
    ['tasks_site', { siteId: 'site', state: 'parked' }],
    ['tasks_site', { siteId: 'site', state: 'running' }],
    ['tasks_site', { siteId: 'site', name: 'translate' }],
    ['tasks_site', { siteId: undefined, name: 'translate', state: 'later' }],
    ['tasks_due', { siteId: undefined }],
    ['tasks_parked', { siteId: undefined }],
    ['tasks_due', { siteId: undefined, state: 'due' }],
    ['tasks_parked', { siteId: undefined, state: 'parked' }],
    ['tasks_job', { siteId: 'site', jobId: 'job-0' }],
  ]
  it.each(tasks)('a page of tasks is read from %s: %j', async (index, filter) => {
    for (const before of [undefined, [9_000, 1_500]] as const) {
      const plan = await plansOf(/order by due_at desc/, (db) =>
        selectTasks(db, filter, { now, ...(before && { before }), limit: 51 }),
      )
      expect(plan).toMatch(new RegExp(`\\b${index}\\b`))
      // A job has few tasks, and so has the hub itself; of running ones, at most 2,000 candidates
      // are looked at.
      const isFew =
        filter.jobId !== undefined || filter.state === 'running' || (!filter.siteId && filter.name)
      if (!isFew) expect(plan).not.toMatch(notRead)
    }
  })

  it('the pages of tasks hold those of the filter, the latest due time first', async () => {
    const rows = await db.read.selectFrom('tasks').selectAll().orderBy('due_at', 'desc').execute()
    for (const [, filter] of tasks) {
      const seen: number[] = []
      let before: readonly [number, number] | undefined
      do {
        const page = await selectTasks(db.read, filter, {
          now,
          ...(before && { before }),
          limit: 200,
        })
        seen.push(...page.map(({ task_id }) => task_id))
        const last = page.at(-1)
        before = last && [last.due_at, last.task_id]
      } while (before)
      const { siteId, name, state, jobId, since } = filter
      const stateOf = (row: (typeof rows)[number]) =>
        row.parked ? 'parked' : row.due_at <= now ? 'due' : 'later'
      const fitting = rows.filter(
        (row) =>
          (siteId === undefined || row.site_id === siteId) &&
          (name === undefined || row.name === name) &&
          (state === undefined || state === stateOf(row)) &&
          (jobId === undefined || row.job_id === jobId) &&
          (since === undefined || row.due_at >= since),
      )
      expect(seen).toEqual(fitting.map(({ task_id }) => task_id))
    }
  })
})

onEachDatabase('the migration of deliveries and tasks', (makePlace) => {
  it('fills in the last response of deliveries, and the job of tasks that deliver', async () => {
    const place = await makePlace()
    const db = await place.open()
    try {
      const at = migrations.findIndex(({ name }) => name === 'operating-lists')
      await migrate(db, 1, migrations.slice(0, at))
      const listenerId = 'l'.repeat(22)
      await db.transact(async (tx) => {
        await insertListener(tx, listenerId, 'site')
        for (const id of ['tried', 'new'])
          await sql`insert into deliveries (delivery_id, listener_id, site_id, event_type, job_id, uri, body, state, created_at,
            attempts, cause_id) values (${id}, ${listenerId}, 'site', 'JOB_UPDATE', 'job', 'http://a/', '{}', 'PENDING', 1, 2,
            'x')`.execute(tx)
        for (const [number, code] of [
          [1, 503],
          [2, null],
        ])
          await sql`insert into attempts (position, number, attempted_at, duration_ms, response_code, error)
            select position, ${number}, ${number}, 1, ${code}, ${code ? null : 'refused'} from deliveries
            where delivery_id = 'tried'`.execute(tx)
        await sql`insert into tasks (name, payload, site_id, key, due_at, cause_id, created_at) values
          ('deliver', '{}', 'site', ${`deliver:${listenerId}:0123456789`}, 1, 'x', 1)`.execute(tx)
      })
      await migrate(db, 2)
      const rows = await db.read.selectFrom('deliveries').selectAll().orderBy('position').execute()
      expect(rows).toMatchObject([
        { last_code: null, last_error: 'refused', last_attempt_at: 2 },
        { last_code: null, last_error: null, last_attempt_at: null },
      ])
      expect(await db.read.selectFrom('tasks').select('job_id').execute()).toEqual([
        { job_id: '0123456789' },
      ])
    } finally {
      await db.close()
      await place.clear()
    }
  })
})

const insertListener = (tx: Db, listenerId: string, siteId: string) =>
  sql`insert into listeners (listener_id, site_id, client_id, side, type, job_uri, auth_type, on_support_asset, on_tm_update,
    acknowledges, disabled, sealed_secret, created_at, modified_at) values (${listenerId}, ${siteId}, ${listenerId}, 'connector',
    'JOB_STATUS_UPDATED', 'http://a/', 'NONE', 0, 0, 1, 0, 'x', 1, 1)`.execute(tx)
