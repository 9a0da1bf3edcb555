/** Reads the `Idempotency-Key` of a write, for the REST and the SOAP service alike. */
import { createHash } from 'node:crypto'
import { HubError, limits } from '@dragoman/contract'
import type { FastifyRequest } from 'fastify'
import type { Call } from '../../domain/access/caller.ts'

/** A query may itself contain question marks. */
export function partsOf(url: string): { path: string; query: string } {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

const keyed = new Set(['POST', 'PUT', 'PATCH'])

/**
 * The hash is over everything that a repeated call must share: the query and the bytes of the body.
 */
export function onceOf({ headers, method, url, body }: FastifyRequest): Pick<Call, 'once'> {
  const key = headers['idempotency-key']
  if (!keyed.has(method) || key === undefined) return {}
  if (
    typeof key !== 'string' ||
    key.length > limits.idempotencyKeyCharacters ||
    !/^[\x21-\x7e]+$/.test(key)
  )
    throw new HubError('INVALID_PARAMETER', {
      because: `Idempotency-Key must be 1 to ${limits.idempotencyKeyCharacters} visible ASCII characters.`,
    })
  const { path, query } = partsOf(url)
  const hash = createHash('sha256').update(query).update('\n')
  // A file is not read twice.
  if (Buffer.isBuffer(body)) hash.update(body)
  // Calls of one path may have the same key if they do different things.
  const place = method === 'POST' ? path : `${method} ${path}`
  return { once: { path: place, key, bodyHash: hash.digest('base64url') } }
}
