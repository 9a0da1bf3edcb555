/**
 * Settings of a site as a whole. A date alone that something is due on means the end of that day in
 * its time zone, as it is when the date is given; changing the zone later moves nothing.
 */
import { dueTime, isTimeZone, type SiteSettings, type SiteSettingsChange } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { wrong } from '../access/client-names.ts'
import { lockSite } from '../access/sites.ts'
import { selectTimeZone, updateTimeZone } from './site-setting-rows.ts'

export const findSiteSettings = (hub: Hub, call: Call): Promise<SiteSettings> =>
  settingsOf(hub.db.read, call.caller.siteId)

export function changeSiteSettings(
  hub: Hub,
  call: Call,
  { timeZone }: SiteSettingsChange,
): Promise<SiteSettings> {
  const { siteId } = call.caller
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw wrong('timeZone', `"${timeZone}" is not a time zone such as Europe/Berlin.`)
  return hub.db.transact(async (tx) => {
    await lockSite(tx, siteId)
    const before = await settingsOf(tx, siteId)
    if (timeZone === undefined || timeZone === before.timeZone) return before
    await updateTimeZone(tx, siteId, timeZone)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'site', verb: 'changed', id: siteId, fields: ['timeZone'] },
    ])
    return { ...before, timeZone }
  })
}

/** The input with the moment that its due date means. */
export async function withDueTime<T extends { readonly dueDate?: string | undefined }>(
  tx: Db,
  siteId: string,
  input: T,
): Promise<T> {
  if (input.dueDate === undefined) return input
  const { timeZone } = await settingsOf(tx, siteId)
  return { ...input, dueDate: dueTime(input.dueDate, timeZone) }
}

async function settingsOf(db: Db, siteId: string): Promise<SiteSettings> {
  return { timeZone: (await selectTimeZone(db, siteId)) ?? 'UTC' }
}
