/**
 * `npm test`: installs if needed, runs every check and every test, and sums up: one line per suite, then the counts. Under
 * CI=true a skipped test is a failure. `npm test -- path` builds and runs only those tests.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from './build-console.mjs'
import { copyDocs } from './copy-docs.mjs'
import { install, mustHaveNode, root, stampBuild, tsc } from './prepare.mjs'

mustHaveNode()
install()

const args = process.argv.slice(2)
const suites = []
const reportFile = join(tmpdir(), `dragoman-report-${process.pid}.json`)

const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
if (args.length === 0) check('format and lint', [biome, 'ci', '--colors=off', '.'])
const begun = new Date()
const builds = check('types and build', [tsc(), '-b'])
if (builds) stampBuild(begun)
if (builds) await buildConsole()
if (builds) copyDocs()
if (args.length === 0 && builds) check('generated files', [join(root, 'scripts/generate.mjs'), '--check'])
const totals = runTests()

const width = Math.max(...suites.map(({ name }) => name.length))
console.log('')
for (const { name, failed, said, ms } of suites)
  console.log(`${failed ? 'FAILED' : 'passed'}  ${name.padEnd(width)}  ${said.padEnd(24)} ${(ms / 1000).toFixed(1)} s`)
for (const { name, why } of totals.failures) console.log(`FAILED  ${name}: ${why}`)
for (const { name, why } of totals.skips) console.log(`SKIPPED  ${name}: ${why}`)

for (const name of totals.slow)
  console.log(`SLOW  ${name}: it had to run again, for lack of time or in the middle of a change, and passed`)

const mustNotSkip = process.env.CI === 'true' && totals.skips.length > 0
if (mustNotSkip) console.log('Under CI=true a skipped test is a failure.')
const checksFailed = suites.filter((suite) => suite.isCheck && suite.failed).length
const failed = totals.failed + checksFailed
console.log(`\n${totals.files} test files, ${totals.passed + totals.failed} tests run, ${totals.skips.length} skipped`)
console.log(
  `${totals.passed} passed, ${failed} failed${totals.skips.length > 0 ? `, ${totals.skips.length} skipped` : ''}`,
)
process.exitCode = failed > 0 || mustNotSkip || totals.passed === 0 ? 1 : 0

/** A check passes or fails as a whole; a failed one counts as a failed test. */
function check(name, command) {
  const begun = performance.now()
  console.log(`\n# ${name}`)
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
  suites.push({
    name,
    isCheck: true,
    failed: status !== 0,
    said: status === 0 ? 'ok' : `exit code ${status}`,
    ms: performance.now() - begun,
  })
  return status === 0
}

function runTests() {
  console.log('\n# tests')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const command = [vitest, 'run', '--reporter=default', `--reporter=${join(root, 'scripts/report.mjs')}`, ...args]
  const env = { ...process.env, DRAGOMAN_TEST_REPORT: reportFile, ...(builds && { DRAGOMAN_TEST_BUILT: '1' }) }
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env })
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : { files: [], errors: 1 }
  rmSync(reportFile, { force: true })
  for (const [name, files] of groups(report.files)) {
    const sum = (of) => files.reduce((total, file) => total + of(file), 0)
    const [passed, bad, skipped] = [sum((f) => f.passed), sum((f) => f.failed + f.errors), sum((f) => f.skipped.length)]
    const said = `${passed} passed, ${bad} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    suites.push({ name, failed: bad > 0, said, ms: sum((f) => f.ms) })
  }
  const sum = (of) => report.files.reduce((total, file) => total + of(file), 0)
  const found = sum((file) => file.failed + file.errors) + report.errors
  return {
    files: report.files.length,
    passed: sum((file) => file.passed),
    // The runner's exit status decides: if it failed, there is at least one failure.
    failed: status === 0 ? found : Math.max(found, 1),
    failures: report.files.flatMap(({ path, failures }) =>
      failures.map(({ name, why }) => ({ name: `${path} > ${name}`, why })),
    ),
    skips: report.files.flatMap((file) => file.skipped),
    slow: report.files.flatMap(({ path, slow }) => slow.map((name) => `${path} > ${name}`)),
  }
}

/** packages/server/src/… is "server", tests/spec/… is "spec", tests/walls.test.ts is "walls". */
function suiteOf({ path }) {
  const [first, second = ''] = path.split(/[\\/]/)
  return first === 'packages' ? `${second} (beside the sources)` : second.replace(/\.test\.ts$/, '')
}

function groups(files) {
  const found = new Map()
  for (const file of files) found.set(suiteOf(file), [...(found.get(suiteOf(file)) ?? []), file])
  return found
}
