/**
 * Finds what a person has pasted or begun to type (the console's palette): a thing by any id, jobs by the beginning of a name or
 * a label, by an order number or a tracking id, providers, clients and people by name. A kind is looked for only if the caller may read
 * it, and only in the caller's site. Every look is one range of an index, so typing costs the same in a large site.
 */
import { type EndpointName, endpoints, type FoundThing, limits, rolesOf, type ThingKind } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { isId } from '../../store/ids.ts'
import { type Call, type Caller, noSite, sightOf } from '../access/caller.ts'
import * as rows from './find-rows.ts'

/** Who may read a thing may find it. */
const readBy = {
  job: 'findJob',
  request: 'findRequest',
  file: 'findJob',
  asset: 'findJob',
  tmupdate: 'findJob',
  update: 'findJob',
  delivery: 'findDelivery',
  listener: 'listSiteDeliveries',
  provider: 'findProvider',
  call: 'findCall',
  task: 'listTasks',
  client: 'listClients',
  person: 'listPeople',
} as const satisfies Record<ThingKind, EndpointName>
type Kind = keyof typeof readBy

type Look = { readonly db: Db; readonly siteId: string; readonly sight: string | undefined; readonly text: string }
type Finder = (look: Look) => Promise<readonly (FoundThing | undefined)[]>

export async function findThings(hub: Hub, call: Call, { q }: { q: string }): Promise<{ items: FoundThing[] }> {
  const text = q.trim()
  if (text === '') return { items: [] }
  const { caller } = call
  const look = { db: hub.engine.read, siteId: caller.siteId, sight: sightOf(call), text }
  const found = new Map<string, FoundThing>()
  for (const [kind, isHubs, find] of finders) {
    if (found.size >= limits.foundThings) break
    if (!mayRead(caller, kind) || (caller.siteId === noSite && !isHubs)) continue
    for (const thing of await find(look))
      if (thing && found.size < limits.foundThings) found.set(`${thing.kind} ${thing.id}`, thing)
  }
  return { items: [...found.values()] }
}

const mayRead = ({ person }: Caller, kind: Kind): boolean =>
  person?.roles.some((role) => rolesOf(endpoints[readBy[kind]]).includes(role)) ?? false

const one =
  <Row>(
    fits: (text: string) => boolean,
    find: (look: Look) => Promise<Row | undefined>,
    describe: (row: Row, text: string) => FoundThing,
  ): Finder =>
  async (look) => {
    const row = fits(look.text) ? await find(look) : undefined
    return row ? [describe(row, look.text)] : []
  }

const isJobId = (text: string): boolean => /^[A-Za-z0-9]{10}$/.test(text)
const isUuid = (text: string): boolean => /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(text)
const isTrace = (text: string): boolean =>
  text.length <= limits.traceIdCharacters && /^[A-Za-z0-9._-]+$/.test(text) && text.length > 3
const taskNumber = (text: string): number => Number(/^(?:task:)?(\d{1,15})$/.exec(text)?.[1] ?? Number.NaN)

/** Jobs whose requests are tried by their id. */
const newestJobs = 10_000
const archives = [0, 1] as const

type JobFound = { job_id: string; job_name: string; status: string }
const jobThing = (job: JobFound): FoundThing => ({
  kind: 'job',
  id: job.job_id,
  title: job.job_name,
  jobId: job.job_id,
  statusCode: job.status,
})

/** Ids first. The second column: an operator finds it too, in all sites. */
const finders: readonly (readonly [Kind, boolean, Finder])[] = [
  ['job', false, one(isJobId, ({ db, siteId, text }) => rows.jobById(db, siteId, text), jobThing)],
  [
    'delivery',
    true,
    one(
      isId,
      ({ db, sight, text }) => rows.deliveryById(db, sight, text),
      (row, id) => ({ kind: 'delivery', id, title: `${row.event_type} ${hostOf(row.uri)}`, jobId: row.job_id }),
    ),
  ],
  [
    'listener',
    true,
    one(
      isId,
      ({ db, sight, text }) => rows.listenerById(db, sight, text),
      (row, id) => ({ kind: 'listener', id, title: `${row.type} ${hostOf(row.job_uri ?? row.request_uri ?? '')}` }),
    ),
  ],
  [
    'update',
    false,
    one(
      isId,
      ({ db, siteId, text }) => rows.updateById(db, siteId, text),
      (row, id) => ({ kind: 'update', id, title: `${row.sequence} ${row.status}`, jobId: row.job_id }),
    ),
  ],
  [
    'asset',
    false,
    one(
      isId,
      ({ db, siteId, text }) => rows.assetById(db, siteId, text),
      (row, id) => ({ kind: 'asset', id, title: row.description ?? id, jobId: row.job_id }),
    ),
  ],
  [
    'tmupdate',
    false,
    one(
      isId,
      ({ db, siteId, text }) => rows.tmUpdateById(db, siteId, text),
      (row, id) => ({
        kind: 'tmupdate',
        id,
        title: `${row.source_language} ${row.target_language}`,
        jobId: row.job_id,
      }),
    ),
  ],
  [
    'request',
    false,
    one(
      isId,
      async ({ db, siteId, text }) => {
        for (const archived of archives) {
          const row = await rows.requestOfNewest(db, siteId, text, { archived, limit: newestJobs })
          if (row) return row
        }
        return undefined
      },
      (row, id) => ({
        kind: 'request',
        id,
        title: `${row.request_name} ${row.target_language}`,
        jobId: row.job_id,
        statusCode: row.status,
      }),
    ),
  ],
  [
    'file',
    false,
    one(
      isUuid,
      ({ db, siteId, text }) => rows.fileById(db, siteId, text.toLowerCase()),
      (row, id) => ({ kind: 'file', id: id.toLowerCase(), title: row.name, jobId: row.job_id }),
    ),
  ],
  [
    'task',
    true,
    one(
      (text) => !Number.isNaN(taskNumber(text)),
      ({ db, sight, text }) => rows.taskById(db, sight, taskNumber(text)),
      (row, text) => ({
        kind: 'task',
        id: String(taskNumber(text)),
        title: row.name,
        ...(row.job_id !== null && { jobId: row.job_id }),
      }),
    ),
  ],
  [
    'call',
    true,
    one(
      isTrace,
      ({ db, sight, text }) => rows.callByTrace(db, sight, text),
      (row, id) => ({
        kind: 'call',
        id,
        title: [row.method, row.route, row.status, row.error_code].filter((part) => part !== null).join(' '),
        ...(row.job_id !== null && { jobId: row.job_id }),
      }),
    ),
  ],
  ['job', false, jobsByName],
  ['provider', false, providersByName],
  [
    'client',
    true,
    async ({ db, sight, text }) => {
      const found = await rows.clientsNamed(db, sight, text, limits.foundThings)
      return found.map(({ client_id }) => ({ kind: 'client', id: client_id, title: client_id }))
    },
  ],
  ['person', true, peopleByName],
]

async function jobsByName({ db, siteId, text }: Look): Promise<FoundThing[]> {
  const limit = limits.foundThings
  const found: JobFound[] = []
  for (const archived of archives) {
    for (const column of ['po_reference', 'global_tracking_id'] as const)
      found.push(...(await rows.jobsReferred(db, siteId, column, text, { archived, limit })))
    for (const start of spellings(text)) found.push(...(await rows.jobsNamed(db, siteId, start, { archived, limit })))
    if (found.length >= limit) break
  }
  if (found.length < limit) found.push(...(await jobsByLabel(db, siteId, text)))
  return found.map(jobThing)
}

async function jobsByLabel(db: Db, siteId: string, text: string): Promise<JobFound[]> {
  const at = text.search(/[:=]/)
  const label = at > 0 ? { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() } : { start: text }
  return rows.jobsById(db, siteId, await rows.jobsLabelled(db, siteId, label, limits.foundThings))
}

/** An index compares letter by letter: the usual ways to write the beginning are each tried. */
function spellings(text: string): string[] {
  const lower = text.toLowerCase()
  const first = [...text][0] ?? ''
  const rest = text.slice(first.length)
  return [
    ...new Set([text, lower, first.toUpperCase() + rest, first.toUpperCase() + rest.toLowerCase(), text.toUpperCase()]),
  ]
}

async function providersByName({ db, siteId, text }: Look): Promise<FoundThing[]> {
  const wanted = text.toLowerCase()
  return (await rows.providersOf(db, siteId))
    .filter(({ provider_id, name }) => provider_id === text || name.toLowerCase().includes(wanted))
    .map(({ provider_id, name }) => ({ kind: 'provider', id: provider_id, title: name }))
}

/** By a part of the name, or the beginning of the address. */
async function peopleByName({ db, sight, text }: Look): Promise<FoundThing[]> {
  const wanted = text.toLowerCase()
  return (await rows.newestPeople(db, sight))
    .filter(
      ({ person_id, name, email }) =>
        person_id === text || name.toLowerCase().includes(wanted) || email?.startsWith(wanted),
    )
    .map(({ person_id, name }) => ({ kind: 'person', id: person_id, title: name }))
}

const hostOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).host : '')
