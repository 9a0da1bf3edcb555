/**
 * Verifies a delivery: HMAC-SHA256 over "id.timestamp.body", at most five minutes old. Pass the
 * body as it arrived, before any parsing.
 * `verifyDelivery` and the receivers of @dragoman/sdk do the same, and handle each delivery once.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Undefined if the delivery is valid, else the reason. `secrets`: one, or the old and the new one
 * while you change it.
 */
export function refusal(
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array,
  secrets: readonly string[],
): string | undefined {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures,
  } = headers
  if (!id) return 'the header webhook-id is missing'
  if (!timestamp) return 'the header webhook-timestamp is missing'
  if (!signatures) return 'the header webhook-signature is missing'
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300)
    return 'too old or too new'
  for (const secret of secrets) {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const mac = createHmac('sha256', key)
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest('base64')
    const expected = Buffer.from(`v1,${mac}`)
    // There are two signatures while the secret of the listener changes.
    for (const signature of signatures.split(' ')) {
      const given = Buffer.from(signature)
      if (given.length === expected.length && timingSafeEqual(given, expected)) return undefined
    }
  }
  return 'no signature fits'
}
