/**
 * How much needs attention: the numbers beside the console's navigation, each only for those who
 * may list what it counts.
 */
import {
  type EndpointName,
  endpoints,
  findingRuleNames,
  limits,
  type OpenCounts,
  rolesOf,
  ruleOf,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import { type Call, isOperator, noSite } from '../../access/caller.ts'
import { countWork } from '../../desk/work.ts'
import { countOpenJobs } from '../../jobs/count-jobs.ts'
import { countFailing } from '../../listeners/site-deliveries.ts'
import { countFindings } from './list-findings.ts'

type Rules = NonNullable<OpenCounts['findingRules']>
/** A count that is under way, and the one after it. */
type Counting = { running?: Promise<Rules> | undefined; next?: Promise<Rules> | undefined }
const countingOf = perHub(() => new Map<string, Counting>())

export async function countOpen(hub: Hub, call: Call): Promise<OpenCounts> {
  const { person, siteId } = call.caller
  const may = (name: EndpointName): boolean =>
    person?.roles.some((role) => rolesOf(endpoints[name]).includes(role)) ?? false
  const atLeast: string[] = []
  const capped = (name: string, many: number): { [name: string]: number } => {
    if (many > limits.countedRows) atLeast.push(name)
    return { [name]: Math.min(many, limits.countedRows) }
  }
  const mine = await countWork(hub, call)
  const work = mine === undefined ? {} : capped('work', mine)
  const findingRules = may('listFindings') ? await findingsOf(hub, call) : undefined
  const findings = findingRules && { ...capped('findings', sumOf(findingRules)), findingRules }
  return {
    ...(siteId !== noSite && may('listJobs') && capped('openJobs', await countOpenJobs(hub, call))),
    ...(may('listSiteDeliveries') &&
      capped('failingDeliveries', await countFailing(hub, call, limits.countedRows + 1))),
    ...findings,
    ...work,
    atLeast,
  }
}

const worst = { error: 0, warning: 1 } as const
const sumOf = (rules: Rules): number => rules.reduce((sum, { count }) => sum + count, 0)

/**
 * Many people look at the numbers of one site, so they share a count: the next one, as the one
 * under way may have missed what made them ask.
 */
function findingsOf(hub: Hub, call: Call): Promise<Rules> {
  const all = countingOf(hub)
  const sight = `${call.caller.siteId} ${isOperator(call)}`
  const counting = all.get(sight) ?? {}
  all.set(sight, counting)
  const start = (): Promise<Rules> => {
    counting.next = undefined
    counting.running = rulesOf(hub, call).finally(() => {
      counting.running = undefined
      if (!counting.next) all.delete(sight)
    })
    return counting.running
  }
  if (!counting.running) return start()
  counting.next ??= counting.running.then(start, start)
  return counting.next
}

async function rulesOf(hub: Hub, call: Call): Promise<Rules> {
  const counts = await countFindings(hub, call)
  return findingRuleNames
    .map((rule) => ({ rule, severity: ruleOf(rule).severity, count: counts[rule] }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => worst[one.severity] - worst[other.severity])
}
