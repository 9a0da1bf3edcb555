import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decode, encode } from './charset.ts'
import { findFormat } from './find-format.ts'
import { FormatError } from './format-error.ts'

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const xmlIn = (charset: string, text: string) =>
  latin1(`<?xml version="1.0" encoding="${charset}"?><a>${text}</a>`)

function translate(fileName: string, bytes: Uint8Array, text: string): string {
  const format = findFormat(fileName, bytes)
  const [segment] = format?.read(bytes) ?? []
  if (!format || !segment) throw new Error('nothing to translate')
  const translations = new Map([[segment.id, [{ type: 'text', text } as const]]])
  return Buffer.from(format.write(bytes, translations, { targetLanguage: 'de' })).toString('latin1')
}

const startsAsUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

function isUtf16(bytes: Uint8Array): boolean {
  try {
    new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

test('whatever can be decoded is encoded to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      // Bytes that start as UTF-16 and are not are refused; every other start has a charset.
      if (startsAsUtf16(bytes) && !isUtf16(bytes)) {
        expect(() => decode(bytes, { fallsBack: true })).toThrow('is not valid')
        return
      }
      const decoded = decode(bytes, { fallsBack: true })
      // The empty edit gives the bytes back.
      expect(Buffer.from(encode(decoded.text, decoded))).toEqual(Buffer.from(bytes))
    }),
    {
      examples: [
        [latin1('caf\u00e9')],
        [latin1('\u00ef\u00bb\u00bfx')],
        [latin1('\u00ff\u00feA\0')],
        [latin1('\u00fe\u00ff\0')],
      ],
    },
  )
})

test('a declared latin1 file stays latin1, and what it lacks is written as a reference', () => {
  const bytes = xmlIn('ISO-8859-1', 'caf\u00e9')
  expect(findFormat('a.xml', bytes)?.read(bytes)[0]?.parts).toEqual([
    { type: 'text', text: 'café' },
  ])
  expect(translate('a.xml', bytes, 'né 中€')).toContain('<a>n\u00e9 &#20013;&#8364;</a>')
})

test('windows charsets are read and written by their own table', () => {
  const bytes = xmlIn('windows-1251', '\u00cf\u00f0\u00e8\u00e2\u00e5\u00f2')
  expect(findFormat('a.xml', bytes)?.read(bytes)[0]?.parts).toEqual([
    { type: 'text', text: 'Привет' },
  ])
  expect(translate('a.xml', bytes, 'Да é')).toContain('<a>\u00c4\u00e0 &#233;</a>')
})

test('an ASCII file gets references for everything else', () => {
  expect(translate('a.xml', xmlIn('US-ASCII', 'cafe'), 'café')).toContain('<a>caf&#233;</a>')
})

test('HTML names its charset in a meta tag, and falls back to latin1', () => {
  const page = latin1(
    '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>caf\u00e9</p>',
  )
  expect(translate('a.html', page, 'né 中')).toContain('<p>n\u00e9 &#20013;</p>')
  expect(translate('a.html', latin1('<p>caf\u00e9</p>'), 'né 中')).toContain(
    '<p>n\u00e9 &#20013;</p>',
  )
})

test('plain latin1 text is written as UTF-8 where a translation needs it', () => {
  expect(translate('a.txt', latin1('caf\u00e9'), 'caf\u00e9s')).toBe('caf\u00e9s')
  expect(
    Buffer.from(translate('a.txt', latin1('\u00e9\ncaf\u00e9'), '中'), 'latin1').toString(),
  ).toBe('中\ncafé')
})

test.each([
  ['broken UTF-8 in JSON', 'a.json', latin1('"caf\u00e9"')],
  ['broken UTF-8 in XML', 'a.xml', latin1('<a>caf\u00e9</a>')],
  ['an overlong form', 'a.xml', latin1('<a>\u00c0\u00af</a>')],
  ['a charset nobody knows', 'a.xml', xmlIn('klingon', 'x')],
  ['a charset of several bytes', 'a.xml', xmlIn('Shift_JIS', 'x')],
  ['half a UTF-16 character', 'a.txt', latin1('\u00ff\u00fea')],
])('%s is refused with a sentence', (_, fileName, bytes) => {
  const read = () => findFormat(fileName, bytes)?.read(bytes)
  expect(read).toThrow(FormatError)
  expect(read).toThrow(/^The file .*\.$/)
})

test('a BOM is kept, and only one', () => {
  const bytes = new TextEncoder().encode('\ufeff\ufeffx')
  const decoded = decode(bytes, { fallsBack: false })
  expect(decoded.text).toBe('\ufeffx')
  expect(encode(decoded.text, decoded)).toEqual(bytes)
})

test.each(['le', 'be'])(
  'UTF-16%s without a BOM stays without one, whatever the first characters are',
  (end) => {
    const bytes = Buffer.from('Hello out there\n', 'utf16le')
    if (end === 'be') bytes.swap16()
    const file = new Uint8Array(bytes)
    const format = findFormat('a.txt', file)
    const parts = [{ type: 'text', text: 'Ḃéŵ ẋ中' } as const]
    const written = Buffer.from(
      format?.write(file, new Map([['1', parts]]), { targetLanguage: 'de' }) ?? [],
    )
    if (end === 'be') written.swap16()
    expect(written.toString('utf16le')).toBe('Ḃéŵ ẋ中\n')
  },
)
