/**
 * The severities that a site asks for instead of the usual ones. A warning may block or be switched
 * off; what blocks, blocks everywhere, so that a package never breaks a file.
 */
import {
  type Check,
  type CheckName,
  type CheckSettings,
  checkNames,
  checkOf,
  checkSettings,
  HubError,
} from '@dragoman/contract'
import { severityOf } from '@dragoman/text/checks'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { recordActs } from '../../access/audit/record-acts.ts'
import { actorOf, type Call } from '../../access/caller.ts'
import { lockSite } from '../../access/sites.ts'
import { selectCheckSettings, updateCheckSettings } from './check-setting-rows.ts'

export const findCheckSettings = (hub: Hub, call: Call): Promise<CheckSettings> =>
  checkSettingsOf(hub.db.read, call.caller.siteId)

export async function checkSettingsOf(db: Db, siteId: string): Promise<CheckSettings> {
  const settings = await selectCheckSettings(db, siteId)
  return settings === null ? {} : (JSON.parse(settings) as CheckSettings)
}

export async function listChecks(hub: Hub, call: Call): Promise<{ items: Check[] }> {
  const settings = await findCheckSettings(hub, call)
  const items = checkNames.map((check): Check => {
    const { finds, remedy, fixes = false } = checkOf(check)
    return { check, severity: severityOf(check, settings), finds, remedy, fix: fixes }
  })
  return { items }
}

export function replaceCheckSettings(
  hub: Hub,
  call: Call,
  input: CheckSettings,
): Promise<CheckSettings> {
  const { siteId } = call.caller
  mustBeAllowed(input)
  return hub.db.transact(async (tx) => {
    await lockSite(tx, siteId)
    const before = await checkSettingsOf(tx, siteId)
    const fields = checkNames.filter((name) => before[name] !== input[name])
    if (fields.length === 0) return before
    const kept = Object.fromEntries(
      checkNames.flatMap((name) => (input[name] ? [[name, input[name]]] : [])),
    )
    await updateCheckSettings(
      tx,
      siteId,
      Object.keys(kept).length === 0 ? null : JSON.stringify(kept),
    )
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'checks', verb: 'changed', id: siteId, fields },
    ])
    return kept
  })
}

function mustBeAllowed(input: CheckSettings): void {
  const details = Object.entries(input).flatMap(([name, setting]) => {
    const because = faultOf(name, setting)
    return because === undefined ? [] : [{ path: `/${name}`, message: because }]
  })
  const [first] = details
  if (first)
    throw new HubError(
      'INVALID_REQUEST',
      { because: `${first.path} ${first.message}.` },
      { details },
    )
}

function faultOf(name: string, setting: string): string | undefined {
  if (!isCheck(name)) return `is no check; the checks are ${checkNames.join(', ')}`
  if (!checkSettings.some((one) => one === setting))
    return `must be one of ${checkSettings.join(', ')}`
  if (setting === 'BLOCKING' || checkOf(name).severity === 'WARNING') return undefined
  return `is always BLOCKING; only a check that warns can be ${setting === 'OFF' ? 'switched off' : 'a warning'}`
}

const isCheck = (name: string): name is CheckName => checkNames.some((one) => one === name)
