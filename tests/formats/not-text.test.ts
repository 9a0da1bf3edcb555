/**
 * What looks like text and is none: alerts, mentions, emoji by name and maths of Markdown, code and
 * what a page keeps from translation, also in the HTML of a field; and what a translation must not
 * become, such as the times of a cue.
 */
import { describe, expect, it } from 'vitest'

import { answer, bytesOf, type Case, holdCases } from './cases.ts'
import { formatOf } from './laws.ts'

describe('Markdown', () => {
  holdCases(formatOf('markdown'), [
    {
      name: 'an alert',
      source: '> [!NOTE]\n> Read this\n> first.\n\n> [!tip]- Hidden tip\n> Two\n\n> [!NOTE]\n',
      texts: ['Read this first.', 'Hidden tip Two'],
      written: '> [!NOTE]\n> READ THIS FIRST.\n\n> [!tip]- HIDDEN TIP TWO\n\n> [!NOTE]\n',
    },
    {
      name: 'emoji, mentions and maths',
      source:
        'Done :tada: by @user-one and @org/team, see $x^2$ and $$a_1 + b$$ :+1:\n\nAt 10:30:00, $5 to $6, a:b:c, me@example.org, costs US$5$ :12: and @ home\n',
      texts: [
        'Done «:tada:» by «@user-one» and «@org/team», see «$x^2$» and «$$a_1 + b$$» «:+1:»',
        'At 10:30:00, $5 to $6, a:b:c, «me@example.org», costs US$5$ :12: and @ home',
      ],
      written:
        'DONE :tada: BY @user-one AND @org/team, SEE $x^2$ AND $$a_1 + b$$ :+1:\n\nAT 10:30:00, $5 TO $6, A:B:C, me@example.org, COSTS US$5$ :12: AND @ HOME\n',
    },
    {
      name: 'titles of directives',
      source:
        ':::note Read this\n\nText\n\n:::\n\n:::tip[Good **idea**]\n\n:::\n\n::: {.box}\n\n:::danger{title="kept"}\n\n:::\n',
      texts: ['Read this', 'Text', 'Good «**»idea«**»'],
      written:
        ':::note READ THIS\n\nTEXT\n\n:::\n\n:::tip[GOOD **IDEA**]\n\n:::\n\n::: {.box}\n\n:::danger{title="kept"}\n\n:::\n',
    },
    {
      name: 'code in tags, and a section of characters',
      source:
        'Press <kbd>Enter</kbd>, not <code translate="yes">this</code>, <![CDATA[a <b> c]]> end\n',
      texts: [
        'Press «<kbd>Enter</kbd>», not «<code translate="yes">»this«</code>», «<![CDATA[a <b> c]]>» end',
      ],
      written:
        'PRESS <kbd>Enter</kbd>, NOT <code translate="yes">THIS</code>, <![CDATA[a <b> c]]> END\n',
    },
    {
      name: 'a bar that begins no table',
      source: '| one bar\n\nNext\n',
      texts: ['| one bar', 'Next'],
      written: '| ONE BAR\n\nNEXT\n',
    },
  ] satisfies Case[])

  it.each([
    ['see :tada: and :12:', 'see \\:tada: and :12:'],
    ['ask @user or me@example.org', 'ask \\@user or me@example.org'],
    ['is $x^2$, costs $5', 'is \\$x^2$, costs $5'],
  ])('escapes what only the translation says: %s', (text, written) => {
    const made = answer(formatOf('markdown'), 'One\n', text)
    expect(made).toBe(`${written}\n`)
    expect(formatOf('markdown').read(bytesOf(made))[0]?.parts[0]).toMatchObject({ type: 'text' })
  })

  it('reads other markup between two dollar signs as what it is', () => {
    const [segment] = formatOf('markdown').read(bytesOf('A $x `code` y$ and $a [b](c) d$.\n'))
    expect(segment?.parts.flatMap((part) => (part.type === 'code' ? part.raw : []))).toEqual([
      '`code`',
      '[',
      '](c)',
    ])
  })

  it('escapes a bar that only the translation begins with', () => {
    expect(answer(formatOf('markdown'), 'One\n', '| a')).toBe('\\| a\n')
  })
})

describe('HTML', () => {
  holdCases(formatOf('html'), [
    {
      name: 'code',
      source:
        '<pre><code>let a = "text"</code></pre><p>Run <code>npm test</code> and press <kbd title="key">Esc</kbd>.</p><p><samp>out</samp></p>',
      texts: ['Run «<code>npm test</code>» and press «<kbd title="key">Esc</kbd>».'],
      written:
        '<pre><code>let a = "text"</code></pre><p>RUN <code>npm test</code> AND PRESS <kbd title="key">Esc</kbd>.</p><p><samp>out</samp></p>',
    },
    {
      name: 'code that says that it is text',
      source: '<pre translate="yes">A poem</pre>',
      texts: ['A poem'],
      written: '<pre translate="yes">A POEM</pre>',
    },
  ] satisfies Case[])
})

describe('the HTML of a field', () => {
  const field = (text: string) => JSON.stringify({ body: text })
  const row = (name: string, html: string, shown: string, written: string): Case => ({
    name,
    source: field(html),
    texts: [shown],
    written: field(written),
  })
  holdCases(formatOf('json'), [
    row(
      'what the page keeps',
      'Our <span class="brand notranslate">Dragon <b>One</b></span> and <i translate="no">more</i> today',
      'Our «<span class=\\"brand notranslate\\">Dragon <b>One</b></span>» and «<i translate=\\"no\\">more</i>» today',
      'OUR <span class="brand notranslate">Dragon <b>One</b></span> AND <i translate="no">more</i> TODAY',
    ),
    row(
      'code',
      'Type <code>a</code> or <kbd>b</kbd>',
      'Type «<code>a</code>» or «<kbd>b</kbd>»',
      'TYPE <code>a</code> OR <kbd>b</kbd>',
    ),
    row(
      'attributes without a blank between them',
      'See <a href="/x"class="y"title=\'z\'>this</a>',
      'See «<a href=\\"/x\\"class=\\"y\\"title=\'z\'>»this«</a>»',
      'SEE <a href="/x"class="y"title=\'z\'>THIS</a>',
    ),
    row(
      'an element without its end',
      'Our <code>code ends',
      'Our «<code>»code ends',
      'OUR <code>CODE ENDS',
    ),
  ])
})

describe('subtitles', () => {
  const cue = '1\n00:00:01,000 --> 00:00:02,000\nHello\n'
  it.each([
    '00:00:03,000 --> 00:00:04,000 Hallo',
    '0:03 --> 0:04',
    '00:00:03,000 --> 00:00:04,000',
  ])('a translation that begins with times begins no cue: %s', (text) => {
    const written = answer(formatOf('srt'), cue, text)
    expect(written).toBe(cue.replace('Hello', text.replace('-->', '->')))
    expect(formatOf('srt').read(bytesOf(written))).toHaveLength(1)
  })
})

describe('UTF-32', () => {
  const utf32 = (text: string, bom: boolean, isLittle: boolean): Uint8Array => {
    const points = [...(bom ? '\ufeff' : ''), ...text].map((one) => one.codePointAt(0) ?? 0)
    const view = new DataView(new ArrayBuffer(points.length * 4))
    for (const [at, point] of points.entries()) view.setUint32(at * 4, point, isLittle)
    return new Uint8Array(view.buffer)
  }
  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('is refused by its name (BOM %s, little end %s)', (bom, isLittle) => {
    const cue = '1\n00:00:01,000 --> 00:00:02,000\nHello\n'
    for (const format of [formatOf('srt'), formatOf('json'), formatOf('text')])
      expect(() => format.read(utf32(cue, bom, isLittle))).toThrow(
        'The file is written in UTF-32, which cannot be read here; save it as UTF-8.',
      )
  })
})
