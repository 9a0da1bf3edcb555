/**
 * The checks of WebAuthn (Level 2, sections 7.1 and 7.2) for passkeys without attestation. The
 * browser gives the public key as SubjectPublicKeyInfo, so nothing here reads CBOR. Pure: whether
 * the challenge was ours is the caller's question.
 */
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { type GivenPasskey, HubError, type PasskeyProof } from '@dragoman/contract'

/** The numbers by which COSE knows ES256, EdDSA and RS256. */
export const algorithms = { es256: -7, eddsa: -8, rs256: -257 } as const

export type Expected = { readonly origin: string; readonly rpId: string }
export type Stored = {
  readonly publicKey: string
  readonly algorithm: number
  readonly signCount: number
}

const flags = { userPresent: 0x01, userVerified: 0x04, hasCredential: 0x40 } as const
const fixedBytes = 37

/** Checks a new passkey; returns the challenge that it answers and its counter. */
export function checkNewPasskey(
  given: GivenPasskey,
  expected: Expected,
): { challenge: string; signCount: number } {
  const challenge = readClientData(given.clientData, 'webauthn.create', expected)
  const data = readAuthenticator(given.authenticatorData, expected)
  mustBeVerified(data)
  if ((data.flags & flags.hasCredential) === 0) throw refuse('it brings no credential.')
  const length =
    data.bytes.length >= fixedBytes + 18 ? data.bytes.readUInt16BE(fixedBytes + 16) : -1
  const id = data.bytes.subarray(fixedBytes + 18, fixedBytes + 18 + Math.max(0, length))
  if (length < 1 || id.length !== length || id.toString('base64url') !== given.credentialId)
    throw refuse('its credential id is another.')
  keyOf({ publicKey: given.publicKey, algorithm: given.algorithm })
  return { challenge, signCount: data.signCount }
}

/**
 * Checks a signature. The device must have verified the person, as when it was registered, also
 * beside a password.
 */
export function checkProof(
  given: PasskeyProof,
  stored: Stored,
  expected: Expected,
): { challenge: string; signCount: number } {
  const challenge = readClientData(given.clientData, 'webauthn.get', expected)
  const data = readAuthenticator(given.authenticatorData, expected)
  mustBeVerified(data)
  const signed = Buffer.concat([data.bytes, hash('sha256', bytesOf(given.clientData), 'buffer')])
  const digest = stored.algorithm === algorithms.eddsa ? null : 'sha256'
  if (!verify(digest, signed, keyOf(stored), bytesOf(given.signature)))
    throw refuse('its signature is wrong.')
  // A counter that does not grow means that the passkey was copied. Zero means that it does not
  // count.
  const counts = data.signCount > 0 || stored.signCount > 0
  if (counts && data.signCount <= stored.signCount)
    throw refuse('its counter went back, so there may be a copy of it; use another way to sign in.')
  return { challenge, signCount: data.signCount }
}

function mustBeVerified(data: { readonly flags: number }): void {
  if ((data.flags & flags.userVerified) === 0)
    throw refuse('the device did not verify you; unlock it with its PIN, fingerprint or face.')
}

function readClientData(text: string, type: string, { origin }: Expected): string {
  let data: unknown
  try {
    data = JSON.parse(bytesOf(text).toString())
  } catch {
    throw refuse('its clientData is not JSON.')
  }
  const said = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  if (said.type !== type) throw refuse(`its type is not ${type}.`)
  if (said.origin !== origin) throw refuse(`it is for another origin than ${origin}.`)
  if (said.crossOrigin === true) throw refuse('it was made inside a page of another site.')
  if (typeof said.challenge !== 'string') throw refuse('it has no challenge.')
  return said.challenge
}

function readAuthenticator(
  text: string,
  { rpId }: Expected,
): { bytes: Buffer; flags: number; signCount: number } {
  const bytes = bytesOf(text)
  if (bytes.length < fixedBytes) throw refuse('its authenticatorData is too short.')
  if (!bytes.subarray(0, 32).equals(hash('sha256', rpId, 'buffer')))
    throw refuse('it is for another host name.')
  const found = bytes.readUInt8(32)
  if ((found & flags.userPresent) === 0) throw refuse('nobody was at the device.')
  return { bytes, flags: found, signCount: bytes.readUInt32BE(33) }
}

/** Only keys of the kind that their algorithm names. */
function keyOf({ publicKey, algorithm }: Pick<Stored, 'publicKey' | 'algorithm'>): KeyObject {
  let key: KeyObject
  try {
    key = createPublicKey({ key: bytesOf(publicKey), format: 'der', type: 'spki' })
  } catch {
    throw refuse('its public key cannot be read.')
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  const fits =
    (algorithm === algorithms.es256 && type === 'ec' && details?.namedCurve === 'prime256v1') ||
    (algorithm === algorithms.eddsa && type === 'ed25519') ||
    (algorithm === algorithms.rs256 && type === 'rsa' && (details?.modulusLength ?? 0) >= 2_048)
  if (!fits) throw refuse('its kind of key is not supported; ES256, EdDSA and RS256 are.')
  return key
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')
const refuse = (because: string): HubError => new HubError('PASSKEY_REFUSED', { because })
