/**
 * The certification robot against a hub with another one behind it: a connector notices nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scenarioNames, scenarios } from '../../packages/certify/src/scenarios.ts'
import { buildProgram } from '../build-program.ts'
import { spawnProgram } from '../hub.ts'
import { admin, type HubPair, startPair } from './pair.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-certify-upstream-'))
/**
 * Faults in the work act on the providers of the front hub itself, and this one has none. The one
 * that delivers again waits two seconds for such a provider; an upstream takes longer.
 */
const all = scenarioNames.filter(
  (name) => scenarios[name].on !== 'work' && name !== 'redelivery-after-approval',
)
const takesAll = process.env.SCENARIOS === 'all'
/** All of them take minutes: SCENARIOS=all in the environment. */
const tried = takesAll ? all : all.filter((_, at) => at % 10 === 0)
type Verdict = { readonly name: string; readonly result: string; readonly because: string }
type Report = {
  readonly passed: boolean
  readonly obligations: Verdict[]
  readonly scenarios: Verdict[]
}

const shares = takesAll ? 3 : 1
const pairs: HubPair[] = []
beforeAll(async () => {
  await buildProgram()
  pairs.push(...(await Promise.all(Array.from({ length: shares }, () => startPair('sqlite')))))
  for (const { front, lead } of pairs) {
    const own = await front.provider('Pseudo')
    await front.call(admin, 'PATCH', `/providers/${own}`, { name: 'Own', status: 'DISABLED' })
    const across = await lead('Pseudo')
    await front.call(admin, 'PATCH', `/providers/${across}`, { name: 'Pseudo' })
  }
})
afterAll(async () => {
  await Promise.all(pairs.map((pair) => pair.close()))
  rmSync(folder, { recursive: true, force: true })
})

it('the reference connector passes, and its jobs were translated at the other hub', async () => {
  await Promise.all(
    pairs.map(async ({ front, beyond }, share) => {
      const command = `"${process.execPath}" "${join(root, 'examples/reference-connector.mjs')}"`
      const mine = tried.filter((_, at) => at % shares === share)
      const args = ['--hub', front.hub.url, '--command', command, '--json', '--timeout', '3m']
      const program = spawnProgram(
        ['certify', ...args, ...mine.flatMap((name) => ['--scenario', name])],
        {
          CONNECTOR_HOME: join(folder, `${share}`),
        },
      )
      const { code } = await program.exited
      const report = JSON.parse(program.stdout()) as Report
      const broken = [...report.obligations, ...report.scenarios].filter(
        ({ result }) => result === 'broken',
      )
      expect(broken, program.stderr()).toEqual([])
      expect([code, report.passed]).toEqual([0, true])
      const { body } = await beyond.call<{ jobs: object[] }>(admin, 'GET', '/jobs?pageSize=50')
      expect(body.jobs.length).toBeGreaterThanOrEqual(mine.length)
    }),
  )
})
