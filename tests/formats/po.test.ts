/** gettext catalogues: what is found, what is written, and what msgfmt says of it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { po } from '../../packages/text/src/formats/po/po.ts'
import { pluralForms } from '../../packages/text/src/plurals/plural-forms.ts'
import { answer, bytesOf, holdCases, shout, textOf } from './cases.ts'
import { ask, isThere, judged } from './judge.ts'

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('')
const header = (
  language: string,
  plural = 'nplurals=2; plural=(n != 1);',
  charset = 'UTF-8',
): string =>
  lines(
    'msgid ""',
    'msgstr ""',
    `"Language: ${language}\\n"`,
    '"MIME-Version: 1.0\\n"',
    `"Content-Type: text/plain; charset=${charset}\\n"`,
    '"Content-Transfer-Encoding: 8bit\\n"',
    `"Plural-Forms: ${plural}\\n"`,
    '',
  )
const de = header('de_DE')
const plural = (...forms: readonly string[]): string =>
  lines(
    'msgid "%d file"',
    'msgid_plural "%d files"',
    ...forms.map((form, at) => `msgstr[${at}] "${form}"`),
  )

describe('cases', () => {
  holdCases(po, [
    {
      name: 'a catalogue of another language has no translation into this one',
      source: header('fr_FR') + lines('msgid "Hello"', 'msgstr "Bonjour"'),
      texts: ['Hello'],
      written: de + lines('msgid "Hello"', 'msgstr "HELLO"'),
      options: { targetLanguage: 'de-DE' },
    },
    {
      name: 'a catalogue of the language keeps what it says',
      source:
        header('de') + lines('msgid "Hello"', 'msgstr "Hallo"', '', 'msgid "Bye"', 'msgstr ""'),
      texts: ['Hello', 'Bye'],
      written:
        header('de_DE') +
        lines('msgid "Hello"', 'msgstr "Hallo"', '', 'msgid "Bye"', 'msgstr "BYE"'),
      options: { targetLanguage: 'de-DE' },
    },
    {
      name: 'a text gets its translation',
      source: de + lines('#: a.c:1', 'msgid "Hello"', 'msgstr ""'),
      texts: ['Hello'],
      written: de + lines('#: a.c:1', 'msgid "Hello"', 'msgstr "HELLO"'),
    },
    {
      name: 'signs of shell and Lisp are placeholders where the flags say so',
      source:
        de +
        lines(
          '#, sh-format',
          'msgid "pay $5 to $you and $me"',
          'msgstr ""',
          '',
          '#, lisp-format',
          'msgid "~a of ~5d"',
          'msgstr ""',
          '',
          'msgid "about ~a $me"',
          'msgstr ""',
        ),
      texts: ['pay $5 to «$you» and «$me»', '«~a» of «~5d»', 'about ~a $me'],
      written:
        de +
        lines(
          '#, sh-format',
          'msgid "pay $5 to $you and $me"',
          'msgstr "PAY $5 TO $you AND $me"',
          '',
          '#, lisp-format',
          'msgid "~a of ~5d"',
          'msgstr "~a OF ~5d"',
          '',
          'msgid "about ~a $me"',
          'msgstr "ABOUT ~A $ME"',
        ),
    },
    {
      name: 'what is translated stays',
      source: de + lines('msgid "Hello"', 'msgstr "Hallo"'),
      texts: ['Hello'],
      written: de + lines('msgid "Hello"', 'msgstr "Hallo"'),
    },
    {
      name: 'unless it is to be made anew',
      options: { xliff: { targets: 'replace' } },
      source: de + lines('msgid "Hello"', 'msgstr "Hallo"'),
      texts: ['Hello'],
      written: de + lines('msgid "Hello"', 'msgstr "HELLO"'),
    },
    {
      name: 'the same text in two contexts is two texts',
      source:
        de + lines('msgctxt "menu"', 'msgid "Open"', 'msgstr ""', '', 'msgid "Open"', 'msgstr ""'),
      texts: ['Open', 'Open'],
      written:
        de +
        lines(
          'msgctxt "menu"',
          'msgid "Open"',
          'msgstr "OPEN"',
          '',
          'msgid "Open"',
          'msgstr "OPEN"',
        ),
    },
    {
      name: 'a fuzzy entry is translated anew and is not fuzzy any more',
      source:
        de + lines('#, fuzzy, c-format', '#| msgid "Hi %s"', 'msgid "Hello %s"', 'msgstr "Hi %s"'),
      texts: ['Hello «%s»'],
      written: de + lines('#, c-format', 'msgid "Hello %s"', 'msgstr "HELLO %s"'),
    },
    {
      name: 'a line of flags that says only fuzzy goes',
      source: de + lines('# note', '#, fuzzy', 'msgid "Hello"', 'msgstr "Ciao"'),
      texts: ['Hello'],
      written: de + lines('# note', 'msgid "Hello"', 'msgstr "HELLO"'),
    },
    {
      name: 'obsolete entries are left alone',
      source:
        de +
        lines(
          'msgid "Hello"',
          'msgstr ""',
          '',
          '#~ msgid "Old"',
          '#~ msgstr "Alt"',
          '#~| msgid "x"',
        ),
      texts: ['Hello'],
      written:
        de +
        lines(
          'msgid "Hello"',
          'msgstr "HELLO"',
          '',
          '#~ msgid "Old"',
          '#~ msgstr "Alt"',
          '#~| msgid "x"',
        ),
    },
    {
      name: 'escapes are characters, and line ends are kept at both ends',
      source: de + lines('msgid "\\n\\tSay \\"hi\\"\\\\\\x41\\n"', 'msgstr ""'),
      texts: ['Say "hi"\\A'],
      written:
        de + lines('msgid "\\n\\tSay \\"hi\\"\\\\\\x41\\n"', 'msgstr "\\n\\tSAY \\"HI\\"\\\\A\\n"'),
    },
    {
      name: 'a text in several strings is one, and its translation wraps too',
      source: de + lines('msgid ""', '"First line\\n"', '"second "', '"line"', 'msgstr ""'),
      texts: ['First line«\\n»second line'],
      written:
        de +
        lines(
          'msgid ""',
          '"First line\\n"',
          '"second "',
          '"line"',
          'msgstr ""',
          '"FIRST LINE\\n"',
          '"SECOND LINE"',
        ),
    },
    {
      name: 'a template becomes a catalogue of the target language',
      source: `#, fuzzy\n${header('', 'nplurals=INTEGER; plural=EXPRESSION;', 'CHARSET')}${plural('', '')}`,
      texts: ['«%d» file', '«%d» files'],
      written: de + plural('%d FILE', '%d FILES'),
    },
    {
      name: 'Polish has three forms',
      target: 'pl',
      source: de + plural('', ''),
      texts: ['«%d» file', '«%d» files'],
      written:
        header(
          'pl',
          'nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);',
        ) + plural('%d FILE', '%d FILES', '%d FILES'),
    },
    {
      name: 'Japanese has one',
      target: 'ja-JP',
      source: de + plural('', ''),
      texts: ['«%d» file', '«%d» files'],
      written: header('ja_JP', 'nplurals=1; plural=0;') + plural('%d FILES'),
    },
    {
      name: 'in Arabic the second form is for one',
      target: 'ar',
      source: de + plural('', ''),
      texts: ['«%d» file', '«%d» files'],
      written:
        header(
          'ar',
          'nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);',
        ) + plural('%d FILES', '%d FILE', '%d FILES', '%d FILES', '%d FILES', '%d FILES'),
    },
    {
      name: 'a catalogue of the target language keeps its own rule',
      target: 'fr-FR',
      source: header('fr', 'nplurals=3; plural=n%3;') + plural('', '', ''),
      texts: ['«%d» file', '«%d» files'],
      written:
        header('fr_FR', 'nplurals=3; plural=n%3;') + plural('%d FILE', '%d FILES', '%d FILES'),
    },
    {
      name: 'a catalogue without a header gets one',
      source: lines('msgid "Hello"', 'msgstr ""'),
      texts: ['Hello'],
      written: de + lines('msgid "Hello"', 'msgstr "HELLO"'),
    },
    {
      name: 'CRLF stays',
      source: `${de}${lines('msgid ""', '"a\\n"', '"b"', 'msgstr ""')}`.replaceAll('\n', '\r\n'),
      texts: ['a«\\n»b'],
      written:
        `${de}${lines('msgid ""', '"a\\n"', '"b"', 'msgstr ""', '"A\\n"', '"B"')}`.replaceAll(
          '\n',
          '\r\n',
        ),
    },
  ])
})

test('a charset of one byte is kept, and given up for UTF-8 where it lacks a character', () => {
  const source =
    header('de_DE', undefined, 'ISO-8859-1') + lines('# f\u00fcr', 'msgid "Hello"', 'msgstr ""')
  const bytes = new Uint8Array(Buffer.from(source, 'latin1'))
  const write = (text: string) =>
    Buffer.from(
      po.write(bytes, new Map([['Hello', [{ type: 'text', text }]]]), { targetLanguage: 'de-DE' }),
    )
  expect(write('Gr\u00fc\u00dfe').toString('latin1')).toBe(
    source.replace('msgstr ""\n', 'msgstr ""\n').replace(/""\n$/, '"Gr\u00fc\u00dfe"\n'),
  )
  const other = write('\u010ce\u0161tina').toString('utf8')
  expect(other).toContain('charset=UTF-8')
  expect(other).toContain('# f\u00fcr')
})

test.each([
  ['msgid "a"\n', /no msgstr \(line 1\)/],
  ['msgid "a\nmsgstr ""\n', /does not end on its line/],
  ['hello\n', /a keyword such as msgid is expected \(line 1\)/],
  ['msgid "a"\nmsgstr[0] ""\n', /msgstr does not belong here/],
  ['msgid "a"\nmsgid_plural "b"\nmsgstr[1] ""\n', /wrong number/],
  ['msgstr "a"\n', /does not belong here/],
  ['msgid "a"\nmsgctxt "b"\nmsgstr ""\n', /msgctxt does not belong here/],
  ['msgid\n', /in quotes is missing/],
])('%j is refused with a sentence', (source, sentence) => {
  expect(() => po.read(bytesOf(source))).toThrow(sentence)
})

test('the forms of each language are those of CLDR', () => {
  const differs = ['lv', 'prg', 'fil', 'tl', 'wa', 'ff', 'pcm']
  const languages =
    'en de fr es pt pt-PT it nl ru uk be pl cs sk ro lt sl ar he cy ga gd mt ja zh ko vi th id is mk hi sr hr'
  for (const language of languages.split(' ').filter((one) => !differs.includes(one))) {
    const { count, rule, one } = pluralForms(language)
    const formOf = new Function('n', `return Number(${rule})`) as (n: number) => number
    const rules = new Intl.PluralRules(language)
    const categories = new Map<string, number>()
    const others: number[] = []
    for (let n = 0; n <= 1_000; n++) {
      const [category, form] = [rules.select(n), formOf(n)]
      if ((categories.get(category) ?? form) !== form) others.push(n)
      categories.set(category, form)
    }
    expect([language, ...others]).toEqual([language])
    expect(`${language} ${new Set(categories.values()).size}`).toBe(`${language} ${count}`)
    if (one !== undefined) expect(formOf(1)).toBe(one)
  }
})

judged(
  'msgfmt',
  isThere('msgfmt'),
  'msgfmt -c takes what is written, whatever is said, in every kind of language',
  () => {
    const entries = Array.from({ length: 12 }, (_, at) =>
      lines(`msgid "Text ${at}\\n"`, 'msgstr ""', ''),
    )
    const source =
      header('', 'nplurals=INTEGER; plural=EXPRESSION;', 'CHARSET') +
      entries.join('') +
      plural('', '')
    const bytes = bytesOf(source)
    const { segments, write } = po.open(bytes)
    const check = (texts: readonly string[], targetLanguage: string) => {
      const said = segments.map(({ id, parts }, at) => {
        const text = { type: 'text', text: texts[at % texts.length]?.trim() || 'x' } as const
        return [id, [...parts.filter(({ type }) => type === 'code'), text]] as const
      })
      ask('msgfmt', ['-c', '-o', '/dev/null', '-'], write(new Map(said), { targetLanguage }))
    }
    for (const language of ['de-DE', 'pl', 'ja', 'ar', 'sl', 'lv', 'ga', 'sr-Latn-RS', 'zh-Hans'])
      check(['a "b" \\ %'], language)
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (texts) =>
        check(texts, 'ru'),
      ),
      { numRuns: 20 },
    )
  },
)

judged(
  'msgfmt',
  isThere('msgfmt'),
  'entries that keep their translation have as many forms as the header says',
  () => {
    const other = lines(
      '',
      'msgid "%d page"',
      'msgid_plural "%d pages"',
      'msgstr[0] "%d Seite"',
      'msgstr[1] "%d Seiten"',
      '',
    )
    const source = header('en') + other + lines('msgid "Text"', 'msgstr ""', '') + plural('', '')
    for (const [language, forms] of [
      ['lv', 3],
      ['ja', 1],
      ['ar', 6],
      ['de', 2],
    ] as const) {
      const written = textOf(shout(po, bytesOf(source), language))
      ask('msgfmt', ['-c', '-o', '/dev/null', '-'], written)
      expect(written.match(/^msgstr\[\d\] "%d Seite/gm), language).toHaveLength(forms)
      expect(written).toContain('"%d Seiten"')
    }
  },
)

judged('msgfmt', isThere('msgfmt'), 'what gettext reads is what was said', () => {
  const said = 'Quote " backslash \\ tab \t line \n bell \x07 end'
  const written = answer(po, de + lines('msgid "x"', 'msgstr ""'), said)
  const again = ask('msgcat', ['--no-wrap', '-'], written)
  expect(again).toContain('\n"Quote \\" backslash \\\\ tab \\t line \\n"\n" bell \\a end"\n')
  expect(textOf(shout(po, bytesOf(again)))).toBe(again)
})
