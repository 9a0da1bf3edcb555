/** A page of 50 jobs and a created job, against other servers that a team might use instead. */
import { readFile, writeFile } from 'node:fs/promises'
import { installPeer } from '../anchors.ts'
import { repository } from '../built.ts'
import { startChild } from '../child.ts'
import type { LoadVerbs } from '../children/load.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { fillJobs } from '../fill-jobs.ts'
import { inTurn, rate, ratioOf, type Side } from '../pairs.ts'
import { type FlatRow, type PeerServer, startDirectus, startPrism } from '../peer-server.ts'
import { type Callable, type Caller, callHub, createJob, newJob, startCaller } from '../server.ts'

const connections = 10
const many = 100_000

export const besideDirectus: Figure = {
  name: 'directus',
  says: 'a page of 50 and a created job on SQLite against Directus with a static token',
  run: async (bench) => {
    const command = await installPeer(bench, 'directus')
    if (!command) return []
    const ours = await startOurs(bench, 'directus')
    const { jobs } = ours.page
    const size = bench.options.quick ? 1_000 : many
    const rows = Array.from({ length: size }, (_, at) => flat(jobs[at % jobs.length] ?? {}))
    const server = await startDirectus(bench, command, rows)
    const items = '/items/jobs'
    const page = `${items}?limit=50&sort=-id`
    const { data } = await callHub<{ data: object[] }>(server, 'GET', page)
    if (data.length !== 50) throw new Error(`Directus gave a page of ${data.length}`)
    return compare(bench, ours, {
      server,
      says: 'Directus on SQLite',
      page,
      create: items,
      job: flat(newJob),
    })
  },
}

export const besidePrism: Figure = {
  name: 'prism',
  says: "a page of 50 and a created job on SQLite against Prism's mock of our own openapi.json",
  run: async (bench) => {
    const command = await installPeer(bench, 'prism')
    if (!command) return []
    const ours = await startOurs(bench, 'prism')
    const document = `${await bench.folder()}/openapi.json`
    await writeFile(document, await withExamples(ours.page, await createJob(ours.server)))
    const server = await startPrism(bench, command, document)
    const { jobs } = await callHub<{ jobs: object[] }>(server, 'GET', '/v2/jobs')
    if (jobs.length !== 50) throw new Error(`Prism gave a page of ${jobs.length}`)
    return compare(bench, ours, {
      server,
      says: "Prism's mock",
      page: '/v2/jobs',
      create: '/v2/jobs',
      job: newJob,
    })
  },
}

type Ours = { readonly server: Caller; readonly page: { readonly jobs: readonly object[] } }
type Peer = { server: PeerServer; says: string; page: string; create: string; job: object }

async function startOurs(bench: Bench, name: string): Promise<Ours> {
  const { place } = await fillJobs(bench, bench.options.quick ? 1_000 : many)
  const server = await startCaller(bench, place, name)
  return { server, page: await callHub(server, 'GET', '/v2/jobs') }
}

async function compare(bench: Bench, { server }: Ours, peer: Peer): Promise<FigureRow[]> {
  const load = startChild<LoadVerbs>(bench, 'load')
  const side =
    ({ port, headers }: Callable, path: string, job?: object): Side =>
    async (milliseconds) => {
      const call = { port, headers, connections, path, milliseconds }
      const body = job && { body: JSON.stringify(job) }
      const { calls, seconds } = await load.ask('calls', {
        ...call,
        method: job ? 'POST' : 'GET',
        ...body,
      })
      return calls / seconds
    }
  const taken = await inTurn(bench, {
    page: side(server, '/v2/jobs'),
    peerPage: side(peer.server, peer.page),
    create: side(server, '/v2/jobs', newJob),
    peerCreate: side(peer.server, peer.create, peer.job),
  })
  await Promise.all([server.stop(), peer.server.stop(), load.stop()])
  const row = (figure: string, ours: readonly number[], theirs: readonly number[]): FigureRow => ({
    figure: `${figure}, SQLite, against ${peer.says}`,
    ours: rate(ours),
    anchor: rate(theirs),
    measured: ratioOf(ours, theirs),
    unit: 'x',
  })
  return [
    row('GET /jobs, 50 of 100,000', taken.page, taken.peerPage),
    row('POST /jobs', taken.create, taken.peerCreate),
  ]
}

/**
 * Values that are not text or numbers are stored as JSON text. Aliases, which differ only in a
 * capital, are left out.
 */
const flat = (job: object): FlatRow =>
  Object.fromEntries(
    Object.entries(job)
      .filter(([name]) => !/^[A-Z]/.test(name))
      .map(([name, value]) => [
        name,
        ['string', 'number'].includes(typeof value) ? value : JSON.stringify(value),
      ]),
  )

type Answers = Record<string, { content: { 'application/json': { example?: unknown } } }>
type Document = { paths: Record<string, Record<string, { responses: Answers }>> }

/** Our document with our own responses as examples, so that Prism sends as many bytes as we do. */
async function withExamples(page: unknown, job: unknown): Promise<string> {
  const document = JSON.parse(
    await readFile(new URL('openapi.json', repository), 'utf8'),
  ) as Document
  const put = (method: string, status: string, example: unknown): void => {
    const content =
      document.paths['/v2/jobs']?.[method]?.responses[status]?.content['application/json']
    if (!content) throw new Error(`openapi.json has no ${status} of ${method} /v2/jobs`)
    content.example = example
  }
  put('get', '200', page)
  put('post', '201', job)
  return JSON.stringify(document)
}
