/**
 * The setup for isolation between sites: a site with one of everything, created by its owner with
 * an Idempotency-Key on every POST, and a stranger of another site, who resembles the owner as far
 * as the axis says.
 */
import { randomBytes } from 'node:crypto'
import type { EndpointName } from '@dragoman/contract'
import { openSession } from '../../packages/server/src/domain/people/sessions.ts'
import { dismissClient, enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import type { Answer, Env, TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import type { OutsideIssuer } from '../outside-issuer.ts'
import { parkTask } from '../parked-task.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import {
  type Body,
  bodies,
  type Ids,
  keyOf,
  making,
  pathOf,
  queries,
  request,
} from './isolation-calls.ts'

/** Who the stranger is. */
export const axes = [
  'another client id',
  'the same client id, added again',
  'the same client id, by an issuer',
] as const
export type Axis = (typeof axes)[number]

/** The hub's configuration for these tests. */
export const stageEnv = (issuer: OutsideIssuer): Env => ({
  ...issuer.env,
  DRAGOMAN_RATE_LIMIT: 'off',
  DRAGOMAN_LISTENER_ALLOW: '127.0.0.1',
})

type More = {
  readonly body?: unknown
  readonly query?: Record<string, string>
  readonly key?: string
}
export type Caller = (method: string, path: string, more?: More) => Promise<Answer<Body>>

export type Stage = {
  readonly hub: TestHub
  readonly siteId: string
  /** The owner's ids, by path parameter. */
  readonly ids: Ids
  /** Every id in the owner's responses. */
  readonly told: ReadonlySet<string>
  /** The POSTs that were answered under a key. */
  readonly keyed: ReadonlySet<EndpointName>
  /** The cursors of the owner's lists. */
  readonly cursors: ReadonlyMap<EndpointName, string>
  /** The owner's token from before any removal. */
  readonly ownerToken: string
  readonly asStranger: Caller
  /** An admin of the owner's site, who stays. */
  readonly asKeeper: Caller
  readonly receiver: Receiver
  close(): Promise<void>
}

export async function openStage(hub: TestHub, issuer: OutsideIssuer, axis: Axis): Promise<Stage> {
  const receiver = await startReceiver()
  try {
    return await setUp(hub, issuer, axis, receiver)
  } catch (error) {
    await receiver.close()
    throw error
  }
}

async function setUp(
  hub: TestHub,
  issuer: OutsideIssuer,
  axis: Axis,
  receiver: Receiver,
): Promise<Stage> {
  const mark = randomBytes(4).toString('hex')
  const [siteId, otherId] = [`walls-${mark}`, `beyond-${mark}`]
  const told = new Set<string>()
  const callerOf =
    (token: string, hear: (text: string) => void = () => {}): Caller =>
    async (method, path, { body, query, key } = {}) => {
      const headers = { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) }
      const answer = await hub.call<Body>(method, path, {
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-type': typeOf(body) }),
        },
        ...(body !== undefined && { body }),
        ...(query && { query }),
      })
      hear(JSON.stringify(answer.body))
      return answer
    }
  const enrol = async (site: string, clientId: string): Promise<string> => {
    const { secret } = await enrolClient(hub.inner, { siteId: site, clientId, scopes: ['admin'] })
    return hub.token(clientId, secret)
  }
  const keeper = await enrol(siteId, `keeper-${mark}`)
  const neighbour = await enrol(otherId, `neighbour-${mark}`)
  const same = `same-${mark}`
  const byIssuer = (site: string) => issuer.sign(site, same, 'admin', hub.inner.clock.now())
  const ownerToken =
    axis === 'the same client id, by an issuer' ? await byIssuer(siteId) : await enrol(siteId, same)
  const asOwner = callerOf(ownerToken, (text) => {
    for (const [id] of text.matchAll(/(?<=")([\w-]{22}|[\da-f-]{36})(?=")/g)) told.add(id)
    for (const [, id = ''] of text.matchAll(/"jobId":"(\w{10})"/g)) told.add(id)
  })
  const made = await makeEverything(asOwner, receiver.url, hub, siteId)
  const ids = { ...made.ids, clientId: `keeper-${mark}` }
  const strangerToken = async (): Promise<string> => {
    if (axis === 'another client id') return neighbour
    if (axis === 'the same client id, by an issuer') return byIssuer(otherId)
    await dismissClient(hub.inner, same)
    return enrol(otherId, same)
  }
  return {
    ...{ ...made, hub, siteId, ids, told, ownerToken, receiver },
    asStranger: callerOf(await strangerToken()),
    asKeeper: callerOf(keeper),
    close: () => receiver.close(),
  }
}

const typeOf = (body: unknown): string =>
  typeof body === 'string'
    ? 'text/csv'
    : ArrayBuffer.isView(body)
      ? 'application/zip'
      : 'application/json'

/** A call of the site that the call log has; there is more than one. */
const traceIn = (hub: TestHub, siteId: string): Promise<string> =>
  until('calls are in the log', async () => {
    const calls = hub.inner.db.read
      .selectFrom('calls')
      .select('trace_id')
      .where('site_id', '=', siteId)
    return (await calls.limit(2).execute())[1]?.trace_id
  })

async function makeEverything(owner: Caller, uri: string, hub: TestHub, siteId: string) {
  const ids: Record<string, string> = {
    uri,
    typeId: 'manual',
    level: '1',
    report: 'money',
    taskId: await parkTask(hub, { site_id: siteId }),
  }
  const keyed = new Set<EndpointName>()
  for (const [name, learn] of making) {
    if (name === 'createTranslatedFile')
      Object.assign(ids, await sendTwo(owner, ids.providerId ?? ''))
    if (name === 'claimAssetTask') Object.assign(ids, await openDesk(owner, ids))
    if (name === 'remedyFinding') ids.findingId = await parkAndFind(owner, hub, siteId)
    const body = bodies[name]?.(ids)
    const answer = await owner('POST', pathOf(name, ids), {
      ...(body !== undefined && { body }),
      ...(queries[name] && { query: queries[name] }),
      key: keyOf(name),
    })
    if (answer.status >= 300)
      throw new Error(`${name} answered ${answer.status} ${JSON.stringify(answer.body)}`)
    keyed.add(name)
    Object.assign(ids, learn(answer.body))
    const url = answer.body.fmsPostMultipartUrl
    if (name === 'createSourceFile') await upload(String(url))
  }
  for (const name of ['createJob', 'createProvider', 'createPriceList'] as const)
    await owner('POST', pathOf(name, ids), { body: bodies[name]?.(ids) })
  await owner('POST', '/v2/people', {
    body: { name: 'x', email: `second-${ids.jobId}@example.org`, sites: [{ roles: ['viewer'] }] },
  })
  await until('nothing is under way', async () => {
    const tasks = hub.inner.db.read
      .selectFrom('tasks')
      .select('task_id')
      .where('site_id', '=', siteId)
    return (await tasks.execute()).length === 0
  })
  ids.sessionId = await openConsole(hub, ids.personId ?? '')
  // It stays, so that there is something to find.
  ids.taskId = await parkTask(hub, { site_id: siteId })
  const traceId = await traceIn(hub, siteId)
  const cursors = new Map<EndpointName, string>()
  const lists = [
    ...(['listJobs', 'listProviders', 'listPriceLists', 'listStatusUpdates'] as const),
    ...(['listSiteDeliveries', 'listCalls', 'listAudit', 'listPeople'] as const),
  ]
  for (const name of lists) {
    const { body } = await owner('GET', pathOf(name, ids), { query: { pageSize: '1' } })
    cursors.set(name, String((body.pagination as Body | undefined)?.navNext ?? body.next ?? ''))
  }
  return { ids: { ...ids, traceId }, keyed, cursors }
}

/** A translator of the provider, and a segment of the task that is translated. */
async function openDesk(
  owner: Caller,
  ids: Record<string, string>,
): Promise<Record<string, string>> {
  const person = await owner('POST', '/v2/people', {
    body: {
      name: 'x',
      email: `third-${ids.jobId}@example.org`,
      sites: [{ roles: ['translator'], providers: [ids.providerId] }],
    },
  })
  const { body } = await owner('GET', pathOf('listSegments', ids))
  const segmentId = (body.segments as { segmentId: string }[])[0]?.segmentId ?? ''
  const written = { ...ids, segmentId }
  const { status } = await owner('PUT', pathOf('changeSegment', written), {
    body: bodies.changeSegment?.(written),
  })
  if (status !== 200) throw new Error(`a segment was not written: ${status}`)
  return { segmentId, translatorId: String(person.body.personId) }
}

/** A console session of the person. */
async function openConsole({ inner: hub }: TestHub, personId: string): Promise<string> {
  const { session } = await hub.db.transact(async (tx) => {
    const person = await tx
      .selectFrom('people')
      .selectAll()
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow()
    return openSession(hub, tx, person, { address: '127.0.0.1' })
  })
  return session.session_id
}

/** A parked task, and the id of its finding. */
async function parkAndFind(owner: Caller, hub: TestHub, siteId: string): Promise<string> {
  await parkTask(hub, { site_id: siteId })
  const { body } = await owner('GET', '/v2/findings', { query: { rule: 'parked-task' } })
  return (body.findings as { findingId: string }[])[0]?.findingId ?? ''
}

/** Two requests at the provider, both failed: two updates for the owner. */
async function sendTwo(owner: Caller, providerId: string): Promise<Record<string, string>> {
  const sent = await sendJob(owner, providerId)
  for (const errorMessage of ['first', 'second'])
    await owner('PATCH', `/v2/providers/${providerId}/jobs/${sent.jobId}`, {
      body: { hasError: true, errorMessage },
    })
  const { body } = await owner('GET', '/v2/statusupdates')
  const updates = body.statusupdates as { updateId: string }[]
  if (updates.length < 2) throw new Error(`there are no updates: ${JSON.stringify(body)}`)
  return {
    updateId: updates[0]?.updateId ?? '',
    sentJobId: sent.jobId,
    assetTaskId: sent.requestId,
  }
}

/** A job with one request that its provider has. */
export async function sendJob(
  by: Caller,
  providerId: string,
): Promise<{ jobId: string; requestId: string }> {
  const job = await by('POST', '/v2/jobs', { body: { jobName: 'sent' } })
  const jobId = String(job.body.jobId)
  const added = await by('POST', `/v2/jobs/${jobId}/requests/add`, {
    body: request({ fields: [{ key: 'a', value: 'b' }] }),
  })
  const submitted = await by('PUT', `/v2/jobs/${jobId}/submit`, { body: { providerId } })
  if (submitted.status !== 200) throw new Error(`not submitted: ${JSON.stringify(submitted.body)}`)
  await until('the provider has the job', async () => {
    const { body } = await by('GET', `/v2/jobs/${jobId}`)
    return body.statusCode === 'SENT_TO_PROVIDER'
  })
  return { jobId, requestId: String((added.body.requests as Body[])[0]?.requestId) }
}

async function upload(url: string): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob(['text']), 'a.txt')
  const { status } = await fetch(url, { method: 'POST', body: form })
  if (status !== 201) throw new Error(`the upload answered ${status}`)
}
