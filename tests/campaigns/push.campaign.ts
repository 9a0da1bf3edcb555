/** `npm run faults -- --only push`: `dragoman push` killed 50 times, or `--kills` times. */
import { appendFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startHub } from '../hub.ts'
import { killPushes } from './push-kills.ts'
import { findingsOf, noteOf } from './tally.ts'

/** The input from scripts/faults.mjs. */
type Size = { readonly only: readonly string[]; readonly kills: number; readonly report: string }
const size = JSON.parse(process.env.DRAGOMAN_FAULTS ?? '{"only":[]}') as Size

it.runIf(size.only.includes('push'))(
  'one job with every request once, however often push is killed',
  async () => {
    const hub = await startHub()
    try {
      const tally = await killPushes(hub.url, { kills: size.kills, seed: 1 })
      const said = noteOf(tally)
      console.log(said.line)
      appendFileSync(size.report, `${JSON.stringify(said)}\n`)
      expect(findingsOf(tally)).toEqual([])
    } finally {
      await hub.close()
    }
  },
)
