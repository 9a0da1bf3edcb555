/**
 * Signs a person in: by password, by passkey, by both if the person asks for two steps, or by a
 * recovery code in place of a passkey. Guessing is slowed as for clients, an unknown address takes
 * as long as a known one, and every wrong answer is the same. The session is made new in the
 * transaction that records the sign-in.
 */
import { type Confirmation, HubError, type SignIn } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { PersonRow, SessionRow } from '../../store/tables.ts'
import { factsOf } from '../access/audit/acts.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { addressOf, type Guesser, limitGuesses } from '../access/login-throttle.ts'
import { findProven } from '../access/secrets.ts'
import { sitesOf } from './describe-person.ts'
import { guessName, plainEmail } from './new-person.ts'
import {
  findPasskey,
  hasCode,
  type ProvenPasskey,
  provePasskey,
  takeCode,
  usePasskey,
} from './passkeys.ts'
import * as rows from './person-rows.ts'
import { noteConfirmed } from './session-rows.ts'
import { firstSite, openSession, type Source } from './sessions.ts'
import type { Expected } from './webauthn.ts'

export type SignedIn = {
  readonly token: string
  readonly session: SessionRow
  readonly person: PersonRow
}
export type Attempt = {
  readonly from: Source
  readonly expected: Expected
  readonly traceId: string
}
type Way =
  | 'password'
  | 'passkey'
  | 'password and passkey'
  | 'password and recovery code'
  | 'recovery code'
  | 'provider'

/** Who it is, and what must still be written down: that a passkey or a code was used. */
type Proven = {
  readonly person: PersonRow
  readonly by: Way
  readonly spend?: (tx: Db) => Promise<void>
}

export async function signIn(hub: Hub, given: SignIn, attempt: Attempt): Promise<SignedIn> {
  const proven =
    given.email === undefined
      ? await byPasskey(hub, given, attempt)
      : await byEmail(hub, given, attempt)
  return completeSignIn(hub, proven, attempt)
}

/** Opens the session of a person who has proven who they are. */
export async function completeSignIn(
  hub: Hub,
  { person, by, spend }: Proven,
  attempt: Attempt,
): Promise<SignedIn> {
  return hub.db.transact(async (tx) => {
    const locked = await rows.lockPerson(tx, person.person_id)
    if (!locked || locked.disabled_at !== null) throw refuse('this account is disabled.')
    await spend?.(tx)
    if ((await sitesOf(tx, person.person_id)).length === 0)
      throw refuse('your account has no role here yet; ask an admin or an operator for one.')
    const opened = await openSession(hub, tx, locked, attempt.from)
    await recordSignIn(hub, tx, { personId: locked.person_id, by, traceId: attempt.traceId })
    return { ...opened, person: locked }
  })
}

type SignInAct = { readonly personId: string; readonly by: Way; readonly traceId: string }

export async function recordSignIn(
  hub: Hub,
  tx: Db,
  { personId, by, traceId }: SignInAct,
): Promise<void> {
  const siteId = await firstSite(tx, personId)
  const act = {
    thing: 'person',
    verb: 'signed in',
    id: personId,
    siteId,
    ...factsOf('person', undefined, { by }),
  } as const
  await recordActs(hub, tx, { actor: 'person', personId, siteId, traceId }, [act])
}

async function byPasskey(
  hub: Hub,
  { passkey }: SignIn,
  { from, expected }: Attempt,
): Promise<Proven> {
  if (!passkey) throw refuse('send an e-mail address and a password, or a passkey.')
  const { person_id } = await findPasskey(hub, passkey)
  const guesser = {
    name: `person ${person_id} by passkey`,
    ip: from.address,
    of: 'by a passkey of this person',
  }
  const proven = await tryPasskey(hub, guesser, () => provePasskey(hub, passkey, expected))
  const person = await rows.personById(hub.db.read, proven.row.person_id)
  if (!person) throw refuse('its account is gone.')
  return { person, by: 'passkey', spend: (tx) => usePasskey(hub, tx, proven) }
}

/**
 * A wrong signature counts as a guess, though nobody can guess one: it keeps a caller from trying
 * for ever. It slows the account that it names: others behind the same address sign in meanwhile.
 */
async function tryPasskey(
  hub: Hub,
  guesser: Guesser,
  prove: () => Promise<ProvenPasskey>,
): Promise<ProvenPasskey> {
  let why: unknown
  const check = () =>
    prove().catch((error: unknown) => {
      why = error
      return undefined
    })
  const proven = await limitGuesses(hub, guesser, check)
  if (!proven) throw why
  return proven
}

async function byEmail(hub: Hub, given: SignIn, attempt: Attempt): Promise<Proven> {
  const email = plainEmail(given.email ?? '')
  if (given.password !== undefined && !hub.config.passwordSignIn)
    throw refuse('passwords are switched off on this hub; use a passkey or the provider.')
  const known = await rows.peopleByEmail(hub.db.read, email)
  const of = 'with this e-mail address'
  const guesser = { name: guessName(email), ip: attempt.from.address, of, shared: known.length > 1 }
  const proven = await limitGuesses(hub, guesser, async () => {
    const found = await proveEmail(hub, known, { ...given, email }, attempt)
    if (!found) for (const person of known) await recordFailure(hub, person, attempt)
    return found
  })
  if (!proven) throw refuse(wrongPair)
  return proven
}

/**
 * Chooses, among several accounts with the address, the one that the password or the recovery code
 * belongs to.
 */
async function proveEmail(
  hub: Hub,
  people: readonly PersonRow[],
  { email, password, passkey, recoveryCode }: SignIn & { readonly email: string },
  { from, expected }: Attempt,
): Promise<Proven | undefined> {
  const open = people.filter(({ disabled_at }) => disabled_at === null)
  const hashes = open.flatMap(({ password_hash }) => password_hash ?? [])
  const who = { clientId: guessName(email), address: addressOf(from.address) }
  const right = await findProven(hub, password ?? '', hashes, who)
  const byCode = async (person: PersonRow, by: Way): Promise<Proven | undefined> => {
    if (recoveryCode === undefined || !(await hasCode(hub, person.person_id, recoveryCode)))
      return undefined
    // Used up with the sign-in that it opens: of two at once one finds it.
    const spend = async (tx: Db): Promise<void> => {
      if (!(await takeCode(hub, tx, person.person_id, recoveryCode))) throw refuse(wrongPair)
    }
    return { person, by, spend }
  }
  const person =
    right === undefined ? undefined : open.find(({ password_hash }) => password_hash === right)
  if (!person) {
    for (const one of open.filter(({ password_hash }) => password_hash === null)) {
      const found = await byCode(one, 'recovery code')
      if (found) return found
    }
    return undefined
  }
  if (person.two_steps === 0) return { person, by: 'password' }
  if (recoveryCode !== undefined) return byCode(person, 'password and recovery code')
  if (!passkey) throw new HubError('SECOND_STEP_NEEDED', {})
  const proven = await provePasskey(hub, passkey, expected)
  if (proven.row.person_id !== person.person_id) return undefined
  return { person, by: 'password and passkey', spend: (tx) => usePasskey(hub, tx, proven) }
}

/** Only of people who exist: made-up addresses must not fill the audit log. */
async function recordFailure(
  hub: Hub,
  { person_id }: PersonRow,
  { traceId, from }: Attempt,
): Promise<void> {
  hub.log.warn({ personId: person_id, address: from.address, traceId }, 'a sign-in failed')
  await hub.db.transact(async (tx) => {
    const siteId = await firstSite(tx, person_id)
    await recordActs(hub, tx, { actor: 'hub', traceId }, [
      { thing: 'person', verb: 'sign in failed', id: person_id, siteId },
    ])
  })
}

/** Confirms the session of the call: it may then change secrets and people for a while. */
export async function confirmSession(
  hub: Hub,
  call: Call,
  given: Confirmation,
  attempt: Attempt,
): Promise<void> {
  const { person } = call.caller
  const row = person && (await rows.personById(hub.db.read, person.personId))
  if (!row || person.sessionId === undefined) throw refuse('nobody is signed in.')
  const { sessionId } = person
  const shared = await rows.isAddressShared(hub.db.read, row)
  const guesser = {
    name: guessName(row.email ?? row.person_id),
    ip: attempt.from.address,
    of: 'of this person',
    shared,
  }
  const proven = await limitGuesses(hub, guesser, async () => {
    const found = await proveAgain(hub, row, given, attempt)
    if (!found) await recordFailure(hub, row, attempt)
    return found
  })
  if (!proven) throw refuse('the password is wrong.')
  await hub.db.transact(async (tx) => {
    await proven.spend?.(tx)
    await confirm(hub, tx, call, sessionId)
  })
}

export async function confirm(hub: Hub, tx: Db, call: Call, sessionId: string): Promise<void> {
  const id = call.caller.person?.personId ?? ''
  await noteConfirmed(tx, sessionId, hub.clock.now())
  const act = { thing: 'person', verb: 'confirmed', id, siteId: await firstSite(tx, id) } as const
  await recordActs(hub, tx, actorOf(call), [act])
}

async function proveAgain(
  hub: Hub,
  person: PersonRow,
  { password, passkey }: Confirmation,
  { from, expected }: Attempt,
): Promise<Proven | undefined> {
  if (passkey) {
    const proven = await provePasskey(hub, passkey, expected)
    if (proven.row.person_id !== person.person_id) return undefined
    return { person, by: 'passkey', spend: (tx) => usePasskey(hub, tx, proven) }
  }
  const hashes =
    person.password_hash === null || !hub.config.passwordSignIn ? [] : [person.password_hash]
  const who = {
    clientId: guessName(person.email ?? person.person_id),
    address: addressOf(from.address),
  }
  const right = await findProven(hub, password ?? '', hashes, who)
  return right === undefined ? undefined : { person, by: 'password' }
}

const wrongPair = 'the e-mail address or the password is wrong.'
const refuse = (because: string): HubError => new HubError('SIGN_IN_REFUSED', { because })
