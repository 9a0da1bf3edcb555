/**
 * What the console asks all the time is read from an index, on both databases: finds, counts, and
 * what changed.
 */
import { filterOfWords } from '@dragoman/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countJobs, selectInTranslation } from '../packages/server/src/domain/jobs/count-rows.ts'
import { parseFilter } from '../packages/server/src/domain/jobs/filter.ts'
import { selectJobs } from '../packages/server/src/domain/jobs/list-rows.ts'
import { orderTerms } from '../packages/server/src/domain/jobs/lists/order.ts'
import { troubledTasks } from '../packages/server/src/domain/operations/tasks/task-count-rows.ts'
import * as changes from '../packages/server/src/domain/views/changes/change-rows.ts'
import * as finds from '../packages/server/src/domain/views/search/find-rows.ts'
import type { Database, Db } from '../packages/server/src/store/database.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { plansOf } from './query-plans.ts'
import { jobRow, type StorePlace } from './store-fixtures.ts'
import { onEachDatabase } from './store-place.ts'

const many = 3_000
const filter = parseFilter(filterOfWords('no job has this'))
const statuses = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'IN_TRANSLATION', 'CREATED'] as const
/** A partial index that holds only what is counted is read as a whole. */
const scans =
  /\bSeq Scan|\bSCAN (?!some\b|newest\b|tasks USING (?:COVERING )?INDEX tasks_(?:parked|failing))|TEMP B-TREE|\bSort\b/

onEachDatabase('what the console asks', (makePlace) => {
  let place: StorePlace
  let db: Database
  beforeAll(async () => {
    place = await makePlace('migrated')
    db = await place.open()
    await migrate(db, 1)
    const rows = Array.from({ length: many }, (_, at) => ({
      ...jobRow({ job_name: `job ${at}`, created_at: at }),
      due_at: at,
      status: statuses[at % 5] ?? 'CREATED',
      po_reference: `po ${at}`,
      global_tracking_id: `DRG-${at}`,
    }))
    await db.transact(async (tx) => {
      for (let from = 0; from < many; from += 100)
        await tx
          .insertInto('jobs')
          .values(rows.slice(from, from + 100))
          .execute()
    })
    if (db.name === 'postgres') await sql`analyze`.execute(db.read)
  })
  afterAll(async () => {
    await db.close()
    await place.clear()
  })

  const asked: [string, RegExp, (db: Db) => Promise<unknown>][] = [
    ['jobs that changed', /jobs_modified/, (db) => changes.jobsChanged(db, many - 10, 200)],
    ['attempts that were made', /attempts_made/, (db) => changes.attemptsMade(db, 10, 200)],
    ['deliveries that were added', /./, (db) => changes.deliveriesAdded(db, 10, 200)],
    ['calls that were added', /./, (db) => changes.callsAdded(db, 10, 200)],
    ['acts that were added', /./, (db) => changes.actsAdded(db, 10, 200)],
    ['tasks in trouble', /tasks_parked|tasks_failing/, (db) => troubledTasks(db, 100)],
    ['jobs of a state', /jobs_status/, (db) => countJobs(db, 'site', { status: 'COMPLETED' })],
    ['late jobs', /jobs_open_due/, (db) => countJobs(db, 'site', { dueFrom: 0, dueBefore: many })],
    ['jobs with errors', /jobs_error/, (db) => countJobs(db, 'site', { hasError: true })],
    [
      'jobs in translation',
      /jobs_status/,
      (db) => selectInTranslation(db, 'site', undefined, 1_000),
    ],
    ['a job by its id', /./, (db) => finds.rowById(db, 'site', finds.keyed.job, 'x')],
    [
      'the newest jobs',
      /jobs_created/,
      (db) => finds.createdAfter(db, 'site', { archived: 0, limit: 2_000 }),
    ],
    // In the order of the list, without a sort, until the page is full; labels by the job.
    [
      'jobs by words',
      /jobs_created.*(?:job_labels_job|hashed SubPlan)/s,
      (db) =>
        selectJobs(db, 'site', {
          archived: false,
          filter,
          terms: orderTerms('createdDate desc'),
          limit: 20,
        }),
    ],
    [
      'jobs by a label’s value',
      /job_labels_value/,
      (db) => finds.jobsLabelled(db, 'site', { name: 'x', value: 'y' }, 20),
    ],
    [
      'a request',
      /jobs_created/,
      (db) => finds.requestOfNewest(db, 'site', 'x', { archived: 0, limit: 10_000 }),
    ],
    ['a file', /./, (db) => finds.rowById(db, 'site', finds.keyed.file, 'x')],
    ['a support asset', /./, (db) => finds.rowById(db, 'site', finds.keyed.asset, 'x')],
    ['a TM update', /./, (db) => finds.rowById(db, 'site', finds.keyed.tmupdate, 'x')],
    ['an update', /./, (db) => finds.rowById(db, 'site', finds.keyed.update, 'x')],
    ['a delivery', /delivery/, (db) => finds.rowById(db, 'site', finds.keyed.delivery, 'x')],
    ['a listener', /./, (db) => finds.rowById(db, 'site', finds.keyed.listener, 'x')],
    ['a call', /calls_trace/, (db) => finds.rowById(db, 'site', finds.keyed.call, 'x')],
    ['a task', /./, (db) => finds.rowById(db, 'site', finds.keyed.task, 1)],
    ['clients', /clients_/, (db) => finds.clientsNamed(db, 'site', 'x', 20)],
  ]
  it.each(asked)('%s', async (_, index, ask) => {
    const plan = await plansOf(db, ask, { without: ['seqscan', 'sort', 'bitmapscan'] })
    expect(plan).toMatch(index)
    expect(plan).not.toMatch(scans)
  })
})
