/** The checksum that a sender tells of a chunk (TUS, extension checksum): bytes that do not have it are refused as a whole. */
import { createHash } from 'node:crypto'
import { HubError } from '@dragoman/contract'
import type { Bytes } from '../../blobs/blob-store.ts'

/** The algorithms, and how many bytes each gives. */
export const checksumBytes = { sha1: 20, sha256: 32 } as const

export type Checksum = { readonly algorithm: keyof typeof checksumBytes; readonly digest: Buffer }

/** Gives the bytes on as they come; at their end they have the checksum, or the source has failed. */
export async function* checked(bytes: Bytes, { algorithm, digest }: Checksum): Bytes {
  const hash = createHash(algorithm)
  for await (const piece of bytes) {
    hash.update(piece)
    yield piece
  }
  if (!hash.digest().equals(digest)) throw new HubError('CHECKSUM_MISMATCH', { algorithm })
}
