/**
 * The desk with 5,000 segments of one request: its first page, and one draft saved against a bare
 * commit of its row.
 */
import { startChild } from '../child.ts'
import type { LoadVerbs } from '../children/load.ts'
import type { RawPostgresVerbs } from '../children/raw-postgres.ts'
import type { RawSqliteVerbs } from '../children/raw-sqlite.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { inTurn, measuredOf, median, ratioOf, type Side } from '../pairs.ts'
import { seeded, sentence } from '../sentences.ts'
import { type Caller, callHub, createJob, newPlace, startCaller, untilThere } from '../server.ts'

const languages = { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCodes: ['de-DE'] }
/** The size of the row of a draft with a sentence. */
const rowBytes = 400

export const segmentsOnSqlite: Figure = {
  name: 'segments-sqlite',
  says: 'the first page of 5,000 segments, and one draft saved against a bare commit, on SQLite',
  run: async (bench) => {
    const raw = startChild<RawSqliteVerbs>(bench, 'raw-sqlite')
    await raw.ask('open', { file: `${await bench.folder()}/raw.db`, rowBytes })
    const rows = await measure(bench, 'SQLite', (milliseconds) => raw.ask('commits', milliseconds))
    await raw.stop()
    return rows
  },
}

export const segmentsOnPostgres: Figure = {
  name: 'segments-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) => {
    const postgres = await bench.postgres()
    const raw = startChild<RawPostgresVerbs>(bench, 'raw-postgres')
    await raw.ask('open', { url: await postgres.createDatabase(), rowBytes, connections: 1 })
    const commits: Side = (milliseconds) => raw.ask('commits', milliseconds)
    const rows = await measure(bench, 'PostgreSQL', commits, await postgres.createDatabase())
    await raw.stop()
    return rows
  },
}

type Segment = { readonly segmentId: string }

async function measure(
  bench: Bench,
  database: string,
  commits: Side,
  databaseUrl?: string,
): Promise<FigureRow[]> {
  const many = bench.options.quick ? 50 : 5_000
  const caller = await startCaller(
    bench,
    await newPlace(bench, databaseUrl),
    `segments-${database.toLowerCase()}`,
  )
  const path = await openTask(caller, many)
  const firstPage = () => callHub<{ segments: Segment[] }>(caller, 'GET', `${path}/segments`)
  const page: Side = async (milliseconds) => {
    const taken: number[] = []
    for (const end = performance.now() + milliseconds; performance.now() < end; ) {
      const begun = performance.now()
      await firstPage()
      taken.push((performance.now() - begun) / 1_000)
    }
    return median(taken)
  }
  const paths = (await firstPage()).segments.map(({ segmentId }) => `${path}/segments/${segmentId}`)
  const load = startChild<LoadVerbs>(bench, 'load')
  let version = 0
  const saves: Side = async (milliseconds) => {
    let [saved, seconds] = [0, 0]
    for (; seconds * 1_000 < milliseconds; version += 1) {
      const draft = {
        target: [`Ein Satz, zum ${version + 1}. Mal geschrieben.`],
        state: 'DRAFT',
        version,
      }
      const { port, headers } = caller
      const call = {
        port,
        headers,
        connections: 1,
        method: 'PUT',
        path: paths,
        body: JSON.stringify(draft),
      }
      const round = await load.ask('calls', { ...call, milliseconds: 60_000, most: paths.length })
      saved += round.calls
      seconds += round.seconds
    }
    return saved / seconds
  }
  const taken = await inTurn(bench, { page, saves, commits })
  await Promise.all([caller.stop(), load.stop()])
  const milliseconds = (rates: readonly number[]) => `${(1_000 / median(rates)).toFixed(1)} ms`
  return [
    {
      figure: `First page of ${many.toLocaleString('en')} segments, ${database}`,
      ours: `${(median(taken.page) * 1_000).toFixed(0)} ms`,
      anchor: '',
      measured: measuredOf(taken.page),
      unit: 's',
      target: { atMost: 0.1 },
    },
    {
      figure: `PUT of one segment of ${many.toLocaleString('en')}, ${database}: times a bare commit`,
      ours: milliseconds(taken.saves),
      anchor: milliseconds(taken.commits),
      measured: ratioOf(taken.commits, taken.saves),
      unit: 'x',
      target: { atMost: 3 },
    },
  ]
}

/** The path of a task with this many segments at a provider. */
async function openTask(caller: Caller, many: number): Promise<string> {
  const { id } = await callHub<{ id: string }>(caller, 'POST', '/v2/providers', {
    name: 'Desk',
    typeId: 'manual',
  })
  const { jobId } = await createJob(caller)
  const draw = seeded(3)
  const fields = Array.from({ length: many }, (_, at) => ({
    key: `text.${at}`,
    value: sentence(draw),
  }))
  const request = { requestName: 'Texts', sourceNativeId: 'texts', ...languages, fields }
  const added = { requests: [request] }
  type Added = { requests: { requestId: string }[] }
  const { requests } = await callHub<Added>(caller, 'POST', `/v2/jobs/${jobId}/requests/add`, added)
  await callHub(caller, 'PUT', `/v2/jobs/${jobId}/submit`, { providerId: id })
  const path = `/v2/providers/${id}/jobs/${jobId}/assetTasks/${requests[0]?.requestId}`
  await untilThere(caller, path)
  return path
}
