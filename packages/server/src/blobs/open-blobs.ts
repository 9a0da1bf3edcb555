// Opens the blob store named by DRAGOMAN_BLOBS_URL. Loads the S3 client only for a bucket, because
// it takes longer to load than the rest of the hub.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BlobStore } from './blob-store.ts'
import { openDiskBlobs } from './disk/disk.ts'
import { readS3Url } from './s3/s3-url.ts'

export type BlobOptions = {
  /** The hub's clock, in milliseconds. */
  readonly clock: () => number
}

export async function openBlobs(url: string, options: BlobOptions): Promise<BlobStore> {
  if (url.startsWith('s3://')) {
    const place = readS3Url(url)
    const { openS3Blobs } = await import('./s3/s3.ts')
    return openS3Blobs(place)
  }
  if (url.startsWith('file:')) return openDiskBlobs(folderOf(url), options)
  throw new Error(
    'The blob URL must begin with file: or s3://, as in file:./data/blobs or s3://bucket/prefix?region=…',
  )
}

/**
 * `file:` with a literal path, relative to the working folder; or a real file:/// URL,
 * percent-decoded.
 */
function folderOf(url: string): string {
  if (url.startsWith('file:///')) return fileURLToPath(url)
  const path = url.slice('file:'.length)
  if (path === '')
    throw new Error('The blob URL has no folder. Expected file:<folder>, as in file:./data/blobs')
  if (path.startsWith('//')) {
    throw new Error(
      'The blob URL has a host. Expected file:<folder> or file:///<folder>, on this machine',
    )
  }
  return resolve(path)
}
