/**
 * A job whose provider is another service of this interface: where it was sent on to, the hubs that
 * it passed, and the task that keeps both sides alike. There is one task per job. Whatever changes
 * the job here makes it due, and it reads the rest there.
 */
import { HubError, type Job, limits } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { writeHubStateOnce } from '../../store/hub-state.ts'
import { newId } from '../../store/ids.ts'
import type { JobRow } from '../../store/tables.ts'
import { addTasks, type NewTask } from '../../store/tasks/add-tasks.ts'
import { unparkKey } from '../../store/tasks/reschedule-groups.ts'

export const followTask = 'follow-upstream'
export const leaveTask = 'leave-upstream'

/** What a job knows about its other side. */
export type SentOn = {
  readonly url: string
  readonly providerId: string
  /**
   * Handed over for the first time, the second, …: a job that was refused or lost there is sent as
   * a new one.
   */
  readonly round: number
  readonly jobId?: string
  /** It has been submitted there. */
  readonly submitted?: true
  /** We completed it there. */
  readonly completed?: true
  /**
   * Nothing more is expected: it was refused, deleted or given up there. A new round begins with an
   * invocation.
   */
  readonly over?: true
  /** The status there that was last reported here as an error. */
  readonly reported?: string
  /** Since when the other side cannot be reached, and whether the connector has been told. */
  readonly failingSince?: number
  readonly failingTold?: true
  /** When something last changed there; the longer ago, the rarer it is read. */
  readonly changedAt?: number
}

export const sentOn = ({ upstream }: Pick<JobRow, 'upstream'>): SentOn | undefined =>
  upstream === null ? undefined : (JSON.parse(upstream) as SentOn)

export function shownUpstream(upstream: string): NonNullable<Job['upstream']> {
  const { url, jobId } = JSON.parse(upstream) as SentOn
  return { url, ...(jobId !== undefined && { jobId }) }
}

/** All tasks of one provider: a pause of the upstream holds these and no others. */
export const groupOf = (providerId: string): string => `upstream:${providerId}:`

/** Reads the other side as soon as possible; a task that is running runs once more. */
export async function followSoon({ hub, tx, causeId }: Change, job: JobRow): Promise<void> {
  const state = sentOn(job)
  if (!state) return
  const now = hub.clock.now()
  const { site_id: siteId, job_id: jobId } = job
  const task: NewTask = {
    name: followTask,
    payload: { siteId, jobId },
    siteId,
    dueAt: now,
    causeId,
  }
  const key = `${groupOf(state.providerId)}${jobId}`
  await addTasks(hub.db, tx, now, [{ ...task, lane: 'outside', key }])
}

/** The job is deleted or cancelled here: what is there ends too, if it can. */
export async function leaveSoon(
  { hub, tx, causeId }: Change,
  job: JobRow,
  deleted: boolean,
): Promise<void> {
  const { jobId: theirJobId, providerId, url, over } = sentOn(job) ?? {}
  if (theirJobId === undefined || providerId === undefined || over) return
  const now = hub.clock.now()
  const { site_id: siteId, job_id: jobId } = job
  const payload: Leaving = { siteId, jobId, providerId, theirJobId, url: url ?? '', deleted }
  const key = `${groupOf(providerId)}${deleted ? 'drop' : 'leave'}-${jobId}`
  // Set aside when it was cancelled: it may find the end of the job there now.
  if (deleted) await unparkKey(hub.db, tx, `${groupOf(providerId)}leave-${jobId}`, now)
  await addTasks(hub.db, tx, now, [
    { name: leaveTask, payload, siteId, dueAt: now, causeId, lane: 'outside', key },
  ])
}

export type Leaving = {
  readonly siteId: string
  readonly jobId: string
  readonly providerId: string
  readonly theirJobId: string
  readonly url: string
  readonly deleted: boolean
}

const knownId = perHub((): { id?: string } => ({}))

/** The id of this hub among the hops of a job. Backups carry the same one. */
export async function hubIdOf(hub: Hub): Promise<string> {
  const known = knownId(hub)
  known.id ??= await writeHubStateOnce(hub.db, 'hub_id', newId())
  return known.id
}

/** Refuses a job that has been here before, or that has passed more hubs than a job may. */
export function mustNotLoop(hubId: string, hops: readonly string[]): void {
  if (hops.includes(hubId))
    throw new HubError('UPSTREAM_LOOP', {
      because: 'it has been at this hub before, so the hubs send it in a circle.',
    })
  mustHaveHopsLeft(hops.length)
}

export function mustHaveHopsLeft(hops: number): void {
  if (hops > limits.hops)
    throw new HubError('UPSTREAM_LOOP', {
      because: `it has passed ${hops} hubs; ${limits.hops} are allowed.`,
    })
}
