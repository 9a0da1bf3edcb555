/**
 * What a report is divided by: the group of each job or request, the names of groups, and a bound
 * on their number.
 */
import { findLanguage, limits, type ReportGroup } from '@dragoman/contract'
import { selectListenerUris } from './latency-rows.ts'
import { selectCodeNames, selectCodes, selectJobNames, selectProviderNames } from './report-rows.ts'
import type { ReportJob, ReportRequest, Walk } from './walk.ts'

/** A job or a request without a provider or code is in this group. */
export const none = ''
/** All groups beyond the limit. */
const others = '*'
const between = ' '
const arrow = ' → '

export const isByLanguage = (by: ReportGroup | undefined): boolean =>
  by === 'language' || by === 'provider-language'
const languageOf = (request: ReportRequest | undefined): string =>
  request ? (findLanguage(request.language) ?? request.language.toLowerCase()) : none

export function groupOf(
  by: ReportGroup | undefined,
  job: ReportJob,
  request?: ReportRequest,
): string {
  if (by === 'language') return languageOf(request)
  const provider = job.provider_id ?? none
  return by === 'provider-language' ? provider + between + languageOf(request) : provider
}

/** An engine, a pair of languages, or both. */
export const groupOfPair = (by: ReportGroup, providerId: string, pair: readonly string[]): string =>
  [...(by === 'pair' ? [] : [providerId]), ...(by === 'provider' ? [] : pair)].join(between)

const levelOf = (by: ReportGroup | undefined): number | undefined =>
  by?.startsWith('code') ? Number(by.slice('code'.length)) : undefined

/** The groups of jobs by provider or by an analysis code. */
export async function groupsOfJobs(
  { hub, siteId }: Walk,
  by: ReportGroup | undefined,
  jobs: readonly ReportJob[],
): Promise<(job: ReportJob) => string> {
  const level = levelOf(by)
  if (level === undefined) return (job) => groupOf(by, job)
  const ids = jobs.map(({ job_id }) => job_id)
  const found = await selectCodes(hub.db.read, siteId, level, ids)
  const codes = new Map(found.map(({ job_id, code_id }) => [job_id, code_id ?? none]))
  return (job) => codes.get(job.job_id) ?? none
}

/** Keeps the groups with the most in them; the others become one. */
export function boundGroups(sizes: ReadonlyMap<string, number>): (group: string) => string {
  if (sizes.size <= limits.reportGroups) return (group) => group
  const largest = [...sizes].sort(([, one], [, other]) => other - one).slice(0, limits.reportGroups)
  const kept = new Set(largest.map(([group]) => group))
  return (group) => (kept.has(group) ? group : others)
}

/** Adds figures to those of the same names. */
export function add<Sum extends Record<string, number>>(sum: Sum, more: Sum): Sum {
  for (const [name, figure] of Object.entries(more))
    (sum as Record<string, number>)[name] = (sum[name] ?? 0) + figure
  return sum
}

/** Names for people; a group without one is called by its id. */
export async function namesOf(
  { hub, siteId }: Walk,
  by: ReportGroup | undefined,
  groups: Iterable<string>,
): Promise<(group: string) => { group: string; groupName: string }> {
  const all = [...new Set(groups)].filter((group) => group !== none && group !== others)
  const names = new Map<string, string>()
  if (levelOf(by) !== undefined) {
    for (const { id, code, label } of await lookUp(all, (ids) =>
      selectCodeNames(hub.db.read, siteId, ids),
    ))
      names.set(id, label === code ? code : `${code} ${label}`)
  } else if (by === 'listener') {
    for (const one of await lookUp(all, (ids) => selectListenerUris(hub.db.read, siteId, ids)))
      names.set(one.id, `${hostOf(one.request_uri ?? one.job_uri ?? '')}, ${one.client_id}`)
  } else if (by === 'job') {
    for (const { id, name } of await lookUp(all, (ids) => selectJobNames(hub.db.read, siteId, ids)))
      names.set(id, name)
  } else if (by !== 'language' && by !== 'route' && by !== 'pair') {
    const ids = [...new Set(all.map((group) => group.split(between, 1)[0] ?? ''))]
    for (const { id, name } of await lookUp(ids, (some) =>
      selectProviderNames(hub.db.read, siteId, some),
    ))
      names.set(id, name)
  }
  return (group) => {
    if (by === 'pair') return { group, groupName: group.replace(between, arrow) }
    const isBoth = by === 'provider-language' || by === 'provider-pair'
    const [first = '', ...more] = isBoth ? group.split(between) : [group]
    const name = names.get(first) ?? first
    return { group, groupName: more.length === 0 ? name : `${name}, ${more.join(arrow)}` }
  }
}

const hostOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).host : uri)

const lookUp = async <R>(
  ids: readonly string[],
  select: (ids: readonly string[]) => Promise<R[]>,
): Promise<R[]> => (ids.length === 0 ? [] : select(ids))
