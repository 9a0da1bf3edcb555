/**
 * The task that removes a site: slice after slice, each in its own transaction, so that others can
 * write in between and a killed removal goes on where it ended. Work of the site that is still
 * running loses its task and ends. When nothing is left it waits until no call that began before
 * the removal can still be running, looks again, and removes the site.
 */
import type { Hub } from '../../hub.ts'
import { eraseActs, eraseCalls } from '../../store/erased-rows.ts'
import { finishTask, postponeTask, type Task } from '../../store/tasks/hold-tasks.ts'
import { removeJobOf } from '../jobs/remove-job.ts'
import { deleteSiteRow, type Slice, selectSomeJobs, slices } from './site-removal-rows.ts'
import { lockSiteRow } from './site-rows.ts'

export const removeSiteTask = 'remove-site'

/**
 * Clients are known for five seconds, a body may take two minutes to arrive; the rest is for slow
 * machines.
 */
const graceMs = 10 * 60_000
/** Transactions per run: a node that stops must not wait long for this task. */
const slicesAtOnce = 200
const jobsAtOnce = 50

export async function removeSite(hub: Hub, task: Task): Promise<'settled'> {
  const { siteId } = task.payload as { siteId: string }
  const { db, clock } = hub
  const begunAt = clock.now()
  const budget = { left: slicesAtOnce }
  const isEmpty =
    (await removeRows(hub, siteId, slices.before, budget)) &&
    (await removeJobs(hub, siteId, task, budget)) &&
    (await removeRows(hub, siteId, slices.after, budget)) &&
    (await removeRows(hub, siteId, logs(hub), budget))
  await db.transact(async (tx) => {
    const site = await lockSiteRow(tx, siteId)
    const endsAt = (site?.removing_at ?? 0) + graceMs
    if (!isEmpty) return postponeTask(tx, task, clock.now())
    // Only a run that began after that time has seen everything.
    if (site && endsAt > begunAt) return postponeTask(tx, task, endsAt)
    await deleteSiteRow(tx, siteId)
    await finishTask(tx, task)
    hub.log.info({ siteId }, 'the site was removed')
  })
  return 'settled'
}

/**
 * Rows of the logs are erased, not removed: they are links of a chain. One act stays: that of the
 * removal.
 */
const logs = ({ vault }: Hub): readonly Slice[] => [
  { table: 'calls', removeSome: (tx, siteId) => eraseCalls(vault, tx, siteId) },
  { table: 'audit', removeSome: (tx, siteId) => eraseActs(vault, tx, siteId) },
]

type Budget = { left: number }

/** Returns whether nothing is left; false if the budget ended first. */
async function removeRows(
  hub: Hub,
  siteId: string,
  tables: readonly Slice[],
  budget: Budget,
): Promise<boolean> {
  for (const { removeSome } of tables)
    while ((await hub.db.transact((tx) => removeSome(tx, siteId))) > 0) {
      budget.left -= 1
      if (budget.left <= 0) return false
    }
  return true
}

async function removeJobs(hub: Hub, siteId: string, task: Task, budget: Budget): Promise<boolean> {
  const causeId = `task:${task.taskId}`
  for (;;) {
    const jobIds = await selectSomeJobs(hub.db.read, siteId, jobsAtOnce)
    if (jobIds.length === 0) return true
    for (const jobId of jobIds) {
      await hub.db.transact((tx) => removeJobOf({ hub, tx, causeId }, siteId, jobId))
      budget.left -= 1
    }
    if (budget.left <= 0) return false
  }
}
