/**
 * Bytes on their way out: where a download leads, and the bytes behind it. A whole file is held against its sha256 while
 * it is read, and its last piece is given out only when that is right: damaged bytes never make a complete answer.
 */
import { createHash } from 'node:crypto'
import { addDuration, HubError } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import { BlobDamaged, BlobMissing, BlobTrouble, type ByteRange } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import type { FileRow } from '../../store/tables.ts'
import type { Caller } from '../access/caller.ts'
import { storeOf } from './blob-place.ts'
import { selectFile, selectFiles, selectSignedFile } from './file-rows.ts'
import { holderOf, mustBeHeld } from './holder.ts'
import { servedType } from './media-types.ts'
import { checkLink, type Form, type Link, signLink } from './sas.ts'

/** A file whose bytes are all there. */
export type StoredFile = FileRow & { blob_id: string; size: number; sha256: string }

/** At the blob store itself, or at the hub. */
export type LinkTo = { readonly url: string } | { readonly link: Link }

/** What a download sends: a file, or something written on the spot. */
export type Served = {
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly sha256: string
  readonly createdAt: number
  read(range?: ByteRange): Promise<AsyncIterable<Uint8Array>>
}

const isStored = (file: FileRow): file is StoredFile => file.state === 'stored'

export async function mustBeStored(hub: Hub, siteId: string, jobId: string, fileId: string): Promise<StoredFile> {
  const file = await selectFile(hub.engine.read, siteId, jobId, fileId)
  if (!file) throw new HubError('FILE_NOT_FOUND', { fmsFileId: fileId })
  if (!isStored(file)) throw new HubError('FILE_NOT_UPLOADED', { fmsFileId: fileId })
  return file
}

/** The same; undefined where the row is gone or its bytes have not all come. */
export async function findStored(
  hub: Hub,
  siteId: string,
  jobId: string,
  fileId: string,
): Promise<StoredFile | undefined> {
  const file = await selectFile(hub.engine.read, siteId, jobId, fileId)
  return file && isStored(file) ? file : undefined
}

/** Those of the files whose bytes are all there. */
export async function listStored(
  hub: Hub,
  siteId: string,
  jobId: string,
  fileIds: readonly string[],
): Promise<StoredFile[]> {
  const found: StoredFile[] = []
  for (let from = 0; from < fileIds.length; from += 500)
    found.push(...(await selectFiles(hub.engine.read, siteId, jobId, fileIds.slice(from, from + 500))).filter(isStored))
  return found
}

/** Where the file can be had for a while: at the blob store itself where it gives out links and can read it, else at the hub. */
export async function linkTo(hub: Hub, caller: Caller, file: StoredFile, form: Form): Promise<LinkTo> {
  const now = hub.clock.now()
  const until = addDuration(now, hub.config.downloadLife)
  if (form === 'json' || file.sealed === 1 || !hub.blobs.link)
    return { link: signLink(hub.vault, { subject: file.file_id, form, until, by: holderOf(caller) }) }
  const url = await hub.blobs.link(file.blob_id, {
    expiresSeconds: Math.round((until - now) / 1000),
    contentType: servedType(file.content_type),
    contentDisposition: dispositionOf(file.name),
  })
  return { url }
}

/** The file behind a link that is right and not past its end. */
export async function mustFollow(hub: Hub, link: Link, address: string): Promise<Served> {
  checkLink(hub.vault, link, hub.clock.now())
  const file = await selectSignedFile(hub.engine.read, link.subject)
  if (!file || !isStored(file)) throw new HubError('FILE_NOT_FOUND', { fmsFileId: link.subject })
  if (file.archive_status !== 'ACTIVE')
    throw new HubError('JOB_ARCHIVED', { jobId: file.job_id, archiveStatus: file.archive_status })
  if (link.by) await mustBeHeld(hub, file.site_id, link.by, address)
  return {
    name: file.name,
    contentType: servedType(file.content_type),
    size: file.size,
    sha256: file.sha256,
    createdAt: file.created_at,
    read: (range) => readFile(hub, file, range),
  }
}

/** RFC 6266: an ASCII name for old clients, the true one beside it; neither can end the header or its quotes. */
export function dispositionOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`
}

/** Blobs that were read whole and right, by what changes when their bytes are touched. Each node proves for itself. */
const proven = new LRUCache<string, string>({ max: 10_000 })

/** The bytes of the file, or of a part of it. */
async function readFile(hub: Hub, file: StoredFile, range?: ByteRange): Promise<AsyncIterable<Uint8Array>> {
  const store = await storeOf(hub, file)
  const opened = await store.open(file.blob_id, range).catch((error) => {
    // A range that lies in the file by its row, and not in its bytes.
    if (error instanceof RangeError) throw damaged(hub, file, 'a file is shorter than it was')
    if (error instanceof BlobDamaged) throw damaged(hub, file, 'a sealed file has a wrong size')
    if (!(error instanceof BlobMissing)) throw error
    hub.log.error({ fileId: file.file_id, blobId: file.blob_id }, 'the bytes of a file are missing')
    throw new BlobTrouble('the bytes of this file are missing; the operator must look at it (dragoman check).')
  })
  if (opened.size !== file.size) {
    opened.stream.destroy()
    throw damaged(hub, file, 'a file has the wrong size')
  }
  // Sealed bytes tell by themselves that they are damaged, a part of a file as well as the whole.
  opened.stream.once('error', (error) => {
    if (error instanceof BlobDamaged) damaged(hub, file, 'the bytes of a sealed file are damaged')
  })
  if (range || proven.get(file.blob_id) === opened.stamp) return opened.stream
  return prove(hub, file, opened.stamp, opened.stream)
}

function damaged(hub: Hub, file: StoredFile, says: string): BlobTrouble {
  hub.log.error({ fileId: file.file_id, blobId: file.blob_id, expected: file.size }, says)
  return new BlobTrouble('the bytes of this file are damaged; the operator must look at it (dragoman check).')
}

/** Gives the pieces on as they come, but keeps the last one back until the digest is known to be right. */
async function* prove(
  hub: Hub,
  file: StoredFile,
  stamp: string,
  stream: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256')
  let held: Uint8Array | undefined
  for await (const piece of stream) {
    hash.update(piece)
    if (held) yield held
    held = piece
  }
  if (hash.digest('hex') !== file.sha256) {
    throw damaged(hub, file, 'the bytes of a file are damaged')
  }
  proven.set(file.blob_id, stamp)
  if (held) yield held
}

/** Its first bytes, for who wants to know what it is. */
export async function readHead(hub: Hub, file: StoredFile, most: number): Promise<Uint8Array> {
  if (file.size === 0) return new Uint8Array()
  const pieces: Uint8Array[] = []
  for await (const piece of await readFile(hub, file, { start: 0, end: Math.min(file.size, most) - 1 }))
    pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The bytes of a stored file as they come, proven; for what reads them once through. */
export const streamStored = (hub: Hub, file: StoredFile): Promise<AsyncIterable<Uint8Array>> => readFile(hub, file)

/** The row of a file, whether or not its bytes are there. */
export const findFile = (hub: Hub, siteId: string, jobId: string, fileId: string): Promise<FileRow | undefined> =>
  selectFile(hub.engine.read, siteId, jobId, fileId)

/** The whole of a stored file in memory, proven; for what translates it. Whoever asks has room for it. */
export async function readWhole(hub: Hub, file: StoredFile): Promise<Uint8Array> {
  // Of its own: a piece of a larger buffer would be sent to a worker with all of it.
  const bytes = new Uint8Array(file.size)
  let at = 0
  for await (const piece of await readFile(hub, file)) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}
