/** YAML: what is found, what is written, and what python reads in it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { yaml } from '../../packages/text/src/formats/yaml/yaml.ts'
import { answer, bytesOf, holdCases, shout, textOf } from './cases.ts'
import { ask, isThere, judged } from './judge.ts'

describe('cases', () => {
  holdCases(yaml, [
    {
      name: 'a plain text',
      source: 'a: hello there\n',
      texts: ['hello there'],
      written: 'a: HELLO THERE\n',
    },
    {
      name: 'quotes stay',
      source: `a: 'it''s'\nb: "x\\ty"\n`,
      texts: ["it's", 'x\ty'],
      written: `a: 'IT''S'\nb: "X\\tY"\n`,
    },
    {
      name: 'what is no text stays',
      source:
        'a: 12\nb: yes\nc: ~\nd: 2020-01-01\ne: 1e3\nf: 0x1F\ng: on\nh: null\ni:\nj: 12:30:45\nk: .inf\n',
      texts: [],
      written:
        'a: 12\nb: yes\nc: ~\nd: 2020-01-01\ne: 1e3\nf: 0x1F\ng: on\nh: null\ni:\nj: 12:30:45\nk: .inf\n',
    },
    {
      name: 'lists, maps in lists, brackets',
      source: '- one\n- - two\n  - a: three\n- [four, "five", {b: six, c}, d: seven]\n',
      texts: ['one', 'two', 'three', 'four', 'five', 'six', 'seven'],
      written: '- ONE\n- - TWO\n  - a: THREE\n- [FOUR, "FIVE", {b: SIX, c}, d: SEVEN]\n',
    },
    {
      name: 'a block keeps its indentation and its chomping',
      source: 'a: |-\n    one\n      two\n\n    three\n\nb: |+\n  four\n\n\nc: x\n',
      texts: ['one«\n»  two«\n»«\n»three', 'four', 'x'],
      written: 'a: |-\n    ONE\n      TWO\n\n    THREE\n\nb: |+\n  FOUR\n\n\nc: X\n',
    },
    {
      name: 'a folded text is one line a paragraph',
      source: 'a: >\n  one\n  two\n\n  three\nb: y z\n',
      texts: ['one two«\n»three', 'y z'],
      written: 'a: >\n  ONE TWO\n\n  THREE\nb: Y Z\n',
    },
    {
      name: 'a text over several lines is one',
      source: 'a: one\n  two\nb: "three\n  four"\n',
      texts: ['one two', 'three four'],
      written: 'a: ONE TWO\nb: "THREE FOUR"\n',
    },
    {
      name: 'anchors, aliases, merges and tags stay',
      source:
        'a: &x one\nb: *x\nc: &m {d: two}\ne:\n  <<: *m\n  f: !!str 12\n  g: !ruby/symbol sym\n',
      texts: ['one', 'two', '12'],
      written:
        'a: &x ONE\nb: *x\nc: &m {d: TWO}\ne:\n  <<: *m\n  f: !!str 12\n  g: !ruby/symbol sym\n',
    },
    {
      name: 'comments and several documents',
      source: '# a: x\n---\na: one # two\n...\n---\na: three\n',
      texts: ['one', 'three'],
      written: '# a: x\n---\na: ONE # two\n...\n---\na: THREE\n',
    },
    {
      name: 'a locale file gets the key of its target',
      source: '# shop\nen:\n  a: one\n  "no": two\n',
      texts: ['one', 'two'],
      written: '# shop\nde-DE:\n  a: ONE\n  "no": TWO\n',
    },
    {
      name: 'which may need quotes',
      target: 'no',
      source: '---\nen:\n  a: one\n',
      texts: ['one'],
      written: '---\n"no":\n  a: ONE\n',
    },
    {
      name: 'or underscores',
      target: 'pt-BR',
      source: 'en_US:\n  a: one\n',
      texts: ['one'],
      written: 'pt_BR:\n  a: ONE\n',
    },
    {
      name: 'two keys are no locale file, nor is a key that is no language',
      source: 'en:\n  a: one\nde:\n  a: two\n',
      texts: ['one', 'two'],
      written: 'en:\n  a: ONE\nde:\n  a: TWO\n',
    },
    {
      name: 'the order of a date is for Rails',
      source: 'en:\n  date:\n    order:\n      - year\n  a: one\n',
      texts: ['one'],
      written: 'de-DE:\n  date:\n    order:\n      - year\n  a: ONE\n',
    },
    {
      name: 'a word that is no language',
      source: 'zz:\n  a: one\n',
      texts: ['one'],
      written: 'zz:\n  a: ONE\n',
    },
    {
      name: 'a plural gets the forms that the target needs',
      target: 'pl',
      source: 'en:\n  n:\n    one: "%{count} day"\n    other: "%{count} days" # note\n  x: y z\n',
      texts: ['«%{count}» day', '«%{count}» days', 'y z'],
      written:
        'pl:\n  n:\n    one: "%{count} DAY"\n    other: "%{count} DAYS" # note\n    few: "%{count} DAYS"\n    many: "%{count} DAYS"\n  x: Y Z\n',
    },
    {
      name: 'only the keys that are asked for',
      source: 'title: one\nid: two\nmeta:\n  title: three\n',
      options: { yaml: { keys: ['title'] } },
      texts: ['one', 'three'],
      written: 'title: ONE\nid: two\nmeta:\n  title: THREE\n',
    },
    {
      name: 'all but the keys that are not',
      source: 'title: one\nid: two\n',
      options: { yaml: { skipKeys: ['id'] } },
      texts: ['one'],
      written: 'title: ONE\nid: two\n',
    },
  ])
})

test.each([
  ['yes', '"yes"'],
  ['12', '"12"'],
  ['a: b', '"a: b"'],
  ['a #b', '"a #b"'],
  ['- a', '"- a"'],
  ['-a', '-a'],
  ['*a', '"*a"'],
  ["it's", "it's"],
  ['say "hi"', 'say "hi"'],
  ['"hi"', '"\\"hi\\""'],
  ['a\nb', '"a\\nb"'],
  ['@a', '"@a"'],
  ['50%', '50%'],
  ['a:', '"a:"'],
])('the plain text %j is written %s', (said, written) => {
  expect(answer(yaml, 'a: x y\n', said)).toBe(`a: ${written}\n`)
})

test.each([
  ['a: [b', /a bracket is never closed \(line 1\)/],
  ['a: "b', /line 1/],
  ['a: b\nc\n', /a key has no colon \(line 2\)/],
  ['- a\nb: c', /line 2/],
  ['a: @b', /line 1/],
])('%j is refused with a sentence', (source, sentence) => {
  expect(() => yaml.read(bytesOf(source))).toThrow(sentence)
})

test('an alias bomb is as long as it is written', () => {
  const names = Array.from(
    { length: 30 },
    (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]`,
  )
  const source = `a0: &a0 boom here\n${names.join('\n')}\n`
  expect(textOf(shout(yaml, bytesOf(source)))).toBe(source.replace('boom here', 'BOOM HERE'))
})

const program =
  'import sys, json, yaml; json.dump(yaml.safe_load(sys.stdin.buffer.read()), sys.stdout)'
judged(
  'python3 with yaml',
  isThere('python3', '-c', 'import yaml'),
  'python reads what was said, in every style',
  () => {
    const texts = fc
      .sample(fc.string({ unit: 'grapheme', minLength: 1 }), { numRuns: 400, seed: 5 })
      .map((text) => text.trim() || '-')
    const said = [
      ...texts,
      'yes',
      '1:30',
      '=',
      '<<',
      '0o7',
      '- a',
      '? b',
      'a: b',
      'a #c',
      '!x',
      '&a',
      '%a',
      '`',
      'null',
      '~',
      '...',
      '---',
      '1_000',
    ]
    const styles = [
      'x y',
      "'x y'",
      '"x y"',
      '|\n  x y',
      '>\n  x y',
      '|-\n  x y',
      '[x y]',
      '{b: x y}',
      '|\n  x\n\n   z',
    ]
    const source = said.map((_, at) => `k${at}: ${styles[at % styles.length]}\n`).join('')
    const read = JSON.parse(ask('python3', ['-c', program], answer(yaml, source, ...said)))
    const plain = Object.values(read).map((value) => {
      const inner = Array.isArray(value)
        ? value[0]
        : typeof value === 'object' && value
          ? Object.values(value)[0]
          : value
      return typeof inner === 'string' ? inner.trim() : inner
    })
    expect(plain).toEqual(said)
  },
)

judged(
  'python3 with yaml',
  isThere('python3', '-c', 'import yaml'),
  'python reads lines of a block as they were said',
  () => {
    const said = 'one\ntwo\n\n\nthree\n  four\nfive'
    for (const header of ['|', '>', '|-', '>-', '>+']) {
      const written = answer(yaml, `a: ${header}\n   x\n   y\nb: z\n`, said)
      expect(`${header} ${JSON.parse(ask('python3', ['-c', program], written)).a.trim()}`).toBe(
        `${header} ${said}`,
      )
    }
  },
)
