/** Which passwords are accepted. */
import { expect, it } from 'vitest'
import { hashPassword, whyWeak } from './passwords.ts'

it.each([
  'correct staple horse',
  'aaaaabbbbcde',
  'ein langer Satz ohne Zahl',
  'パスワードは長いほど良いです',
  'P4ssw0rd-of-mine-at-home',
])('accepts %s', (password) => expect(whyWeak(password, 'ada@example.org')).toBe(undefined))

it.each([
  ['elevenchars', /11 characters/],
  ['🙂🙂🙂🙂🙂🙂', /6 characters/],
  ['password1234', /everybody/],
  ['PASSWORD!!!!', /everybody/],
  ['123456789012', /everybody/],
  ['210987654321', /everybody/],
  ['qwertyuiopas', /everybody/],
  ['1234-password-1234', /everybody/],
  ['aaaaaaaaaaaaaaaa', /same few/],
  ['ada@example.org', /e-mail/],
  ['x'.repeat(2_000), /bytes/],
])('refuses %s', (password, why) => expect(whyWeak(password, 'ada@example.org')).toMatch(why))

it('hashes with the cost of client secrets', async () => {
  expect(await hashPassword('correct staple horse')).toMatch(
    /^scrypt\$32768\$[\w-]{22}\$[\w-]{43}$/,
  )
})
