/**
 * Which addresses a call may give: an admin learns only whether a person of its own site has one.
 * If people of other sites have it, the new person gets an account of its own under the same
 * address, which shares nothing with theirs. An operator, who sees everybody, gives
 * an address once.
 */
import { HubError } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import type { PersonRow } from '../../store/tables.ts'
import { type Call, sightOf } from '../access/caller.ts'
import * as rows from './person-rows.ts'

type Named = Pick<PersonRow, 'person_id' | 'email'>

/** In the order in which they are tried. The last is free in any case. */
const accountsOf = (sight: string | undefined, { person_id }: Named): readonly string[] =>
  sight === undefined ? [''] : ['', sight, person_id]

/** Returns the accounts of this address that others have. */
async function mustBeFree(
  tx: Db,
  sight: string | undefined,
  { person_id, email }: Named,
): Promise<string[]> {
  if (email === null) return []
  const others = (await rows.peopleByEmail(tx, email)).filter(
    (other) => other.person_id !== person_id,
  )
  const ids = others.map((other) => other.person_id)
  const seen = sight === undefined || ids.length === 0 ? [] : await rows.rolesOfMany(tx, ids)
  if (sight === undefined ? ids.length > 0 : seen.some(({ site_id }) => site_id === sight))
    throw new HubError('PERSON_EXISTS', { email })
  return others.map(({ account }) => account)
}

/**
 * Adds a person. It looks again after each conflict, because another call may have added the same
 * one meanwhile.
 */
export async function addUnderAddress(tx: Db, call: Call, row: PersonRow): Promise<PersonRow> {
  const sight = sightOf(call)
  for (const account of accountsOf(sight, row)) {
    await mustBeFree(tx, sight, row)
    const person = { ...row, account }
    if (await rows.insertPerson(tx, person)) return person
  }
  throw new HubError('PERSON_EXISTS', { email: row.email ?? '' })
}

/** The account under which a person can have another address. */
export async function accountFor(tx: Db, call: Call, row: Named): Promise<string> {
  const sight = sightOf(call)
  const taken = await mustBeFree(tx, sight, row)
  return accountsOf(sight, row).find((account) => !taken.includes(account)) ?? row.person_id
}
