/**
 * What changed in the hub since a position, for the console's event streams. Nothing is written for
 * it: a position is the number of the last call, act and delivery and the time of the last change
 * of a job and the last attempt, and each read takes what lies after it from the end of an index.
 * So any node can tell what any other changed, and a stream can resume on any node. A read is
 * bounded: if more changed, it says so without ids.
 */
import type { StreamEvent, Topic } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import * as rows from './change-rows.ts'

/** Numbers and times after which everything is new. */
export type Positions = {
  readonly jobs: number
  readonly attempts: number
  readonly deliveries: number
  readonly calls: number
  readonly audit: number
}
/** An event, and the site whose streams get it; undefined: those of every site and of operators. */
export type Change = StreamEvent & { readonly siteId: string | undefined }
export type Changes = {
  readonly changes: readonly Change[]
  readonly positions: Positions
  readonly seen: Seen
}
/** What the last read saw, since a read looks back a little. */
export type Seen = ReadonlySet<string>

/** Rows of one kind in a read. */
const limit = 200
/**
 * A row may become visible after a newer one: its transaction ended later, or its node's clock is
 * behind.
 */
const lookBackMs = 10_000
const lookBackRows = 50

const names = ['jobs', 'attempts', 'deliveries', 'calls', 'audit'] as const
export const writePositions = (positions: Positions): string =>
  names.map((name) => positions[name].toString(36)).join('.')

export function readPositions(text: string): Positions | undefined {
  const numbers = text
    .split('.')
    .map((part) => (/^[0-9a-z]{1,11}$/.test(part) ? Number.parseInt(part, 36) : Number.NaN))
  if (numbers.length !== names.length || !numbers.every(Number.isSafeInteger)) return undefined
  return Object.fromEntries(names.map((name, at) => [name, numbers[at]])) as Positions
}

/** The position of what is there now. */
export async function currentPositions(hub: Hub): Promise<Positions> {
  const db = hub.db.read
  const now = hub.clock.now()
  return {
    jobs: now,
    attempts: now,
    deliveries: await rows.lastDelivery(db),
    ...(await rows.chainEnds(db)),
  }
}

/**
 * Undefined if the positions are of a past that is gone: a sandbox was reset, or a backup restored.
 */
export async function readChanges(
  hub: Hub,
  from: Positions,
  before: Seen = new Set(),
): Promise<Changes | undefined> {
  const db = hub.db.read
  const ends = await rows.chainEnds(db)
  if (
    ends.calls < from.calls ||
    ends.audit < from.audit ||
    hub.clock.now() < from.jobs - lookBackMs
  )
    return undefined
  const found = [
    await jobs(db, from),
    await deliveries(db, from),
    await attempts(db, from),
    ends.calls > from.calls ? await calls(db, from) : nothing,
    ends.audit > from.audit ? await acts(db, from) : nothing,
  ]
  const seen = new Set(found.flatMap(({ items }) => items.map(({ key }) => key)))
  const changes = found.flatMap(({ items, isMore, coarse }) => {
    const fresh = items.filter(({ key }) => !before.has(key))
    const all = fresh.flatMap((item) => item.changes)
    return isMore && fresh.length > 0
      ? [...all, ...coarse.map((topic): Change => ({ topic, siteId: undefined }))]
      : all
  })
  const positions = Object.assign({ ...from }, ...found.map(({ at }) => at)) as Positions
  return { changes, seen, positions: { ...positions, ...ends } }
}

type Item = { readonly key: string; readonly changes: readonly Change[] }
type TableChanges = {
  readonly items: readonly Item[]
  /** There may be more than were read. */
  readonly isMore: boolean
  /** What may have changed then. */
  readonly coarse: readonly Topic[]
  readonly at: Partial<Positions>
}
const nothing: TableChanges = { items: [], isMore: false, coarse: [], at: {} }

async function jobs(db: Db, from: Positions): Promise<TableChanges> {
  const found = await rows.jobsChanged(db, from.jobs - lookBackMs, limit)
  const items = found.map(({ job_id: id, site_id: siteId, version }) => ({
    key: `j${id} ${version}`,
    changes: [{ topic: 'job', id, version, siteId } as const],
  }))
  const at = { jobs: Math.max(from.jobs, found[0]?.modified_at ?? 0) }
  return { items, isMore: found.length === limit, coarse: ['job'], at }
}

async function deliveries(db: Db, from: Positions): Promise<TableChanges> {
  const found = await rows.deliveriesAdded(db, from.deliveries - lookBackRows, limit)
  const items = found.map(({ position, delivery_id: id, site_id: siteId, job_id }) => ({
    key: `d${position}`,
    changes: [
      { topic: 'delivery', id, version: 0, siteId } as const,
      { topic: 'timeline', id: job_id, siteId } as const,
    ],
  }))
  const at = { deliveries: Math.max(from.deliveries, found[0]?.position ?? 0) }
  return { items, isMore: found.length === limit, coarse: ['delivery', 'timeline'], at }
}

async function attempts(db: Db, from: Positions): Promise<TableChanges> {
  const found = await rows.attemptsMade(db, from.attempts - lookBackMs, limit)
  const items = found.map(
    ({ position, number, delivery_id, site_id: siteId, job_id, listener_id }) => ({
      key: `a${position} ${number}`,
      changes: [
        { topic: 'delivery', id: delivery_id, version: number, siteId } as const,
        { topic: 'listener', id: listener_id, siteId } as const,
        { topic: 'timeline', id: job_id, siteId } as const,
      ],
    }),
  )
  const at = { attempts: Math.max(from.attempts, found[0]?.attempted_at ?? 0) }
  return { items, isMore: found.length === limit, coarse: ['delivery', 'listener', 'timeline'], at }
}

/**
 * Calls without a site are the operator's. Only a call tells of a job that was deleted. What the
 * console itself reads is no news: it would read it again, and so on.
 */
async function calls(db: Db, from: Positions): Promise<TableChanges> {
  const found = await rows.callsAdded(db, from.calls, limit)
  const news = found.filter(
    ({ method, route }) => method !== 'GET' || !route.startsWith('/console/'),
  )
  const items = news.map(({ call_id, trace_id, site_id, job_id, method, status }) => {
    const siteId = site_id ?? ''
    const ofJob = (topic: Topic): Change[] =>
      job_id === null ? [] : [{ topic, id: job_id, siteId }]
    return {
      key: `c${call_id}`,
      changes: [
        { topic: 'call', id: trace_id, version: call_id, siteId } as const,
        ...ofJob('timeline'),
        ...(method === 'DELETE' && status < 300 ? ofJob('job') : []),
      ],
    }
  })
  return { items, isMore: found.length === limit, coarse: ['call', 'timeline'], at: {} }
}

const topicOf: Readonly<Record<string, Topic>> = {
  site: 'site',
  client: 'client',
  provider: 'provider',
  listener: 'listener',
  'price list': 'price',
  'format options': 'settings',
  term: 'settings',
  checks: 'settings',
  'analysis code': 'code',
  'analysis level': 'code',
  task: 'task',
  job: 'job',
  node: 'node',
  finding: 'finding',
  person: 'person',
  session: 'person',
}

async function acts(db: Db, from: Positions): Promise<TableChanges> {
  const found = await rows.actsAdded(db, from.audit, limit)
  const items = found.map(({ audit_id: version, site_id, thing, thing_id }) => {
    const siteId = site_id ?? ''
    const topic = topicOf[thing]
    return {
      key: `u${version}`,
      changes: [
        { topic: 'audit', version, siteId } as const,
        ...(topic ? [{ topic, id: thing_id, version, siteId }] : []),
        // An act on a listener may have parked or queued all of its deliveries.
        ...(topic === 'listener' ? [{ topic: 'delivery', siteId } as const] : []),
      ],
    }
  })
  return { items, isMore: found.length === limit, coarse: ['all'], at: {} }
}
