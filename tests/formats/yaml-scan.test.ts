/** The quick scanner of YAML finds what the library finds, or leaves the file to it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanYaml as eachScalar } from '../../packages/text/src/formats/yaml/yaml-scan.ts'
import { type Scalar, walkYaml } from '../../packages/text/src/formats/yaml/yaml-walk.ts'
import { realFiles } from './real-files.ts'
import { textGenerators } from './text-generators.ts'

/** What the scanner finds; undefined if it gives up. */
function scanYaml(text: string): Scalar[] | undefined {
  const found: Scalar[] = []
  for (const scalar of eachScalar(text)) {
    if (!scalar) return undefined
    found.push(scalar)
  }
  return found
}

/** What of a scalar counts: the blank lines behind a block do not. */
const shown = (text: string) => (scalar: Scalar) => ({
  ...scalar,
  end: text.slice(0, scalar.end).trimEnd().length,
  value: scalar.value.trim(),
})

function byLibrary(text: string): unknown[] | string {
  const found: unknown[] = []
  try {
    walkYaml(text, (scalar, document) => found.push({ ...shown(text)(scalar), document }))
    return found
  } catch (error) {
    return String(error)
  }
}

/** Whether the scanner read it. */
function agrees(text: string): boolean {
  const scanned = scanYaml(text)
  if (!scanned) return false
  expect({ text, found: scanned.map((one) => ({ ...shown(text)(one), document: 0 })) }).toEqual({
    text,
    found: byLibrary(text),
  })
  return true
}

describe('reads itself', () =>
  test.each([
    'a: hello there\n',
    '# only a comment\n',
    'en:\n  a: one\n  "b c": two\n  \'d\': three # four\n  e:\n',
    "a: \"x\\ty\" # note\nb: 'it''s'\nc : d\n",
    'list:\n- one\n- two: three\n  four: five\nmore:\n  - six\n  -\n    seven: eight\n',
    'a: |\n  one\n    two\n\n  three\n\nb: >-\n  four\n  five\nc: |+\n  six\n\n',
    'a: one\n  two\n\n  three\nb: "four\n  five"\n',
    'a: &x one\nb: *x\nc: &y\n  d: e\n',
    'a: [b, "c d", {e: f}]\nb: {}\nc: [] # none\n',
    'a: one\r\nb: |\r\n  two\r\n  three\r\nc: d\r\n',
    '---\na: http://x.y/#z\nb: a#b\nc: -1\nd: :sym\n',
    'a:\n    b:\n        c: d\n    e: f\n',
    'a: >\n  one\n    deeper\n\n    still\n  two\n\n\n  three\n   \n  four\nb: |\n\n  x\n   y\n \n  z\n\n',
    'a: [one two, "three", \'four\', 12, Größe ] # note\nb:\n  - [x]\n  - [a, -b, c: d]\n',
  ])('%j', (text) => expect(agrees(text)).toBe(true)))

describe('leaves to the library', () =>
  test.each([
    'a: !!str 12\n',
    '? a\n: b\n',
    'a: b\n---\na: c\n',
    'a:\tb\n',
    'a: b: c\n',
    'a: |2\n   b\n',
    'a: [b,\n  c]\n',
    '- - a\n',
    'a\n',
    'a:\n  b: c\n d: e\n',
    'a: "b\nc: d\n',
    'a: "b" c\n',
    'a: b\rc: d\r',
    'a: b\n  - c\n',
    '"a\\"b": c\n',
    'a: @b\n',
  ])('%j', (text) => expect(scanYaml(text)).toBeUndefined()))

test('agrees with the library on what is generated, and on what small changes make of it', () => {
  let [read, all] = [0, 0]
  const odd = fc.constantFrom(
    ' ',
    '  ',
    '\n',
    ':',
    ': ',
    '#',
    ' #',
    '-',
    '- ',
    '"',
    "'",
    '|',
    '>',
    '[',
    '{',
    '&a ',
    '*a',
    '\t',
    '!',
    '',
  )
  const change = fc.record({ at: fc.nat(), cut: fc.nat({ max: 3 }), put: odd })
  fc.assert(
    fc.property(textGenerators.yaml, fc.array(change, { maxLength: 3 }), (source, changes) => {
      const text = changes.reduce((now, { at, cut, put }) => {
        const place = at % (now.length + 1)
        return now.slice(0, place) + put + now.slice(place + cut)
      }, source)
      all += 1
      if (agrees(text)) read += 1
    }),
    { numRuns: 1_500, seed: 11 },
  )
  expect(read).toBeGreaterThan(all / 5)
})

test('agrees with the library on real files, and reads most of them', () => {
  const files = realFiles(['yml', 'yaml'], 100, () => true)
  const read = files.filter(({ bytes }) => agrees(new TextDecoder().decode(bytes)))
  if (files.length > 50) expect(read.length).toBeGreaterThan(files.length / 2)
})
