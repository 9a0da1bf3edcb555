/** Replaces some entries of an archive. Everything else is copied byte for byte. */
import { crc32, deflateRawSync } from 'node:zlib'
import type { Zip, ZipEntry } from './zip-read.ts'

type Moved = {
  readonly header: number
  readonly packed: number
  readonly content: Uint8Array | undefined
}

/** The descriptor after the data, if the header has no sizes. */
const laterFlag = 8
const zip64Field = 1

export function replaceEntries(zip: Zip, contents: ReadonlyMap<ZipEntry, Uint8Array>): Uint8Array {
  const { bytes, directory, tail } = zip
  const out: Uint8Array[] = []
  let length = 0
  const put = (chunk: Uint8Array): void => {
    out.push(chunk)
    length += chunk.length
  }
  const moved = new Map<ZipEntry, Moved>()
  const sorted = [...zip.entries].sort((one, other) => one.header - other.header)
  let from = 0
  for (const [at, entry] of sorted.entries()) {
    const content = contents.get(entry)
    put(bytes.subarray(from, entry.header))
    const packed = content && (entry.method === 0 ? content : deflateRawSync(content))
    moved.set(entry, { header: length, packed: packed?.length ?? entry.end - entry.data, content })
    from = entry.header
    if (!content || !packed) continue
    put(headerOf(bytes.subarray(entry.header, entry.data), content, packed.length))
    put(packed)
    const hasDescriptor = (bytes.readUInt16LE(entry.header + 6) & laterFlag) !== 0
    from = hasDescriptor ? (sorted[at + 1]?.header ?? directory) : entry.end
  }
  put(bytes.subarray(from, directory))
  const begun = length
  for (const [at, entry] of zip.entries.entries())
    put(
      recordOf(bytes.subarray(entry.record, zip.entries[at + 1]?.record ?? tail), moved.get(entry)),
    )
  const end = Buffer.from(bytes.subarray(tail))
  end.writeUInt32LE(length - begun, 12)
  end.writeUInt32LE(begun, 16)
  put(end)
  return new Uint8Array(Buffer.concat(out))
}

function headerOf(old: Buffer, content: Uint8Array, packed: number): Buffer {
  const nameEnd = 30 + old.readUInt16LE(26)
  const extra = withoutZip64(old.subarray(nameEnd))
  const header = Buffer.concat([old.subarray(0, nameEnd), extra])
  header.writeUInt16LE(header.readUInt16LE(6) & ~laterFlag, 6)
  header.writeUInt32LE(crc32(content), 14)
  header.writeUInt32LE(packed, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(extra.length, 28)
  return header
}

function recordOf(old: Buffer, moved: Moved | undefined): Buffer {
  const record = Buffer.from(old)
  if (!moved) return record
  record.writeUInt32LE(moved.header, 42)
  if (!moved.content) return record
  record.writeUInt16LE(record.readUInt16LE(8) & ~laterFlag, 8)
  record.writeUInt32LE(crc32(moved.content), 16)
  record.writeUInt32LE(moved.packed, 20)
  record.writeUInt32LE(moved.content.length, 24)
  return record
}

/** The extra fields of a header without ZIP64 sizes, which are now in the header itself. */
function withoutZip64(extra: Buffer): Buffer {
  const kept: Buffer[] = []
  let at = 0
  while (at + 4 <= extra.length) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) !== zip64Field) kept.push(extra.subarray(at, end))
    at = end
  }
  return Buffer.concat([...kept, extra.subarray(at)])
}
