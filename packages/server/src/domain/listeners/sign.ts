/**
 * Signs deliveries by Standard Webhooks v1: HMAC-SHA256 over `id.timestamp.body`, once per valid
 * secret. Secrets are decoded like the standard's libraries do and stored sealed.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { HubError, limits } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import type { Vault } from '../../store/vault.ts'

const prefix = 'whsec_'
/** The minimum key length of the standard. Shorter base64 is taken as a plain password. */
const minKeyBytes = 24
/** At most this many old secrets also sign. */
const maxOldSecrets = 5

export const newSecret = (): string => prefix + randomBytes(32).toString('base64')

/** Refuses a secret with the standard's prefix but without valid base64. */
export function mustBeSecret(secret: string): void {
  if (!secret.startsWith(prefix) || fromBase64(secret.slice(prefix.length)).length > 0) return
  const message = `after ${prefix} comes base64`
  throw new HubError(
    'INVALID_REQUEST',
    { because: `secret: ${message}.` },
    { details: [{ path: 'secret', message }] },
  )
}

/**
 * `whsec_` with base64, or plain base64 of at least 24 bytes, is decoded; any other text is used as
 * it is.
 */
export function keyOf(secret: string): Buffer {
  if (secret.startsWith(prefix)) return fromBase64(secret.slice(prefix.length))
  const bytes = fromBase64(secret)
  return bytes.length >= minKeyBytes ? bytes : Buffer.from(secret)
}

function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text || bytes.toString('base64').replaceAll('=', '') === text
    ? bytes
    : Buffer.alloc(0)
}

export type Secrets = {
  readonly sealed_secret: string
  readonly sealed_old_secret: string | null
  readonly old_secret_until: number | null
}
type Old = readonly [secret: string, until: number]
type Opened = { readonly key: Buffer; readonly old: readonly { key: Buffer; until: number }[] }

export const sealSecret = (vault: Vault, secret: string): string => vault.seal('listener', secret)

/** The columns after a change of secret. Old secrets keep signing for a day. */
export function rotate(vault: Vault, before: Secrets, secret: string, now: number): Secrets {
  const present = vault.open('listener', before.sealed_secret)
  if (present === secret) return before
  const until = now + limits.secretOverlapMs
  const old: Old[] = [[present, until], ...oldOf(vault, before, now)]
  const stillValid = old.filter(([text]) => text !== secret).slice(0, maxOldSecrets)
  return {
    sealed_secret: sealSecret(vault, secret),
    sealed_old_secret: vault.seal('listener', JSON.stringify(stillValid)),
    old_secret_until: until,
  }
}

function oldOf(vault: Vault, { sealed_old_secret, old_secret_until }: Secrets, now: number): Old[] {
  if (sealed_old_secret === null || (old_secret_until ?? 0) <= now) return []
  return (JSON.parse(vault.open('listener', sealed_old_secret)) as Old[]).filter(
    ([, until]) => until > now,
  )
}

/**
 * Every secret that is stored, the current one first; an old one with the end of its time. For the
 * hub's own eyes.
 */
export function openSecrets(
  vault: Vault,
  { sealed_secret, sealed_old_secret }: Pick<Secrets, 'sealed_secret' | 'sealed_old_secret'>,
): [{ secret: string; until?: number }, ...{ secret: string; until?: number }[]] {
  const old =
    sealed_old_secret === null
      ? []
      : (JSON.parse(vault.open('listener', sealed_old_secret)) as Old[])
  return [
    { secret: vault.open('listener', sealed_secret) },
    ...old.map(([secret, until]) => ({ secret, until })),
  ]
}

/**
 * The `webhook-signature` header: one signature per secret, the current one first. `seconds` is
 * `webhook-timestamp`.
 */
export function signatures(
  vault: Vault,
  secrets: Secrets,
  now: number,
  call: { id: string; seconds: number; body: string },
): string {
  const { key, old } = openKeys(vault, secrets)
  const keys = [key, ...old.filter(({ until }) => until > now).map((one) => one.key)]
  const text = `${call.id}.${call.seconds}.${call.body}`
  return keys
    .map((one) => `v1,${createHmac('sha256', one).update(text).digest('base64')}`)
    .join(' ')
}

/**
 * The headers of a call as they are stored and shown: without the signatures. A body and its
 * signature let anyone test guesses of a weak secret.
 */
export function withoutSecrets(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const signed = headers['webhook-signature']
  if (signed === undefined) return headers
  const hidden = signed.includes(' ') ? signed.split(' ').fill('v1,…').join(' ') : 'v1,…'
  return { ...headers, 'webhook-signature': hidden }
}

/**
 * Caches opened keys by their sealed text, so that a busy listener's secrets are not unsealed for
 * every call.
 */
const known = new WeakMap<Vault, LRUCache<string, Opened>>()

function openKeys(vault: Vault, { sealed_secret, sealed_old_secret }: Secrets): Opened {
  const mine = known.get(vault) ?? new LRUCache<string, Opened>({ max: 1_000 })
  known.set(vault, mine)
  const name = `${sealed_secret} ${sealed_old_secret ?? ''}`
  const found = mine.get(name)
  if (found) return found
  const [current, ...old] = openSecrets(vault, { sealed_secret, sealed_old_secret })
  const opened = {
    key: keyOf(current.secret),
    old: old.map(({ secret, until = 0 }) => ({ key: keyOf(secret), until })),
  }
  mine.set(name, opened)
  return opened
}
