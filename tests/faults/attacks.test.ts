/**
 * A sample of the attacks on a hub in the profile production. All of them: `npm run faults --
 * --only attacks`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from '../build-program.ts'
import { type AttackedHub, startAttackedHub } from '../campaigns/attacked-hub.ts'
import { attacks, isStall, runAttack } from '../campaigns/attacks.ts'
import { worsened } from '../campaigns/fuzzed-values.ts'
import { findingsOf, lineOf } from '../campaigns/tally.ts'
import { databases } from '../hub.ts'

describe.each(databases)('on %s', (database) => {
  let hub: AttackedHub
  beforeAll(async () => {
    await buildProgram()
    hub = await startAttackedHub(database)
  })
  afterAll(() => hub?.close())

  const sampled = attacks.filter(({ wholeIn }) => wholeIn === undefined)
  it.each(sampled)('a hostile client is refused: $name', async (attack) => {
    const tally = await runAttack(hub, attack, { calls: 150, seed: 7 })
    console.log(lineOf(tally))
    // A busy machine stalls by itself. The campaign, on an idle one, holds the bounds of that.
    expect(findingsOf(tally).filter((finding) => !isStall(finding))).toEqual([])
  })
})

it('a body of the fuzz can be sent, however often its parts are copied', () => {
  const choices = [0.8, 0.87]
  let at = 0
  const copies = () => choices[at++ % 2] ?? 0
  const body = [1, 2].reduce<unknown>((value) => worsened(value, copies), { a: 'b' })
  expect(JSON.stringify(body).length).toBeLessThan(40_000_000)
})
