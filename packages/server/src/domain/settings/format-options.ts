/**
 * What is text in the files of a site, for jobs that do not say it themselves. A job takes the
 * options of its site when it is created; changing them later changes no job, so a quote and its
 * translation always read a file alike.
 */
import type { FormatOptions } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { lockSite } from '../access/sites.ts'
import { selectFormatOptions, updateFormatOptions } from './format-option-rows.ts'

export const findFormatOptions = (hub: Hub, call: Call): Promise<FormatOptions> =>
  optionsOfSite(hub.db.read, call.caller.siteId)

export function replaceFormatOptions(
  hub: Hub,
  call: Call,
  input: FormatOptions,
): Promise<FormatOptions> {
  const { siteId } = call.caller
  return hub.db.transact(async (tx) => {
    await lockSite(tx, siteId)
    const before = await optionsOfSite(tx, siteId)
    const fields = changedGroups(before, input)
    if (fields.length === 0) return before
    await updateFormatOptions(
      tx,
      siteId,
      Object.keys(input).length === 0 ? null : JSON.stringify(input),
    )
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'format options', verb: 'changed', id: siteId, fields },
    ])
    return input
  })
}

/** The options of the site, with those of the job in place of them, key by key. */
export async function formatOptionsFor(
  tx: Db,
  siteId: string,
  given: FormatOptions | undefined,
): Promise<FormatOptions | undefined> {
  const site = await optionsOfSite(tx, siteId)
  const names = groupsOf({ ...site, ...given })
  if (names.length === 0) return given
  return Object.fromEntries(names.map((name) => [name, { ...site[name], ...given?.[name] }]))
}

async function optionsOfSite(db: Db, siteId: string): Promise<FormatOptions> {
  const options = await selectFormatOptions(db, siteId)
  return options === null ? {} : (JSON.parse(options) as FormatOptions)
}

const groupsOf = (options: FormatOptions) => Object.keys(options) as (keyof FormatOptions)[]

/** The names of the groups that differ, for the audit log. */
function changedGroups(before: FormatOptions, after: FormatOptions): string[] {
  const names = [...new Set([...groupsOf(before), ...groupsOf(after)])]
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}
