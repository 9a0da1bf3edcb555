/**
 * Contract, sections 5 and 15, and every crossing of them: random moves of all who have to do with
 * a job, against a small model. 10,000 walks: `npm run faults -- --only walk`.
 */
import { describe, expect, it } from 'vitest'
import { findingsOf, lineOf } from './campaigns/tally.ts'
import { walkDriven } from './campaigns/walk/driven.ts'
import { startHere } from './campaigns/walk/node.ts'
import { walkModel } from './campaigns/walk/walk.ts'
import { sized } from './draws.ts'
import { databases } from './hub.ts'

const seed = Number(process.env.PROPERTY_SEED ?? 1)

describe.each(databases)('the model walk on %s', (database) => {
  it('finds the hub as the model has it after every step', async () => {
    const walks = sized(25, 500)
    const tally = await walkModel(database, startHere, { walks, seed, killEvery: 8 })
    console.log(lineOf(tally))
    expect(findingsOf(tally)).toEqual([])
    expect(tally.rounds).toBe(walks)
    expect(tally.kills).toBeGreaterThan(0)
  })

  it('brings every request of a provider that translates by itself to its end', async () => {
    const walks = sized(5, 100)
    const tally = await walkDriven(database, startHere, { walks, seed, killEvery: 4 })
    console.log(lineOf(tally))
    expect(findingsOf(tally)).toEqual([])
    expect(tally.rounds).toBe(walks)
  })
})
