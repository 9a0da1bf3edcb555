/**
 * `npm create dragoman-connector`: the files that it writes, and what it refuses.
 * tests/packages.test.ts uses the project.
 */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const create = join(root, 'packages/create-dragoman-connector/bin/create.js')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-kit-'))
const made = join(folder, 'my-connector')
const exec = promisify(execFile)
const run = (args: readonly string[], cwd = folder) =>
  exec(process.execPath, args, { cwd, env: { PATH: process.env.PATH } }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout,
      err: error.stderr,
    }),
  )
const manifest = (path: string) =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, string>>

beforeAll(async () => {
  const { code, out } = await run([create, 'my-connector'])
  expect(code, out).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the project has a file for each duty, and the versions of our packages', () => {
  const duties = ['read-content', 'receive-deliveries', 'remember-sent', 'write-translations']
  expect(readdirSync(join(made, 'src')).sort()).toEqual(
    ['main', 'round', ...duties].map((name) => `${name}.ts`).sort(),
  )
  expect(readdirSync(made).sort()).toEqual(
    [
      '.gitignore',
      'README.md',
      'certify.mjs',
      'package.json',
      'src',
      'test',
      'tsconfig.json',
    ].sort(),
  )
  const { name, dependencies, devDependencies } = manifest(join(made, 'package.json'))
  const versionOf = (path: string) => manifest(join(root, path, 'package.json')).version
  expect(name).toBe('my-connector')
  expect(dependencies).toEqual({ '@dragoman/sdk': versionOf('packages/sdk') })
  expect(devDependencies).toEqual({
    '@types/node': versionOf('node_modules/@types/node'),
    dragoman: versionOf('packages/cli'),
    typescript: versionOf('node_modules/typescript'),
  })
  expect(
    manifest(join(root, 'packages/create-dragoman-connector/package.json')),
  ).not.toHaveProperty('dependencies')
  expect(readFileSync(join(made, 'src/remember-sent.ts'), 'utf8')).toContain("name: 'my-connector'")
})

test('a folder with files, or a name that npm refuses, is refused and nothing is written', async () => {
  const full = join(folder, 'full')
  mkdirSync(full)
  writeFileSync(join(full, 'mine.txt'), 'mine')
  const refused = await run([create, 'full'])
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('is not an empty folder; nothing was written.'),
  ])
  expect(readdirSync(full)).toEqual(['mine.txt'])
  const named = await run([create, 'new', '--name', 'No Name'])
  expect([named.code, named.err]).toEqual([
    2,
    expect.stringContaining('cannot be the name of a package'),
  ])
  expect(existsSync(join(folder, 'new'))).toBe(false)
  expect((await run([create])).code).toBe(2)
  expect((await run([create, 'a', '--fast'])).err).toContain("Unknown option '--fast'")
  expect((await run([create, '--help'])).out).toContain(
    'Usage: npm create dragoman-connector FOLDER',
  )
})
