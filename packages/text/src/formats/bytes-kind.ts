/** What a file is by its first bytes, for files that are no text. */

/** Names for people, with how such files begin. */
const kinds: readonly [name: string, ...starts: (readonly number[])[]][] = [
  ['a ZIP file', [0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6]],
  ['a PDF', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38, 0x37, 0x61], [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]],
  ['a gzip file', [0x1f, 0x8b, 8]],
  ['a 7z file', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['a RAR file', [0x52, 0x61, 0x72, 0x21, 0x1a, 7]],
  ['an old Office file', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
]
/** As far as bytes are looked at. */
const head = 8_192

const begins = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte)

/** Texts in UTF-16 or UTF-32 have zero bytes, and begin with a mark. */
const isMarked = (bytes: Uint8Array): boolean =>
  begins(bytes, [0xff, 0xfe]) || begins(bytes, [0xfe, 0xff]) || begins(bytes, [0, 0, 0xfe, 0xff])

/** Undefined for text. */
export function binaryKind(bytes: Uint8Array): string | undefined {
  const found = kinds.find(([, ...starts]) => starts.some((start) => begins(bytes, start)))
  if (found) return found[0]
  return !isMarked(bytes) && bytes.subarray(0, head).includes(0) ? 'binary data' : undefined
}
