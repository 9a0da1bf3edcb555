/**
 * The four laws of every format, on samples and on generated files: nothing changed gives the same bytes; places ascend
 * and do not overlap; what is written is read again; everything outside the places is untouched.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pseudoText } from '../providers/drivers/pseudo.ts'
import { decode } from './charset.ts'
import { findFormat, formats } from './find-format.ts'
import type { Format, Part, Segment } from './format.ts'
import { sameParts } from './parts.ts'

const samples = join(import.meta.dirname, '../../../../../tests/samples')
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => decode(bytes, { fallsBack: true }).text
const formatOf = (id: string): Format => {
  const found = formats.find((format) => format.id === id)
  if (!found) throw new Error(`no format ${id}`)
  return found
}
const target = { targetLanguage: 'de-DE' }

/** The text between the places; in a bilingual file without targets and without what names the language or the state. */
function outside(format: Format, bytes: Uint8Array, segments: readonly Segment[]): string {
  const text = textOf(bytes)
  if (!format.id.startsWith('xliff'))
    return (
      segments.map(({ start }, at) => text.slice(segments[at - 1]?.end ?? 0, start)).join('|') + tail(text, segments)
    )
  return text
    .replace(/\s*<((?:\w+:)?target)\b[^>]*?(?:\/>|>[\s\S]*?<\/\1>)/g, '')
    .replace(/ (?:target-language|trgLang|state)="[^"]*"/g, '')
}
const tail = (text: string, segments: readonly Segment[]): string => text.slice(segments.at(-1)?.end ?? 0)

function holdLaws(format: Format, bytes: Uint8Array): void {
  const segments = format.read(bytes)
  expect(format.write(bytes, new Map(), target)).toBe(bytes)
  if (!format.id.startsWith('xliff'))
    expect(format.write(bytes, new Map(segments.map(({ id, parts }) => [id, parts])), target)).toBe(bytes)

  let last = 0
  for (const { start, end } of segments) {
    expect(start).toBeGreaterThanOrEqual(last)
    expect(end).toBeGreaterThanOrEqual(start)
    last = end
  }
  expect(new Set(segments.map(({ id }) => id)).size).toBe(segments.length)

  const translations = new Map<string, Part[]>(segments.map(({ id, parts }) => [id, pseudoText(parts)]))
  const written = format.write(bytes, translations, target)
  const again = format.read(written)
  expect(again.map(({ id }) => id)).toEqual(segments.map(({ id }) => id))
  for (const { id, parts, target: held } of again) {
    const got = format.id.startsWith('xliff') ? (held ?? []) : parts
    if (!sameParts(got, translations.get(id) ?? [])) expect(got).toEqual(translations.get(id))
  }
  expect(outside(format, written, again)).toBe(outside(format, bytes, segments))
  expect(format.write(bytes, translations, target)).toEqual(written)
}

const asUtf16 = (text: string, bom: string): Uint8Array => new Uint8Array(Buffer.from(bom + text, 'utf16le'))
const variants: [string, (text: string) => Uint8Array][] = [
  ['as it is', bytesOf],
  ['with CRLF', (text) => bytesOf(text.replaceAll('\n', '\r\n'))],
  ['with lone CR', (text) => bytesOf(text.replaceAll('\n', '\r'))],
  ['with a BOM', (text) => bytesOf(`\ufeff${text}`)],
  ['with a BOM and CRLF', (text) => bytesOf(`\ufeff${text.replaceAll('\n', '\r\n')}`)],
  ['in UTF-16 with a BOM', (text) => asUtf16(text.replace('encoding="UTF-8"', 'encoding="UTF-16"'), '\ufeff')],
  ['in UTF-16 without a BOM', (text) => asUtf16(text, '')],
  ['in UTF-16, big end first', (text) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())],
  ['without a final line end', (text) => bytesOf(text.trimEnd())],
]

describe('the samples', () => {
  const named = readdirSync(samples).flatMap((name) => variants.map(([how, make]) => ({ name, how, make })))
  test.each(named)('$name $how', ({ name, make }) => {
    const bytes = make(readFileSync(join(samples, name), 'utf8'))
    const format = findFormat(name, bytes)
    expect(format?.read(bytes).length).toBeGreaterThan(1)
    if (format) holdLaws(format, bytes)
  })
})

const handMade: [string, string][] = [
  ['text', ''],
  ['text', 'no end of line'],
  ['text', ' \n\t\r\n \r \n'],
  ['text', 'a\0b\n\u2028c\u00a0d \ufffc e'],
  ['text', 'mixed\r\nline\nends\rhere'],
  ['html', ''],
  ['html', '<p>One<p>Two<b>bold<li>x</b> &copy 2024 &copy; &notanentity; &#0; &#x110000; &NotEqualTilde; a < b & c'],
  ['html', '<table>foo<tr><td>cell</td></tr>bar</table></body>tail'],
  ['html', 'text <b'],
  ['html', 'text <!-- never closed'],
  ['html', '<!--[if IE]>old<![endif]--><p>new</p><![CDATA[x]]>y<?php echo "a"; ?>z'],
  ['html', '<svg><title>Drawn &amp; named</title><text>In a drawing</text></svg><title>T<b>not bold</b></title>'],
  ['html', '<p>Don&#39;t &eacute;&Eacute;&#x1F600; &lt;b&gt;tag&lt;/b&gt;&nbsp;</p>'],
  ['html', '<span translate=no>never closed <p>text</p>'],
  ['html', '<a b=x>y</a> <a title="x>y">z</a> <BR/> <IMG SRC=a.png>end'],
  ['html', '<?xml version="1.0"?><html><script src="a"/><p>XHTML text</p></html>'],
  ['xml', '<a/>'],
  ['xml', '<a>text &#65;&#x42; &quot;q&quot; &apos;s&apos; &gt; &lt;i&gt;x&lt;/i&gt;</a>'],
  ['xml', "<a b='1>2'><![CDATA[one ]]]]><![CDATA[> two]]> tail <?pi x?> and <!-- c --> end</a>"],
  ['xml', '<!DOCTYPE a [<!ENTITY x "]>"> <!-- ]> -->]><a>&x; and &y; text&#13;\n</a>'],
  ['xml', '<a xml:space="preserve">  two  <b/> blanks  </a>'],
  [
    'xml',
    '<r><p>Hello <i>dear</i> <i/>reader</p><p translate="no">NO <p>no</p></p>{n, plural, other {<b>#</b> x}}</r>',
  ],
  ['key-value', '<content><field key="a"></field><field key="b"> <![CDATA[x <b>y</b>]]> </field></content>'],
  ['key-value', '<content><field key="&quot;">x</field><other>no</other><field key="c">a <i>b</i></field></content>'],
  ['json', '"only a text"'],
  ['json', ' [ ] '],
  ['json', '{"a":"x","a":"y","A":{"a":"z"},"":"empty key","a~~2":"q","~":"t","/":"s"}'],
  ['json', '{"__proto__":{"__proto__":"deep"},"constructor":"c","toString":"t"}'],
  ['json', String.raw`["\ud800 lone", "caf\u00e9 \ud83d\ude00 😀", "a\/b", "tab\tend\n", "\\n", "\\", " \n x \\n\n "]`],
  ['json', '// a comment\n{"a": "text", /* b */ "n": 1e400, "l": ["x", "y",],}\n'],
  ['json', '{"a":"\u2028 text","h":"<b>x</b> &amp; {y}"}'],
]
describe('hand-made files', () => {
  test.each(handMade)('%s: %j', (id, text) => holdLaws(formatOf(id), bytesOf(text)))
})

const words = fc.string({ unit: fc.constantFrom(...'abcXYZ éß中😀 .,!?%$#{}@:/\'"&<>-_;\u00a0\ufffc'), maxLength: 24 })
const spoken = fc.oneof(
  words,
  fc.constantFrom('Hello', '{name}', '%s', '%1$d', '{{x}}', `\${x}`, '50% off', 'a@b.com', 'https://a.b/c', '&amp;'),
  fc.constantFrom('{n, plural, one {# day} other {# days}}', '{g, select, a {x} other {y}}', '<b>bold</b>', '<br/>'),
)
const sentence = fc.array(spoken, { maxLength: 5 }).map((all) => all.join(' '))
const escaped = sentence.map((text) => text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;' })[c] ?? '&gt;'))

const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small' },
    escaped,
    fc.constantFrom('<x id="1"/>', '<ph id="2">&lt;p&gt;</ph>', '<!-- c -->', '&#169;', '&#x2014;', '<?p i?>'),
    fc.tuple(tie('inline'), tie('inline')).map(([one, other]) => `${one}<g id="3">${other}</g>`),
  ),
}))
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc.oneof(
    { depthSize: 'small' },
    escaped,
    fc.constantFrom('<![CDATA[a <b>c</b> & d]]>', '<!-- c -->', '<e/>', '\r\n  ', '&#160;', '<t a=">">x</t>'),
    fc.array(tie('element'), { maxLength: 4 }).map((all) => `<p>${all.join('')}</p>`),
  ),
}))
const htmlBits = fc.array(
  fc.oneof(
    escaped,
    words,
    fc.constantFrom('<p>', '</p>', '<b>', '</b>', '<i class=x>', '</i>', '<br>', '<script>', '</script>'),
  ),
  { maxLength: 12 },
)
const jsonText = fc
  .tuple(fc.jsonValue({ stringUnit: 'grapheme' }), fc.dictionary(sentence, sentence), fc.constantFrom(0, 2, '\t'))
  .map(([any, plain, indent]) => JSON.stringify({ any, plain, list: [sentence.toString(), plain] }, null, indent))
const unit = fc.tuple(inline, fc.option(inline)).map(([source, held]) => ({ source, held }))
const xliff1 = fc.array(unit, { maxLength: 5 }).map((units) => {
  const inside = units.map(({ source, held }, at) => {
    const found = held === null ? '' : `<target>${held}</target>`
    return `<trans-unit id="${at % 3}">\n <source>${source}</source>${found}</trans-unit>`
  })
  return `<xliff version="1.2"><file source-language="en"><body>${inside.join('\n')}</body></file></xliff>`
})
const xliff2 = fc.array(unit, { maxLength: 5 }).map((units) => {
  const inside = units.map(({ source, held }) => {
    const found = held === null ? '' : `<target>${held}</target>`
    return `<segment>\n\t<source>${source.replaceAll('<g ', '<pc ').replaceAll('</g>', '</pc>')}</source>${found}</segment>`
  })
  return `<xliff version="2.1" srcLang="en"><file id="f"><unit id="u">${inside.join('')}</unit></file></xliff>`
})

const generated: [string, fc.Arbitrary<string>][] = [
  ['text', fc.array(sentence).chain((all) => fc.constantFrom('\n', '\r\n', '\r').map((end) => all.join(end)))],
  ['html', htmlBits.map((bits) => bits.join(''))],
  ['xml', fc.array(element).map((all) => `<root>${all.join('')}</root>`)],
  [
    'key-value',
    fc
      .array(inline)
      .map((all) => `<content>${all.map((x, at) => `<field key="${at % 4}">${x}</field>`).join('')}</content>`),
  ],
  ['json', jsonText],
  ['xliff-1.2', xliff1],
  ['xliff-2', xliff2],
]
describe('generated files', () => {
  test.each(generated)('%s', (id, texts) => {
    fc.assert(
      fc.property(texts, (text) => holdLaws(formatOf(id), bytesOf(text))),
      { numRuns: 150 },
    )
  })

  test('json: any translation is what another parser reads', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.boolean(), (texts, escapes) => {
        const source = JSON.stringify(texts.map((_, at) => (escapes ? `x\u00e9 ${at}` : `x ${at}`)))
        const bytes = bytesOf(escapes ? source.replaceAll('\u00e9', '\\u00e9') : source)
        const translations = new Map(texts.map((text, at) => [`#/${at}`, [{ type: 'text', text } as const]]))
        expect(JSON.parse(textOf(formatOf('json').write(bytes, translations, target)))).toEqual(texts)
      }),
    )
  })
})
