/** `npm run faults -- --only attacks`: every attack on a hub in the production profile, on both engines. */
import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { engines } from '../hub.ts'
import { startAttackedHub } from './attacked-hub.ts'
import { attacks, runAttack } from './attacks.ts'
import { findingsOf, noteOf } from './tally.ts'

/** The input from scripts/faults.mjs. */
type Size = {
  readonly only: readonly string[]
  readonly calls: number
  readonly seed: number
  readonly part?: string
  readonly report: string
}
const size = JSON.parse(process.env.DRAGOMAN_FAULTS ?? '{"only":[]}') as Size
const wanted = size.only.includes('attacks') ? attacks.filter(({ name }) => name.includes(size.part ?? '')) : []

describe.each(wanted.length > 0 ? engines : [])('on %s', (engine) => {
  it.each(wanted)('$name', async (attack) => {
    const hub = await startAttackedHub(engine)
    try {
      const tally = await runAttack(hub, attack, {
        calls: size.calls,
        seed: size.seed,
        tell: (finding) => console.log(finding.slice(0, 2_000)),
      })
      const said = noteOf(tally)
      console.log(`${said.line}, seed ${size.seed}`)
      appendFileSync(size.report, `${JSON.stringify(said)}\n`)
      expect(findingsOf(tally).slice(0, 200)).toEqual([])
    } finally {
      await hub.close()
    }
  })
})
