/**
 * The states of a job's requests over time, a lane for each target language. A lane shows the state
 * that most of its requests are in, and TRANSLATION_REJECTED as soon as one is: then a person has
 * to look. Also how many are in which state now, since when, and the last failed try of a driver:
 * what the job waits for.
 */
import {
  findLanguage,
  formatTime,
  type JobLane,
  type JobLanes,
  type LastTry,
  type RequestStatus,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import { requestsSeen } from '../../jobs/work.ts'
import { timelineJob } from './job-timeline.ts'
import { requestLanguages, requestMovesOfJob } from './timeline-rows.ts'

type Lane = {
  readonly language: string
  readonly counts: Map<RequestStatus, number>
  readonly segments: JobLane['segments']
}

export async function findJobLanes(hub: Hub, call: Call, jobId: string): Promise<JobLanes> {
  const { siteId } = await timelineJob(hub, call, jobId)
  const { read } = hub.db
  const [requests, moves] = await Promise.all([
    requestLanguages(read, siteId, jobId),
    requestMovesOfJob(read, siteId, jobId),
  ])
  const seen = await requestsSeen(hub, call.caller, jobId)
  const lanes = new Map<string, Lane>()
  const stateOf = new Map<string, RequestStatus>()
  const sinceOf = new Map<string, number>()
  let lastTry: string | null = null
  for (const { request_id, target_language: language, created_at, last_try } of requests) {
    if (seen && !seen.has(request_id)) continue
    const lane = lanes.get(keyOf(language)) ?? newLane(language, formatTime(created_at))
    lanes.set(keyOf(language), lane)
    lane.counts.set('CREATED', (lane.counts.get('CREATED') ?? 0) + 1)
    stateOf.set(request_id, 'CREATED')
    sinceOf.set(request_id, created_at)
    lastTry ??= last_try
  }
  const languageOf = new Map(requests.map((row) => [row.request_id, keyOf(row.target_language)]))
  for (const { request_ids, to_status, moved_at } of moves) {
    const to = to_status as RequestStatus
    const moved = new Set<Lane>()
    for (const id of JSON.parse(request_ids ?? '[]') as string[]) {
      const lane = lanes.get(languageOf.get(id) ?? '')
      const from = stateOf.get(id)
      if (!lane || from === undefined) continue
      lane.counts.set(from, (lane.counts.get(from) ?? 0) - 1)
      lane.counts.set(to, (lane.counts.get(to) ?? 0) + 1)
      stateOf.set(id, to)
      // A failure is a move, but not to another state.
      if (from !== to) sinceOf.set(id, moved_at)
      moved.add(lane)
    }
    for (const lane of moved) extend(lane, formatTime(moved_at))
  }
  return {
    lanes: [...lanes.values()].map(({ language, counts, segments }) => ({
      language,
      requests: [...counts.values()].reduce((sum, count) => sum + count, 0),
      segments,
    })),
    states: statesNow(stateOf, sinceOf),
    ...(lastTry !== null && { lastTry: shownTry(lastTry) }),
  }
}

function statesNow(
  stateOf: ReadonlyMap<string, RequestStatus>,
  sinceOf: ReadonlyMap<string, number>,
): JobLanes['states'] {
  const times = new Map<RequestStatus, { requests: number; since: number; latest: number }>()
  for (const [id, status] of stateOf) {
    const at = sinceOf.get(id) ?? 0
    const { requests, since, latest } = times.get(status) ?? { requests: 0, since: at, latest: at }
    times.set(status, {
      requests: requests + 1,
      since: Math.min(since, at),
      latest: Math.max(latest, at),
    })
  }
  return [...times].map(([statusCode, { requests, since, latest }]) => ({
    statusCode,
    requests,
    since: formatTime(since),
    latest: formatTime(latest),
  }))
}

/** requests/last-try.ts writes it. */
function shownTry(text: string): LastTry {
  const { time, message, nextTime } = JSON.parse(text) as {
    time: number
    message: string
    nextTime: number
  }
  return { time: formatTime(time), message, nextTime: formatTime(nextTime) }
}

/** Equal for all spellings of a language. */
const keyOf = (language: string): string => findLanguage(language) ?? language.toLowerCase()

const newLane = (language: string, time: string): Lane => ({
  language,
  counts: new Map(),
  segments: [{ time, statusCode: 'CREATED' }],
})

/** Moves of one moment make one segment: what was in between is not shown. */
function extend({ counts, segments }: Lane, time: string): void {
  const statusCode = shownState(counts)
  const last = segments.at(-1)
  if (last?.time === time) segments.pop()
  if (segments.at(-1)?.statusCode !== statusCode) segments.push({ time, statusCode })
}

/** If several states have the most requests, the one that came later. */
function shownState(counts: ReadonlyMap<RequestStatus, number>): RequestStatus {
  if ((counts.get('TRANSLATION_REJECTED') ?? 0) > 0) return 'TRANSLATION_REJECTED'
  const present = [...counts].filter(([, count]) => count > 0)
  const most = Math.max(...present.map(([, count]) => count))
  return present.findLast(([, count]) => count === most)?.[0] ?? 'CREATED'
}
