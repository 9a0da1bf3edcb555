/** The language pairs that a site translates: those of its newest jobs. */
import { findLanguage, type UsedPairs } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import { selectNewestJobs, selectPairs } from './used-pair-rows.ts'

/** Enough to see what a site needs, and few enough to be counted at once. */
const maxJobs = 100

export async function listUsedPairs(hub: Hub, { caller: { siteId } }: Call): Promise<UsedPairs> {
  const jobIds = await selectNewestJobs(hub.db.read, siteId, maxJobs)
  const found = await selectPairs(hub.db.read, siteId, jobIds)
  const pairs = found.map(({ source_language, target_language, jobs }) => ({
    sourceLanguage: findLanguage(source_language) ?? source_language,
    targetLanguage: findLanguage(target_language) ?? target_language,
    jobs: Number(jobs),
  }))
  return { pairs, jobs: jobIds.length }
}
