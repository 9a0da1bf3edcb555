/**
 * The rules of a site that choose the provider of a job (contract, section 14): read, replaced with
 * their version, tried out.
 */
import {
  HubError,
  type Routing,
  type RoutingAnswer,
  type RoutingQuestion,
  type RoutingRule,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { recordActs } from '../../access/audit/record-acts.ts'
import { actorOf, type Call } from '../../access/caller.ts'
import { lockSite } from '../../access/sites.ts'
import { findProviderIfAny, missingOf } from '../../engines/providers.ts'
import { mustFindJob } from '../../jobs/find-job.ts'
import { usualBands } from '../quoting/count-job.ts'
import { type JobFacts, whyNot } from './fits.ts'
import { factsOf } from './job-facts.ts'
import { selectRouting, updateRouting } from './routing-rows.ts'

export const findRouting = (hub: Hub, call: Call): Promise<Routing> =>
  routingOf(hub.db.read, call.caller.siteId)

export async function routingOf(db: Db, siteId: string): Promise<Routing> {
  const routing = await selectRouting(db, siteId)
  return routing === null ? { version: 0, rules: [] } : (JSON.parse(routing) as Routing)
}

export function replaceRouting(
  hub: Hub,
  call: Call,
  { version, rules }: Routing,
): Promise<Routing> {
  const { siteId } = call.caller
  return hub.db.transact(async (tx) => {
    await lockSite(tx, siteId)
    const current = await routingOf(tx, siteId)
    if (version !== current.version)
      throw new HubError(
        'VERSION_CONFLICT',
        { sent: version, version: current.version },
        { also: { current } },
      )
    await mustBeRules(tx, siteId, rules)
    const changed: Routing = { version: version + 1, rules }
    await updateRouting(tx, siteId, JSON.stringify(changed))
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'routing', verb: 'changed', id: siteId, fields: ['rules'] },
    ])
    return changed
  })
}

/** What the schema cannot say: names once, known providers and bands, a range that is not empty. */
async function mustBeRules(db: Db, siteId: string, rules: readonly RoutingRule[]): Promise<void> {
  const details: { path: string; message: string }[] = []
  const names = new Set<string>()
  for (const [at, { name, providerId, when }] of rules.entries()) {
    const fault = (path: string, message: string) =>
      details.push({ path: `/rules/${at}${path}`, message })
    if (names.has(name)) fault('/name', `is the name of an earlier rule`)
    names.add(name)
    if (!(await findProviderIfAny(db, siteId, providerId)))
      fault('/providerId', 'is not a provider of this site')
    const { words, band } = when ?? {}
    if (words?.min !== undefined && words.max !== undefined && words.min > words.max)
      fault('/when/words', `has a min of ${words.min} above its max of ${words.max}`)
    if (band && !usualBands.some((one) => one.name === band.name))
      fault('/when/band/name', `must be one of ${usualBands.map((one) => one.name).join(', ')}`)
  }
  const [first] = details
  if (first)
    throw new HubError(
      'INVALID_REQUEST',
      { because: `${first.path} ${first.message}.` },
      { details },
    )
}

/** The first rule that fits, and why each other one does not take the job. */
export async function chooseRule(
  db: Db,
  siteId: string,
  { version, rules }: Routing,
  facts: JobFacts,
): Promise<RoutingAnswer> {
  let chosen: RoutingRule | undefined
  const rejected: RoutingAnswer['rejected'] = []
  for (const rule of rules) {
    const because = chosen
      ? `the rule ${chosen.name} comes first`
      : (whyNot(rule.when ?? {}, facts) ?? (await providerFault(db, siteId, rule.providerId)))
    if (because === undefined) chosen = rule
    else rejected.push({ rule: rule.name, because })
  }
  return { ...(chosen && { providerId: chosen.providerId, rule: chosen.name }), version, rejected }
}

/** Why the provider of a rule cannot take work. */
export async function providerFault(
  db: Db,
  siteId: string,
  providerId: string,
): Promise<string | undefined> {
  const provider = await findProviderIfAny(db, siteId, providerId)
  if (!provider) return `its provider ${providerId} was removed`
  if (provider.status !== 'ENABLED') return `its provider ${provider.name} is disabled`
  const missing = await missingOf(db, provider)
  return missing === undefined
    ? undefined
    : `its provider ${provider.name} needs the provider ${missing}, which is disabled`
}

export async function tryRouting(
  hub: Hub,
  call: Call,
  question: RoutingQuestion,
): Promise<RoutingAnswer> {
  const { siteId } = call.caller
  const { read } = hub.db
  const routing = await routingOf(read, siteId)
  const { jobId, source, targets, labels, words } = question
  if (jobId !== undefined) {
    if ([source, targets, labels, words].some((one) => one !== undefined))
      throw unclear('Send either jobId or what a job would have, not both.')
    const job = await mustFindJob(read, siteId, jobId)
    return chooseRule(read, siteId, routing, await factsOf(hub, job, routing.rules))
  }
  if (source === undefined || targets === undefined)
    throw unclear('Send jobId, or source and targets of a job that would be submitted.')
  return chooseRule(read, siteId, routing, {
    pairs: targets.map((target) => ({ source, target })),
    labels: new Set(labels),
    metadata: {},
    ...(words !== undefined && { words: { all: words } }),
  })
}

const unclear = (because: string): HubError => new HubError('INVALID_REQUEST', { because })
