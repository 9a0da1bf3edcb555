/** A person who has just been added, and the names under which people are known. */
import type { Hub } from '../../hub.ts'
import { newId } from '../../store/ids.ts'
import type { PersonRow } from '../../store/tables.ts'

export const newPerson = (
  hub: Hub,
  { name, email, ...more }: Pick<PersonRow, 'name' | 'email'> & Partial<PersonRow>,
): PersonRow => ({
  person_id: newId(),
  name: name.trim(),
  email: email === null ? null : plainEmail(email),
  account: '',
  issuer: null,
  subject: null,
  password_hash: null,
  two_steps: 0,
  preferences: null,
  created_at: hub.clock.now(),
  last_sign_in_at: null,
  roles_at: hub.clock.now(),
  disabled_at: null,
  ...more,
})

/** E-mail addresses are compared ignoring case. */
export const plainEmail = (email: string): string => email.trim().toLowerCase()

/**
 * The name under which failed sign-ins are counted; never that of a client, which has no space in
 * it.
 */
export const guessName = (email: string): string => `person ${email.slice(0, 254)}`
