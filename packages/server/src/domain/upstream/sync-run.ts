/**
 * One run of the task that follows a job at the upstream: the job and its links as they are now,
 * and how they are saved. Every step commits what it learned before the next begins, so a run that
 * dies is continued, not repeated.
 */
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { JobRow, UpstreamLinkRow } from '../../store/tables.ts'
import type { Upstream } from '../engines/drivers/upstream.ts'
import { lockIfAny } from '../jobs/find-job.ts'
import { writeSentOn } from '../jobs/job-activity.ts'
import { type SentOn, sentOn } from '../jobs/sent-on.ts'
import { removeLinks, selectLinks, writeLinks } from './link-rows.ts'

export type Kind = UpstreamLinkRow['kind']

export type SyncRun = {
  readonly hub: Hub
  readonly siteId: string
  readonly jobId: string
  readonly causeId: string
  readonly hubId: string
  readonly upstream: Upstream
  readonly job: JobRow
  readonly state: SentOn
  /** The keys are made of the kind and our id. */
  readonly links: Map<string, UpstreamLinkRow>
}

/** The job was deleted, or handed over anew, while a step was under way. */
export class StaleRun extends Error {
  override readonly name = 'StaleRun'
}

export const nameOf = (kind: Kind, ourId: string): string => `${kind} ${ourId}`

export const readLinks = async (
  db: Db,
  siteId: string,
  jobId: string,
): Promise<Map<string, UpstreamLinkRow>> =>
  new Map((await selectLinks(db, siteId, jobId)).map((row) => [nameOf(row.kind, row.our_id), row]))

export const linkOf = (
  { links }: SyncRun,
  kind: Kind,
  ourId: string,
): UpstreamLinkRow | undefined => links.get(nameOf(kind, ourId))

export const remoteJobIdOf = ({ state }: SyncRun): string => {
  if (state.jobId === undefined) throw new Error('The job has no id at the upstream yet.')
  return state.jobId
}

export const newLink = (
  { siteId, jobId }: SyncRun,
  kind: Kind,
  ourId: string,
  remoteId: string,
): UpstreamLinkRow => ({
  site_id: siteId,
  job_id: jobId,
  kind,
  our_id: ourId,
  their_id: remoteId,
  taken: null,
  failed: null,
  told: null,
})

type SavedState = { readonly job: JobRow; readonly state: SentOn }
/** What a step learned; undefined where something no longer holds. */
type StateChange = { readonly [K in keyof SentOn]?: SentOn[K] | undefined }
type Write = (change: Change, now: SavedState) => Promise<StateChange | undefined>

/**
 * Locks the job, writes, and returns the run as it then is. `write` may return what else the job
 * now knows of its other side.
 */
export async function saveStep(run: SyncRun, write: Write): Promise<SyncRun> {
  const { hub, siteId, jobId, causeId } = run
  return hub.db.transact(async (tx) => {
    const job = await lockIfAny(tx, siteId, jobId)
    const state = job && sentOn(job)
    if (!job || !state || state.round !== run.state.round) throw new StaleRun()
    const more = await write({ hub, tx, causeId }, { job, state })
    if (!more) return { ...run, job: (await lockIfAny(tx, siteId, jobId)) ?? job, state }
    const next = { ...state, ...more } as SentOn
    return { ...run, job: await writeSentOn(tx, job, next), state: next }
  })
}

/** Saves ids as soon as they are known. */
export const saveLinks = (
  run: SyncRun,
  links: readonly UpstreamLinkRow[],
  more?: StateChange,
): Promise<SyncRun> => withLinks(run, links, async () => more)

/** A step that also saves links, in its own transaction. */
export async function withLinks(
  run: SyncRun,
  links: readonly UpstreamLinkRow[],
  write: Write,
): Promise<SyncRun> {
  const next = await saveStep(run, async (change, now) => {
    await writeLinks(change.tx, links)
    return write(change, now)
  })
  for (const link of links) next.links.set(nameOf(link.kind, link.our_id), link)
  return next
}

/** The same for the job itself; those of an earlier round no longer count. */
export async function saveJobLink(run: SyncRun, link: UpstreamLinkRow): Promise<SyncRun> {
  const next = await saveStep(run, async ({ tx }) => {
    await removeLinks(tx, run.siteId, run.jobId)
    await writeLinks(tx, [link])
    return { jobId: link.their_id }
  })
  return { ...next, links: new Map([[nameOf(link.kind, link.our_id), link]]) }
}
