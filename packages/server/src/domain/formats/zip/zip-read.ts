/**
 * Reads the directory of a ZIP archive. The central directory is authoritative, and every local header must agree with it. Ambiguous
 * archives are refused, and so are those that would unpack too large, before anything is inflated.
 */
import { crc32, inflateRawSync } from 'node:zlib'
import { FormatError } from '../format-error.ts'
import { mustBeSafeName, nameIn } from './zip-names.ts'

export type ZipEntry = {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly size: number
  /** The offset of its record in the central directory. */
  readonly record: number
  /** Its local header, its data, and the end of its data. */
  readonly header: number
  readonly data: number
  readonly end: number
}
export type Zip = {
  readonly bytes: Buffer
  readonly entries: readonly ZipEntry[]
  readonly directory: number
  readonly tail: number
}

export const zipBounds = {
  entries: 10_000,
  totalBytes: 500 * 1024 ** 2,
  ratio: 200,
  /** Smaller entries may have a higher ratio, which does no harm. */
  ratioFrom: 1024 ** 2,
} as const

const marks = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const
const sizes = { local: 30, central: 46, end: 22 } as const

export function openZip(source: Uint8Array): Zip {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const tail = findEnd(bytes)
  const count = bytes.readUInt16LE(tail + 10)
  const directory = bytes.readUInt32LE(tail + 16)
  if (count === 0xffff || directory === 0xffffffff) throw zip64()
  if (bytes.readUInt32LE(tail + 4) !== 0 || bytes.readUInt16LE(tail + 8) !== count)
    throw refusal('it is one volume of several; pack it as one file')
  if (count > zipBounds.entries) throw tooLarge(`more than ${zipBounds.entries.toLocaleString('en')} entries`)
  if (directory + bytes.readUInt32LE(tail + 12) !== tail) throw refusal('its directory is not where it says')
  const entries: ZipEntry[] = []
  let at = directory
  for (let seen = 0; seen < count; seen += 1) {
    const entry = readEntry(bytes, at, directory)
    entries.push(entry)
    at = endOfRecord(bytes, at)
  }
  if (at !== tail) throw refusal('its directory has another length than it says')
  mustBeDistinct(entries)
  mustNotOverlap(entries)
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total > zipBounds.totalBytes) throw tooLarge(`more than ${zipBounds.totalBytes / 1024 ** 2} MB when unpacked`)
  return { bytes, entries, directory, tail }
}

/**
 * The last record whose comment ends at the end of the file, so a record inside a comment does not count. Some senders add line ends or
 * zero bytes behind the archive; every reader accepts those.
 */
function findEnd(bytes: Buffer): number {
  if (bytes.length >= 8 && bytes.readUInt32BE(0) === 0xd0cf11e0)
    throw new FormatError(
      'MALFORMED',
      'The file is protected by a password or is of Office 97 to 2003; save it without a password in the newer format.',
    )
  const end = endBefore(bytes, 0) ?? endBefore(bytes, paddingAfter(bytes))
  if (end === undefined) throw refusal('it is no ZIP archive, or is cut off')
  return end
}

/** A record that is followed by its comment and at most so many further bytes. */
function endBefore(bytes: Buffer, padding: number): number | undefined {
  const last = bytes.length - sizes.end
  for (let at = last; at >= Math.max(0, last - 0xffff - padding); at -= 1) {
    if (bytes.readUInt32LE(at) !== marks.end) continue
    const rest = bytes.length - (at + sizes.end + bytes.readUInt16LE(at + 20))
    if (rest >= 0 && rest <= padding) return at
  }
  return undefined
}

/** How many line ends and zero bytes the file ends with, up to a few. */
function paddingAfter(bytes: Buffer): number {
  let count = 0
  while (count < 64 && [0, 10, 13].includes(bytes[bytes.length - 1 - count] ?? -1)) count += 1
  return count
}

function readEntry(bytes: Buffer, record: number, directory: number): ZipEntry {
  const isWhole = record + sizes.central <= bytes.length && bytes.readUInt32LE(record) === marks.central
  if (!isWhole || endOfRecord(bytes, record) > bytes.length) throw refusal('its directory is damaged')
  const named = bytes.subarray(record + sizes.central, record + sizes.central + bytes.readUInt16LE(record + 28))
  const name = nameIn(named)
  mustBeSafeName(name)
  const [flags, method] = [bytes.readUInt16LE(record + 8), bytes.readUInt16LE(record + 10)]
  if (flags & 0x2041) throw refusal(`"${name}" is encrypted; pack it without a password`)
  const [crc, packed, size] = [16, 20, 24].map((field) => bytes.readUInt32LE(record + field)) as [
    number,
    number,
    number,
  ]
  const header = bytes.readUInt32LE(record + 42)
  if ([packed, size, header].includes(0xffffffff)) throw zip64()
  if (size > zipBounds.ratioFrom && size > packed * zipBounds.ratio)
    throw tooLarge(`"${name}", which unpacks to more than ${zipBounds.ratio} times its size`)
  if (header + sizes.local > directory || bytes.readUInt32LE(header) !== marks.local)
    throw refusal(`"${name}" is not where its directory says`)
  const nameEnd = header + sizes.local + bytes.readUInt16LE(header + 26)
  const data = nameEnd + bytes.readUInt16LE(header + 28)
  const end = data + packed
  if (end > directory) throw refusal(`"${name}" is cut off`)
  const isSame =
    named.equals(bytes.subarray(header + sizes.local, nameEnd)) && bytes.readUInt16LE(header + 8) === method
  if (!isSame || bytes.readUInt16LE(header + 6) & 0x2041) throw lies(name)
  const told = [14, 18, 22].map((field) => bytes.readUInt32LE(header + field))
  // If the header has no sizes, they follow the data; ZIP64 has its own field for them.
  const isLater = (flags & 8) !== 0 || told.includes(0xffffffff)
  if (!isLater && (told[0] !== crc || told[1] !== packed || told[2] !== size)) throw lies(name)
  return { name, method, crc, size, record, header, data, end }
}

const endOfRecord = (bytes: Buffer, record: number): number =>
  record + sizes.central + [28, 30, 32].reduce((sum, field) => sum + bytes.readUInt16LE(record + field), 0)

function mustBeDistinct(entries: readonly ZipEntry[]): void {
  const names = new Set<string>()
  for (const { name } of entries) {
    if (names.has(name)) throw refusal(`it has two entries "${name}"`)
    names.add(name)
  }
}

function mustNotOverlap(entries: readonly ZipEntry[]): void {
  const sorted = [...entries].sort((one, other) => one.header - other.header)
  sorted.forEach((entry, at) => {
    const before = sorted[at - 1]
    if (before && before.end > entry.header) throw refusal(`"${before.name}" and "${entry.name}" share bytes`)
  })
}

/** The unpacked bytes of an entry; their number and checksum must be as declared. */
export function readEntryBytes(
  { bytes }: Pick<Zip, 'bytes'>,
  { name, method, data, end, size, crc }: Omit<ZipEntry, 'record' | 'header'>,
): Uint8Array {
  const packed = bytes.subarray(data, end)
  if (method !== 0 && method !== 8) throw refusal(`"${name}" is packed by method ${method}; use deflate`)
  const unpacked = method === 0 ? packed : inflate(name, packed, size)
  if (unpacked.length !== size) throw lies(name)
  if (crc32(unpacked) !== crc) throw refusal(`"${name}" is damaged: its checksum is wrong`)
  return unpacked
}

/** An entry by itself, for a worker that unpacks it. */
export type LoneEntry = Omit<ZipEntry, 'record' | 'header'> & { readonly bytes: Uint8Array }

export function loneEntry({ bytes }: Zip, { name, method, crc, size, data, end }: ZipEntry): LoneEntry {
  return { name, method, crc, size, data: 0, end: end - data, bytes: bytes.subarray(data, end) }
}

export const unpackLone = ({ bytes, ...entry }: LoneEntry): Uint8Array =>
  readEntryBytes({ bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }, entry)

function inflate(name: string, packed: Uint8Array, size: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    if (error instanceof RangeError) throw lies(name)
    throw refusal(`"${name}" is damaged`)
  }
}

const refusal = (why: string): FormatError => new FormatError('MALFORMED', `The archive cannot be read: ${why}.`)
const lies = (name: string): FormatError => refusal(`"${name}" is not what the directory says it is`)
const zip64 = (): FormatError => refusal('it is a ZIP64 archive; pack it as an ordinary ZIP')
const tooLarge = (what: string): FormatError =>
  new FormatError('TOO_LARGE', `The archive holds ${what} and was not opened.`)
