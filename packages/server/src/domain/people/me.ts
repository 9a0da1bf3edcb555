/** What people see and change of their own account. */
import { HubError, isTimeZone, type Me, type MeChange, type Preferences } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { PersonRow } from '../../store/tables.ts'
import { factsOf } from '../access/audit/acts.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { wrong } from '../access/client-names.ts'
import { describePerson } from './describe-person.ts'
import * as links from './link-rows.ts'
import { describePasskey, mustBePerson } from './passkeys.ts'
import { hashPassword } from './passwords.ts'
import * as rows from './person-rows.ts'
import { deleteSessionsOf } from './session-rows.ts'
import { confirmNeeded, firstSite, sessionsOf } from './sessions.ts'

export async function findMe(hub: Hub, call: Call): Promise<Me> {
  const personId = mustBePerson(call)
  const db = hub.db.read
  const row = mustFind(await rows.personById(db, personId))
  const [person, passkeys, recoveryCodes, sessions] = await Promise.all([
    describePerson(db, row),
    links.passkeysOf(db, [personId]),
    links.countCodes(db, personId),
    sessionsOf(hub, row, call.caller.person?.sessionId),
  ])
  return {
    ...person,
    preferences: preferencesOf(row),
    sendsMail: hub.config.mail !== undefined,
    twoSteps: row.two_steps === 1,
    passkeys: passkeys.map(describePasskey),
    recoveryCodes,
    sessions,
  }
}

export const preferencesOf = ({ preferences }: Pick<PersonRow, 'preferences'>): Preferences =>
  JSON.parse(preferences ?? '{}') as Preferences

/**
 * A new password, or two steps, need a confirmed session. A new password ends the other sessions.
 */
export async function changeMe(hub: Hub, call: Call, change: MeChange): Promise<Me> {
  const personId = mustBePerson(call)
  const { name, preferences, password, twoSteps } = change
  if ((password !== undefined || twoSteps !== undefined) && !call.caller.person?.confirmed)
    throw confirmNeeded()
  if (password !== undefined && !hub.config.passwordSignIn)
    throw wrong('password', 'Passwords are switched off on this hub.')
  if (preferences?.zone !== undefined) mustBeZone(preferences.zone)
  const before = mustFind(await rows.personById(hub.db.read, personId))
  const hash =
    password === undefined
      ? undefined
      : await hashPassword(password, before, await rows.hashesOf(hub.db.read, before.email))
  await hub.db.transact(async (tx) => {
    const row = mustFind(await rows.lockPerson(tx, personId))
    if (twoSteps) await mustHaveSecondStep(tx, row)
    await rows.updatePerson(tx, personId, {
      ...(name !== undefined && { name: name.trim() }),
      ...(preferences && {
        preferences: JSON.stringify({ ...preferencesOf(row), ...preferences }),
      }),
      ...(hash !== undefined && { password_hash: hash }),
      ...(twoSteps !== undefined && { two_steps: twoSteps ? 1 : 0 }),
    })
    const ended =
      hash === undefined ? [] : await deleteSessionsOf(tx, personId, call.caller.person?.sessionId)
    await record(hub, tx, call, { row, change, ended })
  })
  return findMe(hub, call)
}

/** Preferences are not acts. */
async function record(
  hub: Hub,
  tx: Db,
  call: Call,
  {
    row,
    change,
    ended,
  }: { readonly row: PersonRow; readonly change: MeChange; readonly ended: readonly string[] },
): Promise<void> {
  const siteId = await firstSite(tx, row.person_id)
  const fields = (['name', 'twoSteps'] as const).filter((field) => change[field] !== undefined)
  const { twoSteps } = change
  const facts =
    twoSteps === undefined ? {} : factsOf('person', { twoSteps: row.two_steps === 1 }, { twoSteps })
  const id = row.person_id
  await recordActs(hub, tx, actorOf(call), [
    ...(fields.length > 0
      ? [{ thing: 'person', verb: 'changed', id, siteId, fields, ...facts } as const]
      : []),
    ...(change.password === undefined
      ? []
      : [{ thing: 'person', verb: 'password set', id, siteId } as const]),
    ...ended.map(
      (sessionId) => ({ thing: 'session', verb: 'ended', id: sessionId, siteId }) as const,
    ),
  ])
}

async function mustHaveSecondStep(tx: Db, row: PersonRow): Promise<void> {
  const { person_id } = row
  const passkeys = await links.passkeysOf(tx, [person_id])
  if (passkeys.length === 0) throw wrong('twoSteps', 'Add a passkey first: it is the second step.')
}

function mustBeZone(zone: string): void {
  if (!isTimeZone(zone))
    throw wrong('preferences.zone', `"${zone}" is not a time zone such as Europe/Berlin.`)
}

function mustFind(row: PersonRow | undefined): PersonRow {
  if (!row) throw new HubError('SIGN_IN_NEEDED', { because: 'your account was removed.' })
  return row
}
