/**
 * What happened to a job, oldest first (contract, section 12). Each kind of event is read from its own table, in order and
 * from where the page begins; the page is their merge by time, kind and key. A finished task has no row: the things it made
 * name it as their cause.
 */
import { HubError, type TimelineEntry, type TimelineKind, timelineKinds } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { type Paging, type Part, readPage } from '../../store/filtered-page.ts'
import type { Key, Page } from '../../store/page.ts'
import { type Call, sightOf } from '../access/caller.ts'
import { siteOfJob } from './timeline-rows.ts'
import { type Event, sources, type TimelineJob } from './timeline-sources.ts'

export async function listTimeline(hub: Hub, call: Call, jobId: string, asked: Paging): Promise<Page<TimelineEntry>> {
  const siteId = await siteOfJob(hub.engine.read, jobId)
  const sight = sightOf(call)
  if (siteId === undefined || siteId !== (sight ?? siteId)) throw new HubError('JOB_NOT_FOUND', { jobId })
  const job = { siteId, jobId, forAdmin: sight !== undefined }
  const list = { vault: hub.vault, siteId: call.caller.siteId, name: `timeline:${jobId}` }
  const page = await readPage(
    list,
    asked,
    (_, part) => merged(hub, job, part),
    ({ entry, key: [time = null, ...rest] }) => [time, entry.kind, ...rest],
  )
  return { items: page.rows.map(({ entry }) => entry), ...(page.next && { next: page.next }) }
}

async function merged(hub: Hub, job: TimelineJob, { after, limit }: Part): Promise<Event[]> {
  const found = await Promise.all(
    timelineKinds.map((kind) => {
      const { lowest, read } = sources[kind]
      return read(hub, job, { ...(after && { after: startOf(kind, lowest, after) }), limit })
    }),
  )
  // The sort is stable and every source is in order, so events of one kind and time stay in the order of their keys.
  const inOrder = found.flat().sort((one, other) => Number(one.key[0]) - Number(other.key[0]))
  return inOrder.slice(0, limit)
}

/** Where a table is read from on a page that begins after this event, which may be of another kind. */
function startOf(kind: TimelineKind, lowest: Key, [time = 0, of, ...rest]: Key): Key {
  const ahead = timelineKinds.indexOf(kind) - timelineKinds.indexOf(of as TimelineKind)
  if (ahead === 0) return [time, ...rest]
  return ahead > 0 ? [time, ...lowest] : [Number(time) + 1, ...lowest]
}
