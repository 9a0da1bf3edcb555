import type { Generated, Selectable } from 'kysely'
import type { Flag, Json, Time } from './columns.ts'

/**
 * A file of a job and the transfer that brings its bytes. It is `expected` until it is complete,
 * and removed if `expires_at` comes first.
 */
type FileTable = {
  file_id: string
  site_id: string
  job_id: string
  name: string
  content_type: string
  state: 'expected' | 'stored'
  /** What it is for: a source file, or a translation from a provider. */
  kind: 'source' | 'translation'
  /** The client whose quota it counts against. */
  client_id: string
  /** 1 once any byte was acknowledged: what MaxFilesPerJob counts. */
  holds_bytes: Flag
  blob_id: string | null
  size: number | null
  sha256: string | null
  /** 1: the blob is sealed, and its key is in `content_keys`. */
  sealed: Generated<Flag>
  created_at: Time
  expires_at: Time | null
  cause_id: string
}

/**
 * A resumable upload into a file. Offset and progress are written together, under the writer's
 * lease.
 */
type UploadTable = {
  upload_id: string
  file_id: string
  site_id: string
  blob_id: string
  /** The header Upload-Concat as it was sent: `partial`, or `final;` and its parts. */
  concat: string | null
  /** Declared by the client; the largest possible one until it is. */
  length: number
  /** 1: the client will declare the length later. */
  deferred: Generated<Flag>
  received: number
  /** What the blob store must remember between two writes. */
  progress: Json
  /** Same as that of its file. */
  sealed: Generated<Flag>
  metadata: Json
  created_at: Time
  expires_at: Time
  /** The current writer, by the name of its lock, and until when it counts as alive. */
  writer: string | null
  writer_until: Time | null
  /** 1: another writer wants the lock; the current one must stop. */
  wanted: Flag
}

/**
 * The keys that seal a site's content. The newest one seals; older ones remain until a rotation is
 * complete.
 */
type SiteKeyTable = { site_id: string; version: number; sealed_key: string; created_at: Time }

/** The key of a blob, or of the key-value content of a job, sealed under its site's key. */
type ContentKeyTable = {
  /** A blob's or a job's id. */
  key_of: string
  site_id: string
  job_id: string
  /** Version of the site's key. */
  site_key: number
  sealed_key: string
}

export type FilesTables = {
  files: FileTable
  uploads: UploadTable
  site_keys: SiteKeyTable
  content_keys: ContentKeyTable
}

export type FileRow = Selectable<FileTable>
export type UploadRow = Selectable<UploadTable>
