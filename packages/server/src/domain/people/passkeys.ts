/**
 * Passkeys of people, the challenges that they sign, and recovery codes for those who lose theirs.
 * A challenge is signed by the hub and not stored until it is used: asking for many costs nothing,
 * and each works once.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import {
  formatTime,
  type GivenPasskey,
  HubError,
  limits,
  type Passkey,
  type PasskeyChallenge,
  type PasskeyProof,
  type RecoveryCodes,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newId } from '../../store/ids.ts'
import type { PasskeyRow, PersonRow } from '../../store/tables.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { revoke } from '../access/revocations.ts'
import * as rows from './link-rows.ts'
import { lockPerson } from './person-rows.ts'
import { firstSite } from './sessions.ts'
import { checkNewPasskey, checkProof, type Expected } from './webauthn.ts'

const challengeMs = 300_000
const randomPart = 16
const signedPart = randomPart + 8

export function makeChallenge(hub: Hub, { rpId }: Expected): PasskeyChallenge {
  const signed = Buffer.alloc(signedPart)
  randomBytes(randomPart).copy(signed)
  signed.writeBigUInt64BE(BigInt(hub.clock.now() + challengeMs), randomPart)
  return {
    challenge: Buffer.concat([signed, mac(hub, signed)]).toString('base64url'),
    rpId,
    timeoutMs: challengeMs,
  }
}

const mac = (hub: Hub, signed: Buffer): Buffer =>
  hub.vault.sign('challenge', signed.toString('hex')).subarray(0, 16)

/**
 * In the transaction of what the challenge was for: one that was used, has expired or is not ours
 * is refused.
 */
export async function spendChallenge(hub: Hub, tx: Db, challenge: string): Promise<void> {
  const bytes = Buffer.from(challenge, 'base64url')
  const signed = bytes.subarray(0, signedPart)
  const isOurs =
    bytes.length === signedPart + 16 &&
    timingSafeEqual(mac(hub, signed), bytes.subarray(signedPart))
  const expiresAt = isOurs ? Number(signed.readBigUInt64BE(randomPart)) : 0
  if (expiresAt <= hub.clock.now()) throw refuse('its challenge has expired; try again.')
  const name = `challenge ${signed.toString('base64url')}`
  if (!(await revoke(hub, tx, name, expiresAt)))
    throw refuse('its challenge was used before; try again.')
}

const refuse = (because: string): HubError => new HubError('PASSKEY_REFUSED', { because })

/** Adds a passkey in the transaction of a welcome or of a call. */
export async function keepPasskey(
  hub: Hub,
  tx: Db,
  person: Pick<PersonRow, 'person_id'>,
  { name, passkey, expected }: { name: string; passkey: GivenPasskey; expected: Expected },
): Promise<PasskeyRow> {
  const { challenge, signCount } = checkNewPasskey(passkey, expected)
  await spendChallenge(hub, tx, challenge)
  if ((await rows.passkeysOf(tx, [person.person_id])).length >= limits.passkeys)
    throw refuse(`you have ${limits.passkeys} already; remove one first.`)
  const row: PasskeyRow = {
    passkey_id: newId(),
    person_id: person.person_id,
    credential_id: passkey.credentialId,
    public_key: passkey.publicKey,
    algorithm: passkey.algorithm,
    sign_count: signCount,
    name,
    created_at: hub.clock.now(),
    last_used_at: null,
  }
  if (!(await rows.insertPasskey(tx, row))) throw refuse('it is registered already.')
  return row
}

export async function addPasskey(
  hub: Hub,
  call: Call,
  given: { name: string; passkey: GivenPasskey },
  expected: Expected,
): Promise<Passkey> {
  const personId = mustBePerson(call)
  return hub.db.transact(async (tx) => {
    await lockPerson(tx, personId)
    const row = await keepPasskey(hub, tx, { person_id: personId }, { ...given, expected })
    await record(hub, tx, call, 'passkey added')
    return describePasskey(row)
  })
}

export async function removePasskey(hub: Hub, call: Call, passkeyId: string): Promise<Passkey> {
  const personId = mustBePerson(call)
  return hub.db.transact(async (tx) => {
    const person = await lockPerson(tx, personId)
    const all = await rows.passkeysOf(tx, [personId])
    const row = all.find(({ passkey_id }) => passkey_id === passkeyId)
    if (!row || !person) throw new HubError('PASSKEY_NOT_FOUND', { passkeyId })
    const isLast = all.length === 1
    if (
      isLast &&
      (person.password_hash === null || !hub.config.passwordSignIn) &&
      person.subject === null
    )
      throw new HubError('LAST_WAY_IN', {})
    if (isLast && person.two_steps === 1 && (await rows.countCodes(tx, personId)) === 0)
      throw new HubError('LAST_WAY_IN', {})
    await rows.deletePasskey(tx, passkeyId)
    await record(hub, tx, call, 'passkey removed')
    return describePasskey(row)
  })
}

/** The passkey that a proof names. */
export async function findPasskey(hub: Hub, { credentialId }: PasskeyProof): Promise<PasskeyRow> {
  const row = await rows.passkeyByCredential(hub.db.read, credentialId)
  if (!row) throw refuse('this hub does not know it.')
  return row
}

/** The passkey of a proof whose signature is right; its use is written by `usePasskey`. */
export async function provePasskey(
  hub: Hub,
  proof: PasskeyProof,
  expected: Expected,
): Promise<ProvenPasskey> {
  const row = await findPasskey(hub, proof)
  const stored = { publicKey: row.public_key, algorithm: row.algorithm, signCount: row.sign_count }
  return { row, ...checkProof(proof, stored, expected) }
}
export type ProvenPasskey = {
  readonly row: PasskeyRow
  readonly challenge: string
  readonly signCount: number
}

/** Runs in the transaction of the sign-in. */
export async function usePasskey(
  hub: Hub,
  tx: Db,
  { row, challenge, signCount }: ProvenPasskey,
): Promise<void> {
  await spendChallenge(hub, tx, challenge)
  const locked = await rows.lockPasskey(tx, row.passkey_id)
  if (!locked || (signCount > 0 && signCount <= locked.sign_count))
    throw refuse('it was removed or used in the meantime.')
  await rows.notePasskeyUse(tx, row.passkey_id, {
    last_used_at: hub.clock.now(),
    sign_count: signCount,
  })
}

/**
 * 80 bits each, in groups that can be read out. Letters and digits that look alike are left out.
 */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
function newCode(): string {
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte % 32]).join('')
  return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4)).join('-')
}

/** As a person may type it: in any case, with or without dashes. */
export const codeHash = (hub: Hub, personId: string, code: string): string => {
  const plain = Array.from(code.toUpperCase()).filter((letter) => alphabet.includes(letter))
  return hub.vault.sign('secret-hash', `${personId}\n${plain.join('')}`).toString('base64url')
}

export async function makeRecoveryCodes(hub: Hub, call: Call): Promise<RecoveryCodes> {
  const personId = mustBePerson(call)
  const codes = Array.from({ length: limits.recoveryCodes }, newCode)
  await hub.db.transact(async (tx) => {
    await lockPerson(tx, personId)
    await rows.replaceCodes(
      tx,
      personId,
      codes.map((code) => codeHash(hub, personId, code)),
    )
    await record(hub, tx, call, 'recovery codes made')
  })
  return { recoveryCodes: codes }
}

/** Whether there is such a code; `takeCode` uses it up. */
export const hasCode = (hub: Hub, personId: string, code: string): Promise<boolean> =>
  rows.hasCode(hub.db.read, personId, codeHash(hub, personId, code))

export const takeCode = (hub: Hub, tx: Db, personId: string, code: string): Promise<boolean> =>
  rows.takeCode(tx, personId, codeHash(hub, personId, code))

export const describePasskey = (row: PasskeyRow): Passkey => ({
  passkeyId: row.passkey_id,
  name: row.name,
  createdDate: formatTime(row.created_at),
  ...(row.last_used_at !== null && { lastUsedDate: formatTime(row.last_used_at) }),
})

export function mustBePerson({ caller }: Call): string {
  if (!caller.person)
    throw new HubError('FORBIDDEN', { because: 'only a person in the console has an account.' })
  return caller.person.personId
}

async function record(
  hub: Hub,
  tx: Db,
  call: Call,
  verb: 'passkey added' | 'passkey removed' | 'recovery codes made',
): Promise<void> {
  const id = mustBePerson(call)
  await recordActs(hub, tx, actorOf(call), [
    { thing: 'person', verb, id, siteId: await firstSite(tx, id) },
  ])
}
