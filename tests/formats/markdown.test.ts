/** Markdown: what is found, what is written, and that pandoc sees the same document in it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdown } from '../../packages/text/src/formats/markdown/markdown.ts'
import { pseudoFile } from '../../packages/text/src/pseudo/pseudo-text.ts'
import { answer, bytesOf, holdCases, textOf } from './cases.ts'
import { isThere, judged } from './judge.ts'
import { pandocTree } from './pandoc-tree.ts'
import { textGenerators } from './text-generators.ts'

describe('cases', () => {
  holdCases(markdown, [
    { name: 'a paragraph', source: 'Hello you\n', texts: ['Hello you'], written: 'HELLO YOU\n' },
    {
      name: 'lines of a paragraph become one',
      source: 'Hello\nyou\n\nthere\n',
      texts: ['Hello you', 'there'],
      written: 'HELLO YOU\n\nTHERE\n',
    },
    {
      name: 'a bracket in a link does not end it',
      source: '[one \\] two](a) ![x \\[](b)\n',
      texts: ['«[»one ] two«](a)» «![»x [«](b)»'],
      written: '[ONE \\] TWO](a) ![X \\[](b)\n',
    },
    {
      name: 'line ends that are meant stay',
      source: 'One  \ntwo\\\nthree\n',
      texts: ['One«  \n»two«\\\n»three'],
      written: 'ONE  \nTWO\\\nTHREE\n',
    },
    {
      name: 'headings',
      source: '# One #\n\n## Two\n\nThree\n===\n',
      texts: ['One', 'Two', 'Three'],
      written: '# ONE #\n\n## TWO\n\nTHREE\n===\n',
    },
    {
      name: 'the id of a heading of MDX stays',
      source: '## Two *words* {/*two-words*/}\n\n### Three {/* not a text */}\n',
      texts: ['Two «*»words«*» «{/*two-words*/}»', 'Three «{/* not a text */}»'],
      written: '## TWO *WORDS* {/*two-words*/}\n\n### THREE {/* not a text */}\n',
    },
    {
      name: 'front matter in TOML',
      source: [
        '+++',
        '# About',
        'title = "A \\"new\\" page" # shown',
        "description = 'C:\\one'",
        'date = 2024-01-01',
        'draft = false',
        'tags = ["x"]',
        'keywords = ["one", # first',
        "  'two']",
        'weight = 3',
        'summary = """',
        'First.',
        'Second."""',
        '[params]',
        'label = "Read"',
        'url = "a/b"',
        '+++',
        'Text',
        '',
      ].join('\n'),
      texts: ['A "new" page', 'C:\\one', 'one', 'two', 'First.\nSecond.', 'Read', 'Text'],
      written: [
        '+++',
        '# About',
        'title = "A \\"NEW\\" PAGE" # shown',
        "description = 'C:\\ONE'",
        'date = 2024-01-01',
        'draft = false',
        'tags = ["x"]',
        'keywords = ["ONE", # first',
        "  'TWO']",
        'weight = 3',
        'summary = """',
        'FIRST.',
        'SECOND."""',
        '[params]',
        'label = "READ"',
        'url = "a/b"',
        '+++',
        'TEXT',
        '',
      ].join('\n'),
    },
    {
      name: 'front matter that is no TOML stays',
      source: '+++\ntitle = "one\n+++\n\nText\n',
      texts: ['Text'],
      written: '+++\ntitle = "one\n+++\n\nTEXT\n',
    },
    {
      name: 'lists and tasks',
      source: '- one\n  two\n  - three\n1. four\n\n   five\n* [ ] six\n* [x] seven\n',
      texts: ['one two', 'three', 'four', 'five', 'six', 'seven'],
      written: '- ONE TWO\n  - THREE\n1. FOUR\n\n   FIVE\n* [ ] SIX\n* [x] SEVEN\n',
    },
    {
      name: 'quotes, lazy lines too',
      source: '> one\n> two\nthree\n>\n> > four\n',
      texts: ['one two three', 'four'],
      written: '> ONE TWO THREE\n>\n> > FOUR\n',
    },
    {
      name: 'code stays',
      source: '    code\n\n```js\ncode\n```\n\nuse `a *b*` and ``x ` y`` here\n',
      texts: ['use «`a *b*`» and «``x ` y``» here'],
      written: '    code\n\n```js\ncode\n```\n\nUSE `a *b*` AND ``x ` y`` HERE\n',
    },
    {
      name: 'emphasis',
      source: 'a *b* __c__ ***d*** ~~e~~ f_g_h 2 * 3\n',
      texts: ['a «*»b«*» «__»c«__» «***»d«***» «~~»e«~~» f_g_h 2 * 3'],
      written: 'A *B* __C__ ***D*** ~~E~~ F_G_H 2 * 3\n',
    },
    {
      name: 'links and images',
      source: 'see [the *map*](a_(b).html "Title") and ![a tree](x.png) and [![i](j)](k)\n',
      texts: [
        'Title',
        'see «[»the «*»map«*»«](a_(b).html "")» and «![»a tree«](x.png)» and «[»«![»i«](j)»«](k)»',
      ],
      written: 'SEE [THE *MAP*](a_(b).html "TITLE") AND ![A TREE](x.png) AND [![I](j)](k)\n',
    },
    {
      name: 'titles of definitions, where they are on the line of their label',
      source:
        '[one]: a.html "First title"\n\n> See [one], [two] and [three].\n>\n> [two]: <b c> (Second)\n\n```\n[one]: a "code"\n```\n\n[three]: d\n\n[four] : e "no"\n',
      texts: [
        'First title',
        'See «[»one«][one]», «[»two«][two]» and «[»three«][three]».',
        'Second',
        '[four] : e "no"',
      ],
      written:
        '[one]: a.html "FIRST TITLE"\n\n> SEE [ONE][one], [TWO][two] AND [THREE][three].\n>\n> [two]: <b c> (SECOND)\n\n```\n[one]: a "code"\n```\n\n[three]: d\n\n\\[FOUR\\] : E "NO"\n',
    },
    {
      name: 'titles of links and images, in each kind of quotes',
      source:
        '# [a](b "one \\"two\\" &amp; {x}") ![c](<d e> \'it is\')\n\n| [f](g (h i)) | "j" |\n|---|---|\n| k | [l](m "1.0") |\n',
      texts: [
        'one "two" «&amp;» «{x}»',
        'it is',
        '«[»a«](b "")» «![»c«](<d e> \'\')»',
        'h i',
        '«[»f«](g ())»',
        '"j"',
        'k',
        '«[»l«](m "1.0")»',
      ],
      written:
        '# [A](b "ONE \\"TWO\\" &amp; {x}") ![C](<d e> \'IT IS\')\n\n| [F](g (H I)) | "J" |\n|---|---|\n| K | [L](m "1.0") |\n',
    },
    {
      name: 'a link by its label keeps the label',
      source: '[One two] and [three][One Two] and [four][] not [five]\n\n[one two]: x\n[four]: y\n',
      texts: ['«[»One two«][One two]» and «[»three«][One Two]» and «[»four«][four]» not [five]'],
      written:
        '[ONE TWO][One two] AND [THREE][One Two] AND [FOUR][four] NOT \\[FIVE\\]\n\n[one two]: x\n[four]: y\n',
    },
    {
      name: 'addresses, tags, comments, entities',
      source:
        'a <https://b.c/d_e_f> https://b.c/_d_/e <b class="x">e</b> <!-- f --> &copy; me@b.com\n',
      texts: [
        'a «<https://b.c/d_e_f>» «https://b.c/_d_/e» «<b class="x">»e«</b>» «<!-- f -->» «&copy;» «me@b.com»',
      ],
      written:
        'A <https://b.c/d_e_f> https://b.c/_d_/e <b class="x">E</b> <!-- f --> &copy; me@b.com\n',
    },
    {
      name: 'escaped marks are marks',
      source: 'a \\*b\\* \\[c\\] \\\\ \\# d\n',
      texts: ['a *b* [c] \\ # d'],
      written: 'A \\*B\\* [C] \\ # D\n',
    },
    {
      name: 'tables',
      source: '| a | b |\n|---|---|\n| one \\| two | `x \\| y` |\n| | *three* |\n',
      texts: ['a', 'b', 'one | two', '«*»three«*»'],
      written: '| A | B |\n|---|---|\n| ONE \\| TWO | `x \\| y` |\n| | *THREE* |\n',
    },
    {
      name: 'a table without bars at its ends, in a quote',
      source: '> a | b\n> --|--\n> one | two\n',
      texts: ['a', 'b', 'one', 'two'],
      written: '> A | B\n> --|--\n> ONE | TWO\n',
    },
    {
      name: 'a link whose text has escaped brackets',
      source: 'a [one \\[two\\] three](d)\n',
      texts: ['a «[»one [two] three«](d)»'],
      written: 'A [ONE [TWO] THREE](d)\n',
    },
    {
      name: 'front matter: some keys are text',
      source: '---\ntitle: One\nslug: two\ntags: [a]\n---\n\nThree\n',
      texts: ['One', 'Three'],
      written: '---\ntitle: ONE\nslug: two\ntags: [a]\n---\n\nTHREE\n',
    },
    {
      name: 'front matter: other keys',
      options: { markdown: { frontMatter: ['slug'] } },
      source: '---\ntitle: One\nslug: two\n---\nThree\n',
      texts: ['two', 'Three'],
      written: '---\ntitle: One\nslug: TWO\n---\nTHREE\n',
    },
    {
      name: 'HTML between paragraphs is HTML',
      source: '<div>\n  <p>One &amp; <b>two</b></p>\n</div>\n\n<script>\nx = "three"\n</script>\n',
      texts: ['One & «<b>»two«</b>»'],
      written: '<div>\n  <p>ONE &amp; <b>TWO</b></p>\n</div>\n\n<script>\nx = "three"\n</script>\n',
    },
    {
      name: 'footnotes and definitions stay apart without a blank line',
      source: '[^1]: One\n[^b]: Two\n  goes on\n\nTerm\n: Three\nfour\n:   Five\n',
      texts: ['«[^1]:» One', '«[^b]:» Two goes on', 'Term', 'Three four', 'Five'],
      written: '[^1]: ONE\n[^b]: TWO GOES ON\n\nTERM\n: THREE FOUR\n:   FIVE\n',
    },
    {
      name: 'code opens behind an escaped backtick, and a backslash in code escapes nothing',
      source: 'a \\``b` c `d\\` e\n',
      texts: ['a `«`b`» c «`d\\`» e'],
      written: 'A \\``b` C `d\\` E\n',
    },
    {
      name: 'footnotes and containers',
      source: 'One[^1]\n\n[^1]: A note here\n\n:::tip Title\nTwo\nthree\n:::\n',
      texts: ['One«[^1]»', '«[^1]:» A note here', 'Title', 'Two three'],
      written: 'ONE[^1]\n\n[^1]: A NOTE HERE\n\n:::tip TITLE\nTWO THREE\n:::\n',
    },
    {
      name: 'CRLF',
      source: '> One\r\n> two  \r\n> three\r\n',
      texts: ['One two«  \r\n> »three'],
      written: '> ONE TWO  \r\n> THREE\r\n',
    },
  ])
})

test.each([
  ['1. first', '1\\. first'],
  ['- a', '\\- a'],
  ['# a', '\\# a'],
  ['> a', '\\> a'],
  ['+ a', '\\+ a'],
  ['a *b* `c` <d> [e](f)', 'a \\*b\\* \\`c\\` \\<d> \\[e\\](f)'],
  ['a ] b', 'a \\] b'],
  ['a [ b', 'a \\[ b'],
  ['a [b] c', 'a [b] c'],
  ['&amp; snake_case _x_', '\\&amp; snake_case \\_x\\_'],
  ['two\n\nparagraphs', 'two paragraphs'],
])('what means more than itself is escaped: %j', (said, written) => {
  expect(answer(markdown, 'x y\n', said)).toBe(`${written}\n`)
})

const has = isThere('pandoc')
test.each([
  ['- x', '\\- x'],
  ['# x', '\\# x'],
  ['> x', '\\> x'],
  ['1. x', '1\\. x'],
])('a heading over a line of signs stays one, whatever it begins with: %s', (said, written) => {
  expect(answer(markdown, 'One\n===\n', said)).toBe(`${written}\n===\n`)
})

test.each([
  ['about C #', 'about C \\#'],
  ['##', '\\##'],
  ['C#', 'C#'],
])('number signs at the end of a heading stay in it: %s', (said, written) => {
  expect(answer(markdown, '# One\n', said)).toBe(`# ${written}\n`)
})

test('a literal string of TOML that cannot hold its translation becomes a basic one', () => {
  expect(answer(markdown, "+++\ntitle = 'one'\n+++\n", 'it\'s "so"')).toBe(
    '+++\ntitle = "it\'s \\"so\\""\n+++\n',
  )
})

judged('pandoc', has, 'pandoc sees the same document, in other words', () => {
  const sample = readFileSync(join(import.meta.dirname, '../samples/guide.md'), 'utf8')
  const made = fc.sample(textGenerators.markdown, { numRuns: 25, seed: 11 })
  for (const source of [sample, ...made.map((text) => text.replace(/\r\n?/g, '\n'))]) {
    const written = textOf(pseudoFile(markdown, bytesOf(source), 'de'))
    expect(pandocTree(written)).toEqual(pandocTree(source))
  }
})

judged('pandoc', has, 'pandoc reads what was said, whatever it is', () => {
  const texts = fc.sample(
    fc.string({ unit: fc.constantFrom(...'ab *_`<>[]()#!&~|\\"1.-+:;{}='), minLength: 1 }),
    {
      numRuns: 150,
      seed: 7,
    },
  )
  const said = texts.map((text) => `${text.trim()}`.replace(/\s+/g, ' ') || 'x')
  const written = answer(markdown, said.map(() => 'x y\n').join('\n'), ...said)
  expect(pandocTree(written, true)).toEqual(said)
})
