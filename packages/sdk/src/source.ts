/**
 * A file to upload: a name, a size, and any range of its bytes on demand. It is never held in
 * memory as a whole.
 */
export type Bytes = Uint8Array<ArrayBuffer>

export type Source = {
  /** The hub detects the format by the extension; without one by `contentType` or by the bytes. */
  readonly name: string
  readonly size: number
  readonly contentType?: string
  /**
   * A digest of the bytes, if it is known already. An upload resumes only for the same bytes;
   * without it they are read once more.
   */
  readonly version?: string
  /** The bytes from `start` up to, but excluding, `end`. */
  read(start: number, end: number): Promise<Bytes>
}

/** A text, bytes, or a Blob or File of a browser or of Node. */
export function sourceOf(name: string, content: string | Uint8Array | Blob): Source {
  if (content instanceof Blob) return blobSource(name, content)
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    name,
    size: bytes.length,
    read: async (start, end) => new Uint8Array(bytes.subarray(start, end)),
  }
}

function blobSource(name: string, blob: Blob): Source {
  return {
    name,
    size: blob.size,
    ...(blob.type !== '' && { contentType: blob.type }),
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  }
}

const digestPiece = 4 * 1024 ** 2

/**
 * Tells which bytes a source has: a chain of SHA-256 over its pieces, because a page can hash only
 * what is in memory. Undefined where hashing is not possible (pages without https).
 */
export async function versionOf(source: Source, signal?: AbortSignal): Promise<string | undefined> {
  if (source.version !== undefined) return source.version
  const subtle: typeof globalThis.crypto.subtle | undefined = globalThis.crypto?.subtle
  if (!subtle) return undefined
  let digest = new Uint8Array(32)
  for (let at = 0; at < source.size; at += digestPiece) {
    signal?.throwIfAborted()
    const piece = await source.read(at, Math.min(at + digestPiece, source.size))
    const both = new Uint8Array([
      ...digest,
      ...new Uint8Array(await subtle.digest('SHA-256', piece)),
    ])
    digest = new Uint8Array(await subtle.digest('SHA-256', both))
  }
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
