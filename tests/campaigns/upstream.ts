/**
 * Three hubs in a row, two nodes each on PostgreSQL. Jobs go from a connector at the first through
 * the second to the third and back, while random nodes of every hub are killed. Nothing may be lost
 * or doubled on any hub, and every request is delivered once, in the order of its job. The same
 * jobs straight to the third hub give what the way costs.
 */
import { type Connection, connect } from '@dragoman/sdk'
import { usePostgres } from '../postgres.ts'
import { type Balancer, openBalancer } from './balancer.ts'
import { disk } from './blob-place.ts'
import { chanceOf } from './history-walk.ts'
import { withTwoNodes } from './nodes.ts'
import type { SteadyHub } from './steady-hub.ts'
import { type Counter, openTally, type Tally } from './tally.ts'

export type UpstreamPlan = {
  readonly jobs: number
  /** Of nodes, spread over the time of the jobs. */
  readonly kills: number
  readonly seed: number
  readonly atOnce?: number
  readonly say?: (line: string) => void
}
export type UpstreamTally = Tally & { readonly killed: number }

type HubInRow = { readonly url: string; readonly nodes: readonly SteadyHub[] }
const languages = ['de-de', 'fr-fr']
const perJob = languages.length + 1

export async function killInARow(postgresUrl: string, plan: UpstreamPlan): Promise<UpstreamTally> {
  const tally = openTally('three hubs in a row, two nodes each', plan.say)
  usePostgres(postgresUrl)
  return withRow(postgresUrl, 3, async (row) => {
    const [front, middle, back] = row as [HubInRow, HubInRow, HubInRow]
    const pseudo = await providerNamed(clientOf(back, 'demo-connector'), 'Pseudo')
    const second = await leadTo(middle, back, pseudo)
    const first = await leadTo(front, middle, second)
    const direct = await runJobs(clientOf(back, 'demo-connector'), pseudo, {
      ...plan,
      prefix: 'direct',
      tally: openTally('direct'),
    })
    const killer = startKiller(row, plan)
    const across = await runJobs(clientOf(front, 'demo-connector'), first, {
      ...plan,
      prefix: 'across',
      tally,
    })
    const killed = await killer.stop()
    await holdAll(row, plan, tally)
    tally.figure(`${killed} kills`)
    tally.figure(`median ${across.medianMs} ms a job, direct ${direct.medianMs} ms`)
    tally.figure(
      `${across.perSecond.toFixed(1)} jobs a second, direct ${direct.perSecond.toFixed(1)}`,
    )
    return { ...tally.end(), killed }
  })
}

/** The hubs, each with both nodes behind one address. */
async function withRow<T>(
  postgresUrl: string,
  many: number,
  work: (row: HubInRow[]) => Promise<T>,
  row: HubInRow[] = [],
): Promise<T> {
  if (row.length === many) return work(row)
  let ports: readonly number[] = []
  const balancer: Balancer = await openBalancer(() => ports)
  const env = { ...disk.env, DRAGOMAN_PUBLIC_URL: balancer.url }
  try {
    return await withTwoNodes(postgresUrl, { ...disk, env }, (nodes) => {
      ports = nodes.map(({ port }) => port)
      return withRow(postgresUrl, many, work, [...row, { url: balancer.url, nodes }])
    })
  } finally {
    await balancer.close()
  }
}

const retry = { tries: 60, firstMs: 200, mostMs: 2_000 }
const clientOf = (
  { url }: HubInRow,
  clientId: string,
  clientSecret = `${clientId}-secret`,
): Connection => connect({ url, clientId, clientSecret, retry, timeoutMs: 20_000 })

const providerNamed = async (client: Connection, name: string): Promise<string> =>
  (await client.findProviderNamed(name)).id

async function leadTo(from: HubInRow, to: HubInRow, providerId: string): Promise<string> {
  const clientId = 'the-hub-before'
  const { clientSecret } = await clientOf(to, 'demo-admin').createClient({
    body: { clientId, scopes: ['content'] },
  })
  const config = { url: to.url, clientId, clientSecret, providerId, review: 'WAIT' }
  const { id } = await clientOf(from, 'demo-admin').createProvider({
    body: { name: 'On', typeId: 'upstream', config },
  })
  return id
}

type Run = UpstreamPlan & { readonly prefix: string; readonly tally: Counter }

async function runJobs(
  client: Connection,
  providerId: string,
  { jobs, atOnce = 8, prefix, tally }: Run,
) {
  const times: number[] = []
  const begun = performance.now()
  let next = 0
  const lane = async () => {
    for (let at = next++; at < jobs; at = next++) {
      const started = performance.now()
      await runOne(client, providerId, `${prefix} ${at}`, tally)
      times.push(performance.now() - started)
      tally.round()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  times.sort((a, b) => a - b)
  const seconds = (performance.now() - begun) / 1000
  return { medianMs: Math.round(times[times.length >> 1] ?? 0), perSecond: jobs / seconds }
}

/**
 * Creates, submits, waits, approves and completes one job, as a connector does that asks again and
 * again.
 */
async function runOne(
  client: Connection,
  providerId: string,
  jobName: string,
  tally: Counter,
): Promise<void> {
  const { jobId } = await client.createJob(
    { body: { jobName } },
    { key: jobName.replace(' ', '-') },
  )
  const params = { jobId }
  const source = 'en-us'
  const text = `Good morning, ${jobName}.`
  const bytes = new TextEncoder().encode(`<p>${text}</p>`)
  const { fmsFileId } = await client.upload(jobId, {
    name: 'page.html',
    size: bytes.length,
    read: async (start, end) => bytes.slice(start, end),
  })
  const body = {
    requests: [
      {
        requestName: 'texts',
        sourceNativeId: 't',
        sourceNativeLanguageCode: source,
        targetNativeLanguageCodes: [...languages],
        fields: [{ key: 'title', value: text }],
      },
      {
        requestName: 'page',
        sourceNativeId: 'p',
        sourceNativeLanguageCode: source,
        targetNativeLanguageCodes: ['de-de'],
        fmsFileId,
      },
    ],
  }
  await client.addRequests({ params, body }, { key: `${jobName.replace(' ', '-')}-requests` })
  await client.submitJob({ params, body: { providerId } })
  const requests = await waitFor(client, jobId, 'REVIEW_TRANSLATION')
  for (const request of requests) {
    const translated = await (await client.download({ jobId, requestId: request.requestId })).text()
    // Pseudo accents every letter: the digits of the name stay.
    if (!translated.includes(jobName.replace(/\D+/, '')))
      tally.lost(`${jobName}: ${request.requestName} has another text`)
  }
  await client.approve(
    jobId,
    requests.map(({ requestId }) => requestId),
  )
  await client.completeJob({ params })
}

async function waitFor(client: Connection, jobId: string, status: string) {
  for (;;) {
    const { requests } = await client.listRequests({ params: { jobId } })
    const failed = requests.find(({ hasError }) => hasError)
    if (failed) throw new Error(`${jobId}: ${failed.latestErrorMessage}`)
    if (requests.length === perJob && requests.every(({ statusCode }) => statusCode === status))
      return requests
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Kills one node after the other, of any hub, each as soon as the last one is back. */
function startKiller(row: readonly HubInRow[], { kills, seed }: UpstreamPlan) {
  const chance = chanceOf(seed)
  let stopped = false
  let killed = 0
  const run = (async () => {
    while (!stopped && killed < kills) {
      const hub = row[killed % row.length]
      const node = hub?.nodes[Math.floor(chance() * (hub?.nodes.length ?? 1))]
      await new Promise((resolve) => setTimeout(resolve, 500 + chance() * 2_000))
      if (stopped || !node) break
      await node.restart()
      killed += 1
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await run
      return killed
    },
  }
}

type Seen = { readonly jobName: string; readonly jobId: string; readonly statusCode: string }

/**
 * Every hub has each job once, with its requests, approved and completed; the first told of each
 * request once.
 */
async function holdAll(
  row: readonly HubInRow[],
  plan: UpstreamPlan,
  tally: Counter,
): Promise<void> {
  for (const [at, hub] of row.entries()) {
    const client = clientOf(hub, 'demo-admin')
    const names = new Map<string, Seen[]>()
    for (;;) {
      names.clear()
      for await (const job of client.each('listJobs')) {
        if (!job.jobName.startsWith('across ')) continue
        names.set(job.jobName, [...(names.get(job.jobName) ?? []), job])
      }
      const open = [...names.values()]
        .flat()
        .filter(({ statusCode }) => statusCode !== 'COMPLETED' && statusCode !== 'CREATED')
      if (open.length === 0) break
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    for (let job = 0; job < plan.jobs; job += 1) {
      const found = names.get(`across ${job}`) ?? []
      if (found.length === 0) tally.lost(`hub ${at + 1} does not have job ${job}`)
      if (found.length > 1) tally.doubled(`hub ${at + 1} has job ${job} ${found.length} times`)
      for (const { jobId } of found)
        await holdJob(client, jobId, `hub ${at + 1}, job ${job}`, tally)
    }
    for (const node of hub.nodes.slice(0, 1)) {
      const findings = await node.check()
      if (findings) tally.leaked(`hub ${at + 1}: dragoman check: ${findings.slice(0, 500)}`)
    }
  }
}

async function holdJob(
  client: Connection,
  jobId: string,
  name: string,
  tally: Counter,
): Promise<void> {
  const { requests } = await client.listRequests({ params: { jobId } })
  if (requests.length < perJob) tally.lost(`${name}: ${requests.length} requests`)
  if (requests.length > perJob) tally.doubled(`${name}: ${requests.length} requests`)
  const unlike = requests.filter(({ statusCode }) => statusCode !== 'TRANSLATION_APPROVED')
  if (unlike.length > 0) tally.lost(`${name}: a request is ${unlike[0]?.statusCode}`)
  const delivered = new Map<string, number>()
  let last = 0
  const { creatorId } = await client.findJob({ params: { jobId } })
  // Sequences are counted for each client.
  const query = { jobId: [jobId], client: creatorId, since: 0, acknowledged: 'all' as const }
  for await (const update of client.each('listStatusUpdates', { query })) {
    if ((update.sequence ?? 0) <= last)
      tally.found(`${name}: update ${update.sequence} came after ${last}`)
    last = update.sequence ?? 0
    if (update.hasError) tally.found(`${name}: ${update.errorMessage}`)
    for (const id of update.requestIds) delivered.set(id, (delivered.get(id) ?? 0) + 1)
  }
  for (const { requestId } of requests) {
    const many = delivered.get(requestId) ?? 0
    if (many === 0) tally.lost(`${name}: no update of a request`)
    if (many > 1) tally.doubled(`${name}: ${many} updates of a request`)
  }
}
