/** Rules about jobs, their providers and engines. */
import { findingRules, formatTime, limits } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { drivers } from '../../engines/drivers/drivers.ts'
import { listHeld } from '../../engines/drivers/engine-costs.ts'
import { translateTask } from '../../handover/translate-requests.ts'
import { lastTryOf } from '../../jobs/requests/last-try.ts'
import { type ExpiringJob, listExpiringJobs } from '../../jobs/retention.ts'
import { followTask } from '../../jobs/sent-on.ts'
import { bounded, type Finders, type Look, matchesOf, type RuleMatch } from './finder.ts'
import * as rows from './finding-rows.ts'

/** Types whose providers fetch their jobs themselves. */
const fetching = drivers.filter(({ translate }) => !translate).map(({ typeId }) => typeId)
/** Failing tasks that are looked at; those of one provider fail together. */
const maxFailing = 1_000

export const jobRules: Finders<
  | 'job-sending'
  | 'job-overdue'
  | 'job-unacknowledged'
  | 'question-open'
  | 'jobs-expire'
  | 'engine-refuses'
  | 'engine-held'
> = {
  'job-sending': async ({ clock }, look) => {
    const before = clock.now() - findingRules['job-sending'].after
    return matchesOf(
      await rows.sendingJobs(look, before),
      ({ job_id, site_id, submitted_at: since }) => ({
        ...aboutJob(site_id, job_id),
        since,
        facts: { jobId: job_id, time: formatTime(since) },
      }),
    )
  },

  'job-overdue': async ({ clock }, look) => {
    const now = clock.now()
    const quietSince = now - findingRules['job-overdue'].after
    return matchesOf(
      await rows.overdueJobs(look, now, quietSince),
      ({ job_id, site_id, due_at, activity_at, status }) => ({
        ...aboutJob(site_id, job_id),
        since: due_at,
        facts: { jobId: job_id, due: formatTime(due_at), status, time: formatTime(activity_at) },
      }),
    )
  },

  'question-open': async ({ clock }, look) => {
    const before = clock.now() - findingRules['question-open'].after
    return matchesOf(
      await rows.openQuestions(look, before),
      ({ comment_id: commentId, job_id, site_id, created_at: since, addressee }) => ({
        ...aboutJob(site_id, job_id),
        key: `${job_id}.${commentId}`,
        since,
        facts: {
          ...{ commentId, jobId: job_id, time: formatTime(since) },
          to: addressee === 'TEAM' ? 'team' : 'connector',
        },
      }),
    )
  },

  'job-unacknowledged': async ({ clock }, look) => {
    const before = clock.now() - findingRules['job-unacknowledged'].after
    return matchesOf(
      await rows.unacknowledgedJobs(look, fetching, before),
      ({ job_id, site_id, submitted_at: since, provider_id }) => ({
        ...aboutJob(site_id, job_id),
        since,
        facts: { jobId: job_id, providerId: provider_id, time: formatTime(since) },
      }),
    )
  },

  'jobs-expire': async (hub, look) => bounded(await expiringSites(hub, look), look),

  'engine-refuses': async (hub, look) => bounded(await refusingEngines(hub, look), look),

  'engine-held': async (hub, look) => {
    const held = await listHeld(hub, look.db, look.siteId)
    const found = held.map(({ siteId, providerId, jobId, since, because }) => ({
      siteId,
      thing: 'provider',
      thingId: providerId,
      ...(jobId !== undefined && { key: `${providerId}.${jobId}` }),
      since,
      facts: { providerId, message: because, time: formatTime(since) },
    }))
    return bounded(found, look)
  },
}

const aboutJob = (siteId: string, jobId: string) => ({ siteId, thing: 'job', thingId: jobId })

/** One for each site: how many jobs, and the one that goes first. */
async function expiringSites(hub: Hub, { siteId }: Look): Promise<RuleMatch<'jobs-expire'>[]> {
  const within = findingRules['jobs-expire'].after
  const sites = new Map<string, ExpiringJob[]>()
  for (const job of await listExpiringJobs(hub, siteId, { within, limit: limits.countedRows }))
    if (!sites.get(job.siteId)?.push(job)) sites.set(job.siteId, [job])
  return [...sites].flatMap(([site, jobs]) => {
    const [first] = jobs
    if (!first) return []
    const facts = {
      count: jobs.length,
      siteId: site,
      jobId: first.jobId,
      time: formatTime(first.removedAt),
    }
    return [{ siteId: site, thing: 'site', thingId: site, since: first.removedAt - within, facts }]
  })
}

/** One for each provider: its oldest failing task, with the message that its requests show. */
async function refusingEngines(
  _: Hub,
  { db, siteId }: Look,
): Promise<RuleMatch<'engine-refuses'>[]> {
  const found = { db, siteId }
  const tasks = [
    ...(await rows.failingTasks(found, translateTask, maxFailing)),
    ...(await rows.failingTasks(found, followTask, maxFailing)),
  ]
  const byProvider = new Map<string, (typeof tasks)[number]>()
  for (const task of tasks) {
    // translate-requests.ts and sent-on.ts define the keys of the tasks.
    const provider = task.key?.split(':')[1]
    if (provider !== undefined && !byProvider.has(provider)) byProvider.set(provider, task)
  }
  const all = [...byProvider].map(async ([providerId, task]) => {
    const isFollowing = task.name === followTask
    const lastTry = isFollowing ? undefined : await lastTryOf(db, JSON.parse(task.payload))
    const said = isFollowing ? task.last_error : undefined
    const message = lastTry?.message ?? said ?? 'the reason is in the log of the hub.'
    const facts = { providerId, message, time: formatTime(lastTry?.nextTime ?? task.due_at) }
    const site = task.site_id === null ? {} : { siteId: task.site_id }
    return { ...site, thing: 'provider', thingId: providerId, since: task.created_at, facts }
  })
  return Promise.all(all)
}
