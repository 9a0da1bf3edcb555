/**
 * A sample of F13: jobs walked over by several clients at once. 1,000 of them: `npm run faults --
 * --only histories`.
 */
import { describe, expect, it } from 'vitest'
import { walkHistories } from '../campaigns/histories.ts'
import { findingsOf, lineOf } from '../campaigns/tally.ts'
import { databases } from '../hub.ts'
import { startNodes } from '../two-nodes.ts'

describe.each(databases)('concurrent histories on %s', (database) => {
  it('are paths of the lifecycle table, with one update for each telling move', async () => {
    const nodes = await startNodes(database)
    try {
      const tally = await walkHistories(nodes, { jobs: 100, calls: 10, seed: 4 })
      console.log(
        lineOf(tally),
        `accepted ${tally.accepted}, refused ${tally.refused}, unwalked ${tally.unwalked}`,
      )
      expect(findingsOf(tally)).toEqual([])
      expect(tally.rounds).toBe(100)
      expect(tally.accepted).toBeGreaterThan(250)
      expect(tally.refused).toBeGreaterThan(100)
      // A short walk may miss one of the moves; the laws hold for those that it made.
      expect(tally.unwalked.length).toBeLessThanOrEqual(3)
    } finally {
      await nodes.close()
    }
  })
})
