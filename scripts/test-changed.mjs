/**
 * `npm run test:changed`: builds, then runs the tests of the gate that are about what changed since
 * main, committed or not: changed tests, tests that import a changed file or one that imports it,
 * and tests with the name of a changed file or of its folder. A change of `packages/text` alone
 * needs no hub, and so no build. What else the change may break, `npm test` finds: nearly every
 * test starts a whole hub.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { buildConsole } from './build-console.mjs'
import { buildServer } from './build-server.mjs'
import { install, root, tsc } from './prepare.mjs'

const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
const isSource = (path) => /\.tsx?$/.test(path)
const isTest = (path) => path.endsWith('.test.ts')
/** Not followed: they import everything. */
const isWhole = (path) =>
  /(?:^tests\/hub|\/src\/(?:main|index|testing)|\/doors\/app)\.ts$/.test(path)

const all = git(
  'ls-files',
  '--cached',
  '--others',
  '--exclude-standard',
  'packages',
  'connectors',
  'tests',
).filter(isSource)
const since = git('merge-base', 'main', 'HEAD')[0] ?? 'HEAD'
const changed = new Set(
  [
    ...git('diff', '--name-only', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ].filter(isSource),
)
/** The names of what changed, and of its folders: tests of a whole hub are called after them. */
const names = new Set(
  [...changed].flatMap((path) => [basename(path).replace(/\.tsx?$/, ''), basename(dirname(path))]),
)

const known = new Map()
const importsOf = (path) => {
  if (!known.has(path)) {
    const text = readFileSync(join(root, path), 'utf8')
    const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    known.set(
      path,
      found
        .map(([, to]) => relative(root, join(root, dirname(path), to)))
        .filter((to) => all.includes(to)),
    )
  }
  return known.get(path)
}

function reachesChange(test) {
  /** Each file with how many imports of sources lead to it. */
  const steps = new Map([[test, 0]])
  for (const [path, step] of steps) {
    if (changed.has(path)) return true
    if (step < 2 && !isWhole(path))
      for (const next of importsOf(path))
        if (!steps.has(next)) steps.set(next, step + Number(next.startsWith('packages/')))
  }
  return names.has(basename(test, '.test.ts'))
}

await install()
const tests = all.filter(
  (path) => isTest(path) && existsSync(join(root, path)) && reachesChange(path),
)
console.log(
  tests.length > 0
    ? `${tests.length} test files:\n${tests.join('\n')}`
    : 'Nothing that changed has a test.',
)
if (tests.length > 0) {
  const run = (args, env = {}) =>
    spawnSync(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    }).status ?? 1
  const needsHub = [...changed].some((path) => !/^(?:packages\/text|tests\/formats)\//.test(path))
  process.exitCode = run([tsc(), '-b'])
  if (process.exitCode === 0) {
    if (needsHub) await buildConsole()
    if (needsHub) await buildServer()
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const env = { DRAGOMAN_TEST_PART: 'gate', ...(needsHub && { DRAGOMAN_TEST_BUILT: '1' }) }
    const project = needsHub ? [] : ['--project', 'text*']
    process.exitCode = run([vitest, 'run', '--passWithNoTests', ...project, ...tests], env)
  }
}
