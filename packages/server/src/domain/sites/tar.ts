/**
 * Writes a tar stream (POSIX ustar). What a ustar header cannot hold, a long name, one that is not
 * ASCII or a file of 8 GiB and more, goes into a pax header before it.
 */
const block = 512
const largestSize = 0o77777777777

export type TarEntry = {
  readonly name: string
  readonly size: number
  readonly modifiedAt: number
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Throws if the bytes are not as many as the header says: a reader would be lost from there on. */
export async function* tarEntry({
  name,
  size,
  modifiedAt,
  bytes,
}: TarEntry): AsyncGenerator<Uint8Array> {
  const time = Math.floor(modifiedAt / 1_000)
  const pax = [
    ...(fitsName(name) ? [] : [record('path', name)]),
    ...(size > largestSize ? [record('size', String(size))] : []),
  ].join('')
  if (pax !== '') {
    const said = Buffer.from(pax)
    yield header({ name: 'pax', size: said.length, time, type: 'x' })
    yield padded(said)
  }
  yield header({
    name: fitsName(name) ? name : 'long-name',
    size: Math.min(size, largestSize),
    time,
    type: '0',
  })
  let sent = 0
  for await (const chunk of bytes) {
    sent += chunk.length
    if (sent > size) break
    yield chunk
  }
  if (sent !== size)
    throw new Error(
      `${name} has ${sent > size ? 'more' : 'fewer'} bytes than the ${size} it should have.`,
    )
  const rest = size % block
  if (rest > 0) yield Buffer.alloc(block - rest)
}

/** Two empty blocks end the stream. */
export const tarEnd = (): Uint8Array => Buffer.alloc(2 * block)

// Printable ASCII without a leading slash, at most 100 bytes: the prefix field is not needed then.
const fitsName = (name: string): boolean =>
  name.length <= 100 && /^[\x21-\x7e][\x20-\x7e]*$/.test(name)

/** `<length> <key>=<value>\n`, where the length counts itself. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + String(bytes).length
  if (String(length).length > String(bytes).length) length = bytes + String(length).length
  return `${length}${rest}`
}

type Head = {
  readonly name: string
  readonly size: number
  readonly time: number
  readonly type: '0' | 'x'
}

function header({ name, size, time, type }: Head): Buffer {
  const head = Buffer.alloc(block)
  const put = (at: number, text: string) => head.write(text, at, 'latin1')
  const octal = (at: number, digits: number, value: number) =>
    put(at, value.toString(8).padStart(digits, '0'))
  put(0, name)
  octal(100, 7, 0o644)
  octal(108, 7, 0)
  octal(116, 7, 0)
  octal(124, 11, size)
  octal(136, 11, Math.max(0, time))
  put(148, ' '.repeat(8))
  put(156, type)
  put(257, 'ustar\0')
  put(263, '00')
  const sum = head.reduce((total, byte) => total + byte, 0)
  octal(148, 6, sum)
  put(154, '\0 ')
  return head
}

function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % block
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(block - rest)])
}
