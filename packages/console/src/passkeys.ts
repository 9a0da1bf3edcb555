/** Passkeys in the browser: creating one and signing in with one. Bytes are sent as base64url. */
import type { GivenPasskey, PasskeyProof } from '@dragoman/contract/wire'
import { call } from './hub.ts'

/** A passkey needs a host name: browsers create none for an address such as 127.0.0.1. */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis &&
  globalThis.isSecureContext &&
  !/^[\d.]+$|^\[/.test(location.hostname)

/** Undefined if the person cancelled, or the device has none for this hub. */
export async function provePasskey(): Promise<PasskeyProof | undefined> {
  const { challenge, rpId, timeoutMs } = await call('challengePasskey')
  const found = await orCancelled(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: bytesOf(challenge),
        rpId,
        timeout: timeoutMs,
        userVerification: 'required',
      },
    }),
  )
  if (!found) return undefined
  const { authenticatorData, clientDataJSON, signature } =
    found.response as AuthenticatorAssertionResponse
  return {
    credentialId: textOf(found.rawId),
    authenticatorData: textOf(authenticatorData),
    clientData: textOf(clientDataJSON),
    signature: textOf(signature),
  }
}

export type Whose = { readonly name: string; readonly account: string }

/** Undefined if the person cancelled. */
export async function makePasskey({ name, account }: Whose): Promise<GivenPasskey | undefined> {
  const { challenge, rpId, timeoutMs } = await call('challengePasskey')
  const made = await orCancelled(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: bytesOf(challenge),
        rp: { id: rpId, name: 'Dragoman' },
        user: { id: crypto.getRandomValues(new Uint8Array(16)), name: account, displayName: name },
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
        timeout: timeoutMs,
      },
    }),
  )
  if (!made) return undefined
  const response = made.response as AuthenticatorAttestationResponse
  const key = response.getPublicKey()
  if (!key) return undefined
  return {
    credentialId: textOf(made.rawId),
    publicKey: textOf(key),
    algorithm: response.getPublicKeyAlgorithm(),
    authenticatorData: textOf(response.getAuthenticatorData()),
    clientData: textOf(response.clientDataJSON),
  }
}

async function orCancelled(
  ask: () => Promise<Credential | null>,
): Promise<PublicKeyCredential | undefined> {
  try {
    return ((await ask()) as PublicKeyCredential | null) ?? undefined
  } catch (error) {
    if (
      error instanceof DOMException &&
      ['NotAllowedError', 'AbortError', 'InvalidStateError'].includes(error.name)
    )
      return undefined
    throw error
  }
}

const textOf = (bytes: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )
