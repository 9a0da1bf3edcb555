/**
 * What happened to a job, oldest or newest first (contract, section 12). Each kind of event is read
 * from its own table, in order and from where the page begins; the page is their merge by time,
 * kind and key. A finished task has no row: the things it made name it as their cause.
 */
import {
  HubError,
  type TimelineEntry,
  type TimelineKind,
  type TimelineQuery,
  timelineKinds,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { type PageBounds, readPage } from '../../../store/filtered-page.ts'
import type { Key, Page } from '../../../store/page.ts'
import { type Call, mayCall, maySeePrices, sightOf } from '../../access/caller.ts'
import { requestsSeen } from '../../jobs/work.ts'
import { nameCauses } from './name-causes.ts'
import { nameRequests } from './name-requests.ts'
import { siteOfJob } from './timeline-rows.ts'
import { type Event, sources, type TimelineJob } from './timeline-sources.ts'

type Filter = Pick<TimelineQuery, 'order' | 'kind' | 'only'>

export async function listTimeline(
  hub: Hub,
  call: Call,
  jobId: string,
  asked: TimelineQuery,
): Promise<Page<TimelineEntry>> {
  const job = await timelineJob(hub, call, jobId)
  const list = { vault: hub.vault, siteId: call.caller.siteId, name: `timeline:${jobId}` }
  const page = await readPage(
    list,
    asked,
    (filter, part) => merged(hub, job, filter, part),
    ({ entry, key: [time = null, ...rest] }) => [time, entry.kind, ...rest],
  )
  const entries = page.rows.map(({ entry }) => entry)
  const named = await nameCauses(hub, job, entries)
  const seen = await requestsSeen(hub, call.caller, jobId)
  const items = await nameRequests(
    hub,
    job,
    seen ? named.flatMap((entry) => ofRequests(entry, seen)) : named,
  )
  return { items, ...(page.next && { next: page.next }) }
}

/**
 * What it tells of these requests; nothing of one that is about others alone. Calls and deliveries
 * hold whole bodies.
 */
function ofRequests(entry: TimelineEntry, seen: ReadonlySet<string>): TimelineEntry[] {
  if (entry.requestIds === undefined)
    return ['call', 'upstream', 'delivery', 'attempt'].includes(entry.kind) ? [] : [entry]
  const requestIds = entry.requestIds.filter((id) => seen.has(id))
  return requestIds.length === 0 ? [] : [{ ...entry, requestIds }]
}

/** The job that the caller asks about, if it is one of theirs. */
export async function timelineJob(hub: Hub, call: Call, jobId: string): Promise<TimelineJob> {
  const siteId = await siteOfJob(hub.db.read, jobId)
  const sight = sightOf(call)
  if (siteId === undefined || siteId !== (sight ?? siteId))
    throw new HubError('JOB_NOT_FOUND', { jobId })
  const { caller } = call
  const isClient = caller.person === undefined && sight !== undefined && !mayCall(caller, 'admin')
  return {
    siteId,
    jobId,
    forSite: sight !== undefined,
    isPriced: maySeePrices(caller),
    ...(isClient && { client: caller.clientId }),
  }
}

async function merged(
  hub: Hub,
  job: TimelineJob,
  { order, kind: wanted = [...timelineKinds], only }: Filter,
  { after, limit }: PageBounds,
): Promise<Event[]> {
  const descending = order === 'desc'
  const kinds = timelineKinds.filter(
    (kind) => wanted.includes(kind) && !(only === 'errors' && sources[kind].neverFails),
  )
  const found = await Promise.all(
    (descending ? kinds.toReversed() : kinds).map((kind) => {
      const { lowest, read } = sources[kind]
      const from = after && { after: startOf(kind, lowest, after) }
      return read(hub, job, { ...from, limit, descending, ...(only && { only }) })
    }),
  )
  // The sort is stable and every source is in order, so events of one kind and time stay in the
  // order of their keys.
  const sign = descending ? -1 : 1
  const inOrder = found
    .flat()
    .sort((one, other) => sign * (Number(one.key[0]) - Number(other.key[0])))
  return inOrder.slice(0, limit)
}

/**
 * Where a table is read from on a page that begins after this event, which may be of another kind.
 * In either order: before every key of a time is where that time begins, or where the one before it
 * ends.
 */
function startOf(kind: TimelineKind, lowest: Key, [time = 0, of, ...rest]: Key): Key {
  const ahead = timelineKinds.indexOf(kind) - timelineKinds.indexOf(of as TimelineKind)
  if (ahead === 0) return [time, ...rest]
  return ahead > 0 ? [time, ...lowest] : [Number(time) + 1, ...lowest]
}
