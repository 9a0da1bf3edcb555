/**
 * Every fenced block of the README and of docs/: a language that we know, and text that its
 * language can read. doc-commands.test.ts runs the shell blocks, other tests the marked ones (`sh
 * tour`, `sh day`, `ts connector`, …).
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '..')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

type Block = {
  readonly page: string
  readonly line: number
  readonly kind: string
  readonly text: string
}

const blocks: readonly Block[] = pages.flatMap((page) => {
  const all = readFileSync(join(root, page), 'utf8')
  return [...all.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: info = '', 2: text = '', index }) => ({
      page,
      line: all.slice(0, index).split('\n').length,
      kind: info.split(' ')[0] ?? '',
      text,
    }),
  )
})

const isJson = (text: string): string => {
  JSON.parse(text)
  return ''
}
/** Returns what is wrong. */
const readers: Readonly<Record<string, (text: string) => string>> = {
  sh: (text) => spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' }).stderr,
  json: isJson,
  yaml: (text) =>
    parseAllDocuments(text)
      .flatMap((one) => ('errors' in one ? one.errors : []))
      .join('\n'),
}
/** Languages without a reader here, and why. */
const unread: Readonly<Record<string, string>> = {
  mermaid: 'a diagram that npm run generate makes from the tables',
  text: 'what a command prints, or lines of a configuration',
  nginx: 'tests/recipes.test.ts runs it in nginx',
  ts: 'tests/packages.test.ts compiles and runs them',
  js: 'examples/ holds the same test of a connector, which tests/packages.test.ts runs',
  csv: 'an example of an export',
  xml: 'an example of an envelope',
  php: 'tests/soap runs the same calls',
  python: 'tests of other languages run them',
  java: 'tests of other languages run them',
  csharp: 'there is no .NET where we test',
}

test('every block of the pages has a language, and reads as it', () => {
  expect(blocks.length).toBeGreaterThan(50)
  const wrong = blocks.flatMap(({ page, line, kind, text }) => {
    const reader = readers[kind]
    if (!reader)
      return unread[kind] === undefined
        ? [`${page}:${line} has the unknown language "${kind}"`]
        : []
    try {
      const said = reader(text)
      return said === '' ? [] : [`${page}:${line} ${said}`]
    } catch (error) {
      return [`${page}:${line} ${String(error)}`]
    }
  })
  expect(wrong).toEqual([])
})
