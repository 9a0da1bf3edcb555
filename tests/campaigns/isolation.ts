/**
 * Isolation between sites (contract, section 2) as a matrix: a stranger calls every endpoint, with
 * every id in its path and body and with the owner's Idempotency-Key; and checks that no single
 * call shows: who is notified of a move, who acknowledges, which number comes next. Each returns
 * its findings as sentences; there must be none.
 */
import { type Endpoint, type EndpointName, endpointNames, endpoints } from '@dragoman/contract'
import { startHub, type TestHub } from '../hub.ts'
import { type OutsideIssuer, startIssuer } from '../outside-issuer.ts'
import type { AttackedHub } from './attacked-hub.ts'
import { bodies, type Ids, keyOf, pathOf, queries } from './isolation-calls.ts'
import { axes, openStage, type Stage, sendJob, stageEnv } from './isolation-stage.ts'
import type { Counter, Tally } from './tally.ts'

export { axes, openStage, type Stage, stageEnv } from './isolation-stage.ts'

export const served = endpointNames
/** Ids that every site has, or has its own of. */
const same: EndpointName[] = ['findProviderType', 'changeAnalysisLevel', 'findReport']

/** Calls for operators alone: an admin is refused before any id is looked at. */
const isOperators = (name: EndpointName): boolean =>
  (endpoints[name].scope as Endpoint['scope']) === 'operator'

/** Every row of a site, except counters and short-lived rows. */
const tables = [
  'sites',
  'providers',
  'jobs',
  'job_labels',
  'requests',
  'files',
  'uploads',
  'source_contents',
  'support_assets',
  'tm_updates',
  'moves',
  'status_updates',
  'listeners',
  'deliveries',
  'tasks',
  'analysis_levels',
  'analysis_codes',
  'job_codes',
  'price_lists',
  'terms',
  'job_quotes',
  'memories',
  'person_roles',
  'comments',
  'corrections',
] as const

async function rowsOf({ hub, siteId }: Stage): Promise<string> {
  const { read } = hub.inner.db
  const found = tables.map(async (table) => {
    const rows = await read.selectFrom(table).selectAll().where('site_id', '=', siteId).execute()
    return [table, ...rows.map((row) => JSON.stringify(row)).sort()]
  })
  return (await Promise.all(found)).flat().join('\n')
}

/** The rows at the last check: after a read-only call the check waits for the next writing one. */
const seen = new WeakMap<Stage, string>()
/** An endpoint's response for unknown ids: the same for every stranger, so it is cached. */
const unknown = new WeakMap<
  TestHub,
  Map<EndpointName, Promise<{ status: number; code: unknown }>>
>()

/** What a stranger has sent so far: the call log of its own site shows it. */
const sentBy = new WeakMap<Stage, string>()

/** The same kinds of ids, all unknown. */
const nobody = (ids: Ids): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [
      name,
      name === 'uri' ? id : id.replace(/[a-z0-9]/gi, 'q'),
    ]),
  )

/**
 * What a stranger gets from one endpoint: the same response as for an unknown id, and no row
 * changes.
 */
export async function tryEndpoint(stage: Stage, name: EndpointName): Promise<string[]> {
  const { ids, told } = stage
  const [method = '', path = ''] = endpoints[name].call.split(' ')
  const ask = async (named: Ids) => {
    const body = bodies[name]?.(named)
    const to = pathOf(name, named)
    const { status, body: answer } = await stage.asStranger(method, to, {
      ...(body !== undefined && { body }),
      ...(queries[name] && { query: queries[name] }),
      ...(method === 'POST' && { key: keyOf(name) }),
    })
    const sent = `${to} ${JSON.stringify(body)}`
    const before = sentBy.get(stage) ?? ''
    sentBy.set(stage, before + sent)
    return {
      status,
      code: answer.code,
      text: JSON.stringify(answer),
      sent: name === 'listCalls' ? before : sent,
    }
  }
  const found: string[] = []
  if (!seen.has(stage)) seen.set(stage, await rowsOf(stage))
  const theirs = await ask(ids)
  const said = `${name} answered a stranger ${theirs.status} ${theirs.text.slice(0, 300)}`
  const after = method === 'GET' ? seen.get(stage) : await rowsOf(stage)
  if (after !== seen.get(stage))
    found.push(`${name}, or a GET before it, changed rows of the site for a stranger`)
  seen.set(stage, after ?? '')
  if (isOperators(name)) {
    if (theirs.status !== 403) found.push(`${said}; only an operator may call it`)
  } else if (/\{/.test(path) && !same.includes(name)) {
    const known = unknown.get(stage.hub) ?? new Map()
    unknown.set(stage.hub, known.set(name, known.get(name) ?? ask(nobody(ids))))
    const none = await known.get(name)
    if (theirs.status !== 404 || none.status !== 404 || theirs.code !== none.code)
      found.push(`${said}; for an id that does not exist it is ${none.status} ${none.code}`)
  }
  if (theirs.status >= 500) found.push(said)
  if (String(theirs.code).startsWith('IDEMPOTENCY')) found.push(`${said}: the key was the owner's`)
  // A refusal names the requested id, and nothing else.
  for (const id of told)
    if (theirs.text.includes(id) && !theirs.sent.includes(id)) found.push(`${said}: told ${id}`)
  return found
}

type Law = { readonly name: string; readonly holds: (stage: Stage) => Promise<string[]> }

/** Checks beyond single calls. They change both sites, so they run after the endpoints. */
export const laws: readonly Law[] = [
  {
    name: 'every POST of the table was made under a key',
    holds: async ({ keyed }) =>
      served
        .filter(
          (name) =>
            endpoints[name].call.startsWith('POST') && !keyed.has(name) && !isOperators(name),
        )
        .map((name) => `${name} was not made under a key: tell isolation-stage.ts how`),
  },
  {
    name: 'a cursor of one site is nothing to another',
    holds: async ({ cursors, asStranger }) => {
      const found: string[] = []
      for (const [name, cursor] of cursors) {
        const { status, body } = await asStranger('GET', pathOf(name, {}), {
          query: { navNext: cursor },
        })
        if (cursor === '' || body.code !== 'INVALID_CURSOR')
          found.push(`${name} took a cursor of the owner: ${status}`)
      }
      return found
    },
  },
  {
    name: 'a token of the owner is no token of the stranger',
    holds: async ({ hub, ownerToken }) => {
      const headers = { authorization: `Bearer ${ownerToken}` }
      const { status, body } = await hub.call<{ jobs?: { siteId: string }[] }>('GET', '/v2/jobs', {
        headers,
      })
      const sites = new Set(body.jobs?.map((job) => job.siteId))
      return status === 401 || (status === 200 && sites.size === 1)
        ? []
        : [`it showed ${status} ${[...sites]}`]
    },
  },
  {
    name: 'nobody hears of, acknowledges or counts what happens in the other site',
    holds: hearNothing,
  },
]

async function hearNothing({
  hub,
  ids,
  siteId,
  asStranger,
  asKeeper,
  receiver,
}: Stage): Promise<string[]> {
  const read = hub.inner.db.read
  const provider = await asStranger('POST', '/v2/providers', {
    body: { name: 'p', typeId: 'manual' },
  })
  for (const type of ['JOB_STATUS_UPDATED', 'REQUEST_STATUS_UPDATED']) {
    const body = { type, uri: receiver.url, onTmUpdateCreate: true }
    await asStranger('POST', '/v2/statusupdates/listeners', { body })
  }
  await asStranger('POST', '/v2/listeners', {
    body: { jobUri: receiver.url, assetTaskUri: receiver.url },
  })
  const cancel = async (by: typeof asKeeper, providerId: unknown, jobId: string) => {
    const { status } = await by('PATCH', `/v2/providers/${providerId}/jobs/${jobId}`, {
      body: { statusCode: 'CANCELLED' },
    })
    if (status !== 200) throw new Error(`not cancelled: ${status}`)
  }
  // The owner's job moves, then one of the stranger's own.
  await cancel(asKeeper, ids.providerId, ids.sentJobId ?? '')
  const own = await sendJob(asStranger, String(provider.body.id))
  await cancel(asStranger, provider.body.id, own.jobId)
  const found: string[] = []
  const deliveries = await read
    .selectFrom('deliveries')
    .innerJoin('listeners', 'listeners.listener_id', 'deliveries.listener_id')
    .innerJoin('jobs', 'jobs.job_id', 'deliveries.job_id')
    .select([
      'deliveries.event_type',
      'jobs.site_id as of',
      'listeners.site_id as to',
      'listeners.side',
    ])
    .execute()
  for (const { event_type, of, to, side } of deliveries)
    if (of !== to) found.push(`a ${side} listener of ${to} heard ${event_type} of a job of ${of}`)
  if (!deliveries.some(({ to }) => to !== siteId))
    found.push('the stranger did not even hear of the own job')
  const updates = await read
    .selectFrom('status_updates')
    .select(['site_id', 'sequence', 'acknowledged_at', 'job_id'])
    .where('job_id', 'in', [ids.sentJobId ?? '', own.jobId])
    .orderBy('sequence')
    .execute()
  const mine = updates.filter(({ job_id }) => job_id === ids.sentJobId)
  const theirs = updates.filter(({ job_id }) => job_id === own.jobId)
  if (mine.at(-1)?.acknowledged_at != null && mine.length < 4)
    found.push("the stranger's listener acknowledged the owner's update")
  if (mine.some(({ sequence }, at) => sequence !== at + 1))
    found.push(`the owner's numbers are ${numbers(mine)}`)
  if (theirs.some(({ sequence }, at) => sequence !== at + 1))
    found.push(`the stranger's numbers are ${numbers(theirs)}`)
  return found
}

const numbers = (updates: readonly { sequence: number }[]): string =>
  updates.map((one) => one.sequence).join(', ')

/** The whole matrix on hubs started with `stageEnv`, on any database. */
export async function tryWalls(
  hubs: readonly TestHub[],
  issuer: OutsideIssuer,
  tally: Counter,
): Promise<Tally> {
  for (const hub of hubs)
    for (const axis of axes) {
      const stage = await openStage(hub, issuer, axis)
      const note = (found: readonly string[]) => {
        tally.round()
        for (const says of found) tally.found(`${axis}, ${hub.inner.db.name}: ${says}`)
      }
      try {
        for (const name of served) note(await tryEndpoint(stage, name))
        for (const { holds } of laws) note(await holds(stage))
      } finally {
        await stage.close()
      }
    }
  return tally.end()
}

/**
 * The same as an attack. It starts its own hub: that one trusts an issuer, and removals apply at
 * once.
 */
export async function attackWalls(
  { database }: AttackedHub,
  _plan: unknown,
  tally: Counter,
): Promise<void> {
  const issuer = await startIssuer()
  const hub = await startHub({ database, profile: 'production', env: stageEnv(issuer) })
  try {
    await tryWalls([hub], issuer, tally)
  } finally {
    await hub.close()
    await issuer.close()
  }
}
