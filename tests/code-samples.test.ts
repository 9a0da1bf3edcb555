/**
 * The sample calls of the reference: every body and answer is valid by its own schema, and the code
 * of every language is code. tests/code-samples-run.test.ts runs them.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Endpoint, endpointNames, endpoints, page, Type } from '@dragoman/contract'
import {
  type CodeLanguage,
  codeFor,
  codeLanguages,
  otherCalls,
  type SampleName,
  sampleCall,
  sampleIds,
  sampleOf,
} from '@dragoman/docs/reference'
import type { TSchema } from 'typebox'
import { afterAll, describe, expect, it } from 'vitest'
import { bodyCheck, queryCheck } from '../packages/server/src/validation/validate.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const names: readonly SampleName[] = [...endpointNames, ...otherCalls]
const options = { baseUrl: 'http://127.0.0.1:8080' }
const codeOf = (language: CodeLanguage, name: SampleName) =>
  codeFor(language, sampleCall(name), options)
const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined

const folders: string[] = []
const folderIn = (parent: string): string => {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'samples-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('a sample call', () => {
  it.each(endpointNames)('%s is valid by its own schemas', (name) => {
    const endpoint: Endpoint = endpoints[name]
    const { path, params, query, body, answer, status, downloads } = sampleCall(name)
    expect(path).not.toMatch(/[{}]|undefined/)
    if (endpoint.params) expect(queryCheck(endpoint.params)({ ...params })).toEqual(params)
    expect(Object.keys(query).filter((one) => !(one in propertiesOf(endpoint.query)))).toEqual([])
    if (endpoint.query) queryCheck(endpoint.query)({ ...query })
    expect(body === undefined).toBe(endpoint.body === undefined)
    if (endpoint.body) bodyCheck(endpoint.body)(structuredClone(body))
    if (endpoint.redirects)
      expect([status, answer, downloads]).toEqual([307, undefined, expect.any(String)])
    else if (endpoint.gives)
      expect([status, answer, downloads]).toEqual([200, undefined, expect.any(String)])
    else {
      const schema = endpoint.collection
        ? page(endpoint.collection, endpoint.answers)
        : endpoint.answers
      bodyCheck(schema)(structuredClone(answer))
      expect(JSON.stringify(answer)).not.toMatch(/"(text)?"[,}\]]/)
    }
  })

  it('is the same every time, and shows ids that no two things share', () => {
    for (const name of names) expect(sampleCall(name)).toEqual(sampleCall(name))
    expect(new Set(Object.values(sampleIds)).size).toBe(Object.keys(sampleIds).length)
  })

  it('shows what a schema says itself before anything else', () => {
    expect(sampleOf(Type.String({ examples: ['a'], default: 'b' }))).toBe('a')
    expect(sampleOf(Type.Integer({ default: 7 }))).toBe(7)
    expect(sampleOf(Type.String({ format: 'uuid' }))).toMatch(/^[\da-f-]{36}$/)
    expect(sampleOf(Type.String({ pattern: '^[A-Z]{3}$' }))).toBe('EUR')
    expect(sampleOf(Type.Enum(['x', 'y']))).toBe('x')
  })
})

const propertiesOf = (schema: TSchema | undefined): object =>
  (schema as { properties?: object } | undefined)?.properties ?? {}

describe('the code of a sample', () => {
  it('writes the token that it is given, and otherwise reads one from the environment', () => {
    for (const language of codeLanguages.filter((one) => one !== 'sdk')) {
      expect(codeFor(language, sampleCall('findJob'), { ...options, token: 'eyJ0' })).toContain(
        'Bearer eyJ0'.slice(language === 'csharp' ? 7 : 0),
      )
      expect(codeOf(language, 'findJob')).toMatch(/TOKEN/)
    }
  })

  it('keeps an address, a token and a text inside their quotes', () => {
    const call = { ...sampleCall('createJob'), body: { jobName: `'"\\$(id)\`id\`{$x}` } }
    const given = { baseUrl: 'http://127.0.0.1:8080', token: `'"$(id)` }
    const shell = codeFor('curl', call, given).replace(/^curl/, 'printf "%s\\n"')
    const { stdout } = spawnSync('sh', ['-c', shell], { encoding: 'utf8' })
    expect(stdout).toContain(`Authorization: Bearer '"$(id)`)
    expect(stdout).toContain(JSON.stringify(call.body.jobName))
  })

  it('is a script for a POSIX shell', () => {
    for (const name of names) {
      const { status, stderr } = spawnSync('sh', ['-n'], {
        input: codeOf('curl', name),
        encoding: 'utf8',
      })
      expect([name, status, stderr]).toEqual([name, 0, ''])
    }
  })

  it('is Python', async (test) => {
    test.skip(!isThere('python3'), 'there is no python3 on this machine')
    const program =
      'import ast, json, sys\nfor name, code in json.load(sys.stdin).items(): ast.parse(code, name)'
    expect(
      spawnSync('python3', ['-c', program], { input: allOf('python'), encoding: 'utf8' }).stderr,
    ).toBe('')
  })

  it('is PHP', async (test) => {
    test.skip(!isThere('php'), 'there is no php on this machine')
    const program = `foreach (json_decode(stream_get_contents(STDIN), true) as $name => $code)
      try { token_get_all($code, TOKEN_PARSE); } catch (ParseError $e) { echo "$name: {$e->getMessage()}\\n"; }`
    expect(
      spawnSync('php', ['-r', program], { input: allOf('php'), encoding: 'utf8' }).stdout,
    ).toBe('')
  })

  it('is Java', async (test) => {
    test.skip(!isThere('javac'), 'there is no javac on this machine')
    const folder = folderIn(tmpdir())
    const files = names.map((name) => {
      const code = codeOf('java', name)
      const path = join(folder, `${/public class (\w+)/.exec(code)?.[1]}.java`)
      writeFileSync(path, code)
      return path
    })
    await run('javac', ['-proc:none', '-Xlint:all', '-Werror', '-d', join(folder, 'out'), ...files])
  })

  it('is TypeScript that the SDK accepts', async () => {
    const folder = folderIn(join(root, '.build'))
    for (const name of names) writeFileSync(join(folder, `${name}.ts`), codeOf('sdk', name))
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.asynciterable'],
      strict: true,
      exactOptionalPropertyTypes: true,
      types: ['node'],
      skipLibCheck: true,
      noEmit: true,
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    )
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
  })
})

const allOf = (language: CodeLanguage): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, codeOf(language, name)])))
