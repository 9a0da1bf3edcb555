/**
 * Ids and cursors that an attacker has seen in answers, the latest of each kind. Those of one job are kept together, so
 * that a call can name a job and a request of that very job.
 */
import { pick } from './fuzzed-text.ts'
import { poolOf } from './fuzzed-values.ts'
import type { Chance } from './history-walk.ts'

export type LearnedIds = {
  /** Ids for one call: of one job as far as possible. */
  about(chance: Chance): (kind: string) => string | undefined
  /** Takes every id out of an answer; `jobId` is the job that was asked about. */
  learn(answer: unknown, jobId?: string): void
}
type Ids = Map<string, string[]>

const mostOfAKind = 30
const mostJobs = 15
const isId = (name: string): boolean =>
  /id$|^navNext$/i.test(name) && !/^(type|site|client|creator|submitter)Id$/.test(name)

export function learnIds(providerIds: readonly string[]): LearnedIds {
  const all: Ids = new Map([['providerid', [...providerIds]]])
  const byJob = new Map<string, Ids>()
  const add = (ids: Ids, kind: string, id: string): void => {
    ids.set(kind, [id, ...(ids.get(kind) ?? []).filter((one) => one !== id)].slice(0, mostOfAKind))
  }
  const ofJob = (jobId: string): Ids => {
    const ids = byJob.get(jobId) ?? new Map<string, string[]>()
    byJob.delete(jobId)
    byJob.set(jobId, ids)
    if (byJob.size > mostJobs) byJob.delete(byJob.keys().next().value ?? '')
    return ids
  }
  const learn = (answer: unknown, jobId: string | undefined, name = ''): void => {
    if (Array.isArray(answer)) for (const one of answer) learn(one, jobId, name)
    else if (typeof answer === 'object' && answer !== null) {
      const own = (answer as { jobId?: unknown }).jobId
      for (const [inner, value] of Object.entries(answer)) learn(value, typeof own === 'string' ? own : jobId, inner)
    } else if (typeof answer === 'string' && isId(name)) {
      add(all, poolOf(name), answer)
      if (jobId !== undefined) add(ofJob(jobId), poolOf(name), answer)
    }
  }
  return {
    about: (chance) => {
      const jobId = byJob.size > 0 ? pick(chance, [...byJob.keys()]) : undefined
      const near = (jobId !== undefined && byJob.get(jobId)) || undefined
      return (kind) => {
        if (kind === 'jobid') return jobId
        const known = (chance() < 0.9 && near?.get(kind)) || all.get(kind)
        return known && pick(chance, known)
      }
    },
    learn: (answer, jobId) => learn(answer, jobId),
  }
}
