/**
 * `npm run faults -- --only walk`: 10,000 walks over jobs on each database, with nodes that are
 * killed by SIGKILL, each step compared with a model.
 */
import { appendFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { databases } from '../hub.ts'
import { findingsOf, noteOf } from './tally.ts'
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

it.each(size.only.includes('walk') ? databases : [])('the model walk on %s', async (database) => {
  const { walks, seed } = size
  const plan = { walks, seed, killEvery: 20, say: console.log }
  const tally = await walkModel(database, startProcessNode, plan)
  const said = noteOf(tally)
  console.log(said.line)
  appendFileSync(size.report, `${JSON.stringify(said)}\n`)
  expect(findingsOf(tally)).toEqual([])
})
