/**
 * The task that keeps a job and its other side at the upstream alike: sends what is not there,
 * brings over what changed there, and does there what was decided here. It then comes back after a
 * while, or as soon as either side changes something. An upstream that cannot be reached is tried
 * again for as long as it takes; one that refuses the job ends it with its sentence.
 */
import type { Hub } from '../../hub.ts'
import { finishTask, postponeTask, type Task } from '../../store/tasks/hold-tasks.ts'
import { deferTasks } from '../../store/tasks/reschedule-groups.ts'
import { TryLater } from '../engines/drivers/driver.ts'
import { openUpstream } from '../engines/drivers/upstream.ts'
import { findProviderIfAny } from '../engines/providers.ts'
import { findIfAny, lockIfAny } from '../jobs/find-job.ts'
import { writeSentOn } from '../jobs/job-activity.ts'
import { noteFailedTry } from '../jobs/requests/last-try.ts'
import { groupOf, hubIdOf, sentOn } from '../jobs/sent-on.ts'
import { acknowledgeRemote, registerListener } from './listen.ts'
import { applyRemoteChanges, readRemote } from './read-remote.ts'
import { failAll, refusalIn, refusesCredentials, sentenceOf } from './refusals.ts'
import { isClosed, reportDecisions } from './report-decisions.ts'
import { sendJob } from './send.ts'
import { readLinks, StaleRun, type SyncRun, saveStep } from './sync-run.ts'
import { watchJob } from './watch-job.ts'

const seconds = 1_000
const minutes = 60 * seconds

/** While nothing calls us, the longer nothing has changed the rarer we look. */
const pollEvery = { least: 15 * seconds, most: 15 * minutes }
/** How long to wait after a failed try, again and again the last. */
const retries = [5 * seconds, 30 * seconds, 2 * minutes, 5 * minutes, 15 * minutes]
/** After this long without an answer the connector is told. */
const patienceMs = 60 * minutes

export async function followUpstream(hub: Hub, task: Task): Promise<'settled'> {
  const { siteId, jobId } = task.payload as { siteId: string; jobId: string }
  const job = await findIfAny(hub.db.read, siteId, jobId)
  const state = job && sentOn(job)
  const provider = state && (await findProviderIfAny(hub.db.read, siteId, state.providerId))
  if (!job || !state || !provider || state.over) return end(hub, task)
  let run: SyncRun | undefined
  try {
    const upstream = await openUpstream(hub, provider)
    const hubId = await hubIdOf(hub)
    const links = await readLinks(hub.db.read, siteId, jobId)
    run = {
      hub,
      siteId,
      jobId,
      causeId: `task:${task.taskId}`,
      hubId,
      upstream,
      job,
      state,
      links,
    }
    const begun = run
    const ended = await watchJob(
      hub,
      { ...begun, wasFailing: state.failingSince !== undefined },
      () => syncOnce(begun),
      (now) => now.state.changedAt !== begun.state.changedAt,
    )
    return await settle(ended, task)
  } catch (error) {
    if (error instanceof StaleRun) return again(hub, task, hub.clock.now())
    if (!run) throw error
    return await fail(run, task, error)
  }
}

async function syncOnce(begun: SyncRun): Promise<SyncRun> {
  let run = begun
  if (!isClosed(run.job.status)) {
    if (!run.state.submitted) await registerListener(run)
    if (run.job.archive_status === 'ACTIVE') run = await sendJob(run)
  }
  if (!run.state.submitted) return run
  const remote = await readRemote(run)
  run = await applyRemoteChanges(run, remote)
  run = await reportDecisions(run, remote)
  await acknowledgeRemote(run)
  return run
}

/** Ends the task if neither side can change any more; otherwise says when to look again. */
async function settle(run: SyncRun, task: Task): Promise<'settled'> {
  const { hub, state, job } = run
  if (state.failingSince !== undefined)
    await saveStep(run, async () => ({ failingSince: undefined, failingTold: undefined }))
  if (isClosed(job.status) || job.archive_status === 'ARCHIVED' || !state.submitted)
    return end(hub, task)
  const now = hub.clock.now()
  const quiet = Math.round((now - (state.changedAt ?? now)) / 2)
  return again(hub, task, now + Math.min(pollEvery.most, Math.max(pollEvery.least, quiet)))
}

async function end(hub: Hub, task: Task): Promise<'settled'> {
  await hub.db.transact((tx) => finishTask(tx, task))
  return 'settled'
}

async function again(hub: Hub, task: Task, dueAt: number, because?: string): Promise<'settled'> {
  await hub.db.transact((tx) => postponeTask(tx, task, dueAt, because))
  return 'settled'
}

async function fail(run: SyncRun, task: Task, error: unknown): Promise<'settled'> {
  const { hub } = run
  const refused = refusalIn(error)
  if (refused === undefined) {
    hub.log.error(
      { err: error, taskId: task.taskId, jobId: run.jobId },
      'a step at the upstream failed',
    )
  }
  const now = hub.clock.now()
  if (refused?.isFinal) {
    await failAll(run, sentenceOf(error), { over: true })
    return end(hub, task)
  }
  const since = await failingSince(run, now)
  const wait =
    refused?.retryAfterMs ?? retries.find((ms) => now - since < ms * 2) ?? retries.at(-1) ?? minutes
  if (now - since >= patienceMs) await reportFailureOnce(run, error)
  await hub.db.transact((tx) =>
    noteFailedTry(
      hub,
      tx,
      { siteId: run.siteId, jobId: run.jobId, after: 0, until: Number.MAX_SAFE_INTEGER },
      { error: new TryLater(sentenceOf(error)), nextTime: now + wait },
    ),
  )
  // An upstream that asks for a pause gets it from all of its jobs, and from no other.
  if (refused?.retryAfterMs !== undefined)
    await deferTasks(hub.db, [groupOf(run.state.providerId)], now, now + refused.retryAfterMs)
  // Only an operator can mend that, so it is a finding at once.
  return again(hub, task, now + wait, refusesCredentials(error) ? sentenceOf(error) : undefined)
}

async function failingSince({ hub, siteId, jobId }: SyncRun, now: number): Promise<number> {
  return hub.db.transact(async (tx) => {
    const job = await lockIfAny(tx, siteId, jobId)
    const state = job && sentOn(job)
    if (!job || !state || state.failingSince !== undefined) return state?.failingSince ?? now
    await writeSentOn(tx, job, { ...state, failingSince: now })
    return now
  })
}

async function reportFailureOnce(run: SyncRun, error: unknown): Promise<void> {
  const job = await findIfAny(run.hub.db.read, run.siteId, run.jobId)
  if (!job || sentOn(job)?.failingTold) return
  await failAll({ ...run, job }, `${sentenceOf(error)} The hub keeps trying.`, {
    failingTold: true,
  })
}
