/**
 * A job of 2,000 requests through pseudo, from submit to the last in REVIEW_TRANSLATION, against
 * the same row work in raw SQL; and, printed, against empty tasks, the highest rate that the runner
 * could reach.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { databaseModule } from '../built.ts'
import { startChild } from '../child.ts'
import type { OurTasksVerbs } from '../children/our-tasks.ts'
import type { RawRoundVerbs } from '../children/raw-round.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { newRequests } from '../new-requests.ts'
import { inTurn, rate, ratioOf, type Side } from '../pairs.ts'
import {
  callHub,
  createJob,
  type HubFolder,
  newPlace,
  productionEnv,
  startCaller,
} from '../server.ts'

export const roundOnSqlite: Figure = {
  name: 'round-sqlite',
  says: 'a job of 2,000 requests through pseudo on SQLite against the same rows in raw SQL',
  run: (bench) => compareRound(bench, 'SQLite', 'round-sqlite'),
}

export const roundOnPostgres: Figure = {
  name: 'round-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) => {
    const postgres = await bench.postgres()
    return compareRound(bench, 'PostgreSQL', 'round-postgres', () => postgres.createDatabase())
  },
}

async function compareRound(
  bench: Bench,
  database: string,
  name: string,
  newDatabase?: () => Promise<string>,
): Promise<FigureRow[]> {
  const { quick } = bench.options
  const ours = await newPlace(bench, await newDatabase?.())
  const { side, rawSide, stop } = await startOurs(bench, ours, name, quick ? 100 : 2_000)
  const tasks = startChild<OurTasksVerbs>(bench, 'our-tasks')
  const place = await newPlace(bench, await newDatabase?.())
  await tasks.ask('open', { ...productionEnv(place), DRAGOMAN_LOG_LEVEL: 'warn' })
  const run = { many: quick ? 200 : 10_000, concurrency: 10 }
  const taken = await inTurn(bench, {
    ours: side,
    raw: rawSide,
    tasks: () => tasks.ask('tasks', run),
  })
  await Promise.all([stop(), tasks.stop()])
  const row = (anchor: 'raw' | 'tasks', says: string): FigureRow => ({
    figure: `A job of 2,000 requests through pseudo, submit to review, ${database}, against ${says}`,
    ours: rate(taken.ours),
    anchor: rate(taken[anchor]),
    measured: ratioOf(taken.ours, taken[anchor]),
    unit: 'x',
  })
  return [
    { ...row('raw', 'the same rows in raw SQL'), target: { atLeast: 0.5 } },
    row('tasks', 'empty tasks'),
  ]
}

/**
 * Requests per second. Queries the database itself for the end, so that no call of ours interferes.
 */
async function startOurs(bench: Bench, place: HubFolder, name: string, many: number) {
  const server = await startCaller(bench, place, name)
  const { id: providerId } = await callHub<{ id: string }>(server, 'POST', '/v2/providers', {
    name: 'Pseudo',
    typeId: 'pseudo',
  })
  const body = JSON.stringify({ requests: newRequests(many) })
  const db = await (await databaseModule()).openDatabase(place.databaseUrl)
  const unready = (jobId: string) =>
    db.read
      .selectFrom('requests')
      .select('request_id')
      .where('job_id', '=', jobId)
      .where('status', '<>', 'REVIEW_TRANSLATION')
      // The last requests finish last: looking there first costs least.
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst()
  const newRound = async () => {
    const job = await createJob(server)
    await callHub(server, 'POST', `/v2/jobs/${job.jobId}/requests/add`, body)
    return job
  }
  const side: Side = async () => {
    const { jobId } = await newRound()
    const begun = performance.now()
    await callHub(server, 'PUT', `/v2/jobs/${jobId}/submit`, { providerId })
    while (await unready(jobId)) await delay(5)
    return (many * 1_000) / (performance.now() - begun)
  }
  const raw = startChild<RawRoundVerbs>(bench, 'raw-round')
  await raw.ask('open', place.databaseUrl)
  const rawSide: Side = async () => {
    const { siteId, jobId } = await newRound()
    return raw.ask('round', { siteId, jobId, many })
  }
  const stop = async (): Promise<void> => {
    await Promise.all([raw.stop(), db.close()])
    await server.stop()
  }
  return { side, rawSide, stop }
}
