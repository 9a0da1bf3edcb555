/**
 * `npm run faults -- --only backup`: backup and move killed 50 times each, or `--kills` times, on
 * both databases.
 */
import { appendFileSync } from 'node:fs'
import { beforeAll, expect, inject, it } from 'vitest'
import { buildProgram } from '../build-program.ts'
import { databases } from '../hub.ts'
import { killBackups, killMoves } from './backup-kills.ts'
import { findingsOf, noteOf, type Tally } from './tally.ts'

/** The input from scripts/faults.mjs. */
type Size = {
  readonly only: readonly string[]
  readonly kills: number
  readonly seed: number
  readonly report: string
}
const size = JSON.parse(process.env.DRAGOMAN_FAULTS ?? '{"only":[]}') as Size
const isWanted = size.only.includes('backup')
const plan = { kills: size.kills, seed: size.seed, postgresUrl: inject('postgresUrl') }

beforeAll(async () => {
  if (isWanted) await buildProgram()
}, 120_000)

function judge(tally: Tally): void {
  const said = noteOf(tally)
  console.log(said.line)
  appendFileSync(size.report, `${JSON.stringify(said)}\n`)
  expect(findingsOf(tally)).toEqual([])
}

it.runIf(isWanted).each(databases)(
  'a killed backup of a hub on %s is whole or is not there',
  async (database) => judge(await killBackups(database, plan)),
)

it.runIf(isWanted && plan.postgresUrl !== '')(
  'a killed move to PostgreSQL starts over and loses nothing',
  async () => judge(await killMoves(plan)),
)
