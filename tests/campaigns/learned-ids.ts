/**
 * Ids and cursors that an attacker has seen in responses, the latest of each kind. Those of one job
 * are kept together, so that a call can name a job, one of its requests and its provider.
 */
import { pick } from './fuzzed-text.ts'
import type { Chance } from './history-walk.ts'

/**
 * By the name of the member or path parameter, and the call's path: the same name may mean several
 * things.
 */
export type IdsFor = (name: string, path: string) => string | undefined
export type LearnedIds = {
  /** Ids for one call: of one job as far as possible. */
  about(chance: Chance): IdsFor
  /** Collects every id in the response of a call to `path`. */
  learn(answer: unknown, path: string): void
  /** The job no longer exists. */
  forget(jobId: string): void
}
type Ids = Map<string, string[]>

const maxOfAKind = 30
const maxJobs = 15
/** Of people and sites, which no call accepts. */
const others = new Set(['siteid', 'clientid', 'creatorid', 'submitterid', 'typeid', 'traceid'])
const sameAs: Readonly<Record<string, string>> = {
  fileid: 'fmsfileid',
  assettaskid: 'requestid',
  assettaskids: 'requestid',
  requestids: 'requestid',
  deliveryids: 'deliveryid',
  analysiscodeid: 'analysisid',
  next: 'navnext',
}

function kindOf(name: string, path: string): string {
  const small = name.toLowerCase()
  if (small === 'id')
    return path.startsWith('/providers')
      ? 'providerid'
      : path.includes('/jobs')
        ? 'requestid'
        : 'analysisid'
  if (small === 'listenerid' && path.startsWith('/listeners')) return 'hearerid'
  return sameAs[small] ?? small
}
/**
 * The call log shows spoilt ids as they were sent: as part of a path they would be another call.
 */
const isId = (text: string, name: string): boolean =>
  /^[\w.-]+$/.test(text) && !others.has(name.toLowerCase())
export const jobIn = (path: string): string | undefined =>
  /\/jobs\/([A-Za-z0-9]{10})(?:\/|$)/.exec(path)?.[1]

export function learnIds(providerIds: readonly string[]): LearnedIds {
  const all: Ids = new Map([['providerid', [...providerIds]]])
  const byJob = new Map<string, Ids>()
  const add = (ids: Ids, kind: string, id: string): void => {
    ids.set(kind, [id, ...(ids.get(kind) ?? []).filter((one) => one !== id)].slice(0, maxOfAKind))
  }
  const ofJob = (jobId: string): Ids => {
    const ids = byJob.get(jobId) ?? new Map<string, string[]>()
    byJob.delete(jobId)
    byJob.set(jobId, ids)
    if (byJob.size > maxJobs) byJob.delete(byJob.keys().next().value ?? '')
    return ids
  }
  const learn = (answer: unknown, path: string, jobId: string | undefined, name = ''): void => {
    if (Array.isArray(answer)) for (const one of answer) learn(one, path, jobId, name)
    else if (typeof answer === 'object' && answer !== null) {
      const own = (answer as { jobId?: unknown }).jobId
      for (const [inner, value] of Object.entries(answer))
        learn(value, path, typeof own === 'string' && isId(own, 'jobId') ? own : jobId, inner)
    } else if (typeof answer === 'string' && /id$|^navNext$/i.test(name) && isId(answer, name)) {
      const kind = kindOf(name, path)
      add(all, kind, answer)
      if (jobId !== undefined) add(ofJob(jobId), kind, answer)
    }
  }
  return {
    about: (chance) => {
      const jobId = byJob.size > 0 ? pick(chance, [...byJob.keys()]) : undefined
      const near = jobId === undefined ? undefined : byJob.get(jobId)
      return (name, path) => {
        const kind = kindOf(name, path)
        if (kind === 'jobid') return jobId
        if (kind === 'typeid')
          return pick(chance, ['manual', 'pseudo', 'api', 'machine-translation'])
        const known = (chance() < 0.9 && near?.get(kind)) || all.get(kind)
        // Most submissions go to a provider with an active client.
        if (kind === 'providerid' && !near?.has(kind) && chance() < 0.8)
          return pick(chance, providerIds)
        return (
          known &&
          pick(chance, kind === 'providerid' && known.length > 0 ? known.slice(0, 1) : known)
        )
      }
    },
    learn: (answer, path) => learn(answer, path, jobIn(path)),
    forget: (jobId) => void byJob.delete(jobId),
  }
}
