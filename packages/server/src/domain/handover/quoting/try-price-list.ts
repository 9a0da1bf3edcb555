/** Checks a price list that is not saved, and prices a job by it. Writes nothing. */
import type { NewPriceList, TriedPriceList } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import { mustReach } from '../../jobs/job-activity.ts'
import { findFaults } from '../../settings/price-lists.ts'
import { quoteBy } from './quote-job.ts'

export async function tryPriceList(
  hub: Hub,
  call: Call,
  input: NewPriceList,
  jobId: string | undefined,
): Promise<TriedPriceList> {
  const { siteId } = call.caller
  const job = jobId === undefined ? undefined : await mustReach(hub.db.read, siteId, jobId)
  const faults = await findFaults(hub, siteId, input)
  if (!job || faults.length > 0) return { faults }
  // A list that is not saved has neither an id nor a version.
  const {
    priceListId: _,
    priceListVersion: __,
    ...quote
  } = await quoteBy(hub, job, { ...input, priceListId: '', version: 0 }, call)
  return { faults, quote }
}
