/**
 * Makes tests/postgres-files.ts, the files that the gate runs on PostgreSQL too: runs every test
 * file of the gate that uses both databases on PostgreSQL, notes which functions of the store and
 * of `*-rows.ts` each one runs, and chooses files that together run them all, those first that run
 * most for their processor time.
 *
 *   node scripts/choose-postgres-files.mjs [--seen FILE]   FILE has what an earlier run noted
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './prepare.mjs'

const { values } = parseArgs({ options: { seen: { type: 'string' } } })
const seen = values.seen ?? join(tmpdir(), `dragoman-seen-${process.pid}.jsonl`)
if (!values.seen) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const env = {
    ...process.env,
    ENGINES: 'postgres',
    DRAGOMAN_SEEN_FUNCTIONS: seen,
    DRAGOMAN_TEST_PART: 'gate',
  }
  const { status } = spawnSync(process.execPath, [vitest, 'run'], {
    cwd: root,
    stdio: 'inherit',
    env,
  })
  if (status !== 0) throw new Error('Not every test passed; the list would miss what they run.')
}

const files = readFileSync(seen, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .filter(({ engines }) => engines.includes('postgres'))
const missing = new Set(files.flatMap(({ functions }) => functions))
const chosen = []
while (missing.size > 0) {
  const worth = ({ functions, ms }) =>
    functions.filter((one) => missing.has(one)).length / Math.max(ms, 100)
  const [best] = files.toSorted((a, b) => worth(b) - worth(a))
  if (!best || worth(best) === 0) break
  chosen.push(best.path)
  for (const one of best.functions) missing.delete(one)
}
// A file is not needed if those chosen after it run all that it runs.
const needed = chosen.filter((path, at) => {
  const others = new Set(
    files
      .filter((one) => one.path !== path && chosen.slice(at + 1).includes(one.path))
      .flatMap(({ functions }) => functions),
  )
  const before = new Set(
    files.filter((one) => chosen.slice(0, at).includes(one.path)).flatMap((one) => one.functions),
  )
  const own = files.find((one) => one.path === path)?.functions ?? []
  return own.some((one) => !others.has(one) && !before.has(one))
})
writeFileSync(
  join(root, 'tests/postgres-files.ts'),
  `/**
 * The files that the gate runs on PostgreSQL too: together they run each function of the store and
 * of \`*-rows.ts\` that any test does. Made by \`node scripts/choose-postgres-files.mjs\`.
 */
export const postgresFiles: readonly string[] = [
${needed
  .sort()
  .map((path) => `  '${path}',\n`)
  .join('')}]
`,
)
console.log(`${needed.length} of ${files.length} files`)
