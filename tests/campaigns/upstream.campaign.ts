/**
 * `npm run faults -- --only upstream`: jobs through three hubs in a row while nodes of all of them
 * are killed.
 */
import { appendFileSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { findingsOf, noteOf } from './tally.ts'
import { killInARow } from './upstream.ts'

type Size = {
  readonly only: readonly string[]
  readonly jobs: number
  readonly seed: number
  readonly report: string
}
const size = JSON.parse(process.env.DRAGOMAN_FAULTS ?? '{"only":[]}') as Size

if (size.only.includes('upstream'))
  it('three hubs in a row', async () => {
    const { jobs, seed, report } = size
    const tally = await killInARow(inject('postgresUrl'), {
      jobs,
      kills: Number.POSITIVE_INFINITY,
      seed,
      say: console.log,
    })
    appendFileSync(report, `${JSON.stringify(noteOf(tally))}\n`)
    expect(findingsOf(tally)).toEqual([])
  })
