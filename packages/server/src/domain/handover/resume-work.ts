/**
 * Continues what a driver had begun when its job was archived or completed: every request that
 * still waits for it and that no task covers gets one (contract, section 15). Requests with an
 * error stay as they are, because the connector has been told of them.
 */
import { refusalFor } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import type { JobRow } from '../../store/tables.ts'
import { finishTask, type Task } from '../../store/tasks/hold-tasks.ts'
import { driverOf } from '../engines/drivers/drivers.ts'
import { mustFindProvider } from '../engines/providers.ts'
import { lockIfAny } from '../jobs/find-job.ts'
import { followSoon } from '../jobs/sent-on.ts'
import type { Batch } from './deliver-batch.ts'
import { providerOf } from './provider-jobs.ts'
import { selectPayloads, selectWaiting } from './resume-rows.ts'
import { type Range, translateLater, translateTask } from './translate-requests.ts'

export async function resumeWork(hub: Hub, task: Task): Promise<'settled'> {
  const { siteId, jobId } = task.payload as { siteId: string; jobId: string }
  await hub.db.transact(async (tx) => {
    await finishTask(tx, task)
    const job = await lockIfAny(tx, siteId, jobId)
    if (job) await resume({ hub, tx, causeId: `task:${task.taskId}` }, job)
  })
  return 'settled'
}

async function resume(change: Change, job: JobRow): Promise<void> {
  // The end of what holds it up now resumes it again.
  if (refusalFor('deliver', job.status, job.archive_status)) return
  const { tx } = change
  const { site_id: siteId, job_id: jobId } = job
  const driver = driverOf((await mustFindProvider(tx, siteId, providerOf(job))).type_id)
  if (driver?.sendsTo) await followSoon(change, job)
  if (!driver?.translate) return
  const batches = (await selectPayloads(tx, siteId, jobId, translateTask)).map(
    (payload) => JSON.parse(payload) as Batch,
  )
  const lost = (await selectWaiting(tx, siteId, jobId)).filter(
    (position) => !batches.some(({ after, until }) => after < position && position <= until),
  )
  await translateLater(change, job, driver, runsOf(lost))
}

/** Neighbouring positions as ranges, so that nothing between them is translated twice. */
function runsOf(positions: readonly number[]): Range[] {
  const runs: Range[] = []
  for (const position of positions) {
    const last = runs.at(-1)
    if (last?.until === position - 1) runs[runs.length - 1] = { ...last, until: position }
    else runs.push({ after: position - 1, until: position })
  }
  return runs
}
