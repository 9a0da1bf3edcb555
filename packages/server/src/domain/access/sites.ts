import type { Db } from '../../store/engine.ts'
import * as rows from './client-rows.ts'

/** Until the end of the transaction. Taken before the rows it guards. */
export const lockSite = (tx: Db, siteId: string): Promise<void> => rows.lockSite(tx, siteId)

/** For one who reads to rely on it: nobody changes it meanwhile, others may read too. */
export const holdSite = (tx: Db, siteId: string): Promise<void> => rows.holdSite(tx, siteId)
