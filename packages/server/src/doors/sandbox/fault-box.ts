/**
 * Faults on demand: which are active, for whom, and how often they still act. A fault is set by
 * POST /sandbox/faults for the next calls or for a client, provider, job or label, or by
 * `fault:NAME` in a job's labels or a provider's name. Kept in memory: a sandbox is one node, and a
 * restart begins without faults.
 */

import { type FaultPoint, type ScenarioName, scenarios } from '@dragoman/certify/scenarios'
import { addDuration, type Duration } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { newId } from '../../store/ids.ts'
import { type AboutJob, openJobsAbout } from './about-job.ts'
import type { Fault, FaultOrder } from './fault.ts'
import { openRecord, type Recorded } from './recorded-calls.ts'

export type FaultBox = {
  readonly record: Recorded
  readonly about: (siteId: string, jobId: string) => Promise<AboutJob | undefined>
  readonly forget: (jobId?: string) => void
  add(asked: FaultOrder): Fault
  list(): Fault[]
  /** False if there is no fault with this id. */
  remove(id: string): boolean
  clear(): void
  /** The faults that still act here for this job and client, in the order they were set. */
  find(on: FaultPoint, job: AboutJob | undefined, clientId: string | undefined): Fault[]
}

/** Faults that were set and not cleared; beyond this the oldest used-up ones are dropped. */
const maxFaults = 1_000
/** Jobs whose own faults are remembered. */
const maxJobs = 10_000

export function openBox(hub: Hub): FaultBox {
  let asked: Fault[] = []
  const ofJobs = new LRUCache<string, Fault[]>({ max: maxJobs })
  const jobs = openJobsAbout(hub)

  const fresh = (given: FaultOrder, id: string): Fault => {
    const times = given.times ?? scenarios[given.scenario].times
    return { ...given, id, times, left: times, met: 0 }
  }
  /** Created on first use, so that each job has its own count. */
  const named = (job: AboutJob): Fault[] => {
    const known = ofJobs.get(job.jobId) ?? []
    const more = job.faults.filter(
      (scenario) => !known.some((fault) => fault.scenario === scenario),
    )
    if (more.length === 0) return known
    const all = [
      ...known,
      ...more.map((scenario) =>
        fresh({ scenario, jobId: job.jobId }, `job:${job.jobId}:${scenario}`),
      ),
    ]
    ofJobs.set(job.jobId, all)
    return all
  }
  const record = openRecord(hub)
  return {
    record,
    about: jobs.find,
    forget: jobs.forget,
    add: (given) => {
      const fault = fresh(given, newId())
      if (asked.length >= maxFaults)
        asked = asked.filter(({ left }) => left > 0).slice(1 - maxFaults)
      asked.push(fault)
      record.mark(fault)
      return fault
    },
    list: () => [...asked, ...[...ofJobs.values()].flat()],
    remove: (id) => {
      const many = asked.length
      asked = asked.filter((fault) => fault.id !== id)
      if (asked.length < many) record.mark()
      return asked.length < many
    },
    clear: () => {
      asked = []
      record.mark()
      ofJobs.clear()
      jobs.forget()
    },
    find: (on, job, clientId) =>
      [...asked, ...(job ? named(job) : [])].filter(
        (fault) =>
          scenarios[fault.scenario].on === on &&
          (fault.left > 0 || fault.held !== undefined) &&
          isFor(fault, job, clientId ?? job?.clientId),
      ),
  }
}

function isFor(fault: Fault, job: AboutJob | undefined, clientId: string | undefined): boolean {
  if (fault.client !== undefined && fault.client !== clientId) return false
  if (fault.jobId !== undefined && fault.jobId !== job?.jobId) return false
  if (fault.label !== undefined && !job?.labels.includes(fault.label)) return false
  return (
    fault.provider === undefined || [job?.providerId, job?.providerName].includes(fault.provider)
  )
}

/** When the delayed work is due, on the hub's clock. */
export function laterOf(hub: Hub, fault: Fault): number {
  return addDuration(hub.clock.now(), fault.by ?? usualBy(fault.scenario))
}

function usualBy(scenario: ScenarioName): Duration {
  const [, count = '5', unit = 'm'] =
    /^(\d{1,9})([a-z]{1,2})$/.exec(scenarios[scenario].by ?? '') ?? []
  return { count: Number(count), unit: unit as Duration['unit'] }
}

export const secondsOf = (fault: Fault): number =>
  fault.seconds ?? scenarios[fault.scenario].seconds ?? 1
