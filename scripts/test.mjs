/**
 * `npm test`: installs if needed, runs every check and the tests of the gate, and sums up: one line
 * per suite, what took longest, then the counts. Under CI=true a skipped test is a failure.
 *
 *   npm test -- path     builds, then only the test files whose path contains this
 *   npm test -- --times  with the processor time of every file
 *   npm run test:all     every file, on every database, in every view, with every row and draw
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from './build-console.mjs'
import { buildDocs } from './build-docs.mjs'
import { buildServer } from './build-server.mjs'
import { install, mustHaveNode, root, stampBuild, tsc } from './prepare.mjs'

mustHaveNode()
await install()

const own = ['--times', '--all']
const [listsAll, isAll] = own.map((flag) => process.argv.includes(flag))
const args = process.argv.slice(2).filter((arg) => !own.includes(arg))
const isWhole = args.length === 0
const suites = []
const reportFile = join(tmpdir(), `dragoman-report-${process.pid}.json`)

const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
if (isWhole) check('format and lint', [biome, 'ci', '--colors=off', '.'])
if (isWhole) check('spelling and style', [join(root, 'scripts/check-prose.mjs')])
const begun = new Date()
const builds = check('types and build', [tsc(), '-b'])
if (builds) stampBuild(begun)
if (builds) await buildConsole()
if (builds) await buildDocs()
if (builds) await buildServer()
if (isWhole && builds) check('generated files', [join(root, 'scripts/generate.mjs'), '--check'])
const totals = runTests()

const width = Math.max(...suites.map(({ name }) => name.length))
console.log('')
for (const { name, failed, said, ms } of suites)
  console.log(
    `${failed ? 'FAILED' : 'passed'}  ${name.padEnd(width)}  ${said.padEnd(24)} ${seconds(ms)}`,
  )
for (const { name, why } of totals.failures) console.log(`FAILED  ${name}: ${why}`)
for (const { name, why } of totals.skips) console.log(`SKIPPED  ${name}: ${why}`)
printTimes()

const mustNotSkip = process.env.CI === 'true' && totals.skips.length > 0
if (mustNotSkip) console.log('Under CI=true a skipped test is a failure.')
const checksFailed = suites.filter((suite) => suite.isCheck && suite.failed).length
const [passed, failed, skipped] = [totals.passed, totals.failed + checksFailed, totals.skips.length]
console.log(
  `\n${totals.files.length} test files, ${passed + totals.failed} tests run, ${skipped} skipped`,
)
console.log(counts(passed, failed, skipped))
process.exitCode = failed > 0 || mustNotSkip || passed === 0 ? 1 : 0

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
  console.log(isAll ? '\n# all tests' : '\n# tests')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const command = [
    vitest,
    'run',
    '--reporter=default',
    `--reporter=${join(root, 'scripts/report.mjs')}`,
    ...args,
  ]
  const env = {
    ...process.env,
    DRAGOMAN_TEST_REPORT: reportFile,
    ...(builds && { DRAGOMAN_TEST_BUILT: '1' }),
    ...(isAll ? { DRAGOMAN_TEST_PART: 'all' } : isWhole && { DRAGOMAN_TEST_PART: 'gate' }),
  }
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env })
  const report = existsSync(reportFile)
    ? JSON.parse(readFileSync(reportFile, 'utf8'))
    : { files: [], errors: 1 }
  rmSync(reportFile, { force: true })
  for (const [name, files] of groups(report.files)) {
    const sum = (of) => files.reduce((total, file) => total + of(file), 0)
    const [passed, bad, skipped] = [
      sum((f) => f.passed),
      sum((f) => f.failed + f.errors),
      sum((f) => f.skipped.length),
    ]
    suites.push({ name, failed: bad > 0, said: counts(passed, bad, skipped), ms: sum((f) => f.ms) })
  }
  const sum = (of) => report.files.reduce((total, file) => total + of(file), 0)
  const found = sum((file) => file.failed + file.errors) + report.errors
  return {
    files: report.files,
    passed: sum((file) => file.passed),
    // The runner's exit status decides: if it failed, there is at least one failure.
    failed: status === 0 ? found : Math.max(found, 1),
    failures: report.files.flatMap(({ path, failures }) =>
      failures.map(({ name, why }) => ({ name: `${path} > ${name}`, why })),
    ),
    skips: report.files.flatMap((file) => file.skipped),
  }
}

/**
 * The dearest files, and the minutes on a processor of the run with every process that it started.
 * Nothing where /proc is missing.
 */
function printTimes() {
  if (!existsSync('/proc/self/stat')) return
  const dearest = totals.files
    .toSorted((a, b) => b.processorMs - a.processorMs)
    .slice(0, listsAll ? undefined : 10)
  console.log(
    listsAll ? '\nProcessor time of each file:' : '\nThe dearest files by processor time:',
  )
  for (const { path, processorMs } of dearest)
    console.log(`${seconds(processorMs).padStart(9)}  ${path}`)
  // Fields 14 to 17: ticks of a hundredth of a second, of this process and of those that it has
  // waited for.
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  const minutes = ticks.reduce((total, field) => total + Number(field), 0) / 6_000
  console.log(
    `${minutes.toFixed(1)} processor minutes, ${(performance.now() / 60_000).toFixed(1)} minutes by the clock`,
  )
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}

function counts(passed, failed, skipped) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
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
