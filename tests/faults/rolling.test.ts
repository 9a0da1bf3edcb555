/**
 * Two hubs behind nginx restarted one after the other under load. Twenty times: `npm run faults --
 * --only rolling`.
 */
import { expect, inject, it } from 'vitest'
import { restartRolling } from '../campaigns/rolling.ts'
import { findingsOf, lineOf } from '../campaigns/tally.ts'
import { databases } from '../hub.ts'
import { hasNginx } from '../nginx.ts'

const isThere = hasNginx && databases.includes('postgres')
if (!isThere) process.stderr.write('SKIPPED: rolling restarts, which need nginx and PostgreSQL\n')

it.skipIf(!isThere)(
  'a rolling restart behind nginx fails no call that may be sent twice',
  async () => {
    const tally = await restartRolling(inject('postgresUrl'), {
      restarts: 1,
      clients: 6,
      delay: '3s',
      say: console.log,
    })
    console.log(lineOf(tally))
    expect(findingsOf(tally)).toEqual([])
    expect(tally.acknowledged).toBeGreaterThan(200)
  },
)
