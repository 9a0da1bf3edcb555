/**
 * A site as a thing to lock: while it is held it does not change, and its removal does not begin.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { Act } from './audit/acts.ts'
import * as rows from './client-rows.ts'

/** The site that a hub without sites gets: that of the first person and of the bootstrap client. */
export const firstSiteName = 'main'

/** Locks the site until the transaction ends. Taken before the rows it guards. */
export const lockSite = (tx: Db, siteId: string): Promise<void> => rows.lockSite(tx, siteId)

/** A shared lock for readers: nobody changes the site meanwhile, but others may read it too. */
export async function holdSite(tx: Db, siteId: string): Promise<void> {
  await rows.holdSite(tx, siteId)
}

/** Holds the site and refuses if it is being removed. An operator's client has none. */
export async function mustNotGo(tx: Db, siteId: string): Promise<void> {
  const site = await rows.holdSite(tx, siteId)
  if (site && site.removing_at !== null) throw new HubError('SITE_REMOVED', { siteId })
}

/** Whether there is such a site and it is not being removed. */
export const hasStayingSite = async (db: Db, siteId: string): Promise<boolean> =>
  (await rows.siteById(db, siteId))?.removing_at === null

/** Holds a site that a person gets roles in, or refuses. */
export async function mustHaveSite(tx: Db, siteId: string): Promise<void> {
  const site = await rows.holdSite(tx, siteId)
  if (!site) throw new HubError('SITE_NOT_FOUND', { siteId })
  if (site.removing_at !== null) throw new HubError('SITE_REMOVED', { siteId })
}

/** The oldest site that stays; undefined if there is none. */
export const firstSiteOf = async (db: Db): Promise<string | undefined> =>
  (await rows.oldestSite(db))?.site_id

/** Adds the site if it is new, and holds it. Returns the act for the audit log if it was new. */
export async function addSiteFor(hub: Hub, tx: Db, siteId: string): Promise<Act[]> {
  const isNew = await rows.addSite(tx, siteId, hub.clock.now())
  if (!isNew) await mustHaveSite(tx, siteId)
  return isNew ? [{ thing: 'site', verb: 'added', id: siteId, siteId }] : []
}
