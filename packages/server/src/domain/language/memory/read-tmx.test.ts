/**
 * Valid and broken TMX files: every error says what is wrong, and a large file needs no more memory
 * than a small one.
 */
import { describe, expect, test } from 'vitest'
import { readTmx, type TmxUnit } from './read-tmx.ts'

const pair = { sourceLanguage: 'en-us', targetLanguage: 'de-de' }
const tuv = (language: string, text: string) =>
  `<tuv xml:lang="${language}"><seg>${text}</seg></tuv>`
const tu = (source: string, target: string) =>
  `<tu>${tuv('en-US', source)}${tuv('de-DE', target)}</tu>`
const tmx = (units: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4"><header srclang="en-US"/><body>${units}</body></tmx>`

async function read(file: string | Uint8Array, size = 7): Promise<(TmxUnit | undefined)[]> {
  const bytes = Buffer.from(file as string)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const units: (TmxUnit | undefined)[] = []
  for await (const piece of readTmx(pieces(), pair)) units.push(...piece)
  return units
}

const good = tu('Save &amp; close', 'Speichern &amp; schließen')
const unit = { source: 'Save & close', target: 'Speichern & schließen' }
const utf16 = (text: string, mark: boolean) => Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le')

describe('reads', () => {
  test.each<[name: string, file: string | Uint8Array, units: (TmxUnit | undefined)[]]>([
    ['a plain file', tmx(good), [unit]],
    ['with a BOM', `\ufeff${tmx(good)}`, [unit]],
    ['UTF-16 with a BOM', utf16(tmx(good), true), [unit]],
    ['UTF-16 without one', utf16(tmx(good), false), [unit]],
    ['UTF-16, big end first', utf16(tmx(good), true).swap16(), [unit]],
    [
      'latin1 that says so',
      Buffer.from(tmx(good).replace('UTF-8', 'ISO-8859-1'), 'latin1'),
      [unit],
    ],
    ['the old attribute lang', tmx(good.replaceAll('xml:lang', 'lang')), [unit]],
    ['languages without a region', tmx(good.replace('en-US', 'EN').replace('de-DE', 'de')), [unit]],
    ['other spellings', tmx(good.replace('en-US', 'EN_us')), [unit]],
    [
      'codes by what they hold',
      tmx(
        tu('A <bpt i="1">&lt;b&gt;</bpt>B<ept i="1">&lt;/b&gt;</ept> <hi>C</hi><ph>{0}</ph>', 'x'),
      ),
      [{ source: 'A <b>B</b> C{0}', target: 'x' }],
    ],
    ['CDATA', tmx(tu('<![CDATA[a < b]]>', 'x')), [{ source: 'a < b', target: 'x' }]],
    [
      'past a unit that lacks a language',
      tmx(`<tu>${tuv('en-US', 'x')}${tuv('fr', 'y')}</tu>${good}`),
      [undefined, unit],
    ],
    [
      'past another region',
      tmx(`<tu>${tuv('en-GB', 'x')}${tuv('de-DE', 'y')}</tu>${good}`),
      [undefined, unit],
    ],
    ['past an empty text', tmx(`${tu(' ', 'x')}${good}`), [undefined, unit]],
  ])('%s', async (_, file, units) => {
    expect(await read(file)).toEqual(units)
  })
})

describe('refuses', () => {
  test.each<[name: string, file: string | Uint8Array, says: RegExp]>([
    ['an empty file', '', /not well-formed/],
    ['what is no XML', 'source;target', /not well-formed/],
    ['a file that is cut off', tmx(good).slice(0, -9), /not well-formed XML.*\(after 1 units\)/],
    ['a file that is cut off in a unit', tmx(good + good).slice(0, -90), /not well-formed/],
    ['another root', '<xliff version="1.2"/>', /its root is <xliff>, not <tmx>/],
    ['another version', '<tmx version="2.0"><body/></tmx>', /it is TMX 2.0/],
    ['no units', tmx(''), /no translation units/],
    [
      'other languages',
      tmx(`<tu>${tuv('fr', 'a')}${tuv('it-IT', 'b')}</tu>`),
      /both en-us and de-de.* fr, it-IT/,
    ],
    [
      'a variant without language',
      tmx('<tu><tuv><seg>x</seg></tuv></tu>'),
      /does not say its language/,
    ],
    [
      'entities of its own',
      tmx(good).replace('SYSTEM "tmx14.dtd"', '[<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]'),
      /DOCTYPE contains declarations/,
    ],
    ['an unknown entity', tmx(tu('&boom;', 'x')), /not well-formed/],
    ['bytes that are no UTF-8', Buffer.from(tmx(good), 'latin1'), /not written in UTF-8/],
    [
      'an unknown encoding',
      tmx(good).replace('UTF-8', 'klingon'),
      /"klingon", which cannot be read/,
    ],
    ['100,000 levels', tmx('<a>'.repeat(100_000)), /deeper than 100 levels/],
    [
      '201 languages in a unit',
      tmx(`<tu>${tuv('en-US', 'x').repeat(201)}</tu>`),
      /more than 200 languages/,
    ],
    ['a segment of more than 1 MiB', tmx(tu('x'.repeat(1_048_577), 'y')), /longer than 1,048,576/],
    ['a name without end', `<tmx version="1.4" ${'x'.repeat(5_000_000)}`, /4 MiB without a tag/],
  ])('%s', async (_, file, says) => {
    await expect(read(file, 65_536)).rejects.toThrow(says)
  })
})

test('a long file is read in pieces that are let go', async () => {
  const many = 60_000
  async function* file() {
    yield Buffer.from(tmx('').split('</body>')[0] ?? '')
    for (let at = 0; at < many; at += 100) {
      let piece = ''
      for (let one = at; one < at + 100; one++)
        piece += tu(`Sentence ${one} of a long text`, `Satz ${one}`)
      yield Buffer.from(piece)
    }
    yield Buffer.from('</body></tmx>')
  }
  let read = 0
  let largest = 0
  for await (const piece of readTmx(file(), pair)) {
    read += piece.length
    largest = Math.max(largest, piece.length)
  }
  expect(read).toBe(many)
  expect(largest).toBeLessThanOrEqual(200)
})
