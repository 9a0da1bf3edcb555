/**
 * GET /jobs, a page of 50 of 100,000 jobs with a token, against a bare node:http server sending the
 * same bytes.
 */
import { startChild } from '../child.ts'
import type { BareHttpVerbs } from '../children/bare-http.ts'
import type { LoadVerbs } from '../children/load.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { cursorBehind, type Filled, fillJobs } from '../fill-jobs.ts'
import { inTurn, rate, ratioOf, type Side } from '../pairs.ts'
import { startCaller } from '../server.ts'

const connections = 10
const path = '/v2/jobs'

export const pageOnSqlite: Figure = {
  name: 'page-sqlite',
  says: 'GET /jobs, a page of 50 of 100,000, on SQLite against bare node:http',
  run: (bench) => comparePage(bench, 'SQLite', 'page-sqlite'),
}

export const pageOnPostgres: Figure = {
  name: 'page-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) =>
    comparePage(
      bench,
      'PostgreSQL',
      'page-postgres',
      await (await bench.postgres()).createDatabase(),
    ),
}

async function comparePage(
  bench: Bench,
  database: string,
  name: string,
  databaseUrl?: string,
): Promise<FigureRow[]> {
  const filled = await fillJobs(bench, bench.options.quick ? 1_000 : 100_000, databaseUrl)
  const server = await startCaller(bench, filled.place, name)
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: server.headers })
  const body = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${body}`)
  const { jobs } = JSON.parse(body.toString()) as { jobs: unknown[] }
  if (jobs.length !== 50) throw new Error(`A page of ${jobs.length} jobs`)
  const kept = ['content-type', 'cache-control', 'x-request-id']
  const headers = Object.fromEntries(
    [...answer.headers].filter(([header]) => kept.includes(header)),
  )
  const bare = startChild<BareHttpVerbs>(bench, 'bare-http')
  const barePort = await bare.ask('open', { headers, body })
  const load = startChild<LoadVerbs>(bench, 'load')
  const side =
    (port: number, paths: readonly string[] = [path]): Side =>
    async (milliseconds) => {
      const call = {
        port,
        headers: server.headers,
        connections,
        method: 'GET',
        path: paths,
        milliseconds,
      }
      const { calls, seconds } = await load.ask('calls', call)
      return calls / seconds
    }
  const taken = await inTurn(bench, {
    ours: side(server.port),
    anchor: side(barePort),
    scattered: side(server.port, await scatteredPages(filled)),
  })
  await Promise.all([server.stop(), bare.stop(), load.stop()])
  const row = (which: 'ours' | 'scattered', says: string): FigureRow => ({
    figure: `GET /jobs, 50 of 100,000, ${database} (${Math.round(body.length / 1024)} KiB), ${says}`,
    ours: rate(taken[which]),
    anchor: rate(taken.anchor),
    measured: ratioOf(taken[which], taken.anchor),
    unit: 'x',
  })
  return [
    { ...row('ours', 'first page again and again'), target: { atLeast: 0.3 } },
    row('scattered', 'a thousand places in the list'),
  ]
}

/** Enough different jobs that no cache of the previous call helps. */
async function scatteredPages(filled: Filled): Promise<string[]> {
  const paths: string[] = []
  for (let page = 0; page < 1_000; page++) {
    const behind = 100 + ((page * 7_919) % (filled.jobs - 100))
    paths.push(`${path}?navNext=${encodeURIComponent(await cursorBehind(filled, behind))}`)
  }
  return paths
}
