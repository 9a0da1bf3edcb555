/**
 * The values of `--certificate`: a thumbprint in one of its usual spellings, or a file with the
 * certificate.
 */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { UsageError } from './command.ts'

/** As in RFC 8705: SHA-256 of the certificate, in base64url. */
function readThumbprint(given: string): string {
  if (/^[\w-]{43}$/.test(given)) return given
  const hex = given.replaceAll(':', '')
  if (/^[\da-f]{64}$/i.test(hex)) return Buffer.from(hex, 'hex').toString('base64url')
  try {
    const { fingerprint256 } = new X509Certificate(readFileSync(given))
    return Buffer.from(fingerprint256.replaceAll(':', ''), 'hex').toString('base64url')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      `--certificate takes a SHA-256 thumbprint (hex or base64url) or a file with a certificate, not "${given}" (${why}).`,
    )
  }
}

/** All given thumbprints; a single `none` means an empty list. */
export const readThumbprints = (given: readonly string[]): string[] =>
  given.length === 1 && given[0] === 'none' ? [] : given.map(readThumbprint)
