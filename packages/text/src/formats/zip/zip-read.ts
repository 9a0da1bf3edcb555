/** Reads a ZIP archive that is in memory, by the rules of zip-directory.ts. */
import { crc32, inflateRawSync } from 'node:zlib'
import {
  damagedEntry,
  headerBytes,
  lies,
  mustBeSound,
  mustBeUnpackable,
  placeEntry,
  readEnding,
  readRecords,
  wrongSum,
  type ZipEntry,
} from './zip-directory.ts'

export type { ZipEntry } from './zip-directory.ts'
export type Zip = {
  readonly bytes: Buffer
  readonly entries: readonly ZipEntry[]
  readonly directory: number
  readonly tail: number
}

export function openZip(source: Uint8Array): Zip {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const ending = readEnding(bytes, 0, bytes)
  const { directory, tail } = ending
  const entries = readRecords(bytes.subarray(directory, tail), ending).map((record) => {
    const head = bytes.subarray(
      record.header,
      Math.min(directory, record.header + headerBytes(record)),
    )
    return placeEntry(record, head, directory)
  })
  mustBeSound(entries)
  return { bytes, entries, directory, tail }
}

/** The unpacked bytes of an entry; their number and checksum must be as declared. */
export function readEntryBytes(
  { bytes }: Pick<Zip, 'bytes'>,
  { name, method, data, end, size, crc }: Omit<ZipEntry, 'record' | 'header'>,
): Uint8Array {
  const packed = bytes.subarray(data, end)
  mustBeUnpackable({ name, method })
  const unpacked = method === 0 ? packed : inflate(name, packed, size)
  if (unpacked.length !== size) throw lies(name)
  if (crc32(unpacked) !== crc) throw wrongSum(name)
  return unpacked
}

/** An entry by itself, for a worker that unpacks it. */
export type LoneEntry = Omit<ZipEntry, 'record' | 'header'> & { readonly bytes: Uint8Array }

export function loneEntry(
  bytes: Uint8Array,
  { name, method, crc, size, data, end }: ZipEntry,
): LoneEntry {
  return { name, method, crc, size, data: 0, end: end - data, bytes }
}

export const unpackLone = ({ bytes, ...entry }: LoneEntry): Uint8Array =>
  readEntryBytes({ bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }, entry)

function inflate(name: string, packed: Uint8Array, size: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    if (error instanceof RangeError) throw lies(name)
    throw damagedEntry(name)
  }
}
