/**
 * Judges the directory of a ZIP archive from pieces of it. The central directory is authoritative,
 * and every local header must agree with it. Ambiguous archives are refused, and so are those that
 * would unpack too large, before anything is inflated.
 */
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
/** Where the directory is, and where the record behind it. */
export type ZipEnding = {
  readonly directory: number
  readonly tail: number
  readonly count: number
}
/** An entry as far as the directory tells. */
export type ZipRecord = Omit<ZipEntry, 'data' | 'end'> & {
  readonly named: Uint8Array
  readonly isLater: boolean
  readonly packed: number
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
const longestPadding = 64
/** The last record is within so many bytes from the end. */
export const endingBytes = sizes.end + 0xffff + longestPadding

/** `last` are the last bytes of the archive, from the offset `from`; `head` are its first. */
export function readEnding(last: Buffer, from: number, head: Buffer): ZipEnding {
  if (head.length >= 8 && head.readUInt32BE(0) === 0xd0cf11e0)
    throw new FormatError(
      'MALFORMED',
      'The file is protected by a password or is of Office 97 to 2003; save it without a password in the newer format.',
    )
  const end = endBefore(last, 0) ?? endBefore(last, paddingAfter(last))
  if (end === undefined) throw refusal('it is no ZIP archive, or is cut off')
  const count = last.readUInt16LE(end + 10)
  const directory = last.readUInt32LE(end + 16)
  if (count === 0xffff || directory === 0xffffffff) throw zip64()
  if (last.readUInt32LE(end + 4) !== 0 || last.readUInt16LE(end + 8) !== count)
    throw refusal('it is one volume of several; pack it as one file')
  if (count > zipBounds.entries)
    throw tooLarge(`more than ${zipBounds.entries.toLocaleString('en')} entries`)
  const tail = from + end
  if (directory + last.readUInt32LE(end + 12) !== tail)
    throw refusal('its directory is not where it says')
  return { directory, tail, count }
}

/**
 * A record that is followed by its comment and at most so many further bytes: one inside a comment
 * does not count. Some senders add line ends or zero bytes behind the archive; every reader accepts
 * those.
 */
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
  while (count < longestPadding && [0, 10, 13].includes(bytes[bytes.length - 1 - count] ?? -1))
    count += 1
  return count
}

/** The records of the directory, which is `bytes`. */
export function readRecords(bytes: Buffer, { directory, count }: ZipEnding): ZipRecord[] {
  const records: ZipRecord[] = []
  let at = 0
  for (let seen = 0; seen < count; seen += 1) {
    const isWhole = at + sizes.central <= bytes.length && bytes.readUInt32LE(at) === marks.central
    const end = isWhole ? endOfRecord(bytes, at) : bytes.length + 1
    if (end > bytes.length) throw refusal('its directory is damaged')
    records.push(recordAt(bytes, at, directory))
    at = end
  }
  if (at !== bytes.length) throw refusal('its directory has another length than it says')
  return records
}

function recordAt(bytes: Buffer, at: number, directory: number): ZipRecord {
  const named = bytes.subarray(at + sizes.central, at + sizes.central + bytes.readUInt16LE(at + 28))
  const name = nameIn(named)
  mustBeSafeName(name)
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)]
  if (flags & 0x2041) throw refusal(`"${name}" is encrypted; pack it without a password`)
  const [crc, packed, size] = [16, 20, 24].map((field) => bytes.readUInt32LE(at + field)) as [
    number,
    number,
    number,
  ]
  const header = bytes.readUInt32LE(at + 42)
  if ([packed, size, header].includes(0xffffffff)) throw zip64()
  if (size > zipBounds.ratioFrom && size > packed * zipBounds.ratio)
    throw tooLarge(`"${name}", which unpacks to more than ${zipBounds.ratio} times its size`)
  return {
    name,
    method,
    crc,
    size,
    record: directory + at,
    header,
    named,
    packed,
    isLater: (flags & 8) !== 0,
  }
}

const endOfRecord = (bytes: Buffer, record: number): number =>
  record +
  sizes.central +
  [28, 30, 32].reduce((sum, field) => sum + bytes.readUInt16LE(record + field), 0)

/** How much of an entry's header its record is compared with. */
export const headerBytes = ({ named }: ZipRecord): number => sizes.local + named.length

/** `head` are the bytes at the header of the entry, as many as there are up to the directory. */
export function placeEntry(record: ZipRecord, head: Buffer, directory: number): ZipEntry {
  const { named, isLater: isMarked, packed, ...facts } = record
  const { name, method, crc, size, header } = facts
  if (
    header + sizes.local > directory ||
    head.length < sizes.local ||
    head.readUInt32LE(0) !== marks.local
  )
    throw refusal(`"${name}" is not where its directory says`)
  const nameLength = head.readUInt16LE(26)
  const data = header + sizes.local + nameLength + head.readUInt16LE(28)
  const end = data + packed
  if (end > directory) throw refusal(`"${name}" is cut off`)
  const hasName =
    nameLength === named.length &&
    head.subarray(sizes.local, sizes.local + nameLength).equals(named)
  if (!hasName || head.readUInt16LE(8) !== method || head.readUInt16LE(6) & 0x2041) throw lies(name)
  const told = [14, 18, 22].map((field) => head.readUInt32LE(field))
  // If the header has no sizes, they follow the data; ZIP64 has its own field for them.
  const isLater = isMarked || told.includes(0xffffffff)
  if (!isLater && (told[0] !== crc || told[1] !== packed || told[2] !== size)) throw lies(name)
  return { ...facts, data, end }
}

/** Judges all entries together. */
export function mustBeSound(entries: readonly ZipEntry[]): void {
  const names = new Set<string>()
  for (const { name } of entries) {
    if (names.has(name)) throw refusal(`it has two entries "${name}"`)
    names.add(name)
  }
  const sorted = [...entries].sort((one, other) => one.header - other.header)
  sorted.forEach((entry, at) => {
    const before = sorted[at - 1]
    if (before && before.end > entry.header)
      throw refusal(`"${before.name}" and "${entry.name}" share bytes`)
  })
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total > zipBounds.totalBytes)
    throw tooLarge(`more than ${zipBounds.totalBytes / 1024 ** 2} MB when unpacked`)
}

export function mustBeUnpackable({ name, method }: Pick<ZipEntry, 'name' | 'method'>): void {
  if (method !== 0 && method !== 8)
    throw refusal(`"${name}" is packed by method ${method}; use deflate`)
}

export const refusal = (why: string): FormatError =>
  new FormatError('MALFORMED', `The archive cannot be read: ${why}.`)
export const lies = (name: string): FormatError =>
  refusal(`"${name}" is not what the directory says it is`)
export const damagedEntry = (name: string): FormatError => refusal(`"${name}" is damaged`)
export const wrongSum = (name: string): FormatError =>
  refusal(`"${name}" is damaged: its checksum is wrong`)
const zip64 = (): FormatError => refusal('it is a ZIP64 archive; pack it as an ordinary ZIP')
export const tooLarge = (what: string): FormatError =>
  new FormatError('TOO_LARGE', `The archive contains ${what} and was not opened.`)
