/**
 * The bench: runs the named figures, or all, and prints one table. Writes files only if told to.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Postgres, startPostgres } from '../tests/postgres.ts'
import type { Bench, FigureRow, Options } from './figure.ts'
import { figures } from './figures/index.ts'
import { hotSpots } from './hot-spots.ts'
import { describeLoad, describeMachine } from './machine.ts'
import { profiles } from './server.ts'
import { textTable, writeTable } from './table.ts'

const usage = `npm run bench [-- [figure ...] [--pairs 5] [--write] [--profile] [--quick] [--node PATH]]

  --pairs N   interleaved measurements of each side (at least 5 for a verdict)
  --write     replace the table in docs/performance.md by this run
  --profile   run our side under --cpu-prof, print where its time went, keep the profiles in .build/profiles
  --node PATH run every process of the bench with this Node.js
  --quick     only see whether it runs: tiny databases, one pair, no verdict

Figures:
${figures.map(({ name, says }) => `  ${name.padEnd(16)}${says}`).join('\n')}`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !figures.some((figure) => figure.name === name))
const pairs = values.quick ? 1 : Number(values.pairs)
if (values.help || unknown.length > 0 || !Number.isInteger(pairs) || pairs < 1) {
  console.error(
    unknown.length > 0 ? `There is no figure ${unknown.join(', ')}.\n\n${usage}` : usage,
  )
  process.exit(values.help ? 0 : 2)
}

const { bench, end } = openBench({
  pairs,
  quick: values.quick,
  profile: values.profile,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => end().then(() => process.exit(130)))
const begun = Date.now()
const load = describeLoad()
const rows: FigureRow[] = []
try {
  for (const figure of figures) {
    if (positionals.length > 0 && !positionals.includes(figure.name)) continue
    bench.say(`${figure.name}: ${figure.says}`)
    try {
      const measured = await figure.run(bench)
      rows.push(...measured)
      bench.say(`\n${textTable(measured, values.quick)}`)
    } catch (error) {
      // The other figures are worth having.
      console.error(`${figure.name} failed:`, error)
      process.exitCode = 1
    }
  }
} finally {
  await end()
}
const machine = `${await describeMachine()}${load}`
console.log(
  `\n${textTable(rows, values.quick)}\n\nMedians of ${pairs} interleaved pairs. ${machine}.`,
)
if (values.profile) console.log(`\n${await hotSpots(profiles, begun)}`)
if (values.write && !values.quick && !values.profile)
  await writeTable(rows, `${new Date().toISOString().slice(0, 10)} on ${machine}`)

function openBench(options: Options): { bench: Bench; end: () => Promise<void> } {
  const closes: (() => Promise<void>)[] = []
  let postgres: Promise<Postgres> | undefined
  const openPostgres = async (): Promise<Postgres> => {
    const started = await startPostgres({ durable: true })
    if (!started)
      throw new Error('No PostgreSQL was found on this machine; name the figures that need none.')
    closes.push(() => started.stop())
    return started
  }
  const bench: Bench = {
    options,
    folder: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'dragoman-bench-'))
      closes.push(() => rm(folder, { recursive: true, force: true }))
      return folder
    },
    postgres: () => {
      postgres ??= openPostgres()
      return postgres
    },
    atEnd: (close) => {
      closes.push(close)
    },
    say: (text) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`),
  }
  const end = async (): Promise<void> => {
    for (const close of closes.splice(0).reverse())
      await close().catch((error: unknown) => console.error(error))
  }
  return { bench, end }
}
