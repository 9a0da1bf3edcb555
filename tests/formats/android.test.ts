/**
 * Android strings: what is found, what is written, and what a parser that is not ours says of it.
 */
import { describe, expect, test } from 'vitest'
import { judgeFile } from '../../packages/text/src/formats/whole-files.ts'
import { type Case, holdCases, shout } from './cases.ts'
import { bytesOf, formatOf, textOf } from './laws.ts'

const android = formatOf('android')
const file = (inside: string) => `<resources>\n${inside}\n</resources>`
const string = (inside: string, attributes = '') =>
  file(`  <string name="a"${attributes}>${inside}</string>`)
const one = (name: string, before: string, text: string, after: string): Case => ({
  name,
  source: string(before),
  texts: [text],
  written: string(after),
})
const none = (name: string, inside: string, attributes = ''): Case => ({
  name,
  source: string(inside, attributes),
  texts: [],
  written: string(inside, attributes),
})

const cases: Case[] = [
  one('a text', 'Hello', 'Hello', 'HELLO'),
  one(
    'apostrophes and quotes are escaped',
    String.raw`Don\'t \"go\"`,
    `Don't "go"`,
    String.raw`DON\'T \"GO\"`,
  ),
  one('a line end that is meant is a code', String.raw`a\nb`, String.raw`a«\n»b`, String.raw`A\nB`),
  one('whole quotes keep blanks and apostrophes', `"it's  so"`, `it's  so`, `"IT'S  SO"`),
  one('blanks of the layout are one', 'one\n      two', 'one two', 'ONE TWO'),
  one(
    'escapes of characters stay',
    String.raw`caf\u00e9 \u2026`,
    'café …',
    String.raw`CAFÉ \u2026`,
  ),
  one('tags are codes', 'a <b>b</b> c', 'a «<b>»b«</b>» c', 'A <b>B</b> C'),
  one(
    'xliff:g is kept whole',
    'by <xliff:g id="n">%s you</xliff:g> now',
    'by «<xliff:g id="n">%s you</xliff:g>» now',
    'BY <xliff:g id="n">%s you</xliff:g> NOW',
  ),
  one('CDATA is text', `<![CDATA[<p>it\\'s</p>]]>`, `«<p>»it's«</p>»`, `<![CDATA[<p>IT\\'S</p>]]>`),
  one('placeholders are codes', '%1$s of %2$d%%', '«%1$s» of «%2$d»«%%»', '%1$s OF %2$d%%'),
  one(
    'an escaped sign at the beginning stays escaped',
    String.raw`\@home`,
    '@home',
    String.raw`\@HOME`,
  ),
  one('references of XML stay', 'x &amp; &#8230; y', 'x & … y', 'X &amp; &#8230; Y'),
  one(
    'markup that is written as text',
    '&lt;b>x&lt;/b>',
    '«&lt;b&gt;»x«&lt;/b&gt;»',
    '&lt;b&gt;X&lt;/b&gt;',
  ),
  none('a reference to another string is none', '@string/b'),
  none('an attribute of the theme is none', '?attr/title'),
  none('what is not translatable is none', 'Acme', ' translatable="false"'),
  {
    name: 'what is not translatable is left out of a translation',
    source: file(
      '\n  <string name="a">x</string>\n  <!-- Kept -->\n  <string name="id" translatable="false">acme</string>\n  <string-array name="l" translatable="false"><item>y</item></string-array>\n',
    ),
    texts: ['x'],
    written: file('\n  <string name="a">X</string>\n  <!-- Kept -->\n'),
  },
  {
    name: 'arrays, and what is no text',
    source: file(
      '<string-array name="a"><item>x</item><item>@string/y</item></string-array><color name="c">red</color>',
    ),
    texts: ['x'],
    written: file(
      '<string-array name="a"><item>X</item><item>@string/y</item></string-array><color name="c">red</color>',
    ),
  },
  {
    name: 'plurals of a language with the same quantities',
    source: file(
      '<plurals name="p"><item quantity="one">a</item><item quantity="other">b</item></plurals>',
    ),
    texts: ['a', 'b'],
    written: file(
      '<plurals name="p"><item quantity="one">A</item><item quantity="other">B</item></plurals>',
    ),
  },
]
describe('cases', () => holdCases(android, cases))

test('quantities that the target language has are added, in order and in the layout of the file', () => {
  const before = file(`  <plurals name="p">
    <item quantity="one">a</item>
    <item quantity="other"><![CDATA[%d b]]></item>
  </plurals>`)
  expect(textOf(shout(android, bytesOf(before), 'ru-RU'))).toBe(
    file(`  <plurals name="p">
    <item quantity="one">A</item>
    <item quantity="few"><![CDATA[%d B]]></item>
    <item quantity="many"><![CDATA[%d B]]></item>
    <item quantity="other"><![CDATA[%d B]]></item>
  </plurals>`),
  )
})

test('a translation that begins with a sign, or holds what Android would read, is escaped', () => {
  const source = bytesOf(string('text'))
  const [segment] = android.read(source)
  const say = (text: string) =>
    textOf(
      android.write(source, new Map([[segment?.id ?? '', [{ type: 'text', text }]]]), {
        targetLanguage: 'de',
      }),
    )
  expect(say("@l'été")).toBe(string(String.raw`\@l\'été`))
  expect(say('?"x"')).toBe(string(String.raw`\?\"x\"`))
  expect(say('a\\b\nc <d> & e')).toBe(string(String.raw`a\\b\nc &lt;d&gt; &amp; e`))
})

test('a delivery with the plural forms of its language differs in nothing; one without a text does', () => {
  const plurals = (...quantities: string[]) =>
    bytesOf(
      file(
        `<plurals name="p">${quantities.map((one) => `<item quantity="${one}">x</item>`).join('')}</plurals>`,
      ),
    )
  const source = plurals('one', 'other')
  for (const delivery of [plurals('one', 'few', 'many', 'other'), plurals('other')])
    expect(judgeFile('strings.xml', source, delivery)).toEqual({ warnings: [] })
  expect(judgeFile('strings.xml', source, plurals('one')).warnings).toEqual([
    expect.stringMatching(/^Lost units/),
  ])
})
