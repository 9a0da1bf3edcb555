/** A sample of `npm run faults -- --only backup`. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { buildProgram } from '../build-program.ts'
import { killBackups, killMoves } from '../campaigns/backup-kills.ts'
import { findingsOf } from '../campaigns/tally.ts'
import { engines } from '../hub.ts'

const postgresUrl = inject('postgresUrl')

describe('killed at random moments', () => {
  beforeAll(buildProgram)

  it.each(engines)(
    'a backup of a hub on %s is whole or is not there',
    async (engine) => {
      const tally = await killBackups(engine, {
        kills: engine === 'sqlite' ? 3 : 1,
        seed: 7,
        postgresUrl,
      })
      expect(findingsOf(tally)).toEqual([])
    },
    120_000,
  )

  it.runIf(postgresUrl !== '')(
    'a move to PostgreSQL starts over and loses nothing',
    async () => {
      const tally = await killMoves({ kills: 2, seed: 3, postgresUrl })
      expect(findingsOf(tally)).toEqual([])
    },
    120_000,
  )
})
