/**
 * The same page at a million jobs and at a thousand: a list must not get slower, at any position in
 * it.
 */
import { startChild } from '../child.ts'
import type { LoadVerbs } from '../children/load.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { cursorBehind, type Filled, fillJobs, oldest, span } from '../fill-jobs.ts'
import { inTurn, median, ratioOf, type Side } from '../pairs.ts'
import { type Caller, startCaller } from '../server.ts'

export const growthOnSqlite: Figure = {
  name: 'growth-sqlite',
  says: 'GET /jobs at 1,000,000 jobs against 1,000, on SQLite',
  run: (bench) => compareSizes(bench, 'SQLite'),
}

export const growthOnPostgres: Figure = {
  name: 'growth-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) => {
    const postgres = await bench.postgres()
    return compareSizes(bench, 'PostgreSQL', () => postgres.createDatabase())
  },
}

type JobsQuery = { filter?: string; orderBy?: string; deep?: boolean }

const at = (part: number): string => new Date(oldest + Math.floor(span * part)).toISOString()
const pages: Record<string, JobsQuery> = {
  'first page': {},
  'nine tenths in': { deep: true },
  statusCode: { filter: "statusCode eq 'IN_TRANSLATION'" },
  'statusCode, nine tenths in': { filter: "statusCode eq 'IN_TRANSLATION'", deep: true },
  providerId: { filter: "providerId eq 'provider-1'" },
  'jobName, few': { filter: "jobName eq 'Campaign 7'" },
  'createdDate, a tenth': { filter: `createdDate ge '${at(0.4)}' and createdDate lt '${at(0.5)}'` },
  'statusCode and providerId': {
    filter: "statusCode eq 'COMPLETED' and providerId eq 'provider-2'",
  },
  'orderBy dueDate': { orderBy: 'dueDate desc' },
  'label, few': { filter: "labels eq 'urgent'" },
  'poReference, few': { filter: "poReference eq 'PO-7'" },
}

async function compareSizes(
  bench: Bench,
  database: string,
  newDatabase?: () => Promise<string>,
): Promise<FigureRow[]> {
  const { quick } = bench.options
  const small = await open(
    bench,
    await fillJobs(bench, 1_000, await newDatabase?.()),
    'growth-small',
  )
  const large = await open(
    bench,
    await fillJobs(bench, quick ? 2_000 : 1_000_000, await newDatabase?.()),
    'growth-large',
  )
  const load = startChild<LoadVerbs>(bench, 'load')
  const rows: FigureRow[] = []
  for (const [name, asked] of Object.entries(pages)) {
    bench.say(`${database}: ${name}`)
    const side =
      (to: Opened): Side =>
      async (milliseconds) => {
        const { port, headers } = to.server
        const call = {
          port,
          headers,
          connections: 1,
          method: 'GET',
          path: await pathOf(to, asked),
          milliseconds,
        }
        const { calls, seconds } = await load.ask('calls', call)
        return (seconds * 1_000) / calls
      }
    const taken = await inTurn(bench, { large: side(large), small: side(small) }, 700)
    rows.push({
      figure: `GET /jobs at 1,000,000 against 1,000, ${database}: ${name}`,
      ours: `${median(taken.large).toFixed(2)} ms`,
      anchor: `${median(taken.small).toFixed(2)} ms`,
      measured: ratioOf(taken.large, taken.small),
      unit: 'x',
      target: { atMost: 1.5 },
    })
  }
  await Promise.all([small.server.stop(), large.server.stop(), load.stop()])
  return rows
}

type Opened = Filled & { readonly server: Caller }

const open = async (bench: Bench, filled: Filled, name: string): Promise<Opened> => ({
  ...filled,
  server: await startCaller(bench, filled.place, name),
})

async function pathOf(filled: Filled, { filter, orderBy, deep }: JobsQuery): Promise<string> {
  const query = new URLSearchParams()
  if (filter) query.set('filter', filter)
  if (orderBy) query.set('orderBy', orderBy)
  // Newest first: nine tenths in is the oldest tenth.
  if (deep) query.set('navNext', await cursorBehind(filled, Math.floor(filled.jobs / 10), filter))
  return query.size > 0 ? `/v2/jobs?${query}` : '/v2/jobs'
}
