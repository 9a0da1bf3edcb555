/**
 * Makes tests/postgres-files.ts, the files that the gate runs on PostgreSQL too: runs every test
 * file of the gate that uses both databases on PostgreSQL, notes which functions of the store and
 * of `*-rows.ts` each one runs, and chooses files that together run each of them twice, those first
 * that run most for their processor time.
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
    DATABASES: 'postgres',
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
  .filter(({ databases }) => databases.includes('postgres'))
/** How often a function must still be run: twice, by two files, or once if only one runs it. */
const missing = new Map()
for (const { functions } of files)
  for (const one of functions) missing.set(one, Math.min(2, (missing.get(one) ?? 0) + 1))
const left = new Set(files)
const chosen = []
const gain = ({ functions }) => functions.filter((one) => missing.get(one) > 0).length
while (left.size > 0) {
  const worth = (file) => gain(file) / Math.max(file.ms, 100)
  const [best] = [...left].sort((a, b) => worth(b) - worth(a))
  if (gain(best) === 0) break
  left.delete(best)
  chosen.push(best.path)
  for (const one of best.functions) missing.set(one, missing.get(one) - 1)
}
writeFileSync(
  join(root, 'tests/postgres-files.ts'),
  `/**
 * The files that the gate runs on PostgreSQL too: together they run each function of the store and
 * of \`*-rows.ts\` twice that two tests run. Made by \`node scripts/choose-postgres-files.mjs\`.
 */
export const postgresFiles: readonly string[] = [
${chosen
  .sort()
  .map((path) => `  '${path}',\n`)
  .join('')}]
`,
)
console.log(`${chosen.length} of ${files.length} files`)
