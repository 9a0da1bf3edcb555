/** The sites of the hub, for its operator: listed with their sizes, and removed. */
import { formatTime, HubError, type Site } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { type Paging, readPage } from '../../store/filtered-page.ts'
import type { Page } from '../../store/page.ts'
import type { SiteRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { forgetClient } from '../access/known-clients.ts'
import { removeSiteTask } from './remove-site.ts'
import * as rows from './site-rows.ts'

export async function listSites(
  hub: Hub,
  { caller: { siteId } }: Call,
  asked: Paging,
): Promise<Page<Site>> {
  const { db, vault } = hub
  const { rows: found, next } = await readPage(
    { vault, siteId, name: 'sites' },
    asked,
    (_, { after, limit }) => rows.pageOfSites(db.read, { after, limit }),
    ({ created_at, site_id }) => [created_at, site_id],
  )
  const items = await Promise.all(found.map((site) => describe(db.read, site)))
  return { items, ...(next !== undefined && { next }) }
}

/**
 * Its clients are refused at once (on other nodes within five seconds); a task removes everything
 * else.
 */
export async function deleteSite(hub: Hub, call: Call, siteId: string): Promise<Site> {
  const { site, clients } = await hub.db.transact(async (tx) => {
    const row = await rows.lockSiteRow(tx, siteId)
    if (!row) throw new HubError('SITE_NOT_FOUND', { siteId })
    if (row.removing_at !== null) return { site: await describe(tx, row), clients: [] }
    const now = hub.clock.now()
    const clients = await rows.beginRemoval(tx, siteId, now)
    const site = await describe(tx, { ...row, removing_at: now })
    const key = `${removeSiteTask}:${siteId}`
    // The task has no site: it removes all tasks of the site.
    const task = {
      name: removeSiteTask,
      payload: { siteId },
      key,
      dueAt: now,
      causeId: call.traceId,
    }
    await addTasks(hub.db, tx, now, [task])
    const { jobs, clients: many, bytes } = site
    const was = { jobs, clients: many, bytes }
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'site', verb: 'removed', id: siteId, siteId, was },
    ])
    return { site, clients }
  })
  for (const clientId of clients) forgetClient(hub, clientId)
  return site
}

async function describe(db: Db, row: SiteRow): Promise<Site> {
  return {
    siteId: row.site_id,
    createdDate: formatTime(row.created_at),
    ...(await rows.sizesOf(db, row.site_id)),
    ...(row.removing_at === null ? {} : { removalDate: formatTime(row.removing_at) }),
  }
}
