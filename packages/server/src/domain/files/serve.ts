/**
 * Serves downloads: their links and their bytes. A whole file is checked against its sha256 while
 * it is read, and the last chunk is sent only if the digest is correct, so damaged bytes never make
 * a complete response.
 */
import { createHash } from 'node:crypto'
import {
  addDuration,
  detectFormat,
  formatRows,
  HubError,
  headBytes,
  isActive,
  isNameless,
} from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import { BlobDamaged, BlobMissing, BlobTrouble, type ByteRange } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import type { FileRow } from '../../store/tables.ts'
import type { Caller } from '../access/caller.ts'
import { storeOf } from './blob-place.ts'
import { selectFile, selectFiles, selectSignedFile } from './file-rows.ts'
import { holderOf, mustBeHeld } from './holder.ts'
import { servedType, unknownType } from './media-types.ts'
import { checkLink, type Form, type Link, signLink } from './sas.ts'

/** A completely uploaded file. */
export type StoredFile = FileRow & { blob_id: string; size: number; sha256: string }

/** A URL of the blob store, or a link to the hub. */
export type LinkTo = { readonly url: string } | { readonly link: Link }

/** What a download sends: a stored file or generated content. */
export type Served = {
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly sha256: string
  readonly createdAt: number
  /** Whose it is. */
  readonly of: { readonly siteId: string; readonly jobId: string }
  read(range?: ByteRange): Promise<AsyncIterable<Uint8Array>>
}

export const isStored = (file: FileRow): file is StoredFile => file.state === 'stored'

export async function mustBeStored(
  hub: Hub,
  siteId: string,
  jobId: string,
  fileId: string,
): Promise<StoredFile> {
  const file = await selectFile(hub.db.read, siteId, jobId, fileId)
  if (!file) throw new HubError('FILE_NOT_FOUND', { fmsFileId: fileId })
  if (!isStored(file)) throw new HubError('FILE_NOT_UPLOADED', { fmsFileId: fileId })
  return file
}

/** The same, but undefined if the row is gone or the upload is incomplete. */
export async function findStored(
  hub: Hub,
  siteId: string,
  jobId: string,
  fileId: string,
): Promise<StoredFile | undefined> {
  const file = await selectFile(hub.db.read, siteId, jobId, fileId)
  return file && isStored(file) ? file : undefined
}

/** The completely uploaded ones of these files. */
export async function listStored(
  hub: Hub,
  siteId: string,
  jobId: string,
  fileIds: readonly string[],
): Promise<StoredFile[]> {
  const found: StoredFile[] = []
  for (let from = 0; from < fileIds.length; from += 500)
    found.push(
      ...(await selectFiles(hub.db.read, siteId, jobId, fileIds.slice(from, from + 500))).filter(
        isStored,
      ),
    )
  return found
}

/**
 * A temporary link: to the blob store if it offers links and can serve the file, else to the hub.
 */
export async function linkTo(
  hub: Hub,
  caller: Caller,
  file: StoredFile,
  form: Form = 'bytes',
): Promise<LinkTo> {
  const now = hub.clock.now()
  const until = addDuration(now, hub.config.downloadLife)
  if (form === 'json' || file.sealed === 1 || !hub.blobs.link)
    return {
      link: signLink(hub.vault, { subject: file.file_id, form, until, by: holderOf(caller) }),
    }
  const url = await hub.blobs.link(file.blob_id, {
    expiresSeconds: Math.round((until - now) / 1000),
    contentType: await typeOf(hub, file),
    contentDisposition: dispositionOf(file.name),
  })
  return { url }
}

/** The file behind a valid, unexpired link. */
export async function mustFollow(hub: Hub, link: Link, address: string): Promise<Served> {
  checkLink(hub.vault, link, hub.clock.now())
  const file = await selectSignedFile(hub.db.read, link.subject)
  if (!file || !isStored(file)) throw new HubError('FILE_NOT_FOUND', { fmsFileId: link.subject })
  if (!isActive(file.archive_status))
    throw new HubError('JOB_ARCHIVED', { jobId: file.job_id, archiveStatus: file.archive_status })
  if (link.by) await mustBeHeld(hub, file.site_id, link.by, address)
  return {
    of: { siteId: file.site_id, jobId: file.job_id },
    name: file.name,
    contentType: await typeOf(hub, file),
    size: file.size,
    sha256: file.sha256,
    createdAt: file.created_at,
    read: (range) => readFile(hub, file, range),
  }
}

/** A text names its charset: without one, many clients read it as Latin-1. */
async function typeOf(hub: Hub, file: StoredFile): Promise<string> {
  const type = await plainTypeOf(hub, file)
  const isBare = /^text\/[\w.+-]{1,80}$/i.test(type)
  return isBare && (await isUtf8File(hub, file)) ? `${type}; charset=utf-8` : type
}

/** Neither the name nor the sender tells the type of some files: their bytes do. */
async function plainTypeOf(hub: Hub, file: StoredFile): Promise<string> {
  const type = servedType(file.content_type)
  if (type !== unknownType || !isNameless(file.name)) return type
  try {
    const head = new TextDecoder().decode(await readHead(hub, file, headBytes))
    const format = detectFormat({ fileName: file.name, head: () => head })
    return (format && formatRows[format].mediaTypes[0]) ?? type
  } catch (error) {
    // Reading the file itself will tell what is wrong with it.
    if (error instanceof BlobTrouble) return type
    throw error
  }
}

/** Whether a blob begins like UTF-8. Per node; a blob never changes. */
const beginsAsUtf8 = new LRUCache<string, boolean>({ max: 10_000 })

async function isUtf8File(hub: Hub, file: StoredFile): Promise<boolean> {
  const known = beginsAsUtf8.get(file.blob_id)
  if (known !== undefined) return known
  try {
    const head = await readHead(hub, file, headBytes)
    const isUtf8 = !head.includes(0) && isBeginOfUtf8(head)
    beginsAsUtf8.set(file.blob_id, isUtf8)
    return isUtf8
  } catch (error) {
    if (error instanceof BlobTrouble) return false
    throw error
  }
}

/** The last character may be cut. */
function isBeginOfUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * RFC 6266: an ASCII name for old clients and the exact name; neither can break out of the header.
 */
export function dispositionOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`
}

/** Blobs already verified as a whole, by their stamp, which changes with their bytes. Per node. */
const verified = new LRUCache<string, string>({ max: 10_000 })

/** The bytes of the file, or of a range. */
async function readFile(
  hub: Hub,
  file: StoredFile,
  range?: ByteRange,
): Promise<AsyncIterable<Uint8Array>> {
  const store = await storeOf(hub, file)
  const opened = await store.open(file.blob_id, range).catch((error) => {
    // The row says the range is inside the file, but the bytes are shorter.
    if (error instanceof RangeError) throw damaged(hub, file, 'a file is shorter than it was')
    if (error instanceof BlobDamaged) throw damaged(hub, file, 'a sealed file has a wrong size')
    if (!(error instanceof BlobMissing)) throw error
    hub.log.error({ fileId: file.file_id, blobId: file.blob_id }, 'the bytes of a file are missing')
    throw new BlobTrouble(
      'the bytes of this file are missing; the operator must check it (dragoman check).',
    )
  })
  if (opened.size !== file.size) {
    opened.stream.destroy()
    throw damaged(hub, file, 'a file has the wrong size')
  }
  // Sealed bytes are verified while they are read, whole or in part.
  opened.stream.once('error', (error) => {
    if (error instanceof BlobDamaged) damaged(hub, file, 'the bytes of a sealed file are damaged')
  })
  if (range || verified.get(file.blob_id) === opened.stamp) return opened.stream
  return verify(hub, file, opened.stamp, opened.stream)
}

function damaged(hub: Hub, file: StoredFile, says: string): BlobTrouble {
  hub.log.error({ fileId: file.file_id, blobId: file.blob_id, expected: file.size }, says)
  return new BlobTrouble(
    'the bytes of this file are damaged; the operator must check it (dragoman check).',
  )
}

/** Passes chunks through, but holds the last one back until the digest is verified. */
async function* verify(
  hub: Hub,
  file: StoredFile,
  stamp: string,
  stream: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256')
  let last: Uint8Array | undefined
  for await (const chunk of stream) {
    hash.update(chunk)
    if (last) yield last
    last = chunk
  }
  if (hash.digest('hex') !== file.sha256) {
    throw damaged(hub, file, 'the bytes of a file are damaged')
  }
  verified.set(file.blob_id, stamp)
  if (last) yield last
}

/** The first bytes of a file, to detect its format. */
export async function readHead(hub: Hub, file: StoredFile, maxBytes: number): Promise<Uint8Array> {
  if (file.size === 0) return new Uint8Array()
  const chunks: Uint8Array[] = []
  for await (const chunk of await readFile(hub, file, {
    start: 0,
    end: Math.min(file.size, maxBytes) - 1,
  }))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The bytes of a stored file as a verified stream. */
export const streamStored = (hub: Hub, file: StoredFile): Promise<AsyncIterable<Uint8Array>> =>
  readFile(hub, file)

/** Some bytes of a stored file; they are verified only if they are sealed. */
export async function readPart(
  hub: Hub,
  file: StoredFile,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(end - start)
  if (end <= start) return bytes
  let at = 0
  for await (const chunk of await readFile(hub, file, { start, end: end - 1 })) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/** The row of a file, whether or not its bytes are complete. */
export const findFile = (
  hub: Hub,
  siteId: string,
  jobId: string,
  fileId: string,
): Promise<FileRow | undefined> => selectFile(hub.db.read, siteId, jobId, fileId)

/** The same for a file of any job of the site. */
export async function findFileOfSite(
  hub: Hub,
  siteId: string,
  fileId: string,
): Promise<FileRow | undefined> {
  const file = await selectSignedFile(hub.db.read, fileId)
  return file?.site_id === siteId && isActive(file.archive_status) ? file : undefined
}

/** A whole stored file in memory, verified. The caller has reserved the memory. */
export async function readWhole(hub: Hub, file: StoredFile): Promise<Uint8Array> {
  // A buffer of its own: a slice of a larger one would be sent to a worker with all of it.
  const bytes = new Uint8Array(file.size)
  let at = 0
  for await (const chunk of await readFile(hub, file)) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
