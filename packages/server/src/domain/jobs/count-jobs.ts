/**
 * How many active jobs of a site are in each state, late, due soon, with errors and waiting for
 * review (contract, section 12), all of them or those that a filter matches. A number is exact up
 * to 10,000; the names of those that may be larger are listed.
 */
import {
  type JobCounts,
  type JobStatus,
  jobStatuses,
  limits,
  openJobStatuses,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import * as rows from './count-rows.ts'
import { type Filter, filterText, parseFilter } from './filter.ts'
import { givenStatus } from './given-status.ts'
import { withWork } from './work.ts'

/** Jobs in translation, and requests in them, that are looked at for those that wait for review. */
const reviewed = { jobs: 1_000, requests: 50_000 }

export async function countJobs(
  hub: Hub,
  call: Call,
  asked: { filter?: string },
): Promise<JobCounts> {
  const { read: db } = hub.db
  const { siteId } = call.caller
  const text = filterText(asked)
  const filter = withWork(call.caller, text ? parseFilter(text) : undefined)
  const atLeast: string[] = []
  const capped = (name: string, many: number, isMore = many > limits.countedRows): number => {
    if (isMore) atLeast.push(name)
    return Math.min(many, limits.countedRows)
  }
  const count = async (
    name: string,
    what: rows.Counted,
    among: Filter | false | undefined,
  ): Promise<number> =>
    among === false ? 0 : capped(name, await rows.countJobs(db, siteId, what, among))

  const states = {} as Record<JobStatus, number>
  for (const status of jobStatuses) {
    const among = filter && givenStatus(filter, status)
    states[status] = await count(status, { status }, among === true ? undefined : among)
  }
  const now = hub.clock.now()
  const late = await count('late', { dueFrom: 0, dueBefore: now }, filter)
  const dueSoon = await count(
    'dueSoon',
    { dueFrom: now, dueBefore: now + limits.dueSoonMs },
    filter,
  )
  const withErrors = await count('withErrors', { hasError: true }, filter)
  const jobIds = await rows.selectInTranslation(db, siteId, filter, reviewed.jobs)
  const { jobs, read } = await rows.countInReview(db, siteId, jobIds, reviewed.requests)
  const isMore = jobIds.length === reviewed.jobs || read === reviewed.requests
  const inReview = capped('inReview', jobs, isMore)
  return { states, late, dueSoon, withErrors, inReview, atLeast }
}

/**
 * How many active jobs of the site are neither completed nor cancelled, counted up to the limit for
 * each state.
 */
export async function countOpenJobs(hub: Hub, { caller }: Call): Promise<number> {
  let open = 0
  const own = withWork(caller, undefined)
  for (const status of openJobStatuses)
    open += await rows.countJobs(hub.db.read, caller.siteId, { status }, own)
  return open
}
