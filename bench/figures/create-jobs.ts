/**
 * Durable POST /jobs against raw commits of a row of the same size: what the hub adds to the cost
 * of the disk.
 */
import { databaseModule } from '../built.ts'
import { startChild } from '../child.ts'
import type { LoadVerbs } from '../children/load.ts'
import type { RawPostgresVerbs } from '../children/raw-postgres.ts'
import type { RawSqliteVerbs } from '../children/raw-sqlite.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { inTurn, rate, ratioOf, type Side } from '../pairs.ts'
import { rowBytes } from '../row-bytes.ts'
import { createJob, type HubFolder, newJob, newPlace, startCaller } from '../server.ts'

const connections = 10

export const jobsOnSqlite: Figure = {
  name: 'jobs-sqlite',
  says: 'POST /jobs on SQLite against raw commits with the same module',
  run: async (bench) => {
    const place = await newPlace(bench)
    const { ours, rowBytes, stop } = await startOurs(bench, place, 'jobs-sqlite')
    const raw = startChild<RawSqliteVerbs>(bench, 'raw-sqlite')
    await raw.ask('open', { file: `${await bench.folder()}/raw.db`, rowBytes })
    const anchor: Side = (milliseconds) => raw.ask('commits', milliseconds)
    const rows = await compare(bench, `POST /jobs, SQLite (row of ${rowBytes} bytes)`, 0.2, {
      ours,
      anchor,
    })
    await Promise.all([stop(), raw.stop()])
    return rows
  },
}

export const jobsOnPostgres: Figure = {
  name: 'jobs-postgres',
  says: 'POST /jobs on PostgreSQL against BEGIN, INSERT, COMMIT with pg',
  run: async (bench) => {
    const postgres = await bench.postgres()
    const place = await newPlace(bench, await postgres.createDatabase())
    const { ours, rowBytes, stop } = await startOurs(bench, place, 'jobs-postgres')
    const raw = startChild<RawPostgresVerbs>(bench, 'raw-postgres')
    await raw.ask('open', { url: await postgres.createDatabase(), rowBytes, connections })
    const anchor: Side = (milliseconds) => raw.ask('commits', milliseconds)
    const rows = await compare(bench, `POST /jobs, PostgreSQL (row of ${rowBytes} bytes)`, 0.4, {
      ours,
      anchor,
    })
    await Promise.all([stop(), raw.stop()])
    return rows
  },
}

async function compare(
  bench: Bench,
  figure: string,
  atLeast: number,
  { ours, anchor }: { readonly ours: Side; readonly anchor: Side },
): Promise<FigureRow[]> {
  const taken = await inTurn(bench, { ours, anchor })
  const measured = ratioOf(taken.ours, taken.anchor)
  return [
    {
      figure,
      ours: rate(taken.ours),
      anchor: rate(taken.anchor),
      measured,
      unit: 'x',
      target: { atLeast },
    },
  ]
}

async function startOurs(bench: Bench, place: HubFolder, name: string) {
  const server = await startCaller(bench, place, name)
  const { jobId } = await createJob(server)
  const load = startChild<LoadVerbs>(bench, 'load')
  const { port, headers } = server
  const call = {
    port,
    headers,
    connections,
    method: 'POST',
    path: '/v2/jobs',
    body: JSON.stringify(newJob),
  }
  const ours: Side = async (milliseconds) => {
    const { calls, seconds } = await load.ask('calls', { ...call, milliseconds })
    return calls / seconds
  }
  const stop = async (): Promise<void> => {
    await Promise.all([server.stop(), load.stop()])
  }
  return { ours, rowBytes: await bytesOfJob(place, jobId), stop }
}

async function bytesOfJob(place: HubFolder, jobId: string): Promise<number> {
  const db = await (await databaseModule()).openDatabase(place.databaseUrl)
  try {
    const row = await db.read
      .selectFrom('jobs')
      .selectAll()
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow()
    return rowBytes(row)
  } finally {
    await db.close()
  }
}
