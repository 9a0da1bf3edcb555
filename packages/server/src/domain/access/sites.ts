import type { Db } from '../../store/engine.ts'
import * as rows from './client-rows.ts'

/** Locks the site until the transaction ends. Taken before the rows it guards. */
export const lockSite = (tx: Db, siteId: string): Promise<void> => rows.lockSite(tx, siteId)

/** A shared lock for readers: nobody changes the site meanwhile, but others may read it too. */
export const holdSite = (tx: Db, siteId: string): Promise<void> => rows.holdSite(tx, siteId)
