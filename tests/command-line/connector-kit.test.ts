/**
 * `npm create dragoman-connector`: the project that it makes, in an empty folder outside the repository, with our built packages
 * linked into it. It compiles, its own test passes, and so does its certification.
 */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
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
const manifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, string>>

beforeAll(async () => {
  await exec(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', 'packages/cli'], { cwd: root })
  const { code, out } = await run([create, 'my-connector'])
  expect(code, out).toBe(0)
  mkdirSync(join(made, 'node_modules/@dragoman'), { recursive: true })
  mkdirSync(join(made, 'node_modules/@types'))
  symlinkSync(join(root, 'packages/sdk'), join(made, 'node_modules/@dragoman/sdk'))
  symlinkSync(join(root, 'packages/cli'), join(made, 'node_modules/dragoman'))
  symlinkSync(join(root, 'node_modules/@types/node'), join(made, 'node_modules/@types/node'))
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the project has a file for each duty, and the versions of our packages', () => {
  const duties = ['read-content', 'receive-deliveries', 'remember-sent', 'write-translations']
  expect(readdirSync(join(made, 'src')).sort()).toEqual(['main', 'round', ...duties].map((name) => `${name}.ts`).sort())
  const written = readdirSync(made).filter((name) => name !== 'node_modules')
  expect(written.sort()).toEqual(
    ['.gitignore', 'README.md', 'certify.mjs', 'package.json', 'src', 'test', 'tsconfig.json'].sort(),
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
  expect(manifest(join(root, 'packages/create-dragoman-connector/package.json'))).not.toHaveProperty('dependencies')
  expect(readFileSync(join(made, 'src/remember-sent.ts'), 'utf8')).toContain("name: 'my-connector'")
})

test('it compiles, its test passes, and it is certified', { timeout: 300_000 }, async () => {
  const compiled = await run([join(root, 'node_modules/typescript/bin/tsc'), '-p', made])
  expect(compiled).toEqual({ code: 0, out: '', err: '' })
  const tested = await run(['--test', 'dist/test/round.test.js'], made)
  expect(tested.code, tested.out).toBe(0)
  expect(tested.out).toMatch(/pass 2\b/)
  const certified = await run(['certify.mjs', '--scenario', 'unavailable', '--scenario', 'provider-cancels-one'], made)
  expect(certified.code, certified.out + certified.err).toBe(0)
  expect(certified.out).toMatch(/^Certified: .* 0 broken/m)
  expect(readFileSync(join(made, 'badge.svg'), 'utf8')).toContain('certified 20')
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
  expect([named.code, named.err]).toEqual([2, expect.stringContaining('cannot be the name of a package')])
  expect(existsSync(join(folder, 'new'))).toBe(false)
  expect((await run([create])).code).toBe(2)
  expect((await run([create, 'a', '--fast'])).err).toContain("Unknown option '--fast'")
  expect((await run([create, '--help'])).out).toContain('Usage: npm create dragoman-connector FOLDER')
})
