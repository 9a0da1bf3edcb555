/**
 * Archives: every entry of a known format is translated, and what could mislead or hurt a reader is
 * refused.
 */
import { describe, expect, test } from 'vitest'
import { FormatError } from '../../packages/text/src/formats/format-error.ts'
import { openZipFile, type ZipFile } from '../../packages/text/src/formats/zip/zip-file.ts'
import {
  openZip,
  readEntryBytes,
  unpackLone,
} from '../../packages/text/src/formats/zip/zip-read.ts'
import { shout, textOf } from './cases.ts'
import { ask, isThere, judged } from './judge.ts'
import { formatOf, holdLaws } from './laws.ts'
import { docxOf } from './office-samples.ts'
import { inPieces, type Packed, pack } from './pack.ts'

const zip = formatOf('zip')
const contents = (bytes: Uint8Array): Record<string, string> => {
  const opened = openZip(bytes)
  return Object.fromEntries(
    opened.entries.map((entry) => [entry.name, textOf(readEntryBytes(opened, entry))]),
  )
}
const json = (name: string, more: Partial<Packed> = {}): Packed => ({
  name,
  content: '{"a": "Hello"}',
  ...more,
})

const cases: [string, Packed[], string[], Record<string, string>][] = [
  ['one file', [json('a.json')], ['a.json#/a'], { 'a.json': '{"a": "HELLO"}' }],
  [
    'a folder',
    [{ name: 'd/', content: '', stored: true }, json('d/a.json')],
    ['d/a.json#/a'],
    { 'd/a.json': '{"a": "HELLO"}' },
  ],
  [
    'several formats',
    [json('a.json'), { name: 'b.txt', content: 'two\n' }],
    ['a.json#/a', 'b.txt#1'],
    { 'b.txt': 'TWO\n' },
  ],
  [
    'a stored file',
    [json('a.json', { stored: true })],
    ['a.json#/a'],
    { 'a.json': '{"a": "HELLO"}' },
  ],
  [
    'sizes behind the data',
    [json('a.json', { later: true }), json('b.json')],
    ['a.json#/a', 'b.json#/a'],
    { 'a.json': '{"a": "HELLO"}', 'b.json': '{"a": "HELLO"}' },
  ],
  [
    'an unknown file',
    [{ name: 'a.png', content: 'x' }, json('b.json')],
    ['b.json#/a'],
    { 'a.png': 'x', 'b.json': '{"a": "HELLO"}' },
  ],
  ['a memory', [{ name: 'a.tmx', content: '<tmx/>' }], [], { 'a.tmx': '<tmx/>' }],
  ['notes of macOS', [{ name: '__MACOSX/._a.json', content: '\0\u0005' }], [], {}],
  [
    'a name without an ending',
    [
      { name: 'README', content: 'x' },
      { name: 'page', content: '<!doctype html><p>Hi</p>' },
    ],
    ['README#1', 'page#s1'],
    { README: 'X', page: '<!doctype html><p>HI</p>' },
  ],
  ['a name with a hash', [json('a#b.json')], ['a~2b.json#/a'], { 'a#b.json': '{"a": "HELLO"}' }],
  ['a name that is not ASCII', [json('ä.json')], ['ä.json#/a'], { 'ä.json': '{"a": "HELLO"}' }],
  ['nothing', [], [], {}],
]
describe('cases', () => {
  test.each(cases)('%s', (_, entries, ids, written) => {
    const bytes = pack(entries)
    expect(zip.read(bytes).map(({ id }) => id.replace('##', '#'))).toEqual(ids)
    expect(contents(shout(zip, bytes))).toMatchObject(written)
    if (!entries.some(({ name }) => name.includes('#'))) holdLaws(zip, bytes)
  })

  test('a document in an archive is translated, an archive in it is copied, and both are told', () => {
    const inner = pack([json('a.json')])
    const p = '<w:p><w:r><w:t>Hello</w:t></w:r></w:p>'
    const bytes = pack([
      { name: 'a.docx', content: docxOf(p) },
      { name: 'in.zip', content: inner, stored: true },
      { name: 'b.png', content: 'x' },
    ])
    const opened = zip.open(bytes)
    expect(opened.segments.map(({ id }) => id)).toEqual(['a.docx#word/document.xml#s1'])
    expect(opened.remarks).toEqual(['Not translated, copied as they are: "in.zip", "b.png".'])
    const written = openZip(shout(zip, bytes))
    const [document, archive] = written.entries.map((entry) => readEntryBytes(written, entry))
    expect(contents(document ?? new Uint8Array())['word/document.xml']).toContain('HELLO')
    expect(archive).toEqual(Buffer.from(inner))
  })

  test('a comment and bytes before the first entry stay', () => {
    const bytes = pack([json('a.json')], 'kept')
    expect(Buffer.from(shout(zip, bytes)).toString('latin1')).toMatch(/kept$/)
  })

  test.each(['\n', '\r\n', '\0\0\0'])(
    'bytes behind an archive that say nothing stay: %j',
    (padding) => {
      const bytes = new Uint8Array(Buffer.concat([pack([json('a.json')]), Buffer.from(padding)]))
      const written = shout(zip, bytes)
      expect(contents(written)['a.json']).toBe(
        contents(shout(zip, pack([json('a.json')])))['a.json'],
      )
      expect(Buffer.from(written).toString('latin1').slice(-padding.length)).toBe(padding)
      holdLaws(zip, bytes)
    },
  )
})

/** A comment that looks like the end of another archive. */
const fakeEnd = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)])
const cut = (bytes: Uint8Array, from: number, to?: number) => bytes.slice(from, to)
const patched = (bytes: Uint8Array, at: number, ...values: readonly number[]) => {
  const copy = bytes.slice()
  copy.set(values, at < 0 ? copy.length + at : at)
  return copy
}
const one = pack([json('a.json')])
const hostile: [string, () => Uint8Array, RegExp][] = [
  [
    'a bomb',
    () => pack([{ name: 'a.txt', content: new Uint8Array(50 * 1024 ** 2) }]),
    /more than 200 times its size/,
  ],
  [
    'more than 500 MB in all',
    () =>
      pack(
        Array.from({ length: 6 }, (_, at) => ({
          name: `${at}`,
          content: 'x'.repeat(9),
          size: 1024 ** 2,
          stored: true as const,
        })).map((entry, at) =>
          at === 0
            ? { ...entry, content: new Uint8Array(3 * 1024 ** 2), size: 501 * 1024 ** 2 }
            : entry,
        ),
      ),
    /more than 500 MB when unpacked/,
  ],
  [
    'a size that is too small',
    () => pack([{ name: 'a.txt', content: 'x'.repeat(5_000), size: 100 }]),
    /"a\.txt" is not what the directory says/,
  ],
  [
    'a size that is too large',
    () => pack([{ name: 'a.txt', content: 'x', size: 100 }]),
    /"a\.txt" is not what the directory says/,
  ],
  [
    'two entries that share bytes',
    () => pack([json('a.json'), json('b.json', { shares: true, localName: 'a.json' })]),
    /not what the directory says|share bytes/,
  ],
  ['the same entry twice', () => pack([json('a.json'), json('a.json')]), /two entries "a\.json"/],
  [
    'an entry listed twice under one place',
    () => pack([json('a.json', { later: true }), json('a.json', { shares: true })]),
    /two entries|share bytes|not what/,
  ],
  ['an encrypted entry', () => pack([json('a.json', { flags: 0x801 })]), /"a\.json" is encrypted/],
  ['a wrong checksum', () => pack([json('a.json', { crc: 1 })]), /checksum is wrong/],
  [
    'a method that is not known',
    () => pack([json('a.json', { method: 12 })]),
    /packed by method 12/,
  ],
  [
    'broken data',
    () => pack([{ name: 'a.txt', content: '\u0007\u0007\u0007', stored: true, method: 8 }]),
    /"a\.txt" is/,
  ],
  ['a name above', () => pack([json('../a.json')]), /unsafe name/],
  ['a name above, the other way', () => pack([json('d\\..\\a.json')]), /unsafe name/],
  ['an absolute name', () => pack([json('/a.json')]), /unsafe name/],
  ['a drive', () => pack([json('C:a.json')]), /unsafe name/],
  ['a name with a zero', () => pack([json('a\0.json')]), /unsafe name/],
  ['no name', () => pack([json('')]), /unsafe name/],
  [
    'another name in front of the data',
    () => pack([json('a.json', { localName: 'b.json' })]),
    /not what the directory says/,
  ],
  [
    'a place outside',
    () => pack([json('a.json', { offset: 9_999 })]),
    /not where its directory says/,
  ],
  [
    'too many entries',
    () =>
      pack(
        Array.from({ length: 10_001 }, (_, at) => ({
          name: `${at}`,
          content: '',
          stored: true as const,
        })),
      ),
    /more than 10,000 entries/,
  ],
  ['a file that is cut off', () => cut(one, 0, one.length - 4), /no ZIP archive, or is cut off/],
  ['a file whose beginning is missing', () => cut(one, 9), /not where it says/],
  [
    'a file with something behind it',
    () => new Uint8Array(Buffer.concat([one, Buffer.from('x')])),
    /no ZIP archive/,
  ],
  ['nothing at all', () => new Uint8Array(), /no ZIP archive/],
  ['another volume', () => patched(one, -18, 1), /one volume of several/],
  ['ZIP64', () => patched(one, -6, 0xff, 0xff, 0xff, 0xff), /ZIP64/],
  [
    'a comment that holds another end',
    () => pack([json('a.json')], fakeEnd),
    /not where it says|not what|ZIP|directory/,
  ],
]
test.each(hostile)('%s is refused with a sentence', async (_, make, sentence) => {
  const bytes = make()
  const refused = () => shout(zip, bytes)
  expect(refused).toThrow(FormatError)
  expect(refused).toThrow(sentence)
  const said = await Promise.resolve().then(refused).catch(String)
  // The same words where it is read from a store.
  for (const [step, read] of [
    [7, whole],
    [1_000_000, unpacked],
  ] as const)
    expect(
      await openZipFile(inPieces(bytes, bytes.length < 100_000 ? step : 1_000_000))
        .then(read)
        .catch(String),
    ).toBe(said)
})

const unpacked = async ({ entries, unpack }: ZipFile): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const entry of entries) {
    const chunks: Uint8Array[] = []
    for await (const chunk of unpack(entry)) chunks.push(chunk)
    found[entry.name] = textOf(Buffer.concat(chunks))
  }
  return found
}
const whole = async ({ entries, lone }: ZipFile): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const entry of entries) found[entry.name] = textOf(unpackLone(await lone(entry)))
  return found
}

describe('an archive that is read from a store', () => {
  test.each(cases)('has the same contents: %s', async (_, entries) => {
    const bytes = pack(entries, 'a comment')
    for (const step of [1, 64 * 1024]) {
      const opened = await openZipFile(inPieces(bytes, step))
      expect(await unpacked(opened)).toEqual(contents(bytes))
      expect(await whole(opened)).toEqual(contents(bytes))
    }
  })

  test('is never in memory as a whole', async () => {
    const entries = Array.from({ length: 30 }, (_, at) => ({
      name: `${at}`,
      content: new Uint8Array(1024 ** 2),
      stored: true as const,
    }))
    const bytes = pack(entries)
    const { read, size } = inPieces(bytes)
    const asked: number[] = []
    const opened = await openZipFile({
      size,
      read: (from, to) => {
        asked.push(to - from)
        return read(from, to)
      },
    })
    const passes = asked.filter((many) => many > 100_000)
    expect(passes.length).toBe(1)
    asked.length = 0
    await whole(opened)
    expect(asked).toEqual(entries.map(() => 1024 ** 2))
    const sent = await opened.lone(opened.entries[0] as (typeof opened.entries)[0])
    expect(sent.bytes.buffer.byteLength).toBe(sent.bytes.byteLength)
  })

  test('says that it cannot be read where the store breaks off', async () => {
    const source = inPieces(pack([json('a.json')]))
    const cut = { ...source, read: (from: number, to: number) => source.read(from, to - 1) }
    await expect(openZipFile(cut)).rejects.toThrow(/ended at/)
  })
})

/** True where it is refused by a sentence; any other error is one of ours. */
function tried(act: () => unknown): true | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof FormatError) return true
    throw error
  }
}

test('whatever byte of an archive is changed, it is read or refused by a sentence', () => {
  const bytes = pack([json('a.json'), { name: 'b.txt', content: 'two', later: true }])
  for (let at = 0; at < bytes.length; at += 1)
    for (const value of [0, 0xff, (bytes[at] ?? 0) ^ 1])
      tried(() => shout(zip, patched(bytes, at, value)))
})

const zipfile =
  'import sys,io,zipfile,json; z=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())); assert z.testzip() is None; print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))'
const write =
  'import sys,io,zipfile; b=io.BytesIO(); z=zipfile.ZipFile(b,"w",zipfile.ZIP_DEFLATED); z.writestr("a.json", \'{"a": "Hello"}\'); f=z.open("b.txt","w",force_zip64=True); f.write(b"two"); f.close(); z.writestr("c.bin", bytes(300)); z.close(); sys.stdout.write(b.getvalue().hex())'
judged(
  'python3',
  isThere('python3'),
  'python reads what is written, and what it writes is read',
  () => {
    const foreign = Uint8Array.from(Buffer.from(ask('python3', ['-c', write], ''), 'hex'))
    holdLaws(zip, foreign)
    const ours = pack([
      json('a.json'),
      { name: 'b.txt', content: 'two', later: true },
      { name: 'c.bin', content: '\0'.repeat(300) },
    ])
    for (const bytes of [foreign, ours])
      expect(JSON.parse(ask('python3', ['-c', zipfile], shout(zip, bytes)))).toEqual({
        'a.json': '{"a": "HELLO"}',
        'b.txt': 'TWO',
        'c.bin': '\0'.repeat(300),
      })
  },
)

test('an entry that no format reads is not even unpacked', () => {
  const bytes = pack([json('a.png', { crc: 1 }), { name: 'b.txt', content: 'two' }])
  expect(() => shout(zip, bytes)).not.toThrow()
})
