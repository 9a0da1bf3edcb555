/**
 * The lists of an operator at a million rows and at a thousand: a page must not get slower,
 * whatever the filter.
 */
import { type Child, startChild } from '../child.ts'
import type { LoadVerbs } from '../children/load.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { cursorAt, type FilledLog, fillLog, type Table, timeAt } from '../fill-log.ts'
import { inTurn, median, ratioOf, type Side } from '../pairs.ts'
import { type Caller, startCaller } from '../server.ts'

export const operatingOnSqlite: Figure = {
  name: 'operating-sqlite',
  says: 'pages of calls, acts, tasks and deliveries at 1,000,000 rows against 1,000, on SQLite',
  run: (bench) => compareSizes(bench, 'SQLite'),
}

export const operatingOnPostgres: Figure = {
  name: 'operating-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) => {
    const postgres = await bench.postgres()
    return compareSizes(bench, 'PostgreSQL', () => postgres.createDatabase())
  },
}

type Query = Readonly<Record<string, string>>
/** A table, its list, and the pages of it that are measured. */
type List = Table & {
  readonly path: string
  readonly pages: Readonly<Record<string, Query | 'nine tenths in'>>
}

const text = (value: string): string => `'${value}'`

const lists: readonly List[] = [
  {
    name: 'calls',
    path: '/v2/calls',
    columns: (siteId, { time, few }) => ({
      call_id: 'i',
      trace_id: `'trace-' || cast(i as text)`,
      called_at: time,
      method: text('GET'),
      route: few(`'/v2/jobs/:jobId/requests/:requestId/' || cast(i % 20 as text)`),
      ids: `'{"jobId":"J' || cast(100000000 + i % 997 as text) || '"}'`,
      job_id: few(`'J' || cast(100000000 + i % 997 as text)`),
      site_id: text(siteId),
      client_id: few(`'client-' || cast(i % 5 as text)`),
      address: text('192.0.2.1'),
      status: few('200', '404'),
      error_code: few('null'),
      duration_us: '1500',
      bytes_in: '0',
      bytes_out: '1000',
      count: '1',
      bytes: '300',
      hash: `'h'`,
    }),
    pages: {
      'first page': {},
      'nine tenths in': 'nine tenths in',
      'client, few': { client: 'few' },
      'statusCode, few': { statusCode: '404' },
      'code, few': { code: 'few' },
      'route, few': { route: 'few' },
      'jobId, few': { jobId: 'few' },
      'since and until, a tenth': { since: timeAt(0.4), until: timeAt(0.5) },
    },
  },
  {
    name: 'audit',
    path: '/v2/audit',
    columns: (siteId, { time, few }) => ({
      audit_id: 'i',
      acted_at: time,
      actor: text('client'),
      client_id: few(`'client-' || cast(i % 5 as text)`),
      site_id: text(siteId),
      verb: few(text('changed')),
      thing: few(text('client')),
      thing_id: few(`'thing-' || cast(i % 1000 as text)`),
      fields: `'["quotas"]'`,
      was: `'{"quotas":{}}'`,
      is_now: `'{"quotas":{"MaxReqsPerJob":5000}}'`,
      trace_id: `'trace-' || cast(i as text)`,
      hash: `'h'`,
    }),
    pages: {
      'first page': {},
      'nine tenths in': 'nine tenths in',
      'client, few': { client: 'few' },
      'thing, few': { thing: 'few' },
      'thingId, few': { thingId: 'few' },
      'verb, few': { verb: 'few' },
    },
  },
  {
    name: 'tasks',
    path: '/v2/tasks',
    // All due in a month, so that no runner takes one.
    columns: (siteId, { time, few }) => ({
      name: few(`'task-' || cast(i % 10 as text)`),
      payload: text('{}'),
      site_id: text(siteId),
      job_id: few(`'J' || cast(100000000 + i % 997 as text)`),
      due_at: `${time} + 2592000000`,
      parked: few('0', '1'),
      cause_id: text('bench'),
      created_at: time,
    }),
    pages: {
      'first page': {},
      'name, few': { name: 'few' },
      'state, few': { state: 'parked' },
      'jobId, few': { jobId: 'few' },
    },
  },
  {
    name: 'deliveries',
    path: '/v2/deliveries',
    columns: (siteId, { time, few, listenerId }) => ({
      delivery_id: `'delivery-' || cast(i as text)`,
      listener_id: text(listenerId),
      site_id: text(siteId),
      event_type: text('JOB_UPDATE'),
      job_id: few(`'J' || cast(100000000 + i % 997 as text)`),
      uri: text('https://example.org/'),
      body: text('{}'),
      state: few(text('DELIVERED'), text('PARKED')),
      created_at: time,
      attempts: '1',
      last_code: few('204', '500'),
      last_attempt_at: time,
      cause_id: text('bench'),
    }),
    pages: {
      'first page': {},
      'state, few': { state: 'PARKED' },
      'responseCode, few': { responseCode: '500' },
      'jobId, few': { jobId: 'few' },
    },
  },
]

type Opened = FilledLog & { readonly server: Caller }

/**
 * Each list in databases of its own: the hub writes a row of the call log for every call, which
 * costs more in a log of a million rows, and would count against the other lists.
 */
async function compareSizes(
  bench: Bench,
  database: string,
  newDatabase?: () => Promise<string>,
): Promise<FigureRow[]> {
  const load = startChild<LoadVerbs>(bench, 'load')
  const rows: FigureRow[] = []
  for (const list of lists) {
    const open = async (many: number, name: string): Promise<Opened> => {
      const filled = await fillLog(bench, [list], many, await newDatabase?.())
      return { ...filled, server: await startCaller(bench, filled.place, name) }
    }
    const small = await open(1_000, `operating-${list.name}-small`)
    const large = await open(
      bench.options.quick ? 2_000 : 1_000_000,
      `operating-${list.name}-large`,
    )
    for (const page of Object.keys(list.pages)) {
      bench.say(`${database}: ${list.name}, ${page}`)
      const sides = {
        large: sideOf(load, large, list, page),
        small: sideOf(load, small, list, page),
      }
      rows.push(rowOf(database, list, page, await inTurn(bench, sides, 700)))
    }
    await Promise.all([small.server.stop(), large.server.stop()])
  }
  await load.stop()
  return rows
}

function sideOf(
  load: Child<LoadVerbs>,
  to: Opened,
  { name, path, pages }: List,
  page: string,
): Side {
  const asked = pages[page] ?? {}
  return async (milliseconds) => {
    const { port, headers } = to.server
    const query = new URLSearchParams(
      asked === 'nine tenths in'
        ? { navNext: await cursorAt(to, name, Math.floor(to.rows / 10)) }
        : asked,
    )
    const call = {
      port,
      headers,
      connections: 1,
      method: 'GET',
      path: `${path}?${query}`,
      milliseconds,
    }
    const { calls, seconds } = await load.ask('calls', call)
    return (seconds * 1_000) / calls
  }
}

const rowOf = (
  database: string,
  { path }: List,
  page: string,
  taken: Record<'large' | 'small', number[]>,
): FigureRow => ({
  figure: `GET ${path.slice(3)} at 1,000,000 against 1,000, ${database}: ${page}`,
  ours: `${median(taken.large).toFixed(2)} ms`,
  anchor: `${median(taken.small).toFixed(2)} ms`,
  measured: ratioOf(taken.large, taken.small),
  unit: 'x',
  target: { atMost: 1.5 },
})
