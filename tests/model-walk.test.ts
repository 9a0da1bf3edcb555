/**
 * Contract, sections 5 and 15, and every crossing of them: random moves of all who have to do with
 * a job, against a small model. 10,000 walks: `npm run faults -- --only walk`.
 */
import { describe, expect, it } from 'vitest'
import { findingsOf, lineOf } from './campaigns/tally.ts'
import { startHere } from './campaigns/walk/node.ts'
import { walkModel } from './campaigns/walk/walk.ts'
import { sized } from './draws.ts'
import { databases } from './hub.ts'

const seed = Number(process.env.WALK_SEED ?? 1)
const walks = Number(process.env.WALKS ?? sized(25, 500))

describe.each(databases)('the model walk on %s', (database) => {
  it('finds the hub as the model has it after every step', async () => {
    const tally = await walkModel(database, startHere, { walks, seed, killEvery: 8 })
    console.log(lineOf(tally))
    expect(findingsOf(tally)).toEqual([])
    expect(tally.rounds).toBe(walks)
    expect(tally.kills).toBeGreaterThan(0)
  })
})
