/**
 * Seals small values under a key: AES-256-GCM, as text of nonce, tag and bytes. `about` is not part
 * of the text and must be known to open it, so that one sealed value cannot replace another.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const nonceBytes = 12
const headBytes = 28

export function seal(key: Uint8Array, plain: string | Uint8Array, about = ''): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  const sealed = cipher.update(typeof plain === 'string' ? Buffer.from(plain) : plain)
  cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Throws if it was sealed under another key, is about something else, or was changed. */
export function unseal(key: Uint8Array, sealed: string, about = ''): Buffer {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(about))
    .setAuthTag(bytes.subarray(nonceBytes, headBytes))
  const plain = decipher.update(bytes.subarray(headBytes))
  decipher.final()
  return plain
}
