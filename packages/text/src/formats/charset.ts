/**
 * Bytes to text and back without loss: every decoder is fatal and has an encoder that is its exact
 * inverse, so untranslated text comes back unchanged. The BOM and the charset are kept.
 */
import { FormatError } from './format-error.ts'

export type Charset = {
  readonly name: string
  readonly decode: (bytes: Uint8Array) => string
  readonly encode: (text: string) => Uint8Array
  /** Absent: every character can be written. */
  readonly has?: (character: string) => boolean
}

export type Decoded = { readonly text: string; readonly charset: Charset; readonly bom: Uint8Array }

export type CharsetRules = {
  /** Finds the charset that the file itself names. */
  readonly declared?: (head: string) => string | undefined
  /** Whether bytes that are not valid UTF-8 are read as Latin-1, or refused. */
  readonly fallsBack: boolean
}

export const utf8: Charset = {
  name: 'utf-8',
  decode: (bytes) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
  encode: (text) => new TextEncoder().encode(text),
}

const utf16 = (end: 'le' | 'be'): Charset => ({
  name: `utf-16${end}`,
  decode: (bytes) =>
    new TextDecoder(`utf-16${end}`, { fatal: true, ignoreBOM: true }).decode(bytes),
  encode: (text) => {
    const bytes = Buffer.from(text, 'utf16le')
    return end === 'le' ? bytes : bytes.swap16()
  },
})

/**
 * A single-byte charset, given as the text of its 256 bytes; U+FFFD for a byte without a character.
 */
function singleByte(name: string, table: string): Charset {
  const byteOf = new Map(
    [...table].flatMap((character, byte) => (character === '\ufffd' ? [] : [[character, byte]])),
  )
  return {
    name,
    decode: (bytes) => {
      const text = Buffer.from(bytes).toString('latin1')
      const mapped =
        name === 'latin1'
          ? text
          : text.replace(/[\x80-\xff]/g, (c) => table[c.charCodeAt(0)] ?? '\ufffd')
      if (mapped.includes('\ufffd')) throw new TypeError(`bytes that ${name} does not know`)
      return mapped
    },
    encode: (text) => Uint8Array.from(text, (character) => byteOf.get(character) ?? 0x3f),
    has: (character) => byteOf.has(character),
  }
}

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const latin1 = singleByte('latin1', Buffer.from(everyByte).toString('latin1'))
const ascii = singleByte(
  'us-ascii',
  Buffer.from(everyByte.subarray(0, 128)).toString('latin1') + '\ufffd'.repeat(128),
)

const multiByte =
  /^(big5|gbk|gb2312|gb18030|euc-|shift|sjis|windows-31j|iso-2022|hz-|utf-7|utf-32|replacement|x-user)/

/** The charset of a label in XML or HTML; undefined for UTF-8 and UTF-16. */
function charsetOf(label: string): Charset | undefined {
  const name = label.toLowerCase()
  // The label was just read as ASCII, so UTF-16 is wrong; assume UTF-8.
  if (/^(utf-?8|utf-?16(le|be)?|ucs-2)$/.test(name)) return undefined
  if (/^(iso-?8859-1|latin1|l1)$/.test(name)) return latin1
  if (/^(us-ascii|ascii)$/.test(name)) return ascii
  if (multiByte.test(name)) throw unsupported(label)
  try {
    return singleByte(name, new TextDecoder(name).decode(everyByte))
  } catch {
    throw unsupported(label)
  }
}

const unsupported = (label: string): FormatError =>
  new FormatError(
    'ENCODING',
    `The file says that it is written in "${label}", which cannot be read here; use UTF-8.`,
  )

/**
 * Detects UTF-16 by its BOM or by zero bytes: UTF-16 files have many, and no other text has any.
 */
function unicodeOf(
  bytes: Uint8Array,
): { charset: Charset; bomLength: number; sure: boolean } | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return { charset: utf8, bomLength: 3, sure: true }
  if (a === 0xff && b === 0xfe) return { charset: utf16('le'), bomLength: 2, sure: true }
  if (a === 0xfe && b === 0xff) return { charset: utf16('be'), bomLength: 2, sure: true }
  if (bytes.length < 4 || bytes.length % 2 === 1) return undefined
  const zeros = [0, 0]
  const seen = Math.min(bytes.length, 4_096)
  for (let at = 0; at < seen; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [high = 0, low = 0] = zeros
  const isMany =
    Math.max(high, low) * 6 >= seen / 2 && Math.min(high, low) * 8 <= Math.max(high, low)
  return isMany
    ? { charset: utf16(low > high ? 'le' : 'be'), bomLength: 0, sure: false }
    : undefined
}

/** UTF-32 has a BOM of four bytes, or three zeros in most groups of four. */
function isUtf32(bytes: Uint8Array): boolean {
  const [a, b, c, d] = bytes
  if (c === 0 && d === 0 && a === 0xff && b === 0xfe) return true
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return true
  if (bytes.length < 8 || bytes.length % 4 > 0) return false
  const seen = Math.min(bytes.length, 4_096)
  for (let at = 0; at < seen; at += 4) {
    const isLittle = bytes[at] !== 0 && bytes[at + 2] === 0 && bytes[at + 3] === 0
    const isBig = bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 3] !== 0
    if (!isLittle && !isBig) return false
  }
  return true
}

export function decode(bytes: Uint8Array, rules: CharsetRules): Decoded {
  if (isUtf32(bytes))
    throw new FormatError(
      'ENCODING',
      'The file is written in UTF-32, which cannot be read here; save it as UTF-8.',
    )
  const unicode = unicodeOf(bytes)
  const bom = bytes.subarray(0, unicode?.bomLength ?? 0)
  const body = bytes.subarray(bom.length)
  const attempt = (charset: Charset): Decoded | undefined => {
    try {
      return { text: charset.decode(body), charset, bom }
    } catch {
      return undefined
    }
  }
  if (unicode) {
    const decoded = attempt(unicode.charset)
    if (decoded) return decoded
    if (unicode.sure)
      throw new FormatError(
        'ENCODING',
        `The file starts like ${unicode.charset.name} but is not valid.`,
      )
  }
  const label = rules.declared?.(Buffer.from(body.subarray(0, 4096)).toString('latin1'))
  const named = label === undefined ? undefined : charsetOf(label)
  const decoded = attempt(named ?? utf8) ?? (rules.fallsBack ? attempt(latin1) : undefined)
  if (!decoded)
    throw new FormatError('ENCODING', `The file is not valid ${named?.name ?? 'UTF-8'}.`)
  return decoded
}

export function encode(
  text: string,
  { charset, bom }: Pick<Decoded, 'charset' | 'bom'>,
): Uint8Array {
  const body = charset.encode(text)
  const bytes = new Uint8Array(bom.length + body.length)
  bytes.set(bom)
  bytes.set(body, bom.length)
  return bytes
}

/** The start of a file as text, to detect its format; never fails. */
export function peek(bytes: Uint8Array, length: number): string {
  const unicode = unicodeOf(bytes.subarray(0, length - (length % 2)))
  return new TextDecoder(unicode?.charset.name ?? 'utf-8').decode(bytes.subarray(0, length))
}
