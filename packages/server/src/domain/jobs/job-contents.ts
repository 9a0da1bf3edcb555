/** What everything inside a job asks of it: that it may be reached, that a change counts as activity, a page in order. */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { openCursor, type Page, sealCursor } from '../../store/page.ts'
import type { JobRow } from '../../store/tables.ts'
import { activity } from './change-job.ts'
import { checkAct, mustFindJob } from './find-job.ts'
import { updateJob } from './job-rows.ts'

/** The job, when what is in it may be read: an archived one answers JOB_ARCHIVED. */
export async function mustReach(db: Db, siteId: string, jobId: string): Promise<JobRow> {
  const job = await mustFindJob(db, siteId, jobId)
  checkAct(job, 'reachContents')
  return job
}

/** In the transaction of every change inside the job. */
export async function touchJob(hub: Hub, tx: Db, siteId: string, jobId: string): Promise<void> {
  await updateJob(tx, siteId, jobId, activity(hub))
}

/** Where a page begins: after a position, with the filter its cursor was made with. */
export type Place = { readonly after?: number; readonly filter?: string }
export type Paging = { readonly navNext?: string; readonly pageSize?: number }

export function placeOf(hub: Hub, siteId: string, list: string, asked: Paging): Place {
  if (!asked.navNext) return {}
  const { key, filter } = openCursor(hub.vault, siteId, list, asked.navNext)
  return { after: Number(key[0]), ...(filter === undefined ? {} : { filter }) }
}

export const pageSizeOf = (asked: Paging): number => asked.pageSize ?? limits.pageItems

/** One page of rows in the order of their position; `rows` has one more than fits where another page follows. */
export function cutPage<R extends { position: number }, T>(
  hub: Hub,
  siteId: string,
  list: string,
  asked: Paging,
  rows: readonly R[],
  describe: (row: R) => T,
  filter?: string,
): Page<T> {
  const page = rows.slice(0, pageSizeOf(asked))
  const items = page.map(describe)
  const last = page.at(-1)
  if (rows.length === page.length || !last) return { items }
  const next = { list, key: [last.position], ...(filter === undefined ? {} : { filter }) }
  return { items, next: sealCursor(hub.vault, siteId, next) }
}
