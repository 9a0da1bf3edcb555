import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../tests/draws.ts'
import { digest, find, hasSameMarks, only, pathsOf, place, type Schema } from './index.ts'

const plain = { kind: 'PLAIN' } as const
const rich = (
  form: 'lexical' | 'strapi' | 'gutenberg',
  blocks?: Record<string, Schema>,
): Schema => ({
  kind: 'RICH',
  form,
  ...(blocks && { blocks }),
})
const text = (value: string, format = 0) => ({ type: 'text', text: value, format })
const lexical = (...children: unknown[]) => ({ root: { type: 'root', children } })
const paragraph = (...children: unknown[]) => ({ type: 'paragraph', children })
const link = (url: string, ...children: unknown[]) => ({
  type: 'link',
  id: url,
  fields: { url },
  children,
})
const texts = (value: unknown, schema: Schema) => find(value, schema).map((one) => one.text)
const translate = (value: unknown, schema: Schema, change: (one: string) => string) =>
  place(
    value,
    schema,
    find(value, schema).map((one) => ({ ...one, text: change(one.text) })),
  )

describe('content', () => {
  const schema: Schema = {
    fields: {
      title: { kind: 'PLAIN', note: 'Short', maxLength: 60 },
      'a.b': plain,
      layout: {
        items: {
          by: 'blockType',
          of: { quote: { fields: { label: plain } }, list: { fields: { rows: { items: plain } } } },
        },
      },
    },
  }
  const page = {
    title: 'Hello',
    'a.b': 'Point',
    slug: 'hello',
    layout: [
      { blockType: 'quote', label: 'Said', id: 'x1' },
      { blockType: 'unknown', label: 'Kept' },
      { blockType: 'list', rows: ['One', ' ', 7, 'Two'] },
    ],
  }

  test('texts are found with their paths, kinds and notes, and nothing else', () => {
    expect(find(page, schema)).toEqual([
      { path: 'title', text: 'Hello', kind: 'PLAIN', note: 'Short', maxLength: 60 },
      { path: 'a\\.b', text: 'Point', kind: 'PLAIN' },
      { path: 'layout.0.label', text: 'Said', kind: 'PLAIN' },
      { path: 'layout.2.rows.0', text: 'One', kind: 'PLAIN' },
      { path: 'layout.2.rows.3', text: 'Two', kind: 'PLAIN' },
    ])
  })

  test('only given texts differ in the copy, and the content stays as it was', () => {
    const before = structuredClone(page)
    const placed = place(page, schema, [
      { path: 'layout.2.rows.3', text: 'Zwei' },
      { path: 'nowhere', text: 'x' },
    ])
    expect(page).toEqual(before)
    expect(placed).toEqual({
      ...before,
      layout: [...before.layout.slice(0, 2), { blockType: 'list', rows: ['One', ' ', 7, 'Zwei'] }],
    })
    expect(placed.layout).not.toBe(page.layout)
  })

  test('items with a key have paths that do not change with their order', () => {
    const rows: Schema = { items: { fields: { label: plain } }, key: 'id' }
    const [a, b] = [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ]
    expect(find([a, b], rows).map((one) => one.path)).toEqual(['#a.label', '#b.label'])
    expect(place([b, a], rows, [{ path: '#a.label', text: 'Ä' }])).toEqual([
      b,
      { id: 'a', label: 'Ä' },
    ])
  })

  test.each([
    ['a number', 7],
    ['a list', ['x']],
    ['null', null],
    ['a blank', ' \n'],
    ['nothing', undefined],
  ])('%s where a text should be is no text', (_, title) => {
    const value = { title }
    expect(find(value, schema)).toEqual([])
    expect(place(value, schema, [{ path: 'title', text: 'x' }])).toEqual(value)
  })

  test('names of prototypes name nothing', () => {
    const proto: Schema = { fields: { constructor: plain, toString: plain } }
    expect(find({}, proto)).toEqual([])
    expect(find([{ blockType: 'constructor' }], { items: { by: 'blockType', of: {} } })).toEqual([])
  })

  test('paths of the model choose parts of a schema', () => {
    expect(pathsOf(schema)).toEqual(['title', 'a.b', 'layout.label', 'layout.rows'])
    const chosen = only(schema, ['layout.label'])
    expect(chosen && find(page, chosen).map((one) => one.path)).toEqual(['layout.0.label'])
    expect(only(schema, ['slug'])).toBeUndefined()
    expect(only(schema, ['layout']) && texts(page, only(schema, ['layout']) as Schema)).toEqual([
      'Said',
      'One',
      'Two',
    ])
  })
})

describe('bounds', () => {
  const code = (act: () => unknown): unknown => {
    try {
      return act()
    } catch (error) {
      expect(String(error)).toMatch(/[.]$/)
      return (error as { code: string }).code
    }
  }
  const nested = (levels: number) => {
    let value: unknown = 'deep'
    for (let at = 0; at < levels; at += 1) value = { in: value }
    return value
  }
  const cycle: Record<string, unknown> = { title: 'x' }
  cycle.self = [cycle]
  const list: Schema = { items: plain }
  test.each<[string, unknown, Schema, unknown]>([
    ['256 levels', nested(256), plain, undefined],
    ['257 levels', nested(257), plain, 'TOO_DEEP'],
    ['a cycle', cycle, { fields: { title: plain } }, 'CYCLE'],
    ['__proto__', JSON.parse('{"a":{"__proto__":{"title":"x"}}}'), plain, 'PROTO'],
    ['100,000 texts', Array.from({ length: 100_000 }, () => 'a'), list, undefined],
    ['100,001 texts', Array.from({ length: 100_001 }, () => 'a'), list, 'TOO_MANY_TEXTS'],
    [
      'more than 64 MiB',
      Array.from({ length: 65 }, () => 'a'.repeat(1024 ** 2)),
      list,
      'TOO_LARGE',
    ],
  ])('%s', (_, value, schema, expected) => {
    const found = code(() => {
      find(value, schema)
      place(value, schema, [])
      return undefined
    })
    expect(found).toBe(expected)
  })

  test('the same object twice is no cycle', () => {
    const one = { title: 'x' }
    expect(texts([one, one], { items: { fields: { title: plain } } })).toEqual(['x', 'x'])
  })
})

describe('Lexical', () => {
  const schema = rich('lexical', { note: { fields: { body: plain } } })
  test('a sentence is one text, with its format and links as marks', () => {
    const value = lexical(
      paragraph(text('Hello '), text('bold', 1), text(' and '), link('/a', text('a link'))),
      paragraph(text('Single', 1)),
      paragraph({ type: 'upload', value: 7 }),
      { type: 'list', children: [{ type: 'listitem', children: [text('A < B')] }] },
      { type: 'code', children: [text('let x')] },
      { type: 'block', fields: { blockType: 'note', id: 'n1', body: 'In a block' } },
      paragraph(text('npm i', 16)),
    )
    const found = find(value, schema)
    expect(found.map((one) => one.text.replace(/id="\w+"/g, 'id'))).toEqual([
      'Hello <g id>bold</g> and <g id>a link</g>',
      'Single',
      'A &lt; B',
      'In a block',
    ])
    expect(found.map((one) => one.path)).toEqual([
      'root.children.0.children.0',
      'root.children.1.children.0',
      'root.children.3.children.0.children.0',
      'root.children.5.fields.body',
    ])
    expect(place(value, schema, found)).toEqual(value)
  })

  test('marks find their nodes in any order, and the text is found as it was placed', () => {
    const value = lexical(paragraph(link('/a', text('one')), text(' and '), text('two', 1)))
    const [found] = find(value, schema)
    const [, a, b] =
      /^<g id="(\w+)">one<\/g> and <g id="(\w+)">two<\/g>$/.exec(found?.text ?? '') ?? []
    const turned = `<g id="${b}">zwei</g> und <g id="${a}">eins</g>`
    const placed = place(value, schema, [{ path: found?.path ?? '', text: turned }])
    expect(placed.root.children[0]).toEqual(
      paragraph(
        text('zwei', 1),
        { ...text(' und '), detail: 0, mode: 'normal', style: '', version: 1 },
        link('/a', { ...text('eins'), detail: 0, mode: 'normal', style: '', version: 1 }),
      ),
    )
    expect(find(placed, schema)[0]?.text).toBe(turned)
  })

  test('another link or format leaves the digest as it was, another word does not', () => {
    const of = (url: string, word: string, format: number) =>
      digest(
        texts(lexical(paragraph(text('See '), link(url, text(word, format)))), schema)[0] ?? '',
      )
    expect(of('/a', 'this', 0)).toBe(of('/b', 'this', 1))
    expect(of('/a', 'this', 0)).not.toBe(of('/a', 'that', 0))
  })

  test('a translation with damaged marks loses no node without text', () => {
    const value = lexical(
      paragraph(text('a'), { type: 'linebreak' }, text('b'), { type: 'inlineBlock', fields: {} }),
    )
    const [found] = find(value, schema)
    const placed = place(value, schema, [{ path: found?.path ?? '', text: '<g id="zz">alles' }])
    expect(placed.root.children[0]).toMatchObject(
      paragraph({ text: 'alles' }, { type: 'linebreak' }, { type: 'inlineBlock' }),
    )
    expect(hasSameMarks(found?.text ?? '', '<g id="zz">alles')).toBe(false)
    expect(hasSameMarks('<g id="a">x</g><x id="b"/>', '<x id="b"/><g id="a">y</g>')).toBe(true)
  })
})

test('Strapi: blocks keep the empty texts around their links', () => {
  const value = [
    {
      type: 'paragraph',
      children: [
        { type: 'text', text: '' },
        { type: 'link', url: '/a', children: [{ type: 'text', text: 'Read' }] },
        { type: 'text', text: ' this', bold: true },
      ],
    },
    { type: 'list', children: [{ type: 'list-item', children: [{ type: 'text', text: 'Item' }] }] },
    { type: 'code', children: [{ type: 'text', text: 'x = 1' }] },
    { type: 'image', image: { url: '/i.png' }, children: [{ type: 'text', text: '' }] },
  ]
  const schema = rich('strapi')
  const found = find(value, schema)
  expect(found.map((one) => one.text.replace(/id="\w+"/g, 'id'))).toEqual([
    '<g id>Read</g><g id> this</g>',
    'Item',
  ])
  expect(place(value, schema, found)).toEqual(value)
  const turned = (found[0]?.text ?? '').replace(/(<g .*<\/g>)(<g .*<\/g>)/, '$2$1')
  const placed = place(value, schema, [{ path: found[0]?.path ?? '', text: turned }])
  expect(placed[0]?.children.map((one) => one.type)).toEqual(['text', 'link', 'text'])
})

describe('Gutenberg', () => {
  const schema = rich('gutenberg', { 'acme/box': { fields: { label: plain } } })
  const content = `<!-- wp:paragraph {"align":"left"} -->
<p class="x">Hello <strong>you</strong> &amp; <a href="/a?b=1&amp;c">them</a><br/>again</p>
<!-- /wp:paragraph -->

<!-- wp:image {"id":7} -->
<figure><img src="/i.png" alt="A &quot;cat&quot;"/><figcaption>Cat</figcaption></figure>
<!-- /wp:image -->
<!-- wp:acme/box {"label":"A \\u0022box\\u0022 \\u003cb\\u003e","n":1} -->
<div><!-- wp:code --><pre><code>let <b>x</b></code></pre><!-- /wp:code --><p>[gallery ids="1"] In</p></div>
<!-- /wp:acme/box -->
<!-- wp:block {"ref":12} /-->
<script>no()</script> & < >`
  test('texts, captions, alternative texts and named attributes are found', () => {
    expect(texts(content, schema).map((one) => one.replace(/id="\w+"/g, 'id'))).toEqual([
      'Hello <g id>you</g> &amp; <g id>them</g><x id/>again',
      'A &quot;cat&quot;',
      'Cat',
      'A "box" <b>',
      '<x id/> In',
      '<x id/> & < >',
    ])
  })

  test('what is not translated stays byte for byte, and what is translated stands in its place', () => {
    expect(place(content, schema, find(content, schema))).toBe(content)
    const placed = translate(content, schema, (one) =>
      one.replace('Hello', 'Hallo').replace('A "box"', 'Eine -- "Box" &'),
    )
    expect(placed).toBe(
      content
        .replace('Hello', 'Hallo')
        .replace('A \\u0022box\\u0022', 'Eine \\u002d\\u002d \\u0022Box\\u0022 \\u0026'),
    )
  })

  test.each([
    ['unclosed comments', '<!-- '.repeat(50_000)],
    ['unclosed tags', '<a b="'.repeat(50_000)],
    ['unclosed brackets', '[a '.repeat(50_000)],
    ['closing blocks', '<!-- /wp:a -->'.repeat(10_000)],
  ])('%s end soon and stay as they are', (_, hostile) => {
    expect(place(hostile, schema, find(hostile, schema))).toBe(hostile)
  })
})

/** Content and its schema, grown together. */
const word = fc.constantFrom('One', 'two & three', '<b>', 'ü', ' ', '', 'x'.repeat(50))
const leafOf = fc.oneof(
  word.map((value): [unknown, Schema] => [value, plain]),
  fc
    .oneof(fc.integer(), fc.constant(null), fc.boolean())
    .map((value): [unknown, Schema] => [value, plain]),
  fc
    .array(fc.record({ text: word, format: fc.constantFrom(0, 1, 2, 16) }), { maxLength: 4 })
    .map((nodes): [unknown, Schema] => [
      lexical(
        paragraph(...nodes.map((one) => text(one.text, one.format))),
        paragraph(link('/x', ...nodes.map((one) => text(one.text, one.format))), {
          type: 'linebreak',
        }),
      ),
      rich('lexical'),
    ]),
)
const grown: fc.Arbitrary<[unknown, Schema]> = fc.letrec<{ one: [unknown, Schema] }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    leafOf,
    fc
      .dictionary(fc.constantFrom('a', 'b.c', '', 'id', 'constructor'), tie('one'), { maxKeys: 4 })
      .map((members): [unknown, Schema] => [
        {
          ...Object.fromEntries(Object.entries(members).map(([name, [value]]) => [name, value])),
          order: 3,
        },
        {
          fields: Object.fromEntries(Object.entries(members).map(([name, [, one]]) => [name, one])),
        },
      ]),
    fc
      .tuple(tie('one'), fc.nat(3))
      .map(([[value, schema], many]): [unknown, Schema] => [
        Array(many).fill(value),
        { items: schema },
      ]),
  ),
})).one

test('place of what find gave is the same content, and translated content has the given texts', () => {
  fc.assert(
    fc.property(grown, ([value, schema]) => {
      const before = JSON.stringify(value)
      const found = find(value, schema)
      expect(new Set(found.map((one) => one.path)).size).toBe(found.length)
      expect(place(value, schema, found)).toEqual(value)
      const wanted = found.map((one) => ({ ...one, text: `${one.text} +` }))
      expect(texts(place(value, schema, wanted), schema)).toEqual(wanted.map((one) => one.text))
      expect(JSON.stringify(value)).toBe(before)
    }),
    { numRuns: draws(2_000), seed: 45 },
  )
})
