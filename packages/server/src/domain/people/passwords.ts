/**
 * What a password must be: long, and not one that everybody tries. No rules about digits or signs:
 * they make passwords worse. Hashing is that of chosen client secrets (access/secrets.ts).
 */
import { HubError, limits } from '@dragoman/contract'
import { hashChosen } from '../access/secrets.ts'

/**
 * Of the most used passwords those that are long enough, without digits and signs at their ends.
 */
const common = new Set(
  `password passwordpassword administrator adminadminadmin letmeinletmein welcomewelcome qwertyuiop qwertyuiopasdf
   qwertyuiopasdfghjkl qwertyqwerty asdfghjkl asdfghjklzxcvbnm zxcvbnm zxcvbnmasdfgh iloveyou iloveyouiloveyou
   iloveyousomuch abcdefgh abcdefghijkl abcdefghijklm abcdefghijklmnop changeme changemechangeme changemeplease
   trustno trustnoone correcthorsebatterystaple thisisapassword mypassword mypasswordis newpassword defaultpassword
   secret secretsecret supersecret supersecretpassword unbelievable sunshine princess football baseball
   starwars superman batman dragoman dragomandragoman translation translations welcome admin administrator root
   login hello monkey master testtesttest testpassword passwort passwortpasswort motdepasse contraseña`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
const keyboard = [
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklm',
]
const digit = (letter: string): boolean => letter >= '0' && letter <= '9'

/**
 * Checks the password of a person and returns its hash. `beside` are those of other accounts with
 * the address: with a shared salt a sign-in takes no longer than with one account. Slow, so never
 * inside a transaction.
 */
export async function hashPassword(
  password: string,
  about: { readonly email?: string | null } = {},
  beside: readonly string[] = [],
): Promise<string> {
  const because = whyWeak(password, about.email ?? '')
  if (because !== undefined) throw new HubError('PASSWORD_WEAK', { because })
  return hashChosen(password, 'private', beside)
}

export function whyWeak(password: string, email = ''): string | undefined {
  // Before anything else: composing a long text takes time that grows with its square.
  if (Buffer.byteLength(password) > limits.passwordBytes)
    return `it has more than ${limits.passwordBytes} bytes.`
  const letters = Array.from(password.normalize('NFC').toLowerCase())
  const least = limits.passwordCharacters
  if (letters.length < least)
    return `it has ${letters.length} characters; use at least ${least}. A few words are best.`
  const plain = letters.join('')
  if (email !== '' && [email, email.split('@')[0]].includes(plain))
    return 'it is your e-mail address.'
  if (new Set(letters).size < 5) return 'it repeats the same few characters.'
  return isCommon(plain) ? 'it is one of the passwords that everybody tries.' : undefined
}

function isCommon(plain: string): boolean {
  if (
    keyboard.some(
      (row) => row.includes(plain) || Array.from(row).reverse().join('').includes(plain),
    )
  )
    return true
  const core = withoutEnds(plain)
  return core === '' || common.has(core) || common.has(plain)
}

/** Removes the digits and signs that people add to a common word. */
function withoutEnds(plain: string): string {
  const letters = Array.from(plain)
  const isFill = (letter: string) => digit(letter) || '!?.,-_*#$%&@+'.includes(letter)
  let [from, to] = [0, letters.length]
  while (from < to && isFill(letters[from] ?? '')) from += 1
  while (to > from && isFill(letters[to - 1] ?? '')) to -= 1
  return letters.slice(from, to).join('')
}
