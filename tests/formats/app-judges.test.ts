/**
 * Programs that are not ours read what was written: xmllint, and Python's plistlib, expat, json,
 * html.parser and srt.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findFormat } from '../../packages/text/src/formats/find-format.ts'
import { pseudoFile } from '../../packages/text/src/pseudo/pseudo-text.ts'
import { generators } from './generators.ts'
import { ask, isThere, judged, python } from './judge.ts'
import { bytesOf, formatOf } from './laws.ts'
import { judges } from './real-judges.ts'

const samples = join(import.meta.dirname, '../samples')
const inXml = [
  'android',
  'resx',
  'stringsdict',
  'apple-plist',
  'qt-ts',
  'xliff-1.2',
  'xliff-2',
  'xml',
  'key-value',
] as const
const languages = ['de-DE', 'ru-RU', 'ar-SA', 'ja-JP']

/**
 * The sample of a format and a few generated files, each translated to a language with other plural
 * forms.
 */
function writtenOf(id: keyof typeof generators): { source: Uint8Array; written: Uint8Array }[] {
  const ofSamples = readdirSync(samples)
    .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(samples, name))) }))
    .filter(({ name, bytes }) => findFormat(name, bytes)?.id === id)
    .map(({ bytes }) => bytes)
  const files = [...ofSamples, ...fc.sample(generators[id], { numRuns: 12, seed: 7 }).map(bytesOf)]
  return files.map((source, at) => ({
    source,
    written: pseudoFile(formatOf(id), source, languages[at % 4] ?? 'de-DE'),
  }))
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const readBoth = (
  read: string,
  pairs: readonly { source: Uint8Array; written: Uint8Array }[],
): unknown =>
  JSON.parse(
    ask(
      'python3',
      [
        '-c',
        `import sys, json, base64, plistlib, xml.etree.ElementTree as tree
def read(raw):
    ${read}
print(json.dumps([[read(base64.b64decode(one)), read(base64.b64decode(other))] for one, other in json.load(sys.stdin)]))`,
      ],
      JSON.stringify(pairs.map(({ source, written }) => [base64(source), base64(written)])),
    ),
  )

describe.each(inXml)('%s', (id) => {
  judged('xmllint', isThere('xmllint'), `${id} is well-formed to xmllint`, () => {
    for (const { written } of writtenOf(id)) ask('xmllint', ['--noout', '--nonet', '-'], written)
  })

  judged('python3', isThere('python3'), `${id} is well-formed to expat, with the same root`, () => {
    for (const [one, other] of readBoth('return tree.fromstring(raw).tag', writtenOf(id)) as [
      string,
      string,
    ][])
      expect(other).toBe(one)
  })
})

const shape = `def shape(v):
        if isinstance(v, dict): return {k: shape(w) for k, w in v.items() if k not in ('zero', 'two', 'few', 'many')}
        return [shape(w) for w in v] if isinstance(v, list) else type(v).__name__
    return shape(plistlib.loads(raw))`

describe.each(['stringsdict', 'apple-plist'] as const)('%s', (id) => {
  judged('python3', isThere('python3'), `${id} has the same keys to plistlib`, () => {
    for (const [one, other] of readBoth(shape, writtenOf(id)) as [unknown, unknown][])
      expect(other).toEqual(one)
  })
})

describe.each(['arb', 'xcstrings', 'json'] as const)('%s', (id) => {
  test('is JSON to another parser', () => {
    for (const { written } of writtenOf(id))
      expect(() => JSON.parse(new TextDecoder().decode(written))).not.toThrow()
  })
})

judged(
  'python3',
  isThere('python3'),
  'html has the same tags and attributes to html.parser',
  () => {
    const pairs = writtenOf('html').map((pair, at) => ({ ...pair, path: String(at) }))
    expect(judges.html(pairs)).toEqual([])
  },
)

judged(
  'python3-srt',
  isThere(python, '-c', 'import srt'),
  'srt has the same cues at the same times to python3-srt',
  () => {
    const pairs = writtenOf('srt').map((pair, at) => ({ ...pair, path: String(at) }))
    expect(judges.srt(pairs)).toEqual([])
    const source = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello\n')
    const written = Buffer.from('1\n00:00:01,000 --> 00:00:03,000\nHello\n')
    expect(judges.srt([{ path: 'another time', source, written }])).toEqual(['another time'])
  },
)
