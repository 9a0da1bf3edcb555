/**
 * `npm run faults -- --only round,desk,engine,histories`: every fault point of the round, of the
 * verbs of the desk and of a translation by an engine, on both databases, and 1,000 histories.
 */
import { appendFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { everyVendor } from '../engines/every-vendor.ts'
import { startVendor } from '../engines/vendor.ts'
import { databases } from '../hub.ts'
import { startNodes } from '../two-nodes.ts'
import { deskWalk } from './desk-walk.ts'
import { engineWalk } from './engine-walk.ts'
import { walkHistories } from './histories.ts'
import { killRounds, killStarts } from './round.ts'
import { findingsOf, noteOf, type Tally } from './tally.ts'

/** The input from scripts/faults.mjs. */
type Size = {
  readonly only: readonly string[]
  readonly every: number
  readonly point?: string
  readonly histories: number
  readonly report: string
}
const size = JSON.parse(process.env.DRAGOMAN_FAULTS ?? '{"only":[]}') as Size
const wants = (group: string) => (size.only.includes(group) ? databases : [])
const plan = { every: size.every, say: console.log, ...(size.point && { point: size.point }) }

it.each(wants('round'))('the round killed at its fault points on %s', async (database) => {
  const tally = await killRounds(database, plan)
  keep(tally)
  // The number of batches depends on timing: the last of a kind may not come again.
  console.log(`points that no round reached again: ${tally.missed.join(', ') || 'none'}`)
  expect(tally.missed.length).toBeLessThanOrEqual(tally.points / 20)
})

it.each(wants('desk'))('the desk killed at its fault points on %s', async (database) => {
  const tally = await killRounds(database, { ...plan, walk: deskWalk })
  keep(tally)
  console.log(`points that no round reached again: ${tally.missed.join(', ') || 'none'}`)
  expect(tally.missed.length).toBeLessThanOrEqual(tally.points / 20)
})

const engineWalks = wants('engine').flatMap((database) => [
  [database, undefined] as const,
  [database, 'people'] as const,
])
it.each(engineWalks)(
  'a translation by an engine killed at its fault points on %s, for %s',
  async (database, people) => {
    const vendor = await startVendor(everyVendor.deepl.vendor)
    try {
      const tally = await killRounds(database, { ...plan, walk: engineWalk(vendor, people) })
      keep(tally)
      console.log(`points that no round reached again: ${tally.missed.join(', ') || 'none'}`)
      expect(tally.missed.length).toBeLessThanOrEqual(tally.points / 20)
    } finally {
      await vendor.close()
    }
  },
)

it.each(wants('round'))('the first start killed at its fault points on %s', async (database) => {
  keep(await killStarts(database, plan))
})

it.each(wants('histories'))('concurrent histories on %s', async (database) => {
  const nodes = await startNodes(database)
  try {
    const tally = await walkHistories(nodes, { jobs: size.histories, calls: 15, seed: 1 })
    keep(tally)
    console.log(`moves of the table that nobody made: ${tally.unwalked.join(', ') || 'none'}`)
    // Fewer walks leave some out by chance.
    if (size.histories >= 500) expect(tally.unwalked).toEqual([])
  } finally {
    await nodes.close()
  }
})

/** Printed at once, and recorded for the total. */
function keep(tally: Tally): void {
  const said = noteOf(tally)
  console.log(said.line)
  appendFileSync(size.report, `${JSON.stringify(said)}\n`)
  expect(findingsOf(tally)).toEqual([])
}
