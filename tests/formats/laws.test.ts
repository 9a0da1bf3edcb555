/**
 * Every format of the table is held to the laws: on a sample in many spellings, on hand-made files,
 * on generated ones.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FormatRow, formatIds, formatRows } from '@dragoman/contract/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findFormat } from '../../packages/text/src/formats/find-format.ts'
import { draws } from '../draws.ts'
import { generators } from './generators.ts'
import {
  bytesOf,
  formatOf,
  holdCut,
  holdLaws,
  isContainer,
  target,
  textOf,
  variants,
} from './laws.ts'

const samples = join(import.meta.dirname, '../samples')

describe('the samples', () => {
  const named = readdirSync(samples).flatMap((name) =>
    variants.map(([how, make]) => ({ name, how, make })),
  )
  test.each(named)('$name $how', ({ name, make }) => {
    const bytes = make(readFileSync(join(samples, name), 'utf8'))
    const format = findFormat(name, bytes)
    expect(format?.read(bytes).length).toBeGreaterThan(1)
    if (format) holdLaws(format, bytes)
  })

  test('there is one of every format that is translated', () => {
    const found = readdirSync(samples).map(
      (name) => findFormat(name, readFileSync(join(samples, name)))?.id,
    )
    const rows: Readonly<Record<string, FormatRow>> = formatRows
    expect(
      formatIds.filter((id) => !rows[id]?.advice && !isContainer(id) && !found.includes(id)),
    ).toEqual([])
  })
})

const handMade: [string, string][] = [
  ['text', ''],
  ['text', 'no end of line'],
  ['text', ' \n\t\r\n \r \n'],
  ['text', 'a\0b\n\u2028c\u00a0d \ufffc e'],
  ['text', 'mixed\r\nline\nends\rhere'],
  ['html', ''],
  [
    'html',
    '<p>One<p>Two<b>bold<li>x</b> &copy 2024 &copy; &notanentity; &#0; &#x110000; &NotEqualTilde; a < b & c',
  ],
  ['html', '<table>foo<tr><td>cell</td></tr>bar</table></body>tail'],
  ['html', 'text <b'],
  ['html', '</Hello {n, plural, one {# day} other {# days}}'],
  ['html', '<p>One</p>two</p x>three</b {a}} four'],
  ['html', 'text <!-- never closed'],
  ['html', '<!--[if IE]>old<![endif]--><p>new</p><![CDATA[x]]>y<?php echo "a"; ?>z'],
  [
    'html',
    '<svg><title>Drawn &amp; named</title><text>In a drawing</text></svg><title>T<b>not bold</b></title>',
  ],
  ['html', '<p>Don&#39;t &eacute;&Eacute;&#x1F600; &lt;b&gt;tag&lt;/b&gt;&nbsp;</p>'],
  ['html', '<span translate=no>never closed <p>text</p>'],
  ['html', '<a b=x>y</a> <a title="x>y">z</a> <BR/> <IMG SRC=a.png>end'],
  [
    'html',
    '<html lang="en" xml:lang=en><p title="One &amp; two">See <img src=a alt="A \'dog\' &eacute; {x}"> and <a title=one href="#">this</a>.</p>',
  ],
  [
    'html',
    '<p>Twice <img alt="x"> <img alt="y"> <img alt=""></p><p><img alt="alone"><br></p><i title="a" alt=\'b"c\'>both</i>',
  ],
  [
    'html',
    '<input type=submit value=Send><input value="no"><option label="L">o</option><meta name="twitter:card" content="no">',
  ],
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
  [
    'key-value',
    '<content><field key="a"></field><field key="b"> <![CDATA[x <b>y</b>]]> </field></content>',
  ],
  [
    'key-value',
    '<content><field key="&quot;">x</field><other>no</other><field key="c">a <i>b</i></field></content>',
  ],
  ['json', '"only a text"'],
  ['json', ' [ ] '],
  ['json', '{"a":"x","a":"y","A":{"a":"z"},"":"empty key","a~~2":"q","~":"t","/":"s"}'],
  ['json', '{"__proto__":{"__proto__":"deep"},"constructor":"c","toString":"t"}'],
  [
    'json',
    String.raw`["\ud800 lone", "caf\u00e9 \ud83d\ude00 😀", "a\/b", "tab\tend\n", "\\n", "\\", " \n x \\n\n "]`,
  ],
  ['json', '// a comment\n{"a": "text", /* b */ "n": 1e400, "l": ["x", "y",],}\n'],
  ['json', '{"a":"\u2028 text","h":"<b>x</b> &amp; {y}"}'],
]
describe('hand-made files', () => {
  test.each(handMade)('%s: %j', (id, text) => holdLaws(formatOf(id), bytesOf(text)))
})

const prose = formatIds.filter((id) => 'isProse' in formatRows[id])

describe('sentences', () => {
  const texts: [string, string][] = [
    ...handMade.filter(([id]) => prose.some((one) => one === id)),
    ['text', 'One thing. Two things.  Three things\r\n\tA tab. Then more.'],
    [
      'html',
      '<p>One <b>thing. Two</b> things. <i>Three.</i> Four things.<br>Five.&nbsp;Six things</p>',
    ],
    [
      'html',
      '<p><b><i>One thing.\n\n Two things.</i></b></p><td title="A title. Of two.">A cell. Of two.</td>',
    ],
    [
      'markdown',
      '> One thing.\n> Two *things. Three* things.\n\n- An item. Two items.\n\n1. [A link. Two](x). More.\n',
    ],
  ]
  test.each(texts)('%s: %j', (id, text) => {
    holdCut(formatOf(id), bytesOf(text))
  })

  test.each(['page.html', 'guide.md'])('%s has more sentences than paragraphs', (name) => {
    const bytes = readFileSync(join(samples, name))
    expect(holdCut(findFormat(name, bytes) ?? formatOf('text'), bytes)).toBeGreaterThan(0)
  })

  test.each(prose.filter((id) => id in generators))('generated %s', (id) => {
    fc.assert(
      fc.property(generators[id as keyof typeof generators], (text) => {
        holdCut(formatOf(id), bytesOf(text.replaceAll('e ', 'e. A')))
      }),
      { numRuns: draws(40) },
    )
  })

  test('formats that are not prose have the same segments', () => {
    const cut = { language: 'en-US' }
    for (const name of readdirSync(samples)) {
      const bytes = readFileSync(join(samples, name))
      const format = findFormat(name, bytes)
      if (!format || prose.includes(format.id)) continue
      expect(format.read(bytes, { cut })).toEqual(format.read(bytes))
    }
  })
})

describe('generated files', () => {
  test.each(Object.entries(generators))('%s', (id, texts) => {
    fc.assert(
      fc.property(texts, (text) => holdLaws(formatOf(id), bytesOf(text))),
      { numRuns: draws(150) },
    )
  })

  test('json: any translation is what another parser reads', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.boolean(), (texts, escapes) => {
        const source = JSON.stringify(texts.map((_, at) => (escapes ? `x\u00e9 ${at}` : `x ${at}`)))
        const bytes = bytesOf(escapes ? source.replaceAll('\u00e9', '\\u00e9') : source)
        const translations = new Map(
          texts.map((text, at) => [`#/${at}`, [{ type: 'text', text } as const]]),
        )
        expect(JSON.parse(textOf(formatOf('json').write(bytes, translations, target)))).toEqual(
          texts,
        )
      }),
    )
  })
})
