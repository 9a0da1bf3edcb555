/**
 * The checksum a sender gives for a chunk (TUS checksum extension). A chunk with another checksum
 * is refused as a whole.
 */
import { createHash } from 'node:crypto'
import { HubError } from '@dragoman/contract'
import type { Bytes } from '../../blobs/blob-store.ts'

/** The algorithms and their digest sizes in bytes. */
export const checksumBytes = { sha1: 20, sha256: 32 } as const

export type Checksum = { readonly algorithm: keyof typeof checksumBytes; readonly digest: Buffer }

/** Passes the bytes through and throws at the end if the checksum differs. */
export async function* checked(bytes: Bytes, { algorithm, digest }: Checksum): Bytes {
  const hash = createHash(algorithm)
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
  if (!hash.digest().equals(digest)) throw new HubError('CHECKSUM_MISMATCH', { algorithm })
}
