/** Archives built for tests, sound ones and such as no program would write. */
import { crc32, deflateRawSync } from 'node:zlib'

export type Packed = {
  readonly name: string
  readonly content: string | Uint8Array
  readonly stored?: true
  /** Sizes and checksum follow the data, as streaming writers do it. */
  readonly later?: true
  readonly flags?: number
  readonly method?: number
  /** What the directory says instead of the truth. */
  readonly crc?: number
  readonly size?: number
  readonly localName?: string
  /** Its data is that of the entry before. */
  readonly shares?: true
  readonly offset?: number
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

export function pack(entries: readonly Packed[], comment: string | Uint8Array = ''): Uint8Array {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  let before = 0
  for (const entry of entries) {
    const content =
      typeof entry.content === 'string' ? new TextEncoder().encode(entry.content) : entry.content
    const data = entry.stored ? content : deflateRawSync(content)
    const name = Buffer.from(entry.name)
    const flags = (entry.flags ?? 0x800) | (entry.later ? 8 : 0)
    const method = entry.method ?? (entry.stored ? 0 : 8)
    const facts = u32(entry.crc ?? crc32(content), data.length, entry.size ?? content.length)
    const written = Buffer.from(entry.localName ?? entry.name)
    const header = Buffer.concat([
      u32(0x04034b50),
      u16(20, flags, method, 0, 0x5821),
      entry.later ? u32(0, 0, 0) : facts,
      u16(written.length, 0),
      written,
    ])
    const offset = entry.offset ?? (entry.shares ? before : at)
    const said = u16(20, 20, flags, method, 0, 0x5821)
    const rest = [u16(name.length, 0, 0, 0, 0), u32(0, offset), name]
    central.push(Buffer.concat([u32(0x02014b50), said, facts, ...rest]))
    if (entry.shares) continue
    before = at
    const all = Buffer.concat([header, data, ...(entry.later ? [u32(0x08074b50), facts] : [])])
    local.push(all)
    at += all.length
  }
  const directory = Buffer.concat(central)
  const tail = Buffer.from(comment)
  const end = [
    u32(0x06054b50),
    u16(0, 0, entries.length, entries.length),
    u32(directory.length, at),
    u16(tail.length),
    tail,
  ]
  return new Uint8Array(Buffer.concat([...local, directory, ...end]))
}

/** An archive that is read in pieces. */
export const inPieces = (bytes: Uint8Array, step = 64 * 1024) => ({
  size: bytes.length,
  async *read(from: number, to: number): AsyncGenerator<Uint8Array, void> {
    for (let at = from; at < to; at += step) yield bytes.slice(at, Math.min(to, at + step))
  },
})
