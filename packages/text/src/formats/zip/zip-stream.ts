/**
 * Writes a ZIP archive while it is sent: one entry at a time, of which only the chunk at hand is in
 * memory. Sizes and checksum follow the data of an entry, as in every archive that is written in
 * one pass.
 */
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export type NewEntry = {
  readonly name: string
  readonly content: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** Names in UTF-8, and sizes after the data. */
const flags = 0x808
const version = 20
/** 1 January 1980: the same content makes the same archive. */
const date = 0x21
/** Read and write for everybody, as a regular file. */
const attributes = 0o100644 * 0x10000
const most = 0xffffffff

export async function* zipStream(
  entries: AsyncIterable<NewEntry>,
): AsyncGenerator<Uint8Array, void> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const named = Buffer.from(name)
    const header = offset
    const facts = { crc: 0, packed: 0, size: 0 }
    const head = Buffer.concat([
      u32(0x04034b50),
      u16(version, flags, 8, 0, date),
      u32(0, 0, 0),
      u16(named.length, 0),
    ])
    yield Buffer.concat([head, named])
    for await (const chunk of Readable.from(measured(content, facts)).pipe(createDeflateRaw())) {
      facts.packed += chunk.length
      yield chunk
    }
    const numbers = u32(facts.crc, facts.packed, facts.size)
    yield Buffer.concat([u32(0x08074b50), numbers])
    offset += head.length + named.length + facts.packed + 16
    // The caller bounds what goes in; an archive beyond this would need ZIP64.
    if (offset > most || facts.size > most) throw new Error(`A package grew beyond ${most} bytes.`)
    const said = [u32(0x02014b50), u16((3 << 8) | version, version, flags, 8, 0, date), numbers]
    directory.push(
      Buffer.concat([...said, u16(named.length, 0, 0, 0, 0), u32(attributes, header), named]),
    )
  }
  const length = directory.reduce((sum, record) => sum + record.length, 0)
  const count = directory.length
  yield Buffer.concat([
    ...directory,
    u32(0x06054b50),
    u16(0, 0, count, count),
    u32(length, offset),
    u16(0),
  ])
}

async function* measured(content: NewEntry['content'], facts: { crc: number; size: number }) {
  const whole = typeof content === 'string' ? Buffer.from(content) : content
  for await (const chunk of whole instanceof Uint8Array ? piecesOf(whole) : whole) {
    facts.crc = crc32(chunk, facts.crc)
    facts.size += chunk.length
    if (chunk.length > 0) yield chunk
  }
}

const pieceBytes = 256 * 1024

/** What is in memory as a whole is packed a piece at a time. */
function* piecesOf(whole: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < whole.length; from += pieceBytes)
    yield whole.subarray(from, from + pieceBytes)
}

const u16 = (...values: readonly number[]): Buffer => {
  const out = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) out.writeUInt16LE(value, at * 2)
  return out
}

const u32 = (...values: readonly number[]): Buffer => {
  const out = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) out.writeUInt32LE(value >>> 0, at * 4)
  return out
}
