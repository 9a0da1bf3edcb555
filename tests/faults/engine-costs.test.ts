/**
 * A sample of kills while a vendor translates: what the hub has reserved is never below the
 * vendor's meter, and every translation arrives. All points: `npm run faults -- --only engine`.
 */
import { describe, expect, it } from 'vitest'
import { engineWalk } from '../campaigns/engine-walk.ts'
import { killRounds } from '../campaigns/round.ts'
import { findingsOf, lineOf } from '../campaigns/tally.ts'
import { everyVendor } from '../engines/every-vendor.ts'
import { startVendor } from '../engines/vendor.ts'
import { databases } from '../hub.ts'

describe.each(databases)('an engine on %s', (database) => {
  it.each([
    [
      'is paid for what was reserved, though the hub is killed around its calls',
      'engine-costs',
      32,
      undefined,
    ],
    [
      'hands drafts on to people, though the hub is killed when it stores them',
      'deliver-batch',
      4,
      'people',
    ],
  ] as const)('%s', async (_, point, every, people) => {
    const vendor = await startVendor(everyVendor.deepl.vendor)
    try {
      const first = database === 'sqlite' ? 0 : every / 2
      const tally = await killRounds(database, {
        every,
        first,
        point,
        walk: engineWalk(vendor, people),
      })
      console.log(lineOf(tally))
      expect(findingsOf(tally)).toEqual([])
      expect(tally.killed).toBeGreaterThan(0)
    } finally {
      await vendor.close()
    }
  })
})
