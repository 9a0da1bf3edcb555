/**
 * Verifies that a delivery comes from the hub (Standard Webhooks v1): HMAC-SHA256 over
 * `id.timestamp.body`, one of several signatures under one of several secrets, at most five minutes
 * old. Uses WebCrypto, so that it runs everywhere.
 */
import { HubError } from '@dragoman/contract/wire'
import { now } from './clock.ts'

export type Delivery = {
  readonly eventType: string
  readonly listenerId: string
  readonly payloadUuid: string
  readonly jobId?: string
  readonly requestIds?: readonly string[]
  readonly statusCode?: string
  readonly message?: string
  readonly isError?: boolean
  readonly archived?: boolean
  readonly deleted?: boolean
  /** The status update's sequence: a smaller one is older, whatever the order of arrival. */
  readonly sequence?: number
  readonly updateTime: string
  readonly [more: string]: unknown
}

export type DeliveryHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
export type Verified = {
  /** The same for every attempt of one delivery, and for a replay. */
  readonly id: string
  readonly delivery: Delivery
}
export type VerifyOptions = {
  /** One, or several while a secret is rotated. */
  readonly secret: string | readonly string[]
  readonly toleranceMs?: number
}

const usualToleranceMs = 5 * 60_000

/** The delivery, or UNAUTHORIZED. The body must be the raw one, not a parsed one. */
export async function verifyDelivery(
  headers: DeliveryHeaders,
  body: string | Uint8Array,
  { secret, toleranceMs = usualToleranceMs }: VerifyOptions,
): Promise<Verified> {
  const read = (name: string) => {
    const value = headerOf(headers, name)
    if (!value) throw refusal(`the header ${name} is missing.`)
    return value
  }
  const [id, timestamp, signature] = [
    read('webhook-id'),
    read('webhook-timestamp'),
    read('webhook-signature'),
  ]
  if (!/^\d{1,12}$/.test(timestamp)) throw refusal('webhook-timestamp is no time.')
  if (Math.abs(now() - Number(timestamp) * 1_000) > toleranceMs)
    throw refusal('the delivery is too old or too new.')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const given = signature
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [fromBase64(one.slice(3))] : []))
  for (const one of [secret].flat())
    if (await isSigned(one, signed, given)) return { id, delivery: parse(text) }
  throw refusal('the signature is not of this listener.')
}

function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found =
    headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

async function isSigned(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  given: readonly (Uint8Array<ArrayBuffer> | undefined)[],
) {
  const { subtle } = globalThis.crypto
  const key = await subtle.importKey(
    'raw',
    keyOf(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  // The body is hashed once, however many signatures a sender puts into the header.
  const right = new Uint8Array(await subtle.sign('HMAC', key, signed))
  return given.some((signature) => signature && isSame(signature, right))
}

/** Compares every byte, so that the time it takes does not reveal where they differ. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let different = one.length ^ other.length
  for (const [at, byte] of other.entries()) different |= byte ^ (one[at] ?? 0)
  return different === 0
}

/**
 * `whsec_` and base64, or plain base64 of at least 24 bytes, is decoded; any other text is used as
 * it is.
 */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const prefix = 'whsec_'
  const bytes = fromBase64(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret)
  if (secret.startsWith(prefix)) {
    if (bytes?.length) return bytes
    throw new TypeError('The secret of the listener is not valid: after whsec_ comes base64.')
  }
  return bytes && bytes.length >= 24 ? bytes : new TextEncoder().encode(secret)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function parse(text: string): Delivery {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return body as Delivery
  } catch {
    // Reported below.
  }
  throw new HubError('INVALID_REQUEST', { because: 'the delivery is signed but no JSON object.' })
}

const refusal = (because: string) => new HubError('UNAUTHORIZED', { because })
