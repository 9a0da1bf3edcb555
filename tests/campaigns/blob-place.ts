/**
 * Where a campaign stores its bytes: in the hub's own folder, or in an object store; and a way to
 * inspect them from outside.
 */
import type { BlobStore } from '../../packages/server/src/blobs/blob-store.ts'
import { openBlobs } from '../../packages/server/src/blobs/open-blobs.ts'
import type { Env } from '../hub.ts'
import type { ObjectStore } from '../object-store.ts'

export type BlobPlace = { readonly name: string; readonly env: Env }

export const disk: BlobPlace = { name: 'disk', env: {} }

/** A new prefix for each caller. */
export const inObjectStore = (store: ObjectStore): BlobPlace => ({
  name: 'object storage',
  env: { DRAGOMAN_BLOBS_URL: store.url(), ...store.env },
})

/** The same, with a hub that seals its content. */
export const sealed = ({ name, env }: BlobPlace): BlobPlace => ({
  name: `${name}, sealed`,
  env: { ...env, DRAGOMAN_SEAL_CONTENT: 'on' },
})

/** Opens the same store beside the running hub. Ages are in real time. */
export async function lookAt({ env }: BlobPlace, folder: string): Promise<BlobStore> {
  const {
    DRAGOMAN_BLOBS_URL = `file:${folder}/data/blobs`,
    DRAGOMAN_SEAL_CONTENT: _,
    ...credentials
  } = env
  Object.assign(process.env, credentials)
  return openBlobs(DRAGOMAN_BLOBS_URL, { clock: Date.now })
}

/**
 * Removes the remains of interrupted writes at any age, and returns how many there were; a second
 * sweep must find none.
 */
export async function sweepAll(blobs: BlobStore): Promise<{ swept: number; left: number }> {
  const future = Date.now() + 86_400_000
  const swept = await blobs.sweep(future)
  return { swept, left: await blobs.sweep(future) }
}
