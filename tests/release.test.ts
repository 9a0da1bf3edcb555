/**
 * `npm run release`, in a clone that has what is built here: what it makes, what it refuses, and
 * that a dry run leaves no trace.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
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
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { isThere } from './formats/judge.ts'

const root = join(import.meta.dirname, '..')
let clone: string
let start: string

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: clone }).toString().trim()
const read = (path: string): string => readFileSync(join(clone, path), 'utf8')
const release = (...args: string[]) =>
  spawnSync(process.execPath, [join(clone, 'scripts/release.mjs'), '--built', ...args], {
    encoding: 'utf8',
  })

const hasGit = isThere('git')
if (!hasGit) process.stderr.write('SKIPPED: releases, because git is not installed\n')

beforeAll(() => {
  if (!hasGit) return
  clone = join(mkdtempSync(join(tmpdir(), 'dragoman-release-')), 'clone')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
  // What this checkout has beyond its last commit counts too.
  const changed = execFileSync('git', ['ls-files', '-m', '-o', '--exclude-standard'], {
    cwd: root,
  }).toString()
  for (const path of changed.split('\n').filter((one) => one !== '' && existsSync(join(root, one))))
    cpSync(join(root, path), join(clone, path))
  git('config', 'user.name', 'A releaser')
  git('config', 'user.email', 'releaser@example.org')
  if (!/^## Unreleased\n+[-A-Za-z]/m.test(read('CHANGELOG.md')))
    writeFileSync(
      join(clone, 'CHANGELOG.md'),
      read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- New.\n'),
    )
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '-m', 'As it is here')
  start = git('rev-parse', 'HEAD')
  for (const name of readdirSync(join(root, 'packages'))) {
    const dist = join('packages', name, 'dist')
    if (existsSync(join(root, dist)))
      cpSync(join(root, dist), join(clone, dist), { recursive: true })
  }
  mkdirSync(join(clone, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!/dragoman/.test(name))
      symlinkSync(join(root, 'node_modules', name), join(clone, 'node_modules', name))
})
beforeEach(() => {
  if (!hasGit) return
  git('reset', '--quiet', '--hard', start)
})
afterAll(() => {
  if (hasGit) rmSync(join(clone, '..'), { recursive: true, force: true })
})

it.skipIf(!hasGit).each([
  ['no version', [], 'Usage: npm run release'],
  ['a version that is none', ['next'], 'Usage: npm run release'],
  ['a lower version', ['0.0.9'], '0.0.9 is not higher than'],
  ['the version that is there', ['0.1.0'], '0.1.0 is not higher than'],
])('refuses %s', (_, args, why) => {
  expect(release(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(why) })
  expect(git('status', '--porcelain')).toBe('')
})

it.skipIf(!hasGit)('refuses a tree with changes, and a changelog without news', () => {
  appendFileSync(join(clone, 'README.md'), 'x')
  expect(release('9.0.0')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/Commit or remove .*\n M README.md/),
  })
  const told = read('CHANGELOG.md').replace(
    /^## Unreleased\n[\s\S]*?(?=^## |$(?![\s\S]))/m,
    '## Unreleased\n\n',
  )
  git('checkout', 'README.md')
  writeFileSync(join(clone, 'CHANGELOG.md'), told)
  git('commit', '--quiet', '-am', 'Nothing new')
  expect(release('9.0.0')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('nothing under "## Unreleased"'),
  })
  expect(git('tag', '--list')).toBe(git('tag', '--list', '--merged', start))
})

it.skipIf(!hasGit)(
  'makes versions, changelog, tarballs, checksums, SBOM, commit and tag, and keeps its API; the same bytes twice',
  () => {
    const made = (): Record<string, string> => {
      const folder = join(clone, '.build/release/9.0.0')
      const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n')
      expect(readdirSync(folder)).toHaveLength(sums.length + 1)
      return Object.fromEntries(
        sums.map((line) => {
          const [sum = '', name = ''] = line.split('  ')
          const bytes = readFileSync(join(folder, name))
          expect([name, createHash('sha256').update(bytes).digest('hex')]).toEqual([name, sum])
          return [name, sum]
        }),
      )
    }
    const dry = release('9.0.0', '--dry-run', '--date', '2031-02-03')
    expect(dry).toMatchObject({ status: 0, stderr: '' })
    expect([git('status', '--porcelain'), git('rev-parse', 'HEAD')]).toEqual(['', start])
    const first = made()

    // Neither the umask nor the time of the files counts.
    const umask = process.umask(0o077)
    const done = release('9.0.0', '--date', '2031-02-03')
    process.umask(umask)
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(made()).toEqual(first)
    expect(Object.keys(first)).toEqual(
      expect.arrayContaining(['dragoman-9.0.0.tgz', 'dragoman-sdk-9.0.0.tgz', 'sbom.cdx.json']),
    )
    expect(git('log', '-2', '--format=%s').split('\n')).toEqual([
      'The API is compared with that of version 9.0.0',
      'Version 9.0.0',
    ])
    expect(git('describe', '--exact-match', 'HEAD~1')).toBe('v9.0.0')
    // The list of deliberate changes may have been empty before.
    const kept = git('diff', '--name-only', 'HEAD~1').split('\n')
    expect(kept.filter((path) => !path.endsWith('/deliberate.json'))).toEqual([
      'packages/docs/last-release/openapi.json',
    ])
    expect(JSON.parse(read('packages/docs/last-release/openapi.json'))).toMatchObject({
      version: '9.0.0',
    })
    expect(read('packages/docs/last-release/deliberate.json')).toBe('[]\n')
    expect(git('status', '--porcelain')).toBe('')

    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { version: string }>
    }
    for (const name of readdirSync(join(clone, 'packages'))) {
      const text = read(`packages/${name}/package.json`)
      expect([name, JSON.parse(text).version, lock.packages[`packages/${name}`]?.version]).toEqual([
        name,
        '9.0.0',
        '9.0.0',
      ])
      expect(text).not.toMatch(/"(@dragoman\/\w+|dragoman)": "(?!9\.0\.0|bin)/)
    }
    expect(JSON.parse(read('examples/jest/package.json'))).toMatchObject({
      devDependencies: { dragoman: '9.0.0' },
    })
    expect(read('CHANGELOG.md')).toMatch(/^## Unreleased\n\n## 9\.0\.0 \(2031-02-03\)\n\n\S/m)
    expect(read('deploy/kubernetes.yaml').match(/image: .*/g)).toEqual([
      'image: registry.example.org/dragoman:9.0.0',
      'image: registry.example.org/dragoman:9.0.0',
    ])
    const sbom = read('.build/release/9.0.0/sbom.cdx.json')
    expect(JSON.parse(sbom)).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { version: '9.0.0' } },
    })
    expect(sbom).toBe(read('deploy/sbom.json'))
    for (const trace of [
      clone,
      root,
      basename(tmpdir()) === 'tmp' ? '/tmp/' : tmpdir(),
      'https://',
    ])
      expect([trace, sbom.includes(trace)]).toEqual([trace, false])
  },
)
