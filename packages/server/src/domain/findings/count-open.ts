/** How much needs attention: the numbers beside the console's navigation, each only for those who may list what it counts. */
import { type EndpointName, endpoints, limits, type OpenCounts, rolesOf } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { type Call, noSite, sightOf } from '../access/caller.ts'
import { countWork } from '../desk/work.ts'
import { countOpenJobs } from '../jobs/count-jobs.ts'
import { countFailing } from '../listeners/site-deliveries.ts'
import { countFindings } from './list-findings.ts'

/** Many people look at the numbers of one site. */
const keptMs = 5_000
const keptOf = perHub(() => new LRUCache<string, Promise<number>>({ max: 1_000, ttl: keptMs }))

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
  return {
    ...(siteId !== noSite && may('listJobs') && capped('openJobs', await countOpenJobs(hub, call))),
    ...(may('listSiteDeliveries') &&
      capped('failingDeliveries', await countFailing(hub, call, limits.countedRows + 1))),
    ...(may('listFindings') && capped('findings', await findingsOf(hub, sightOf(call)))),
    ...work,
    atLeast,
  }
}

/** Rules read the hub's clock, so a clock that was moved counts anew. */
function findingsOf(hub: Hub, sight: string | undefined): Promise<number> {
  const kept = keptOf(hub)
  const key = `${hub.clock.offset()} ${sight ?? ''}`
  const known = kept.get(key)
  if (known) return known
  const counted = countFindings(hub, sight).then((counts) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  )
  kept.set(key, counted)
  // A failed count is not kept.
  counted.catch(() => kept.delete(key))
  return counted
}
