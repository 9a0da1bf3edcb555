/**
 * Reads a ZIP archive that is not in memory, by the rules of zip-directory.ts: its directory first,
 * then one entry at a time. The headers of all entries are compared in one pass over the archive,
 * because a store may be far away.
 */
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import {
  damagedEntry,
  endingBytes,
  headerBytes,
  lies,
  mustBeSound,
  mustBeUnpackable,
  placeEntry,
  readEnding,
  readRecords,
  tooLarge,
  wrongSum,
  type ZipEntry,
  type ZipRecord,
} from './zip-directory.ts'
import { type LoneEntry, loneEntry } from './zip-read.ts'

/** Bytes that can be read from anywhere. */
export type ZipSource = {
  readonly size: number
  read(from: number, to: number): AsyncIterable<Uint8Array>
}

export type ZipFile = {
  readonly entries: readonly ZipEntry[]
  /** The packed bytes, for a worker. */
  lone(entry: ZipEntry): Promise<LoneEntry>
  /** The unpacked bytes as they come; their number and checksum must be as declared. */
  unpack(entry: ZipEntry): AsyncGenerator<Uint8Array, void>
}

const mostOfDirectory = 16 * 1024 ** 2

export async function openZipFile(source: ZipSource): Promise<ZipFile> {
  const { size } = source
  const from = Math.max(0, size - endingBytes)
  const last = await readPart(source, from, size)
  const ending = readEnding(last, from, await readPart(source, 0, Math.min(8, size)))
  const { directory, tail } = ending
  if (tail - directory > mostOfDirectory)
    throw tooLarge(`a directory of more than ${mostOfDirectory / 1024 ** 2} MB`)
  const records = readRecords(await readPart(source, directory, tail), ending)
  const heads = await readHeads(source, records, directory)
  const entries = records.map((record) =>
    placeEntry(record, heads.get(record) ?? Buffer.alloc(0), directory),
  )
  mustBeSound(entries)
  return {
    entries,
    lone: async (entry) => loneEntry(await readPart(source, entry.data, entry.end), entry),
    unpack: (entry) => unpacked(source, entry),
  }
}

/** In memory of its own, so that no more than this is sent to a worker. */
async function readPart(source: ZipSource, from: number, to: number): Promise<Buffer> {
  const part = Buffer.from(new ArrayBuffer(to - from))
  let at = 0
  if (to > from)
    for await (const chunk of source.read(from, to)) at += Buffer.from(chunk).copy(part, at)
  if (at !== part.length)
    throw new Error(`A package of ${source.size} bytes ended at ${from + at}.`)
  return part
}

async function readHeads(
  source: ZipSource,
  records: readonly ZipRecord[],
  directory: number,
): Promise<ReadonlyMap<ZipRecord, Buffer>> {
  const heads = new Map<ZipRecord, Buffer>()
  const open = [...records].sort((one, other) => one.header - other.header)
  for (const record of open)
    heads.set(
      record,
      Buffer.alloc(Math.max(0, Math.min(headerBytes(record), directory - record.header))),
    )
  let [at, first] = [0, 0]
  if (directory === 0 || open.length === 0) return heads
  for await (const chunk of source.read(0, directory)) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const end = at + bytes.length
    const reach = (record: ZipRecord) => record.header + (heads.get(record)?.length ?? 0)
    for (let next = first; next < open.length; next += 1) {
      const record = open[next] as ZipRecord
      if (record.header >= end) break
      const from = Math.max(at, record.header)
      bytes.copy(
        heads.get(record) as Buffer,
        from - record.header,
        from - at,
        Math.min(end, reach(record)) - at,
      )
    }
    while (first < open.length && reach(open[first] as ZipRecord) <= end) first += 1
    at = end
    if (first === open.length) break
  }
  return heads
}

async function* unpacked(source: ZipSource, entry: ZipEntry): AsyncGenerator<Uint8Array, void> {
  const { name, method, crc, size, data, end } = entry
  mustBeUnpackable(entry)
  const facts = { crc: 0, size: 0 }
  const packed = end > data ? source.read(data, end) : []
  for await (const chunk of method === 0 ? packed : inflated(name, packed)) {
    facts.crc = crc32(chunk, facts.crc)
    facts.size += chunk.length
    if (facts.size > size) throw lies(name)
    yield chunk
  }
  if (facts.size !== size) throw lies(name)
  if (facts.crc !== crc) throw wrongSum(name)
}

async function* inflated(
  name: string,
  packed: AsyncIterable<Uint8Array> | readonly Uint8Array[],
): AsyncGenerator<Uint8Array, void> {
  const inflate = createInflateRaw()
  const fed = pipeline(packed, inflate)
  // The reader below gets the same error.
  fed.catch(() => {})
  try {
    yield* inflate
  } catch (error) {
    throw isOfZlib(error) ? damagedEntry(name) : error
  }
}

const isOfZlib = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
