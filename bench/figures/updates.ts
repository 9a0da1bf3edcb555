/**
 * Reads 10,000 unacknowledged updates to the end: each once, and the last pages cost the same as
 * the first.
 */
import { databaseModule } from '../built.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { inTurn, measuredOf, median } from '../pairs.ts'
import {
  type Caller,
  callHub,
  createJob,
  type HubFolder,
  newPlace,
  startCaller,
} from '../server.ts'

export const updatesOnSqlite: Figure = {
  name: 'updates-sqlite',
  says: 'GET /statusupdates with 10,000 unacknowledged, the last tenth of pages against the first, on SQLite',
  run: (bench) => readToTheEnd(bench, 'SQLite', 'updates-sqlite'),
}

export const updatesOnPostgres: Figure = {
  name: 'updates-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) =>
    readToTheEnd(
      bench,
      'PostgreSQL',
      'updates-postgres',
      await (await bench.postgres()).createDatabase(),
    ),
}

async function readToTheEnd(
  bench: Bench,
  database: string,
  name: string,
  databaseUrl?: string,
): Promise<FigureRow[]> {
  const many = bench.options.quick ? 1_000 : 10_000
  const place = await newPlace(bench, databaseUrl)
  const server = await startCaller(bench, place, name)
  const { jobId, siteId } = await createJob(server)
  await fill(place, siteId, jobId, many)
  const first: number[] = []
  const last: number[] = []
  await inTurn(bench, {
    pages: async () => {
      const times = await readAll(server, many)
      const tenth = Math.floor(times.length / 10)
      first.push(median(times.slice(0, tenth)))
      last.push(median(times.slice(-tenth)))
      return times.length
    },
  })
  await server.stop()
  // The first run is the warm-up.
  for (const times of [first, last]) times.shift()
  return [
    {
      figure: `GET /statusupdates, 10,000 read to the end, ${database}: a page of the last tenth against the first`,
      ours: `${median(last).toFixed(2)} ms`,
      anchor: `${median(first).toFixed(2)} ms`,
      measured: measuredOf(last.map((time, at) => time / (first[at] ?? Number.NaN))),
      unit: 'x',
      target: { atMost: 1.5 },
    },
  ]
}

/** The milliseconds of each page. Throws unless each update came once. */
async function readAll(server: Caller, many: number): Promise<number[]> {
  const times: number[] = []
  const seen = new Set<string>()
  let came = 0
  for (let next: string | undefined = ''; next !== undefined; ) {
    const path =
      next === '' ? '/v2/statusupdates' : `/v2/statusupdates?navNext=${encodeURIComponent(next)}`
    const begun = performance.now()
    const page: { statusupdates: { updateId: string }[]; next?: string } = await callHub(
      server,
      'GET',
      path,
    )
    times.push(performance.now() - begun)
    for (const { updateId } of page.statusupdates) seen.add(updateId)
    came += page.statusupdates.length
    next = page.next
  }
  if (came !== many || seen.size !== many)
    throw new Error(`${came} updates came, ${seen.size} different, of ${many}`)
  return times
}

async function fill(place: HubFolder, siteId: string, jobId: string, many: number): Promise<void> {
  const db = await (await databaseModule()).openDatabase(place.databaseUrl)
  try {
    const owner = await db.read.selectFrom('jobs').select('creator_id').executeTakeFirstOrThrow()
    const row = (sequence: number) => ({
      update_id: `bench-${sequence}`,
      site_id: siteId,
      client_id: owner.creator_id,
      sequence,
      job_id: jobId,
      provider_id: null,
      request_ids: JSON.stringify(
        Array.from({ length: 3 }, (_, at) => `request-${sequence}-${at}`),
      ),
      status: 'REVIEW_TRANSLATION',
      updated_at: Date.now(),
      has_error: 0,
      error_message: null,
      acknowledged_at: null,
      cause_id: 'bench',
    })
    await db.transact(async (tx) => {
      for (let from = 1; from <= many; from += 100) {
        const rows = Array.from({ length: 100 }, (_, at) => row(from + at))
        await tx.insertInto('status_updates').values(rows).execute()
      }
    })
  } finally {
    await db.close()
  }
}
