/**
 * A page of jobs is read from an index in its order, on both databases: no sorting, nothing before
 * the page read over.
 */
import { type CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  countWork,
  selectWork,
  type WorkFilter,
} from '../packages/server/src/domain/desk/work-rows.ts'
import { parseFilter } from '../packages/server/src/domain/jobs/filter.ts'
import { type JobPage, selectJobs } from '../packages/server/src/domain/jobs/list-rows.ts'
import type { Database, Db } from '../packages/server/src/store/database.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { type Key, pageAfter } from '../packages/server/src/store/page.ts'
import { planOf as explain, plansOf as plansOfAll } from './query-plans.ts'
import { jobRow, type StorePlace } from './store-fixtures.ts'
import { onEachDatabase } from './store-place.ts'

type Column = 'status' | 'job_name' | 'provider_id' | 'global_tracking_id' | 'has_error'
const pages: { index: string; where?: [Column, string | number] }[] = [
  { index: 'jobs_created' },
  { index: 'jobs_status', where: ['status', 'SENDING'] },
  { index: 'jobs_name', where: ['job_name', 'one of 3,000'] },
  { index: 'jobs_provider', where: ['provider_id', 'none'] },
  { index: 'jobs_tracking', where: ['global_tracking_id', 'DRG'] },
  { index: 'jobs_error', where: ['has_error', 1] },
]

onEachDatabase('pages of jobs', (makePlace) => {
  let place: StorePlace
  let db: Database
  beforeAll(async () => {
    place = await makePlace('migrated')
    db = await place.open()
    await migrate(db, 1)
    const rows = Array.from({ length: 3_000 }, (_, at) =>
      jobRow({ job_name: `job ${at}`, created_at: at }),
    )
    await db.transact(async (tx) => {
      for (let from = 0; from < rows.length; from += 500)
        await tx
          .insertInto('jobs')
          .values(rows.slice(from, from + 500))
          .execute()
    })
    if (db.name === 'postgres') await sql`analyze jobs`.execute(db.read)
  })
  afterAll(async () => {
    await db.close()
    await place.clear()
  })

  const page = (
    where: [Column, string | number] | undefined,
    after: Key | undefined,
  ): CompiledQuery => {
    const query = db.read
      .selectFrom('jobs')
      .selectAll()
      .where('site_id', '=', 'site')
      .where('archived', '=', 0)
    const terms = ['created_at', 'job_id'].map((column) => ({ column, descending: true }))
    return pageAfter(where ? query.where(where[0], '=', where[1]) : query, terms, after)
      .limit(51)
      .compile()
  }
  const planOf = (query: CompiledQuery): Promise<string> => explain(db, db.read, query)

  it.each(pages)(
    'a page by $index is read from it, from its first row on',
    async ({ index, where }) => {
      for (const after of [undefined, [1_500, 'abcdefghij']]) {
        const plan = await planOf(page(where, after))
        expect(plan).toMatch(new RegExp(`\\b${index}\\b`))
        expect(plan).not.toMatch(/TEMP B-TREE|Sort/)
      }
    },
  )

  /** The plans of what `selectJobs` itself asks of the jobs. */
  const plansOf = (asked: JobPage): Promise<string> =>
    plansOfAll(db, (db) => selectJobs(db, 'site', asked), { only: /from "jobs"/ })
  const newest = ['created_at', 'job_id'].map((column) => ({ column, descending: true }))

  it.each([true, false])(
    'a page by a date that may be absent is read from its index (latest first: %s)',
    async (descending) => {
      const terms = [
        { column: 'due_at', descending, nullable: true },
        { column: 'job_id', descending },
      ]
      const plan = await plansOf({ archived: false, terms, limit: 51 })
      expect(plan).toMatch(/\bjobs_due\b/)
      expect(plan).not.toMatch(/TEMP B-TREE|Sort/)
    },
  )

  it.each([
    "labels eq 'rare'",
    "labels eq 'rare' and statusCode eq 'CREATED'",
    "analysisCodes eq 'rare'",
  ])('what few jobs have is looked up: %s', async (text) => {
    const plan = await plansOf({
      archived: false,
      filter: parseFilter(text),
      terms: newest,
      limit: 51,
    })
    expect(plan).not.toMatch(/jobs_created|jobs_status|Seq Scan on jobs|SCAN jobs/)
  })

  it.each([
    ['all jobs', undefined],
    ['one status', "statusCode eq 'CREATED'"],
  ])('PostgreSQL keeps the plan of a page deep in a list of many jobs: %s', async (_, text) => {
    if (db.name === 'sqlite') return
    // The planner takes the table for one of millions.
    await sql`update pg_class set reltuples = relpages * 50000 where relname = 'jobs'`.execute(
      db.read,
    )
    const filter = text === undefined ? undefined : parseFilter(text)
    const asked = {
      archived: false,
      ...(filter && { filter }),
      terms: newest,
      after: [300, 'abcdefghij'],
      limit: 51,
    }
    const { rows } = await db.read.connection().execute(async (one) => {
      // It makes five plans of a prepared statement before it keeps one.
      for (let asks = 0; asks < 10; asks++) await selectJobs(one, 'site', asked)
      return sql<{ generic_plans: number }>`select generic_plans from pg_prepared_statements
        where statement like '%from "jobs"%' order by prepare_time desc limit 1`.execute(one)
    })
    await sql`analyze jobs`.execute(db.read)
    expect(rows).toEqual([{ generic_plans: expect.any(Number) }])
    expect(rows[0]?.generic_plans).toBeGreaterThan(0)
  })

  it('a page deep in the list begins in the middle of the index', async () => {
    const plan = await planOf(page(undefined, [1_500, 'abcdefghij']))
    expect(plan).toMatch(
      db.name === 'sqlite' ? /archived=\? AND created_at<\?/ : /Index Cond: .*created_at <= /,
    )
  })
})

onEachDatabase('work of people', (makePlace) => {
  let place: StorePlace
  let db: Database
  beforeAll(async () => {
    place = await makePlace('migrated')
    db = await place.open()
    await migrate(db, 1)
    await addWork(db)
    if (db.name === 'postgres') await sql`analyze jobs, requests, providers`.execute(db.read)
  })
  afterAll(async () => {
    await db.close()
    await place.clear()
  })

  const undelivered = ['SENT_TO_PROVIDER', 'IN_TRANSLATION', 'TRANSLATION_REJECTED'] as const
  const work: readonly (WorkFilter & { readonly view: string })[] = [
    { view: 'claimed by a person', statuses: undelivered, assignee: 'person' },
    {
      view: 'claimed by nobody',
      statuses: undelivered,
      assignee: null,
      providerIds: ['provider', 'other'],
    },
    { view: 'in review', statuses: ['REVIEW_TRANSLATION'], languages: ['de-de'] },
  ]
  it.each(work)(
    'work $view is found from the jobs at work or from the claims, never among all requests',
    async (of) => {
      const read = async (db: Db) => {
        for (const after of [undefined, [5, 'abcdefghij', 1]] as const)
          await selectWork(db, 'site', of, { after, limit: 51 })
        await countWork(db, 'site', of, 10_001)
      }
      const plan = await plansOfAll(db, read, { only: /from "jobs"/, without: ['seqscan'] })
      expect(plan).not.toMatch(/SCAN (jobs|requests)|Seq Scan on (jobs|requests)/)
      // Every look at requests is by a job or by a person.
      for (const line of plan
        .split('\n')
        .filter((one) => /requests/.test(one) && /SEARCH/.test(one)))
        expect(line).toMatch(/\((job_id|assignee)=\?/)
      expect(plan).toMatch(/\b(jobs_at_work|requests_claimed)\b/)
    },
  )
})

/** A provider with 2,000 jobs of one request each: 40 are at work, the others completed. */
async function addWork(db: Database): Promise<void> {
  const jobs = Array.from({ length: 2_000 }, (_, at) => ({
    ...jobRow({ job_name: `job ${at}`, created_at: at }),
    status: at % 50 === 0 ? ('IN_TRANSLATION' as const) : ('COMPLETED' as const),
    provider_id: 'provider',
    due_at: at,
  }))
  const at = { site_id: 'site', created_at: 1, modified_at: 1 }
  const requests = jobs.map(({ job_id }, index) => ({
    ...at,
    request_id: `request-${index}`,
    job_id,
    position: 1,
    request_name: 'r',
    status: 'IN_TRANSLATION' as const,
    has_error: 0,
    source_native_id: 's',
    source_language: 'en-us',
    target_language: 'de-de',
    assignee: index % 100 === 0 ? 'person' : null,
    cause_id: 'cause',
  }))
  await db.transact(async (tx) => {
    const provider = {
      ...at,
      provider_id: 'provider',
      name: 'P',
      type_id: 'manual',
      status: 'ENABLED' as const,
    }
    await tx
      .insertInto('providers')
      .values({ ...provider, config: '{}', creator_id: 'client' })
      .execute()
    for (let from = 0; from < jobs.length; from += 500) {
      await tx
        .insertInto('jobs')
        .values(jobs.slice(from, from + 500))
        .execute()
      await tx
        .insertInto('requests')
        .values(requests.slice(from, from + 500))
        .execute()
    }
  })
}
