/**
 * What a reader copies works: the examples of @dragoman/text compile under the strictest options
 * and print what they say.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as text from '../../packages/text/src/index.ts'
import { buildProgram } from '../build-program.ts'
import { compile, run } from '../packed.ts'
import { documented, textExamples } from './examples.ts'

const root = join(import.meta.dirname, '../..')
const functions = Object.entries(text).flatMap(([name, value]) =>
  typeof value === 'function' && value !== text.FormatError ? [name] : [],
)
const examples = textExamples()

describe('the examples', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-text-examples-'))
  let printed: Map<string, string[]>
  afterAll(() => rmSync(folder, { recursive: true }))
  beforeAll(async () => {
    await buildProgram()
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    cpSync(join(root, 'tests/samples'), join(folder, 'content'), { recursive: true })
    for (const { name, code } of examples) writeFileSync(join(folder, `${name}.ts`), code)
    await compile(folder, {})
    // One process for all: starting one takes longer than what it does.
    const all = examples.map(
      ({ name }) => `console.log('# ${name}')\nawait import('./${name}.js')\n`,
    )
    writeFileSync(join(folder, 'out/all.js'), all.join(''))
    const { stdout, stderr } = await run(process.execPath, ['out/all.js'], { cwd: folder })
    expect(stderr).toBe('')
    const blocks = stdout.split(/^# /m).map((block) => block.trimEnd().split('\n'))
    printed = new Map(blocks.map(([name = '', ...lines]) => [name, lines]))
  })

  test.each(examples)('$name prints what it says', ({ name, prints }) => {
    const lines = printed.get(name) ?? []
    expect(prints.length).toBeGreaterThan(0)
    expect(lines.length).toBeGreaterThanOrEqual(prints.length)
    expect(prints.map((says, at) => says ?? lines[at])).toEqual(lines.slice(0, prints.length))
  })
})

test('every public function has a sentence and an example', () => {
  const known = new Map(documented().map(({ name, comment }) => [name, comment]))
  for (const name of functions) {
    expect([name, known.get(name)]).toEqual([name, expect.stringMatching(/^\/\*\*\n \* [A-Z]/)])
    expect([name, known.get(name)]).toEqual([name, expect.stringContaining(`${name}(`)])
  }
  expect(functions.length).toBeGreaterThan(9)
  expect(examples.filter(({ name }) => name.startsWith('README')).length).toBe(4)
})

test('no public type is without a sentence', () => {
  const bare = documented().filter(({ comment }) => !/[A-Z][^@]*\.\s/.test(comment))
  expect(bare.map(({ name }) => name)).toEqual([])
})
