/**
 * Bounds the extendedMetadata of the requests of one call: each target language has a copy of it, and the answer shows every one
 * under two names in two lists.
 */
import { HubError, limits } from '@dragoman/contract'

export function mustFitCall(bytes: number): void {
  if (bytes <= limits.callMetadataBytes) return
  const what = 'extendedMetadata of all requests of this call'
  const details = [{ path: 'extendedMetadata', message: 'is too large in all; send fewer requests in one call' }]
  throw new HubError('CONTENT_TOO_LARGE', { what, limit: limits.callMetadataBytes }, { details })
}
