/**
 * `npm run faults -- --only attacks`: every attack on a hub in the production profile, on both
 * engines, and on the readers.
 */
import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scanYaml } from '../../packages/text/src/formats/yaml/yaml-scan.ts'
import { walkYaml } from '../../packages/text/src/formats/yaml/yaml-walk.ts'
import { databases } from '../hub.ts'
import { startAttackedHub } from './attacked-hub.ts'
import { attacks, runAttack } from './attacks.ts'
import { attackReaders } from './scanner-growth.ts'
import { findingsOf, noteOf, type Tally } from './tally.ts'

/** The input from scripts/faults.mjs. */
type Size = {
  readonly only: readonly string[]
  readonly calls: number
  readonly seed: number
  readonly part?: string
  readonly report: string
  readonly each?: boolean
}
const size = JSON.parse(process.env.DRAGOMAN_FAULTS ?? '{"only":[]}') as Size
const isWanted = (name: string) => size.only.includes('attacks') && name.includes(size.part ?? '')
const wanted = attacks.filter(({ name }) => isWanted(name))
const tell = (finding: string) => console.log(finding.slice(0, 2_000))

function judge(tally: Tally): void {
  const said = noteOf(tally)
  console.log(`${said.line}, seed ${size.seed}`)
  appendFileSync(size.report, `${JSON.stringify(said)}\n`)
  expect(findingsOf(tally).slice(0, 200)).toEqual([])
}

describe.each(wanted.length > 0 ? databases : [])('on %s', (database) => {
  it.each(wanted)('$name', async (attack) => {
    const hub = await startAttackedHub(database, attack.env)
    try {
      const { calls, seed, each } = size
      judge(await runAttack(hub, attack, { calls, seed, tell, ...(each && { each: tell }) }))
    } finally {
      await hub.close()
    }
  })
})

it.runIf(isWanted('growth of readers'))('growth of readers', async () =>
  judge(await attackReaders(size.seed, tell)),
)

it.runIf(isWanted('growth of readers'))(
  'a long YAML file takes at most a third of the time of the library',
  () => {
    const sample =
      'k:\n  title: Garden tools\n  text: "Hello %{name}, welcome!"\n  list:\n    - one entry\n  block: |\n    one\n    two\n'
    const text = Array.from({ length: 1_000 }, (_, at) => sample.replace('k', `k${at}`)).join('')
    const cost = (act: () => unknown) => {
      const before = process.cpuUsage()
      act()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const costs = Array.from(
      { length: 3 },
      () => [cost(() => [...scanYaml(text)]), cost(() => walkYaml(text, () => {}))] as const,
    )
    expect(Math.min(...costs.map(([own, library]) => own / library))).toBeLessThan(1 / 3)
  },
)
