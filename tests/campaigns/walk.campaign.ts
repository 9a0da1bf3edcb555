/**
 * `npm run faults -- --only walk`: 10,000 walks over jobs on each database, with nodes that are
 * killed by SIGKILL, each step compared with a model; and a twentieth as many over jobs whose
 * provider translates by itself.
 */
import { appendFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { databases } from '../hub.ts'
import { findingsOf, noteOf, type Tally } from './tally.ts'
import { walkDriven } from './walk/driven.ts'
import { startProcessNode } from './walk/node.ts'
import { walkModel } from './walk/walk.ts'

/** The input from scripts/faults.mjs. */
type Size = {
  readonly only: readonly string[]
  readonly walks: number
  readonly seed: number
  readonly report: string
}
const size = JSON.parse(process.env.DRAGOMAN_FAULTS ?? '{"only":[]}') as Size

const wanted = size.only.includes('walk') ? databases : []

it.each(wanted)('the model walk on %s', async (database) => {
  const { walks, seed } = size
  const lanes = Math.min(4, availableParallelism())
  const plan = { walks, seed, killEvery: 20, lanes, say: console.log }
  keep(await walkModel(database, startProcessNode, plan))
})

it.each(wanted)('the walk over driven work on %s', async (database) => {
  const { walks, seed } = size
  const plan = { walks: Math.ceil(walks / 20), seed, killEvery: 3, say: console.log }
  keep(await walkDriven(database, startProcessNode, plan))
})

/** Printed at once, and recorded for the total. */
function keep(tally: Tally): void {
  const said = noteOf(tally)
  console.log(said.line)
  appendFileSync(size.report, `${JSON.stringify(said)}\n`)
  expect(findingsOf(tally)).toEqual([])
}
