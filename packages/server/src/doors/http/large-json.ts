/**
 * Reads a JSON body that may be large. It accepts what json-body.ts accepts, but works in slices
 * and lets other calls run between them, however many large bodies are being read. Objects and
 * lists longer than a slice are assembled here; JSON.parse reads everything that fits into a slice.
 */
import { yieldWholeTurn } from '../../turns/pauses.ts'
import { type Large, openScan, refuse, type Scan, scanTo } from './body-scan.ts'
import {
  hasEscapes,
  inspect,
  mustBeUtf8,
  mustBeWhole,
  parseJson,
  readJson,
  type Seen,
} from './json-body.ts'

/** A body of up to this size is read at once. */
export const sliceBytes = 64 * 1024
/** Number of bytes to scan at once. */
const scannedBytes = 1024 ** 2

export async function readLargeJson(
  bytes: Buffer,
  maxValues: number,
  slice = sliceBytes,
): Promise<unknown> {
  if (bytes.length <= slice) return readJson(bytes, maxValues)
  mustBeUtf8(bytes)
  const scan = openScan(slice)
  while (scan.at < bytes.length) {
    await yieldWholeTurn()
    scanTo(bytes, scan, Math.min(bytes.length, scan.at + scannedBytes), maxValues)
  }
  if (scan.textFrom >= 0 || scan.depth > 0) refuse('it is not JSON: it ends too early.')
  await yieldWholeTurn()
  const reader = { bytes, scan, escapes: hasEscapes(bytes), names: 0, isUnstorable: false }
  const value = await readAll(reader)
  mustBeWhole(value, reader, scan.names)
  return value
}

type Reader = Seen & { readonly bytes: Buffer; readonly scan: Scan }

async function readAll(reader: Reader): Promise<unknown> {
  const { bytes, scan } = reader
  const all = scan.levels[0]?.inner?.[0]
  // A single string or number, or a small value surrounded by whitespace.
  if (all?.start !== afterSpace(bytes, 0)) return readSlice(reader, bytes.toString('utf8'), 0)
  if (afterSpace(bytes, all.end + 1) < bytes.length)
    refuse(`it is not JSON: something follows its end at byte ${all.end}.`)
  return readMembers(reader, all)
}

function readSlice(reader: Reader, text: string, from: number): unknown {
  const value = parseJson(text, from)
  inspect(value, reader)
  return value
}

async function readMembers(reader: Reader, { start, end, cuts, inner }: Large): Promise<unknown> {
  const { bytes } = reader
  const isList = bytes[start] === openList
  if (bytes[end] !== (isList ? closeList : closeObject))
    refuse(`it is not JSON: the wrong bracket is closed at byte ${end}.`)
  const list: unknown[] = []
  const object: Record<string, unknown> = {}
  let from = start + 1
  let next = 0
  for (const until of [...cuts, end]) {
    await yieldWholeTurn()
    const child = inner[next]
    const isChild = child !== undefined && child.start < until
    // A member that is itself too long is read separately; a null replaces it here.
    const text =
      bytes.toString('utf8', from, isChild ? child.start : until) + (isChild ? 'null' : '')
    const part = readSlice(reader, isList ? `[${text}]` : `{${text}}`, from) as object
    const value = isChild ? await readMembers(reader, child) : undefined
    if (isChild) {
      next += 1
      if (afterSpace(bytes, child.end + 1) !== until)
        refuse(`it is not JSON: a comma is missing at byte ${child.end + 1}.`)
    }
    const many = isList ? addItems(list, part as unknown[], value) : addNames(object, part, value)
    if (many === 0 && cuts.length > 0)
      refuse(`it is not JSON: a comma without a value near byte ${until}.`)
    from = until + 1
  }
  return isList ? list : object
}

const openList = 0x5b
const closeList = 0x5d
const closeObject = 0x7d

/** `value` replaces the only item, if it is large. */
function addItems(list: unknown[], part: readonly unknown[], value: unknown): number {
  for (const item of part) list.push(value ?? item)
  return part.length
}

function addNames(object: Record<string, unknown>, part: object, value: unknown): number {
  const members = Object.entries(part)
  for (const [name, item] of members) {
    if (Object.hasOwn(object, name)) refuse('an object has the same key twice.')
    object[name] = value ?? item
  }
  return members.length
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && isSpace(bytes[at])) at += 1
  return at
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
