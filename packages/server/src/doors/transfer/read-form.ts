/**
 * The parts of a form (RFC 7578; RFC 2046, section 5.1), one after another, pulled from the socket
 * on demand. Every malformed form fails with a sentence, and as soon as the fault is certain.
 */
import { broken, headOf, type PartHead, parameterOf } from './part-head.ts'

export type FormPart = PartHead & {
  /** Must be read to its end before the next part. */
  readonly bytes: AsyncIterable<Uint8Array>
}

const maxHead = 16 * 1024
/** Blanks after a boundary; they have no meaning. */
const maxBlanks = 100
/** RFC 2046 allows 70. */
const longestBoundary = 200
const newLine = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')

/**
 * `besides` is how many bytes may come outside of files: before the first part, in part headers and
 * in fields.
 */
export async function* readForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  besides: number,
): AsyncGenerator<FormPart> {
  const boundary = parameterOf(contentType, 'boundary') ?? ''
  if (boundary === '' || boundary.length > longestBoundary)
    throw broken(`its Content-Type must name a boundary of 1 to ${longestBoundary} characters.`)
  const mark = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const flow = openFlow(body, mark)
  let left = besides
  const spend = (bytes: number) => {
    left -= bytes
    if (left < 0) throw broken(`it has more than ${besides} bytes in addition to its file.`)
  }
  for await (const piece of flow.untilMark()) spend(piece.byteLength)
  while (!(await flow.isLast())) {
    const text = await flow.head()
    spend(mark.length + text.length)
    const head = headOf(text)
    await flow.mustHaveContent()
    const bytes = flow.untilMark()
    if (head.isFile) yield { ...head, bytes }
    else for await (const piece of bytes) spend(piece.byteLength)
  }
}

function openFlow(body: AsyncIterable<Uint8Array>, mark: Buffer) {
  const source = body[Symbol.asyncIterator]()
  // The first boundary has no preceding line that could end.
  let rest: Buffer = newLine
  const readMore = async (): Promise<void> => {
    const { done, value } = await source.next()
    if (done) throw broken('it ended before its closing boundary; it did not arrive completely.')
    const piece = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
  }
  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }
  const startsWith = async (text: Buffer): Promise<boolean> => {
    while (rest.length < text.length && text.subarray(0, rest.length).equals(rest)) await readMore()
    return rest.subarray(0, text.length).equals(text)
  }

  return {
    /**
     * Yields the bytes before the next boundary and consumes the boundary. Passes pieces through
     * without copying where possible.
     */
    async *untilMark(): AsyncGenerator<Uint8Array, void> {
      for (;;) {
        const at = rest.indexOf(mark)
        if (at >= 0) {
          if (at > 0) yield take(at)
          take(mark.length)
          return
        }
        const free = rest.length - begunAtEnd(rest, mark)
        if (free > 0) yield take(free)
        await readMore()
      }
    },
    /** Whether the boundary just read is the closing one. */
    async isLast(): Promise<boolean> {
      if (await startsWith(Buffer.from('--'))) return true
      let blanks = 0
      for (; blanks < maxBlanks; blanks += 1) {
        while (blanks === rest.length) await readMore()
        if (rest[blanks] !== 0x20 && rest[blanks] !== 0x09) break
      }
      take(blanks)
      if (await startsWith(newLine)) return false
      throw broken('a line continues after its boundary.')
    },
    /** The lines between a boundary and the empty line; consumes both. */
    async head(): Promise<string> {
      for (let from = 0; ; ) {
        // The boundary's line end is still there: empty part headers end with it.
        const at = rest.indexOf(headEnd, from)
        const known = at < 0 ? rest : rest.subarray(0, at)
        if (known.length > maxHead)
          throw broken(`the headers of a part are longer than ${maxHead} bytes.`)
        if (known.includes(mark))
          throw broken('the headers of a part do not end with an empty line.')
        if (at >= 0) {
          const text = take(at).toString('latin1', newLine.length)
          take(headEnd.length)
          return text
        }
        from = Math.max(0, rest.length - headEnd.length + 1)
        await readMore()
      }
    },
    /** The line end before a boundary belongs to the boundary: a part without it is truncated. */
    async mustHaveContent(): Promise<void> {
      if (await startsWith(mark.subarray(newLine.length)))
        throw broken(
          'a part has no content: a boundary follows its headers. For an empty file, send an empty line there.',
        )
    },
  }
}

/** How many bytes at the end of a piece may be the start of the boundary. */
function begunAtEnd(bytes: Buffer, mark: Buffer): number {
  for (let length = Math.min(bytes.length, mark.length - 1); length > 0; length -= 1)
    if (
      bytes[bytes.length - length] === mark[0] &&
      bytes.subarray(-length).equals(mark.subarray(0, length))
    )
      return length
  return 0
}
