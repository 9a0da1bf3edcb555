/**
 * Notes and length limits that files give with their texts; they are read only on request, and
 * change nothing else.
 */
import { expect, test } from 'vitest'
import { findFormat } from '../../packages/text/src/formats/find-format.ts'
import { bytesOf, target } from './laws.ts'

const xliff1 = (unit: string) =>
  `<xliff version="1.2"><file source-language="en" datatype="x" original="a"><body>${unit}</body></file></xliff>`
const xliff2 = (unit: string, head = '') =>
  `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:slr="urn:oasis:names:tc:xliff:sizerestriction:2.0" version="2.0" srcLang="en"><file id="f">${head}${unit}</file></xliff>`
const segment = '<segment><source>Save</source></segment>'
const characters = (count: number) => ({ count, unit: 'CHARACTERS' })
const bytes = (count: number) => ({ count, unit: 'BYTES' })

const rows: [name: string, text: string, ...about: unknown[]][] = [
  [
    'a.xlf',
    xliff1(
      '<trans-unit id="1" maxwidth="10" size-unit="char"><source>Save</source><note>A button</note><note> </note><note>&lt;b&gt; is bold</note></trans-unit>',
    ),
    { notes: ['A button', '<b> is bold'], maxLength: characters(10) },
  ],
  [
    'b.xlf',
    xliff1(
      '<trans-unit id="1" maxwidth="9" size-unit="byte"><source>Save</source></trans-unit><trans-unit id="2" maxwidth="9" size-unit="pixel"><source>Open</source></trans-unit><trans-unit id="3" maxwidth="8"><source>Open</source></trans-unit>',
    ),
    { maxLength: bytes(9) },
    {},
    { maxLength: characters(8) },
  ],
  [
    'c.xlf',
    xliff2(
      `<unit id="u" slr:sizeRestriction="12"><notes><note>A button</note></notes>${segment}</unit>`,
    ),
    { notes: ['A button'], maxLength: characters(12) },
  ],
  [
    'd.xlf',
    xliff2(
      `<unit id="u" slr:sizeRestriction="0,12">${segment}</unit>`,
      '<slr:profiles generalProfile="xliff:utf8"/>',
    ),
    { maxLength: bytes(12) },
  ],
  [
    'a.po',
    '# By hand\n#. For translators\n#: src/a.c:1\n#, c-format\nmsgid "Save"\nmsgstr ""\n\nmsgid "Open"\nmsgstr ""\n',
    { notes: ['By hand', 'For translators'] },
    {},
  ],
  [
    'strings.xml',
    '<resources>\n  <!-- A title -->\n\n  <!-- A button [CHAR LIMIT=12] -->\n  <string name="a">Save</string>\n  <string name="b" maxLength="7">Open</string>\n  <!-- Both -->\n  <plurals name="c"><item quantity="one">One</item><item quantity="other">Many</item></plurals>\n</resources>',
    { notes: ['A button [CHAR LIMIT=12]'], maxLength: characters(12) },
    { maxLength: characters(7) },
    { notes: ['Both'] },
    { notes: ['Both'] },
  ],
  [
    'a.strings',
    '/* A button\n * of the page */\n// Short\n"a" = "Save";\n"b" = "Open";\n',
    { notes: ['A button\n * of the page', 'Short'] },
    {},
  ],
  ['a.properties', '# A button\n! Short\n\na=Save\nb=Open\n', { notes: ['A button', 'Short'] }, {}],
  [
    'a.resx',
    '<root><resheader name="x"/><data name="a"><value>Save</value><comment>A button</comment></data></root>',
    { notes: ['A button'] },
  ],
  [
    'a.xcstrings',
    '{"sourceLanguage":"en","strings":{"Save":{"comment":"A \\"button\\""}},"version":"1.0"}',
    { notes: ['A "button"'] },
  ],
  [
    'a.arb',
    '{"@@locale":"en","a":"Save","@a":{"description":"A button","type":"text"},"b":"Open"}',
    { notes: ['A button'] },
    {},
  ],
  [
    'a.ts',
    '<!DOCTYPE TS><TS version="2.1"><context><name>c</name><message><source>Save</source><comment>verb</comment><extracomment>A button</extracomment><translatorcomment>Hm</translatorcomment><translation type="unfinished"></translation></message></context></TS>',
    { notes: ['verb', 'A button', 'Hm'] },
  ],
]

test.each(rows)('%s: %j', (name, text, ...about) => {
  const file = bytesOf(text)
  const format = findFormat(name, file)
  const options = { ...target, about: true }
  const read = format?.read(file, options) ?? []
  expect(read.map((one) => one.about ?? {})).toEqual(about)
  expect(read.map(({ about: _, ...rest }) => rest)).toEqual(format?.read(file, target))
  expect(format?.write(file, new Map(), target, options)).toBe(file)
})
