/**
 * `npm run faults -- --only failover,rolling`: a primary that dies, and nodes that restart, under
 * load.
 */
import { appendFileSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { hasNginx } from '../nginx.ts'
import { failOver } from './failover.ts'
import { startPair } from './postgres-pair.ts'
import { restartRolling } from './rolling.ts'
import { findingsOf, noteOf, type Tally } from './tally.ts'

/** The input from scripts/faults.mjs. */
type Size = {
  readonly only: readonly string[]
  readonly promotions: number
  readonly restarts: number
  readonly report: string
}
const size = JSON.parse(process.env.DRAGOMAN_FAULTS ?? '{"only":[]}') as Size
const wants = (group: string) => size.only.includes(group)
const say = console.log

it.runIf(wants('failover'))('the primary killed and the standby promoted', async () => {
  const pair = await startPair()
  if (!pair) return skip('failover', 'PostgreSQL is not installed')
  try {
    keep(await failOver(pair, { kills: size.promotions, clients: 6, say }))
  } finally {
    await pair.close()
  }
})

it.runIf(wants('rolling'))('rolling restarts behind nginx', async () => {
  if (!hasNginx || inject('postgresUrl') === '')
    return skip('rolling', 'nginx or PostgreSQL is not installed')
  keep(
    await restartRolling(inject('postgresUrl'), {
      restarts: size.restarts,
      clients: 8,
      delay: '5s',
      say,
    }),
  )
})

/** Printed at once, and recorded for the total. */
function keep(tally: Tally): void {
  const said = noteOf(tally)
  console.log(said.line)
  appendFileSync(size.report, `${JSON.stringify(said)}\n`)
  expect(findingsOf(tally)).toEqual([])
}

function skip(campaign: string, why: string): void {
  appendFileSync(
    size.report,
    `${JSON.stringify({ line: `${campaign}: not run, because ${why}`, notRun: true })}\n`,
  )
}
