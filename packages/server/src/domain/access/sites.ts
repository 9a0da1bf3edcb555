/** The lock of a site: what is counted or numbered for a whole site is changed by one at a time, on all nodes. */
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import * as rows from './client-rows.ts'

/** Until the end of the transaction. Taken before the rows it guards. */
export const lockSite = (hub: Hub, tx: Db, siteId: string): Promise<void> =>
  rows.lockSite(tx, siteId, hub.engine.locksRows)

/** For one who reads to rely on it: nobody changes it meanwhile, others may read too. */
export const holdSite = (hub: Hub, tx: Db, siteId: string): Promise<void> =>
  rows.holdSite(tx, siteId, hub.engine.locksRows)
