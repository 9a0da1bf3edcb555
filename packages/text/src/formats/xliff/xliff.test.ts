import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import type { Part } from '../../placeholders/part.ts'
import { pseudoNamedFile } from '../../pseudo/pseudo-file.ts'
import { findFormat } from '../find-format.ts'
import { judgeFile } from '../whole-files.ts'
import { xliff2 as format } from './xliff-2.ts'

const samples = join(import.meta.dirname, '../../../../../tests/samples')
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function translate(
  text: string,
  translations: Record<string, string>,
  targetLanguage = 'de-DE',
): string {
  const bytes = bytesOf(text)
  const parts = Object.entries(translations).map(([id, words]): [string, Part[]] => [
    id,
    [{ type: 'text', text: words }],
  ])
  const written = findFormat('a.xlf', bytes)?.write(bytes, new Map(parts), { targetLanguage })
  return new TextDecoder().decode(written)
}
const pseudo = (text: string): string => {
  const bytes = bytesOf(text)
  return new TextDecoder().decode(pseudoNamedFile('a.xlf', bytes, 'de-DE'))
}
const ids = (text: string): string[] => {
  const bytes = bytesOf(text)
  return (
    findFormat('a.xlf', bytes)
      ?.read(bytes)
      .map(({ id }) => id) ?? []
  )
}
const in12 = (unit: string, file = 'source-language="en"') =>
  `<xliff version="1.2"><file ${file}><body>${unit}</body></file></xliff>`
const in20 = (unit: string) =>
  `<xliff version="2.0" srcLang="en"><file id="f"><unit id="u">${unit}</unit></file></xliff>`

test('a missing target stands behind its source, with its indentation', () => {
  const text = in12('\r\n\t<trans-unit id="1">\r\n\t\t<source>Hi</source>\r\n\t</trans-unit>')
  expect(translate(text, { '1/1': 'Hallo & <Welt>' })).toBe(
    in12(
      '\r\n\t<trans-unit id="1">\r\n\t\t<source>Hi</source>\r\n\t\t<target>Hallo &amp; &lt;Welt&gt;</target>\r\n\t</trans-unit>',
      'source-language="en" target-language="de-DE"',
    ),
  )
})

test('a target keeps its attributes but not the word that it is new', () => {
  const text = in12(
    '<trans-unit id="1"><source>Hi</source><target state="new" xml:lang="fr" x="1">old</target></trans-unit>',
  )
  expect(translate(text, { '1/1': 'Hallo' })).toContain(
    '<target state="translated" xml:lang="de-DE" x="1">Hallo</target>',
  )
})

test('a target that stands before its source is found, and an empty one is filled', () => {
  expect(
    translate(in12('<trans-unit id="1"><target>x</target><source>Hi</source></trans-unit>'), {
      '1/1': 'Ho',
    }),
  ).toContain('<target>Ho</target><source>Hi</source>')
  expect(
    translate(in12('<trans-unit id="1"><source>Hi</source><target a="b" /></trans-unit>'), {
      '1/1': 'Ho',
    }),
  ).toContain('<source>Hi</source><target a="b">Ho</target>')
})

test('a translation equal to its source fills the target all the same', () => {
  expect(
    translate(in12('<trans-unit id="1"><source>OK</source></trans-unit>'), { '1/1': 'OK' }),
  ).toContain('<source>OK</source><target>OK</target>')
})

test('a target that is right already leaves the file as it is, language included', () => {
  const text = in12('<trans-unit id="1"><source>Hi</source><target>Hallo</target></trans-unit>')
  expect(translate(text, { '1/1': 'Hallo' })).toBe(text)
})

test('what is locked, approved or final is no segment, and the same id in two files is two', () => {
  const sample = readFileSync(join(samples, 'units-1.2.xlf'), 'utf8')
  expect(ids(sample)).toEqual(['1/1', '1/2', '1/4', '1/6/0', '1/6/1', '2/1'])
  expect(ids(readFileSync(join(samples, 'units-2.0.xlf'), 'utf8'))).toEqual(['f1/u1/1', 'f1/u1/2'])
})

test('every kind of inline element is kept', () => {
  const inline =
    'a<g id="1">b<x id="2"/></g><bx id="3"/>c<ex id="3"/><bpt id="4">{</bpt>d<ept id="4">}</ept><ph id="5">p<sub>s</sub></ph><it id="6" pos="open">i</it><mrk mtype="term">m</mrk><mrk mtype="protected">ACME</mrk>'
  const [, target = ''] =
    /<target>(.*)<\/target>/.exec(
      pseudo(in12(`<trans-unit id="1"><source>${inline}</source></trans-unit>`)),
    ) ?? []
  expect(target.match(/<[^>]+>/g)).toEqual(inline.match(/<[^>]+>/g))
  expect(target).toContain('<ph id="5">p<sub>s</sub></ph>')
  expect(target).toContain('<mrk mtype="protected">ACME</mrk>')
  expect(target.startsWith('á<g id="1">ḃ<x id="2"/></g>')).toBe(true)
})

test('segments of a cut source are written together, untranslated ones with their source', () => {
  const cut =
    '<seg-source><mrk mtype="seg" mid="a">One.</mrk> <mrk mtype="seg" mid="b">Two.</mrk></seg-source>'
  const text = in12(
    `<trans-unit id="1"><source>One. Two.</source>${cut}<target>old</target></trans-unit>`,
  )
  expect(ids(text)).toEqual(['1/1/a', '1/1/b'])
  const once = translate(text, { '1/1/b': 'Zwei.' })
  expect(once).toContain(
    '<target><mrk mtype="seg" mid="a">One.</mrk> <mrk mtype="seg" mid="b">Zwei.</mrk></target>',
  )
  const twice = translate(once, { '1/1/a': 'Eins.' })
  expect(twice).toContain(
    '<target><mrk mtype="seg" mid="a">Eins.</mrk> <mrk mtype="seg" mid="b">Zwei.</mrk></target>',
  )
})

test('a target that is cut already says the new language and state, once', () => {
  const cut = (words: string) =>
    `<mrk mtype="seg" mid="a">${words}</mrk> <mrk mtype="seg" mid="b">Two</mrk>`
  const target = (attributes: string, words: string) =>
    `<target ${attributes}>${cut(words)}</target>`
  const unit = (target: string) =>
    in12(
      `<trans-unit id="1"><source>One Two</source><seg-source>${cut('One')}</seg-source>${target}</trans-unit>`,
      'source-language="en" target-language="de-DE"',
    )
  const before = unit(target('xml:lang="fr" state="new"', 'Un').replace('Two', 'Deux'))
  const both = { '1/1/a': 'Eins', '1/1/b': 'Two' }
  expect(translate(before, both)).toBe(unit(target('xml:lang="de-DE" state="translated"', 'Eins')))
})

const held = (text: string, targets?: 'keep' | 'replace'): string[] => {
  const bytes = bytesOf(text)
  const segments = findFormat('a.xlf', bytes)?.read(bytes, targets && { xliff: { targets } }) ?? []
  return segments.flatMap(({ id, held }) => (held ? [id] : []))
}

test.each([
  ['state="translated"', 'Hallo', true],
  ['state="needs-review-translation"', 'Hallo', true],
  ['', 'Hallo', true],
  ['', 'Hi', false],
  ['', ' ', false],
  ['state="new"', 'Hallo', false],
  ['state="needs-translation"', 'Hallo', false],
  ['state="needs-l10n"', 'Hallo', false],
])('a target with %j that says %j stays: %j', (attributes, words, stays) => {
  const text = in12(
    `<trans-unit id="1"><source>Hi</source><target ${attributes}>${words}</target></trans-unit>`,
  )
  expect(held(text)).toEqual(stays ? ['1/1'] : [])
  expect(held(text, 'replace')).toEqual([])
  expect(pseudo(text).includes('<target state="translated">Hallo</target>')).toBe(
    stays && attributes.includes('"tr'),
  )
  const segment = `<segment ${attributes.replace('new', 'initial')}><source>Hi</source><target>${words}</target></segment>`
  if (!attributes.includes('needs')) expect(held(in20(segment))).toEqual(stays ? ['f/u/1'] : [])
})

test('CDATA and comments in a source are read, and the target is spelled as text', () => {
  const text = in12('<trans-unit id="1"><source><![CDATA[a <b>]]><!-- c --></source></trans-unit>')
  expect(pseudo(text)).toContain('<target>áó &lt;b&gt;<!-- c --></target>')
})

test('XLIFF 2 says its language at the root, and a segment that it is no longer initial', () => {
  const written = translate(in20('<segment state="initial"><source>Hi</source></segment>'), {
    'f/u/1': 'Hallo',
  })
  expect(written).toContain('<xliff version="2.0" srcLang="en" trgLang="de-DE">')
  expect(written).toContain(
    '<segment state="translated"><source>Hi</source><target>Hallo</target></segment>',
  )
})

test('a file of 5,000 units comes back well-formed, with the same tags and every target filled', () => {
  const units = Array.from({ length: 5_000 }, (_, at) => {
    const source = `Item ${at} for <g id="1">{name}</g> costs <x id="2"/> &amp; more`
    return `    <trans-unit id="u${at}">\n      <source>${source}</source>\n    </trans-unit>\n`
  })
  const written = pseudo(in12(units.join('')))
  const counts = new Map<string, number>()
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => counts.set(name, (counts.get(name) ?? 0) + 1))
  parser.write(written).close()
  expect(Object.fromEntries(counts)).toMatchObject({
    'trans-unit': 5_000,
    source: 5_000,
    target: 5_000,
    g: 10_000,
    x: 10_000,
  })
})

describe('XLIFF 2 with targets in another language', () => {
  const fileOf = (trgLang: string, target = '<target>Bonjour</target>') =>
    `<xliff version="2.0" srcLang="en" trgLang="${trgLang}"><file id="f"><unit id="1"><segment><source>Hello</source>${target}</segment></unit></file></xliff>`
  const read = (text: string, targetLanguage: string, options = {}) =>
    format.read(bytesOf(text), { ...options, targetLanguage })

  test('is refused: its targets are no translation into the language asked for', () => {
    const says = 'The file has targets in fr (trgLang), and de-DE is asked for.'
    expect(() => read(fileOf('fr'), 'de-DE')).toThrow(says)
    expect(() =>
      format.rewrite(bytesOf(fileOf('fr')), () => undefined, { targetLanguage: 'de-DE' }),
    ).toThrow(says)
    expect(() => read(fileOf('pt-BR'), 'pt-PT')).toThrow('The file has targets in pt-BR')
    expect(
      judgeFile(
        { fileName: 'a.xlf', targetLanguage: 'de-DE' },
        bytesOf(fileOf('de', '')),
        bytesOf(fileOf('fr')),
      ),
    ).toEqual({
      invalid: expect.stringContaining(says),
      warnings: [],
    })
  })

  test('is read where the languages agree, where it has no targets, and where they are replaced', () => {
    expect(read(fileOf('de'), 'de-DE')).toHaveLength(1)
    expect(read(fileOf('fr', ''), 'de-DE')).toHaveLength(1)
    expect(read(fileOf('fr'), 'de-DE', { xliff: { targets: 'replace' } })).toHaveLength(1)
  })
})
