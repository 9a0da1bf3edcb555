/**
 * Finds what a person has pasted or begun to type (the console's palette): a thing by any id, jobs
 * by words of their name, references and labels, the newest first, providers, clients and people by
 * name; each says what of it matched. A kind is looked for only if the caller may read it, and only
 * in the caller's site. Ids are looked up in an index; words are looked for in the newest jobs.
 */
import {
  type Endpoint,
  type EndpointName,
  endpoints,
  type FoundThing,
  filterOfWords,
  limits,
  rolesOf,
  type ThingKind,
  wordsIn,
} from '@dragoman/contract'
import { withoutCase } from '@dragoman/text/characters'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { isId } from '../../../store/ids.ts'
import type { Tables } from '../../../store/tables.ts'
import { type Call, type Caller, noSite, sightOf } from '../../access/caller.ts'
import { openNote } from '../../files/seals/notes.ts'
import { parseFilter } from '../../jobs/filter.ts'
import { newestJobs } from '../../jobs/list-jobs.ts'
import { isWork } from '../../jobs/work.ts'
import * as rows from './find-rows.ts'

/** Whoever may read a thing may find it. */
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

type Look = {
  readonly hub: Hub
  readonly db: Db
  readonly siteId: string
  readonly sight: string | undefined
  readonly text: string
  readonly caller: Caller
}
/** By its name, if nothing is said. */
type Shown = Omit<FoundThing, 'kind' | 'by'> & Partial<Pick<FoundThing, 'by'>>
type Finder = (look: Look) => Promise<readonly Shown[]>

export async function findThings(
  hub: Hub,
  call: Call,
  { q }: { q: string },
): Promise<{ items: FoundThing[] }> {
  const text = q.trim()
  if (text === '') return { items: [] }
  const { caller } = call
  const look = {
    hub,
    db: hub.db.read,
    siteId: caller.siteId,
    sight: sightOf(call),
    text,
    caller,
  }
  const found = new Map<string, FoundThing>()
  for (const [kind, isHubs, find] of finders) {
    if (found.size >= limits.foundThings) break
    if (!mayRead(caller, kind) || (caller.siteId === noSite && !isHubs)) continue
    for (const thing of await seenBy(hub, caller, kind, await find(look)))
      if (found.size < limits.foundThings)
        found.set(`${kind} ${thing.id}`, { kind, by: 'name', ...thing })
  }
  return { items: [...found.values()] }
}

/**
 * Of a caller who is limited to some work: that of its jobs, requests and contents, and its
 * providers.
 */
async function seenBy(
  hub: Hub,
  caller: Caller,
  kind: Kind,
  things: readonly Shown[],
): Promise<readonly Shown[]> {
  const { work } = caller
  if (!work) return things
  if (kind === 'provider') return things.filter(({ id }) => work.providerIds.includes(id))
  const seen: Shown[] = []
  for (const thing of things) {
    const { jobId, id } = thing
    const params = {
      jobId,
      ...(kind === 'request' && { requestId: id }),
      ...(kind === 'file' && { fileId: id }),
    }
    const isSeen = jobId !== undefined && kind !== 'update' && kind !== 'tmupdate'
    if (isSeen && (await isWork(hub, { caller, traceId: '' }, { params }))) seen.push(thing)
  }
  return seen
}

function mayRead({ person, work }: Caller, kind: Kind): boolean {
  const row: Endpoint = endpoints[readBy[kind]]
  return (
    (!work || row.work === true) &&
    (person?.roles.some((role) => rolesOf(row).includes(role)) ?? false)
  )
}

/** A thing by its id, if the text can be one. */
const byId =
  <T extends keyof Tables, C extends keyof rows.RowOf<T>>(
    idOf: (text: string) => string | number | undefined,
    from: rows.Keyed<T, C>,
    describe: (row: Pick<rows.RowOf<T>, C>, hub: Hub) => Omit<Shown, 'id'>,
  ): Finder =>
  async ({ hub, db, sight, text }) => {
    const id = idOf(text)
    const row = id === undefined ? undefined : await rows.rowById(db, sight, from, id)
    return row ? [{ id: String(id), by: 'id', ...describe(row, hub) }] : []
  }

const matching =
  (pattern: RegExp) =>
  (text: string): string | undefined =>
    pattern.test(text) ? text : undefined
const jobId = matching(/^[A-Za-z0-9]{10}$/)
const uuid = (text: string): string | undefined =>
  matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)(text.toLowerCase())
const randomId = (text: string): string | undefined => (isId(text) ? text : undefined)
const traceId = (text: string): string | undefined =>
  text.length > 3 && text.length <= limits.traceIdCharacters
    ? matching(/^[A-Za-z0-9._-]+$/)(text)
    : undefined
const taskNumber = (text: string): number | undefined => {
  const digits = /^(?:task:)?(\d{1,15})$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Jobs whose requests are tried by their id, and whose texts are read: typing costs no more in a
 * larger site.
 */
const jobsRead = 10_000
const archives = [0, 1] as const

type JobFound = { job_id: string; job_name: string; status: string }
const jobThing = (job: JobFound): Shown => ({
  id: job.job_id,
  title: job.job_name,
  jobId: job.job_id,
  statusCode: job.status,
})
const { keyed } = rows
const ofJob = (jobId: string | null): { jobId?: string } => (jobId === null ? {} : { jobId })

/** Ids first. The second column: an operator finds it too, in all sites. */
const finders: readonly (readonly [Kind, boolean, Finder])[] = [
  ['job', false, byId(jobId, keyed.job, jobThing)],
  [
    'delivery',
    true,
    byId(randomId, keyed.delivery, ({ event_type, uri, job_id }) => ({
      title: `${event_type} ${hostOf(uri)}`,
      jobId: job_id,
    })),
  ],
  [
    'listener',
    true,
    byId(randomId, keyed.listener, ({ type, job_uri, request_uri }) => ({
      title: `${type} ${hostOf(job_uri ?? request_uri ?? '')}`,
    })),
  ],
  [
    'update',
    false,
    byId(randomId, keyed.update, ({ sequence, status, job_id }) => ({
      title: `${sequence} ${status}`,
      jobId: job_id,
    })),
  ],
  [
    'asset',
    false,
    byId(randomId, keyed.asset, ({ asset_id, job_id, description }, hub) => ({
      title: openNote(hub, description) ?? asset_id,
      jobId: job_id,
    })),
  ],
  [
    'tmupdate',
    false,
    byId(randomId, keyed.tmupdate, (row) => ({
      title: `${row.source_language} ${row.target_language}`,
      jobId: row.job_id,
    })),
  ],
  ['request', false, requestById],
  ['file', false, byId(uuid, keyed.file, ({ name, job_id }) => ({ title: name, jobId: job_id }))],
  [
    'task',
    true,
    byId(taskNumber, keyed.task, ({ name, job_id }) => ({ title: name, ...ofJob(job_id) })),
  ],
  [
    'call',
    true,
    byId(traceId, keyed.call, ({ job_id, method, route, status, error_code }) => ({
      title: [method, route, status, error_code].filter((part) => part !== null).join(' '),
      ...ofJob(job_id),
    })),
  ],
  ['job', false, jobsByWords],
  ['job', false, jobsByLabel],
  ['provider', false, providersByName],
  ['client', true, clientsByName],
  ['person', true, peopleByName],
]

async function requestById({ db, siteId, text }: Look): Promise<Shown[]> {
  if (!isId(text)) return []
  for (const archived of archives) {
    const row = await rows.requestOfNewest(db, siteId, text, { archived, limit: jobsRead })
    const title = `${row?.request_name} ${row?.target_language}`
    if (row) return [{ id: text, by: 'id', title, jobId: row.job_id, statusCode: row.status }]
  }
  return []
}

/** As the filter of job lists finds them, among the newest; those that are not archived first. */
async function jobsByWords({ db, siteId, text, caller }: Look): Promise<Shown[]> {
  const words = parseFilter(filterOfWords(text) || "jobId eq ''", false)
  const found: Shown[] = []
  for (const archived of [false, true]) {
    const limit = limits.foundThings - found.length
    if (limit === 0) break
    const since = await rows.createdAfter(db, siteId, {
      archived: archived ? 1 : 0,
      limit: jobsRead,
    })
    const jobIds = await newestJobs(db, caller, words, { archived, since, limit })
    const jobs = new Map((await rows.jobsById(db, siteId, jobIds)).map((job) => [job.job_id, job]))
    const labels = await rows.labelsOf(db, siteId, jobIds)
    for (const jobId of jobIds) {
      const job = jobs.get(jobId)
      const own = labels
        .filter((label) => label.job_id === jobId)
        .map(({ name, value }) => labelled(name, value))
      if (job) found.push({ ...jobThing(job), ...whyOf(job, own, wordsIn(text)) })
    }
  }
  return found
}

const labelled = (name: string, value: string | null): string =>
  value === null ? name : `${name}: ${value}`

/** The reason is that of the first word that the name does not have. */
function whyOf(
  job: rows.JobText,
  labels: readonly string[],
  words: readonly string[],
): Pick<Shown, 'by' | 'matched'> {
  const has = (text: string | null, word: string) =>
    text !== null && withoutCase(text).includes(withoutCase(word))
  const word = words.find((one) => !has(job.job_name, one))
  if (word === undefined) return { by: 'name' }
  const reference = [job.po_reference, job.global_tracking_id].find((one) => has(one, word))
  if (reference) return { by: 'reference', matched: reference }
  const label = labels.find((one) => has(one, word))
  return label === undefined ? { by: 'id' } : { by: 'label', matched: label }
}

/** By `name: value`, where the value may have begun only. */
async function jobsByLabel({ db, siteId, text }: Look): Promise<Shown[]> {
  const at = text.search(/[:=]/)
  if (at < 1) return []
  const label = { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() }
  const jobIds = await rows.jobsLabelled(db, siteId, label, limits.foundThings)
  const found = await rows.jobsById(db, siteId, jobIds)
  return found.map((job) => ({ ...jobThing(job), by: 'label', matched: text }))
}

async function clientsByName({ db, sight, text }: Look): Promise<Shown[]> {
  const found = await rows.clientsNamed(db, sight, text, limits.foundThings)
  return found.map(({ client_id }) => ({ id: client_id, title: client_id }))
}

async function providersByName({ db, siteId, text }: Look): Promise<Shown[]> {
  const wanted = text.toLowerCase()
  return (await rows.providersOf(db, siteId))
    .filter(({ provider_id, name }) => provider_id === text || name.toLowerCase().includes(wanted))
    .map(({ provider_id, name }) => ({
      id: provider_id,
      title: name,
      by: provider_id === text ? 'id' : 'name',
    }))
}

/** Compares a part of the name, or the beginning of the address. */
async function peopleByName({ db, sight, text }: Look): Promise<Shown[]> {
  const wanted = text.toLowerCase()
  return (await rows.newestPeople(db, sight))
    .filter(
      ({ person_id, name, email }) =>
        person_id === text || name.toLowerCase().includes(wanted) || email?.startsWith(wanted),
    )
    .map(({ person_id, name }) => ({
      id: person_id,
      title: name,
      by: person_id === text ? 'id' : name.toLowerCase().includes(wanted) ? 'name' : 'address',
    }))
}

const hostOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).host : '')
