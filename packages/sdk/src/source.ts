/** A file to upload: a name, a size, and any range of its bytes on demand. It is never held in memory as a whole. */
export type Bytes = Uint8Array<ArrayBuffer>

export type Source = {
  /** The hub detects the format by the extension; without one by `contentType` or by the bytes. */
  readonly name: string
  readonly size: number
  readonly contentType?: string
  /** Changes with the bytes; an upload resumes only for the same version. */
  readonly version?: string
  /** The bytes from `start` up to, but excluding, `end`. */
  read(start: number, end: number): Promise<Bytes>
}

/** A text, bytes, or a Blob or File of a browser or of Node. */
export function sourceOf(name: string, content: string | Uint8Array | Blob): Source {
  if (content instanceof Blob) return blobSource(name, content)
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { name, size: bytes.length, read: async (start, end) => new Uint8Array(bytes.subarray(start, end)) }
}

function blobSource(name: string, blob: Blob): Source {
  const modified = 'lastModified' in blob ? String(blob.lastModified) : undefined
  return {
    name,
    size: blob.size,
    ...(blob.type !== '' && { contentType: blob.type }),
    ...(modified !== undefined && { version: modified }),
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  }
}
