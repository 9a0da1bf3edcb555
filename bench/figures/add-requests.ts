/**
 * 2,000 inline requests in one call, against raw multi-row inserts of rows of the same size in one
 * transaction.
 */
import { databaseModule } from '../built.ts'
import { startChild } from '../child.ts'
import type { RawPostgresVerbs } from '../children/raw-postgres.ts'
import type { RawSqliteVerbs } from '../children/raw-sqlite.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { newRequests } from '../new-requests.ts'
import { inTurn, rate, ratioOf, type Side } from '../pairs.ts'
import { rowBytes } from '../row-bytes.ts'
import { callHub, createJob, type HubFolder, newPlace, startCaller } from '../server.ts'

export const requestsOnSqlite: Figure = {
  name: 'requests-sqlite',
  says: '2,000 inline requests in one call on SQLite against raw multi-row inserts',
  run: async (bench) => {
    const ours = await startOurs(bench, await newPlace(bench), 'requests-sqlite')
    const raw = startChild<RawSqliteVerbs>(bench, 'raw-sqlite')
    await raw.ask('open', { file: `${await bench.folder()}/raw.db`, rowBytes: ours.bytes })
    const rows = await compare(bench, 'SQLite', ours, () => raw.ask('rows', ours.many))
    await Promise.all([ours.stop(), raw.stop()])
    return rows
  },
}

export const requestsOnPostgres: Figure = {
  name: 'requests-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) => {
    const postgres = await bench.postgres()
    const ours = await startOurs(
      bench,
      await newPlace(bench, await postgres.createDatabase()),
      'requests-postgres',
    )
    const raw = startChild<RawPostgresVerbs>(bench, 'raw-postgres')
    await raw.ask('open', {
      url: await postgres.createDatabase(),
      rowBytes: ours.bytes,
      connections: 1,
    })
    const rows = await compare(bench, 'PostgreSQL', ours, () => raw.ask('rows', ours.many))
    await Promise.all([ours.stop(), raw.stop()])
    return rows
  },
}

/** A single call is short: one hiccup of the disk would spoil the whole sample. */
const callsASample = 5

/** The average rate of several runs. */
const often =
  (side: Side, times: number): Side =>
  async (milliseconds) => {
    let seconds = 0
    for (let run = 0; run < times; run += 1) seconds += 1 / (await side(milliseconds))
    return times / seconds
  }

type Ours = Awaited<ReturnType<typeof startOurs>>

async function compare(
  bench: Bench,
  database: string,
  { side, bytes, many }: Ours,
  anchor: Side,
): Promise<FigureRow[]> {
  const times = bench.options.quick ? 1 : callsASample
  const taken = await inTurn(bench, { ours: often(side, times), anchor: often(anchor, times) })
  return [
    {
      figure: `requests/add, ${many.toLocaleString('en')} inline in one call, ${database} (rows of ${bytes} bytes)`,
      ours: rate(taken.ours),
      anchor: rate(taken.anchor),
      measured: ratioOf(taken.ours, taken.anchor),
      unit: 'x',
      target: { atLeast: 0.3 },
    },
  ]
}

async function startOurs(bench: Bench, place: HubFolder, name: string) {
  const many = bench.options.quick ? 250 : 2_000
  const server = await startCaller(bench, place, name)
  const body = JSON.stringify({ requests: newRequests(many) })
  const side: Side = async () => {
    const { jobId } = await createJob(server)
    const begun = performance.now()
    const { requests } = await callHub<{ requests: object[] }>(
      server,
      'POST',
      `/v2/jobs/${jobId}/requests/add`,
      body,
    )
    const seconds = (performance.now() - begun) / 1_000
    if (requests.length !== many) throw new Error(`${requests.length} requests of ${many}`)
    return many / seconds
  }
  await side(0)
  return { side, many, bytes: await bytesOfRequest(place), stop: server.stop }
}

/** The size of a request and of its content, which has its own row. */
async function bytesOfRequest(place: HubFolder): Promise<number> {
  const db = await (await databaseModule()).openDatabase(place.databaseUrl)
  try {
    const request = await db.read
      .selectFrom('requests')
      .selectAll()
      .limit(1)
      .executeTakeFirstOrThrow()
    const content = await db.read
      .selectFrom('source_contents')
      .selectAll()
      .limit(1)
      .executeTakeFirstOrThrow()
    return rowBytes(request) + rowBytes(content)
  } finally {
    await db.close()
  }
}
