/**
 * Reading and writing in one pass gives what reading all and writing then gives, and never holds
 * all segments.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findFormat } from '../../packages/text/src/formats/find-format.ts'
import { FormatError } from '../../packages/text/src/formats/format-error.ts'
import type { Part } from '../../packages/text/src/placeholders/part.ts'
import { bytesOf, textOf } from './cases.ts'

const samples = new URL('../samples/', import.meta.url)
const louder = (parts: readonly Part[]): Part[] =>
  parts.map((part) =>
    part.type === 'text' ? { type: 'text', text: `${part.text.toUpperCase()}!` } : part,
  )

function inTwoSteps(fileName: string, bytes: Uint8Array, targetLanguage: string): Uint8Array {
  const format = findFormat(fileName, bytes)
  if (!format) throw new Error(`No format for ${fileName}.`)
  const options = { targetLanguage }
  const segments = format.read(bytes, options).filter(({ held }) => !held)
  const translations = new Map(segments.map(({ id, parts }) => [id, louder(parts)]))
  return format.write(bytes, translations, options, options)
}

function inOnePass(fileName: string, bytes: Uint8Array, targetLanguage: string): Uint8Array {
  const format = findFormat(fileName, bytes)
  if (!format) throw new Error(`No format for ${fileName}.`)
  const options = { targetLanguage }
  return format.rewrite(
    bytes,
    ({ parts, held }) => (held ? undefined : louder(parts)),
    options,
    options,
  ).bytes
}

describe('one pass writes what two steps write', () =>
  test.each(readdirSync(samples))('%s', (fileName) => {
    const bytes = readFileSync(new URL(fileName, samples))
    for (const language of ['de-DE', 'pl', 'ja'])
      expect(textOf(inOnePass(fileName, bytes, language))).toBe(
        textOf(inTwoSteps(fileName, bytes, language)),
      )
  }))

test.each([
  ['forms after other', 'en:\n  a:\n    other: many\n    one: one\n    few: few\n  b: text\n'],
  [
    'a plural beside keys',
    'en:\n  a:\n    one: x\n    sub:\n      one: y\n      other: ys\n    other: xs\n',
  ],
  [
    'what only the library reads, at the end',
    'en:\n  a:\n    one: x\n    other: xs\n  b: !!str 12\n',
  ],
])('YAML: %s', (_, text) => {
  expect(textOf(inOnePass('a.yml', bytesOf(text), 'pl'))).toBe(
    textOf(inTwoSteps('a.yml', bytesOf(text), 'pl')),
  )
})

/** Each ends with what cannot be read, behind three texts. */
const broken: Readonly<Record<string, string>> = {
  'a.po':
    'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "one"\nmsgstr ""\n\nmsgid "two"\nmsgstr ""\n\nmsgid "three"\nmsgstr ""\n\nmsgid "four"\nmsgstr "\n',
  'a.strings': '"a" = "one";\n"b" = "two";\n"c" = "three";\n"d" = "four\n',
  'a.csv': 'id,name\n1,one\n2,two\n3,three\n4,"four\n',
}

test.each(Object.entries(broken))(
  '%s: each text is translated before the next is looked for',
  (fileName, text) => {
    const bytes = bytesOf(text)
    const said: string[] = []
    const translate = ({ parts }: { parts: readonly Part[] }) => {
      said.push(parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join(''))
      return undefined
    }
    expect(() =>
      findFormat(fileName, bytes)?.rewrite(bytes, translate, { targetLanguage: 'de' }),
    ).toThrow(FormatError)
    expect(said).toEqual(['one', 'two', 'three'])
  },
)
