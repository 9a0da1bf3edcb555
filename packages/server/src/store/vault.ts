/**
 * Seals what must not be stored in plain text: signing keys, listener secrets, providers' keys,
 * stored responses, site keys. AES-256-GCM under keys derived from the master key, one per purpose,
 * so that a text sealed for one purpose cannot be used for another.
 */
import { createHmac, hash, hkdfSync } from 'node:crypto'
import { seal, unseal } from './seal.ts'

export type Purpose =
  | 'check'
  | 'signing-key'
  | 'answer'
  | 'listener'
  | 'cursor'
  | 'secret-hash'
  | 'file-token'
  | 'provider'
  | 'chain'
  | 'site-key'
  | 'carried'
  | 'finding'
  | 'csrf'
  | 'challenge'
  | 'oidc'
  | 'backup'
  | 'note'
  | 'upstream'

export type Vault = {
  seal(purpose: Purpose, text: string): string
  /**
   * Throws if the text was sealed under another master key, for another purpose, or was changed.
   */
  open(purpose: Purpose, sealed: string): string
  /** A keyed digest, for comparison only. */
  sign(purpose: Purpose, text: string): Buffer
  /**
   * A keyed digest at a fifth of the cost, for thousands of texts: SHA-256 with the key before the
   * text. It allows length extension, but only with zero bytes: texts must not contain U+0000, and
   * a comparison must refuse it.
   */
  digest(purpose: Purpose, text: string): string
  /** The keys that a new master key must take over, and the same sealed under this vault's own. */
  carry(): Carried
  sealCarried(): string
}

/**
 * Hashes of generated secrets cannot be made again under another key, so their key outlives the
 * master key that it was derived from. It protects nothing by itself: such a secret has 256 random
 * bits.
 */
export type Carried = { readonly 'secret-hash'?: string }

/** What `sealCarried` gave, opened under the master key. */
export function openCarried(masterKey: Buffer, sealed: string | undefined): Carried {
  return sealed === undefined
    ? {}
    : (JSON.parse(openVault(masterKey).open('carried', sealed)) as Carried)
}

export function openVault(masterKey: Buffer, carried: Carried = {}): Vault {
  const keys = new Map<Purpose, Buffer>()
  const kept = carried['secret-hash']
  if (kept !== undefined) keys.set('secret-hash', Buffer.from(kept, 'base64url'))
  const keyOf = (purpose: Purpose): Buffer => {
    const known = keys.get(purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', masterKey, 'dragoman', purpose, 32))
    keys.set(purpose, key)
    return key
  }
  const prefixes = new Map<Purpose, string>()
  const prefixOf = (purpose: Purpose): string => {
    const known = prefixes.get(purpose)
    if (known !== undefined) return known
    const prefix = createHmac('sha256', keyOf(purpose)).update('digest').digest('base64url')
    prefixes.set(purpose, prefix)
    return prefix
  }
  return {
    seal: (purpose, text) => seal(keyOf(purpose), text),
    open: (purpose, sealed) => unseal(keyOf(purpose), sealed).toString(),
    sign: (purpose, text) => createHmac('sha256', keyOf(purpose)).update(text).digest(),
    digest: (purpose, text) => hash('sha256', `${prefixOf(purpose)}\n${text}`, 'base64url'),
    carry: () => ({ 'secret-hash': keyOf('secret-hash').toString('base64url') }),
    sealCarried: () =>
      seal(
        keyOf('carried'),
        JSON.stringify({ 'secret-hash': keyOf('secret-hash').toString('base64url') }),
      ),
  }
}
