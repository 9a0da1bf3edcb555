/**
 * The first 200 entries of the timeline of a job with 2,000 requests and 20,000 events, as four
 * pages of 50.
 */
import { sql } from 'kysely'
import { databaseModule } from '../built.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { inTurn, measuredOf, median } from '../pairs.ts'
import { type Caller, callHub, createJob, newPlace, startCaller } from '../server.ts'

export const timelineOnSqlite: Figure = {
  name: 'timeline-sqlite',
  says: 'the first 200 entries of a job with 20,000 events, on SQLite',
  run: (bench) => timeline(bench, 'SQLite'),
}

export const timelineOnPostgres: Figure = {
  name: 'timeline-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) =>
    timeline(bench, 'PostgreSQL', await (await bench.postgres()).createDatabase()),
}

const pages = 4

async function timeline(
  bench: Bench,
  database: string,
  databaseUrl?: string,
): Promise<FigureRow[]> {
  const place = await newPlace(bench, databaseUrl)
  const maker = await startCaller(bench, place)
  const job = await createJob(maker)
  const body = { type: 'JOB_STATUS_UPDATED', uri: 'https://example.org/', disabled: true }
  const { listenerId } = await callHub<{ listenerId: string }>(
    maker,
    'POST',
    '/v2/statusupdates/listeners',
    body,
  )
  await maker.stop()
  await fill(place.databaseUrl, { ...job, listenerId }, bench.options.quick ? 40 : 1)
  const server = await startCaller(bench, place, 'timeline')
  const taken = await inTurn(bench, { ours: () => readPages(server, job.jobId) })
  await server.stop()
  return [
    {
      figure: `First 200 of a job's timeline with 20,000 events, ${database}`,
      ours: `${(median(taken.ours) * 1_000).toFixed(0)} ms`,
      anchor: '',
      measured: measuredOf(taken.ours),
      unit: 's',
      target: { atMost: 0.3 },
    },
  ]
}

type Page = { timeline: unknown[]; pagination: { navNext?: string } }

async function readPages(server: Caller, jobId: string): Promise<number> {
  const begun = performance.now()
  let path = `/v2/jobs/${jobId}/timeline`
  for (let page = 0; page < pages; page++) {
    const { timeline, pagination } = await callHub<Page>(server, 'GET', path)
    if (timeline.length !== 50) throw new Error(`A page of ${timeline.length} entries`)
    path = `/v2/jobs/${jobId}/timeline?navNext=${encodeURIComponent(pagination.navNext ?? '')}`
  }
  return (performance.now() - begun) / 1_000
}

type Filled = { readonly siteId: string; readonly jobId: string; readonly listenerId: string }

/** Five events a millisecond, mixed as in a round; `part` divides their number. */
async function fill(
  databaseUrl: string,
  { siteId, jobId, listenerId }: Filled,
  part: number,
): Promise<void> {
  const time = `${Date.now() - 3_600_000} + i / 5`
  const id = `'${jobId}-' || cast(i as text)`
  const own = { site_id: `'${siteId}'`, job_id: `'${jobId}'` }
  const caused = { ...own, cause_id: `'task:' || cast(i as text)` }
  const ids = `'["' || ${id} || '"]'`
  const tables: readonly [string, number, Record<string, string>][] = [
    [
      'requests',
      2_000,
      {
        ...caused,
        ...{
          request_id: id,
          position: 'i',
          request_name: `'r'`,
          status: `'REVIEW_TRANSLATION'`,
          has_error: '0',
        },
        ...{ source_native_id: `'s'`, source_language: `'en-US'`, target_language: `'de-DE'` },
        ...{ created_at: time, modified_at: time },
      },
    ],
    [
      'calls',
      6_000,
      {
        ...own,
        ...{
          call_id: '1000000 + i',
          trace_id: id,
          called_at: time,
          method: `'GET'`,
          route: `'/v2/jobs/:jobId'`,
        },
        ...{
          client_id: `'bench'`,
          address: `'192.0.2.1'`,
          status: '200',
          duration_us: '1500',
          bytes_in: '0',
        },
        ...{ bytes_out: '1000', count: '1', bytes: '300', hash: `'h'` },
      },
    ],
    [
      'moves',
      4_000,
      {
        ...caused,
        ...{ move_id: id, request_ids: ids, move: `'start'`, from_status: `'SENT_TO_PROVIDER'` },
        ...{ to_status: `'IN_TRANSLATION'`, moved_at: time },
      },
    ],
    [
      'status_updates',
      2_000,
      {
        ...caused,
        ...{
          update_id: id,
          client_id: `'bench'`,
          sequence: 'i',
          request_ids: ids,
          status: `'REVIEW_TRANSLATION'`,
        },
        ...{ has_error: '0', updated_at: time, acknowledged_at: time },
      },
    ],
    [
      'files',
      2_000,
      {
        ...caused,
        ...{
          file_id: id,
          name: `'a.txt'`,
          content_type: `'text/plain'`,
          state: `'stored'`,
          kind: `'translation'`,
        },
        ...{
          client_id: `'bench'`,
          holds_bytes: '1',
          size: '1',
          blob_id: id,
          sha256: `'x'`,
          created_at: time,
        },
      },
    ],
    [
      'deliveries',
      3_000,
      {
        ...caused,
        ...{
          delivery_id: id,
          position: '1000000 + i',
          listener_id: `'${listenerId}'`,
          event_type: `'JOB_UPDATE'`,
        },
        ...{
          uri: `'https://example.org/'`,
          body: `'{}'`,
          state: `'DELIVERED'`,
          created_at: time,
          attempts: '1',
        },
      },
    ],
    [
      'attempts',
      3_000,
      {
        job_id: own.job_id,
        ...{
          position: '1000000 + i',
          number: '1',
          attempted_at: time,
          duration_ms: '12',
          response_code: '204',
        },
      },
    ],
  ]
  const db = await (await databaseModule()).openDatabase(databaseUrl)
  try {
    await db.transact(async (tx) => {
      for (const [table, many, columns] of tables)
        await sql
          .raw(
            `with recursive n(i) as (select cast(1 as bigint) union all select i + 1 from n where i < ${many / part})
            insert into ${table} (${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')} from n`,
          )
          .execute(tx)
    })
    if (db.name === 'postgres') await sql.raw('analyze').execute(db.read)
  } finally {
    await db.close()
  }
}
