/**
 * Chooses the provider of a job that is submitted without one. Words are counted before the
 * transaction; inside it, the choice counts only if neither the job nor the rules have changed
 * since.
 */
import { HubError, type RoutedBy } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { JobRow } from '../../../store/tables.ts'
import { findIfAny } from '../../jobs/find-job.ts'
import { factsOf, markOf } from './job-facts.ts'
import { chooseRule, providerFault, routingOf } from './routing.ts'

export type Route = {
  readonly providerId: string
  readonly routedBy: RoutedBy
  readonly mark: string
}

/** The job or the rules changed between the choice and the submission. */
export class RouteChanged extends Error {
  override readonly name = 'RouteChanged'
}

/** Undefined if the job names a provider, or the site has no rules. */
export async function routeJob(
  hub: Hub,
  siteId: string,
  jobId: string,
): Promise<Route | undefined> {
  const { read } = hub.db
  const routing = await routingOf(read, siteId)
  const job = routing.rules.length > 0 ? await findIfAny(read, siteId, jobId) : undefined
  if (job?.status !== 'CREATED' || job.provider_id !== null) return undefined
  const mark = await markOf(read, job)
  const { providerId, rule } = await chooseRule(
    read,
    siteId,
    routing,
    await factsOf(hub, job, routing.rules),
  )
  if (providerId === undefined || rule === undefined) {
    const because = `none of the ${routing.rules.length} routing rules of the site matches it`
    throw new HubError('PROVIDER_REQUIRED', { jobId, because })
  }
  return { providerId, routedBy: { rule, version: routing.version }, mark }
}

/** Runs in the transaction that has locked the job. */
export async function mustStillHold(tx: Db, job: JobRow, route: Route | undefined): Promise<void> {
  const { version, rules } = await routingOf(tx, job.site_id)
  const isRouted = rules.length > 0 && job.provider_id === null
  if (!isRouted && !route) return
  if (!isRouted || version !== route?.routedBy.version || (await markOf(tx, job)) !== route.mark)
    throw new RouteChanged()
  // The next rule may take it.
  if (await providerFault(tx, job.site_id, route.providerId)) throw new RouteChanged()
}
