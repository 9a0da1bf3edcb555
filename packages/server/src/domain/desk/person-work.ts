/** The work of a person without a call of theirs, for mail: how much there is, and what is due. */
import { limits, type WorkView } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { type Worker, workOf } from './work-of.ts'
import * as rows from './work-rows.ts'

export type Counted = Readonly<Record<WorkView, number>>

/** Up to 10,000. */
export async function countWorkOf(
  hub: Hub,
  worker: Worker,
  view: WorkView,
  jobId?: string,
): Promise<number> {
  const work = workOf(worker, view)
  return work
    ? rows.countWork(hub.db.read, worker.siteId, { ...work, jobId }, limits.countedRows)
    : 0
}

/** The names of the jobs with work of theirs that is due in this span, the earliest first. */
export async function listDue(
  hub: Hub,
  worker: Worker,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<string[]> {
  const work = workOf(worker, 'MINE')
  if (!work) return []
  const found = await rows.selectWork(hub.db.read, worker.siteId, work, {
    after: [from - 1, '', 0],
    limit: 1_000,
  })
  const due = found.filter(({ due_at }) => due_at !== null && due_at >= from && due_at < until)
  return [...new Set(due.map(({ job_name }) => job_name))]
}

/** The first of them, in one job. */
export async function listWorkOf(
  hub: Hub,
  worker: Worker,
  view: WorkView,
  jobId: string,
): Promise<rows.WorkRow[]> {
  const work = workOf(worker, view)
  if (!work) return []
  return rows.selectWork(hub.db.read, worker.siteId, { ...work, jobId }, { limit: 2_000 })
}

/** The names of the jobs of a site that became late in this span, with work that is still open. */
export async function listLate(
  hub: Hub,
  siteId: string,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<string[]> {
  const found = await rows.selectLate(hub.db.read, siteId, { from, until, limit: 1_000 })
  return found.map(({ job_name }) => job_name)
}
