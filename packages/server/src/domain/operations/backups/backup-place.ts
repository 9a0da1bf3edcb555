/**
 * Where backups are: a folder or a bucket, with two stores in it. `backups` has a manifest for each
 * backup, under its id; `backup-files` has the files of all of them, each once, and the copies of
 * the database.
 */
import { randomBytes } from 'node:crypto'
import { type BlobStore, type Bytes, isBlobId } from '../../../blobs/blob-store.ts'
import { openBlobs } from '../../../blobs/open-blobs.ts'
import { isThere, partOfPlace, placeName, placeUrl } from '../../../blobs/place-url.ts'
import { sumBlob } from '../../../blobs/sum-blob.ts'
import { Refusal } from '../../../store/refusal.ts'
import { type Header, type Manifest, type Piece, readHeader, readManifest } from './manifest.ts'

export type BackupPlace = {
  /** Messages name the place so. */
  readonly name: string
  readonly manifests: BlobStore
  readonly files: BlobStore
  close(): Promise<void>
}

/** `where` is a path, or a URL as in DRAGOMAN_BLOBS_URL. Nothing is created for a reader. */
export async function openBackupPlace(
  where: string,
  options: { readonly clock: () => number; readonly reads?: boolean },
): Promise<BackupPlace> {
  const url = placeUrl(where)
  if (url === undefined)
    throw new Refusal(
      `"${where}" is not a place for backups: give a folder, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME.`,
    )
  const name = placeName(url)
  if (options.reads && !(await isThere(partOfPlace(url, 'backups'))))
    throw new Refusal(`There are no backups in ${name}.`)
  const manifests = await openBlobs(partOfPlace(url, 'backups'), options)
  const files = await openBlobs(partOfPlace(url, 'backup-files'), options)
  return {
    name,
    manifests,
    files,
    close: async () => {
      await manifests.close()
      await files.close()
    },
  }
}

/** Begins with the time, so that names sort by age, and is a name that a blob store accepts. */
export const newBackupId = (at: number): string =>
  new Date(at).toISOString().replaceAll(/[^0-9]/g, '') + randomBytes(8).toString('hex').slice(1)

export type ListedBackup = { readonly id: string } & (
  | { readonly header: Header }
  /** What is wrong with its manifest. */
  | { readonly trouble: string }
)

/** The newest backup comes first. */
export async function listBackups({ manifests }: BackupPlace): Promise<ListedBackup[]> {
  const found: ListedBackup[] = []
  for await (const { blobId: id, size } of manifests.list()) {
    try {
      const start = await readBlob(manifests, id, Math.min(size, headerBytes))
      found.push({ id, header: readHeader(id, start.toString('utf8')) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      found.push({ id, trouble: error.message })
    }
  }
  return found.sort((one, two) => (one.id < two.id ? 1 : -1))
}

/** More than a header has, unless the hub had lost many files. */
const headerBytes = 1024 * 1024

/** The newest one, or that whose id begins with `id`. */
export async function findBackup(place: BackupPlace, id?: string): Promise<Manifest> {
  const all = await listBackups(place)
  const [found, second] =
    id === undefined ? all.slice(0, 1) : all.filter((one) => one.id.startsWith(id))
  if (!found)
    throw new Refusal(
      id === undefined
        ? `There are no backups in ${place.name}.`
        : `There is no backup ${id} in ${place.name}.`,
    )
  if (second)
    throw new Refusal(
      `Several backups begin with ${id}: ${found.id}, ${second.id}. Give more of the id.`,
    )
  return loadManifest(place, found.id)
}

export async function loadManifest({ manifests }: BackupPlace, id: string): Promise<Manifest> {
  return readManifest(id, await readBlob(manifests, id))
}

async function readBlob(store: BlobStore, blobId: string, bytes?: number): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0)
  const { stream } = await store.open(
    blobId,
    bytes === undefined ? undefined : { start: 0, end: bytes - 1 },
  )
  const pieces: Uint8Array[] = []
  for await (const piece of stream as AsyncIterable<Uint8Array>) pieces.push(piece)
  return Buffer.concat(pieces)
}

export const noLimit = { maxBytes: Number.MAX_SAFE_INTEGER }

export async function putPiece(store: BlobStore, blobId: string, bytes: Bytes): Promise<Piece> {
  return { blobId, ...(await store.put(blobId, bytes, noLimit)) }
}

/** Reads a whole file; undefined if it is not there. */
export async function sumPiece(store: BlobStore, blobId: string): Promise<Piece | undefined> {
  const sum = await sumBlob(store, blobId)
  return sum && { blobId, ...sum }
}

/** What is there, by name, and how large. */
export async function sizesIn(store: BlobStore): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { blobId, size } of store.list()) if (isBlobId(blobId)) sizes.set(blobId, size)
  return sizes
}
