/**
 * What an OpenID provider says about a person, checked: a provider lets people choose their own
 * name and address, and may be wrong. An address counts only if the provider verified it. Pure.
 */
import { emailPattern } from '@dragoman/contract'

export type Claims = Readonly<Record<string, unknown>>

export type SaidPerson = {
  readonly name: string
  readonly email: string | undefined
}

/** Control characters, and those that change the direction of the text around them. */
const unshown = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
const longestName = 150
const longestSubject = 255
const address = new RegExp(emailPattern)

/**
 * The subject is what accounts are found by: text, and nothing that only turns into the same text.
 */
export const subjectIn = ({ sub }: Claims): string | undefined =>
  typeof sub === 'string' &&
  sub !== '' &&
  sub.length <= longestSubject &&
  sub.isWellFormed() &&
  !sub.includes('\0')
    ? sub
    : undefined

export function personIn(claims: Claims, subject: string): SaidPerson {
  const named = (name: string): string | undefined => {
    const value = claims[name]
    const shown = typeof value === 'string' ? value.replace(unshown, '').trim() : ''
    return shown === '' ? undefined : shown.slice(0, longestName).toWellFormed()
  }
  const { email, email_verified: isVerified } = claims
  const isAddress =
    typeof email === 'string' && address.test(email) && email.replace(unshown, '') === email
  const verified = isVerified === true && isAddress && email.isWellFormed() ? email : undefined
  const name =
    named('name') ??
    named('preferred_username') ??
    verified ??
    subject.replace(unshown, '').slice(0, 100)
  return { name: name === '' ? 'Unnamed' : name.toWellFormed(), email: verified }
}

/** A text, or a flat list of texts. Anything else names no group. */
export function groupsIn(claims: Claims, claim: string): readonly string[] {
  const said = claims[claim]
  const list: readonly unknown[] = Array.isArray(said) ? said : [said]
  const texts = list.filter((one) => typeof one === 'string')
  return texts.length === list.length ? texts : []
}
