/**
 * F13: many jobs at once, each changed at random by several independent clients of both sides, on
 * every node. Everything the hub accepted must be a path of the lifecycle table, with one status
 * update per notifying move; a refused call must have moved nothing.
 */
import { randomUUID } from 'node:crypto'
import { archiveMoves, jobMoves, requestMoves } from '@dragoman/contract'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import type { Db } from '../../packages/server/src/store/database.ts'
import type { TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import type { Nodes } from '../two-nodes.ts'
import { findBrokenLaws } from './history-laws.ts'
import { chanceOf, nextStep, type Step, type Walked } from './history-walk.ts'
import { openReceiver } from './round-receiver.ts'
import { type Counter, openTally, type Tally } from './tally.ts'

export type HistoryPlan = {
  readonly jobs: number
  /** Of all walkers of a job together. */
  readonly calls: number
  readonly seed: number
  /** Number of jobs at the same time. */
  readonly atOnce?: number
}
export type HistoryTally = Tally & {
  readonly accepted: number
  readonly refused: number
  /** Moves of the table that never happened. */
  readonly unwalked: readonly string[]
}

const walkers = 3
const as = 'demo-connector'

export async function walkHistories(
  { hub, urls }: Pick<Nodes, 'hub' | 'urls'>,
  plan: HistoryPlan,
): Promise<HistoryTally> {
  const tally = openTally(
    `histories on ${hub.inner.db.name}, ${urls.length === 1 ? 'one node' : 'two nodes'}`,
  )
  const receiver = await openReceiver()
  const counts = { accepted: 0, refused: 0 }
  const refused = new Set<string>()
  const jobIds: string[] = []
  const tokens = new Map<string, string>()
  for (const client of [as, 'demo-provider']) tokens.set(client, await hub.token(client))

  const take = async (step: Step, url: string, causeId: string): Promise<void> => {
    if (step.before) await take(step.before, url, `${causeId}-before`)
    const answer = await fetch(`${url}/v2${step.path}`, {
      method: step.method,
      headers: {
        authorization: `Bearer ${tokens.get(step.as)}`,
        'x-request-id': causeId,
        ...(step.body && { 'content-type': 'application/json' }),
      },
      ...(step.body && { body: JSON.stringify(step.body) }),
    })
    const text = await answer.text()
    if (answer.status >= 500) tally.lost(`${step.name}: ${answer.status} ${text}`)
    else if (answer.ok) counts.accepted += 1
    else {
      counts.refused += 1
      refused.add(causeId)
    }
  }

  const walkOver = async (at: number, providers: readonly string[]): Promise<void> => {
    const walked = await makeJob(hub, at, providers)
    jobIds.push(walked.jobId)
    const walk = async (walker: number) => {
      const chance = chanceOf(plan.seed * 1_000_003 + at * walkers + walker)
      for (let call = walker; call < plan.calls; call += walkers) {
        const url = urls[(walker + call) % urls.length] ?? hub.url
        await take(nextStep(chance, walked), url, `walk-${at}-${walker}-${call}`)
      }
    }
    await Promise.all(Array.from({ length: walkers }, (_, walker) => walk(walker)))
    tally.round()
  }

  try {
    await listenTo(hub, receiver.url)
    const providers = await providersOf(hub)
    let next = 0
    const lane = async () => {
      for (let at = next++; at < plan.jobs; at = next++) await walkOver(at, providers)
    }
    await Promise.all(Array.from({ length: plan.atOnce ?? 16 }, lane))
    await comeToRest(hub, jobIds)
    const { read } = hub.inner.db
    for (const says of await findBrokenLaws(read, jobIds)) tally.lost(says)
    await holdCauses(read, refused, tally)
    await holdDeliveries(read, tally)
    for (const { what, says } of (await checkHub(hub.inner)).findings)
      tally.leaked(`dragoman check: ${what}: ${says}`)
    tally.figure(`${counts.accepted} calls accepted, ${counts.refused} refused`)
    return { ...tally.end(), ...counts, unwalked: await findUnwalked(read) }
  } finally {
    await receiver.close()
  }
}

async function listenTo(hub: TestHub, url: string): Promise<void> {
  for (const type of ['JOB_STATUS_UPDATED', 'REQUEST_STATUS_UPDATED']) {
    const { status } = await hub.call('POST', '/v2/statusupdates/listeners', {
      as,
      body: { uri: url, type },
    })
    if (status !== 201) throw new Error(`no listener: ${status}`)
  }
}

async function providersOf(hub: TestHub): Promise<string[]> {
  const { body } = await hub.call<{ providers: { id: string }[] }>('GET', '/v2/providers', { as })
  return body.providers.map(({ id }) => id)
}

/** Repeats under a key until the hub has time, as a client does. */
async function made<T>(hub: TestHub, path: string, body: unknown): Promise<T> {
  const headers = { 'idempotency-key': randomUUID() }
  for (;;) {
    const answer = await hub.call<T>('POST', path, { as, body, headers })
    if (answer.status < 300) return answer.body
    if (answer.status !== 503)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
}

async function makeJob(hub: TestHub, at: number, providers: readonly string[]): Promise<Walked> {
  const { jobId } = await made<{ jobId: string }>(hub, '/v2/jobs', { jobName: `history ${at}` })
  const { requests } = await made<{ requests: { requestId: string }[] }>(
    hub,
    `/v2/jobs/${jobId}/requests/add`,
    {
      requestName: 'kv',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de', 'fr-fr', 'es-es'],
      fields: [{ key: 'title', value: 'Good morning' }],
    },
  )
  return {
    jobId,
    requestIds: requests.map(({ requestId }) => requestId),
    providerId: providers[at % providers.length] ?? '',
    otherId: providers[(at + 1) % providers.length] ?? '',
  }
}

/** Waits for background work to end. */
async function comeToRest(hub: TestHub, jobIds: readonly string[]): Promise<void> {
  const of = new Set(jobIds)
  await until(
    'no task of the jobs is left',
    async () => {
      await hub.advance('1s')
      const tasks = await hub.inner.db.read.selectFrom('tasks').select('payload').execute()
      return !tasks.some(({ payload }) =>
        of.has((JSON.parse(payload) as { jobId?: string }).jobId ?? ''),
      )
    },
    120_000,
  )
}

/** A refused call caused nothing. */
async function holdCauses(read: Db, refused: ReadonlySet<string>, tally: Counter): Promise<void> {
  for (const table of ['moves', 'status_updates', 'deliveries'] as const) {
    const rows = await read.selectFrom(table).select('cause_id').execute()
    const wrong = new Set(
      rows.map(({ cause_id }) => cause_id).filter((causeId) => refused.has(causeId)),
    )
    for (const causeId of wrong)
      tally.doubled(`${causeId} was refused, and is the cause of ${table}`)
  }
}

/** Each update of requests was delivered once, those of a job in order. */
async function holdDeliveries(read: Db, tally: Counter): Promise<void> {
  const updates = await read.selectFrom('status_updates').selectAll().orderBy('sequence').execute()
  const deliveries = await read.selectFrom('deliveries').selectAll().orderBy('position').execute()
  const told = new Map<number, number>()
  const last = new Map<string, number>()
  for (const { sequence, event_type, job_id, state, delivery_id } of deliveries) {
    if (state !== 'DELIVERED') tally.lost(`delivery ${delivery_id} is ${state}`)
    if (sequence === null || event_type !== 'REQUEST_UPDATE') continue
    told.set(sequence, (told.get(sequence) ?? 0) + 1)
    if (sequence < (last.get(job_id) ?? 0))
      tally.doubled(`the deliveries of ${job_id} are not in order`)
    last.set(job_id, sequence)
  }
  const heard = ['IN_TRANSLATION', 'REVIEW_TRANSLATION', 'CANCELLED']
  for (const { sequence, request_ids, status, has_error } of updates) {
    if (request_ids === '[]' || !(has_error === 1 || heard.includes(status))) continue
    const many = told.get(sequence) ?? 0
    if (many === 0) tally.lost(`update ${sequence} was never delivered`)
    if (many > 1) tally.doubled(`update ${sequence} was delivered ${many} times`)
  }
}

async function findUnwalked(read: Db): Promise<string[]> {
  const rows = await read
    .selectFrom('moves')
    .select(['move', 'request_ids', 'from_status'])
    .distinct()
    .execute()
  const walked = new Set(
    rows.map((row) => `${row.request_ids === null ? 'job' : 'request'} ${row.move}`),
  )
  const all = [
    ...[...jobMoves, ...archiveMoves].map(({ on }) => `job ${on}`),
    ...requestMoves.map(({ on }) => `request ${on}`),
  ]
  return all.filter((one) => !walked.has(one))
}
