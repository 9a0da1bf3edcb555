/**
 * What the command line does beside a running hub: it opens the same stores as a tool, not as a node, does one thing and closes
 * them. Loaded separately from the server, so that a small command starts quickly.
 */
import { NewPriceList, type PriceList } from '@dragoman/contract'
import { type Env, readConfig } from './config.ts'
import { savePriceListOf } from './domain/settings/price-lists.ts'
import { closeHub, type Hub, openHub } from './hub.ts'
import { openLog } from './log.ts'
import { bodyCheck } from './validation/validate.ts'

export { ConfigError } from './config.ts'
export { setClient } from './domain/access/change-client.ts'
export {
  type Client,
  disableClient,
  enableClient,
  listClients,
  type NewClient,
  rotateSecret,
} from './domain/access/clients.ts'
export { mustFindProvider } from './domain/providers/providers.ts'
export { type Rotated, rotateKeys } from './domain/seals/rotate-keys.ts'
export { exportPriceList } from './domain/settings/price-lists.ts'
export { checkHub, type Finding, type Report } from './domain/upkeep/check.ts'
export { dismissClient, type Enrolled, enrolClient } from './domain/upkeep/enrol-client.ts'
export type { Hub } from './hub.ts'

/** Runs `work` on the hub named by the environment. It logs nothing: a command reports its own result. */
export async function withHub<T>(env: Env, work: (hub: Hub) => Promise<T>): Promise<T> {
  const config = readConfig(env)
  const hub = await openHub(config, { as: 'tool', log: openLog('silent') })
  try {
    return await work(hub)
  } finally {
    await closeHub(hub)
  }
}

/** Imports a price list from a file: checks it by the schema of the REST call, then by the rules of the verb. */
export async function importPriceList(hub: Hub, siteId: string, list: unknown): Promise<PriceList> {
  const check = bodyCheck(NewPriceList, { maxDetails: Number.POSITIVE_INFINITY })
  return savePriceListOf(hub, siteId, check(list) as NewPriceList)
}
