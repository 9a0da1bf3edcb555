/**
 * The facts that decide whether a fault applies to a job: its labels, provider and client. Cached
 * until the job changes, so that a busy sandbox does not read them on every call.
 */

import { isScenario, type ScenarioName } from '@dragoman/certify/scenarios'
import { HubError } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import { mustFindProvider } from '../../domain/engines/providers.ts'
import { mustFindJob } from '../../domain/jobs/find-job.ts'
import type { Hub } from '../../hub.ts'

export type AboutJob = {
  readonly siteId: string
  readonly jobId: string
  /** The client that created it. */
  readonly clientId: string
  readonly labels: readonly string[]
  readonly providerId?: string
  readonly providerName?: string
  /** Named by `fault:NAME` in its labels or its provider's name. */
  readonly faults: readonly ScenarioName[]
}

const maxRemembered = 5_000

export function openJobsAbout(hub: Hub) {
  const known = new LRUCache<string, AboutJob>({ max: maxRemembered })
  return {
    find: async (siteId: string, jobId: string): Promise<AboutJob | undefined> => {
      const found = known.get(jobId)
      if (found) return found.siteId === siteId ? found : undefined
      const about = await read(hub, siteId, jobId)
      if (about) known.set(jobId, about)
      return about
    },
    /** Forgets a job that may have changed; without an id, all of them. */
    forget: (jobId?: string): void => {
      if (jobId === undefined) known.clear()
      else known.delete(jobId)
    },
  }
}

async function read(hub: Hub, siteId: string, jobId: string): Promise<AboutJob | undefined> {
  try {
    const db = hub.db.read
    const job = await mustFindJob(db, siteId, jobId)
    const provider =
      job.provider_id === null ? undefined : await mustFindProvider(db, siteId, job.provider_id)
    const labels = labelsOf(job.labels)
    return {
      siteId,
      jobId,
      clientId: job.creator_id,
      labels,
      ...(provider && { providerId: provider.provider_id, providerName: provider.name }),
      faults: namedIn([...labels, provider?.name ?? ''].join(' ')),
    }
  } catch (error) {
    if (error instanceof HubError) return undefined
    throw error
  }
}

/** The labels of a list, or the names of an object; `{"fault": "NAME"}` reads as `fault:NAME`. */
function labelsOf(stored: string | null): string[] {
  const labels: unknown = stored === null ? [] : JSON.parse(stored)
  if (Array.isArray(labels)) return labels.map(String)
  return Object.entries(labels as Record<string, unknown>).flatMap(([name, value]) => [
    name,
    `${name}:${value}`,
  ])
}

const namedIn = (text: string): ScenarioName[] => [
  ...new Set(
    [...text.matchAll(/\bfault:([a-z-]+)/g)].map(([, name = '']) => name).filter(isScenario),
  ),
]
