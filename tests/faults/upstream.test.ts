/**
 * Three hubs in a row, whose nodes are killed. With 500 jobs: `npm run faults -- --only upstream`.
 */
import { expect, inject, it } from 'vitest'
import { findingsOf, lineOf } from '../campaigns/tally.ts'
import { killInARow } from '../campaigns/upstream.ts'
import { databases } from '../hub.ts'

if (databases.includes('postgres'))
  it('jobs go through three hubs and back, each once, while nodes of all of them are killed', async () => {
    const tally = await killInARow(inject('postgresUrl'), {
      jobs: 8,
      kills: 3,
      seed: 1,
      say: console.log,
    })
    console.log(lineOf(tally))
    expect(findingsOf(tally)).toEqual([])
    expect([tally.rounds, tally.killed > 0]).toEqual([8, true])
  })
else process.stderr.write('SKIPPED: three hubs in a row, which need PostgreSQL\n')
