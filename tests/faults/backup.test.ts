/** A sample of `npm run faults -- --only backup`. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { buildProgram } from '../build-program.ts'
import { killBackups, killMoves } from '../campaigns/backup-kills.ts'
import { findingsOf } from '../campaigns/tally.ts'
import { databases } from '../hub.ts'

const postgresUrl = inject('postgresUrl')

describe('killed at random moments', () => {
  beforeAll(buildProgram)

  it.each(databases)(
    'a backup of a hub on %s is whole or is not there',
    async (database) => {
      const tally = await killBackups(database, {
        kills: database === 'sqlite' ? 3 : 1,
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
