/**
 * A sample of F1 for the whole round and for the verbs of the desk: killed at some of their fault
 * points, the hub goes on where it was, and nothing that was acknowledged is lost or done twice.
 * All points: `npm run faults -- --only round,desk`.
 */
import { describe, expect, it } from 'vitest'
import { disk, sealed } from '../campaigns/blob-place.ts'
import { deskWalk } from '../campaigns/desk-walk.ts'
import { killRounds } from '../campaigns/round.ts'
import { findingsOf, lineOf } from '../campaigns/tally.ts'
import { sized } from '../draws.ts'
import { databases } from '../hub.ts'

const every = sized(80, 40)

describe.each(databases)('the round on %s', (database) => {
  it('ends whole though the hub is killed at some of its fault points', async () => {
    // The databases take turns, so that together they see twice as many.
    const first = database === 'sqlite' ? 0 : every / 2
    const tally = await killRounds(database, { every, first })
    console.log(lineOf(tally))
    expect(findingsOf(tally)).toEqual([])
    // Where tasks are claimed in other batches than in the round that was counted, a point may not
    // come up.
    expect(tally.missed.length, tally.missed.join(', ')).toBeLessThanOrEqual(tally.rounds / 2)
    expect(tally.points).toBeGreaterThan(150)
    expect(tally.killed).toBeGreaterThan(0)
  })

  it('ends whole in a hub that seals, killed where bytes and keys are written', async () => {
    const plan = {
      every,
      first: database === 'sqlite' ? 0 : 5,
      point: 'blobs.',
      env: sealed(disk).env,
    }
    const tally = await killRounds(database, plan)
    console.log(lineOf(tally))
    expect(findingsOf(tally)).toEqual([])
    expect(tally.killed).toBeGreaterThan(0)
  })

  it('keeps every target, claim and delivery of the desk, killed at some of its fault points', async () => {
    const tally = await killRounds(database, {
      every: 2 * every,
      first: database === 'sqlite' ? 0 : every,
      walk: deskWalk,
    })
    console.log(lineOf(tally))
    expect(findingsOf(tally)).toEqual([])
    expect(tally.points).toBeGreaterThan(60)
    expect(tally.killed).toBeGreaterThan(0)
  })
})
