/** The claim of an Idempotency-Key: it outlives a slow call, and not the node that made it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '../packages/server/src/domain/access/caller.ts'
import { once } from '../packages/server/src/domain/access/once.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import { holdTimers } from './held-timers.ts'
import { databases, type HubPlace, makePlace, until } from './hub-place.ts'

const call = {
  caller: { siteId: 'demo', clientId: 'demo-connector' },
  traceId: 'trace',
  once: { path: '/v2/jobs', key: 'the-one', bodyHash: 'hash' },
} as Call

describe.each(databases)('the claim of a key on %s', (database) => {
  let place: HubPlace
  let hub: Hub
  let time: number
  beforeEach(async () => {
    place = await makePlace(database)
    const real = await place.open()
    time = real.clock.now()
    hub = { ...real, clock: { ...real.clock, now: () => time } }
  })
  afterEach(() => place.clear())
  const make = (said: string) => once(hub, call, async () => said)

  it('is free again within 30 seconds after its node has died', async () => {
    let isClaimed = false
    const transact: Hub['db']['transact'] = async (work) => {
      if (isClaimed) return new Promise(() => {})
      isClaimed = true
      return hub.db.transact(work)
    }
    void once({ ...hub, db: { ...hub.db, transact } }, call, async () => 'never')
    await until(
      'the claim',
      async () => (await hub.db.read.selectFrom('idempotency').selectAll().execute()).length,
    )
    time += 15_000
    await expect(make('too early')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' })
    time += 15_000
    expect(await make('taken over')).toBe('taken over')
  })

  // On SQLite nobody can ask while another writes.
  if (database === 'postgres')
    it('stays with a call that takes longer, as long as its node lives', async () => {
      // Only the renewal: a timeout of the database's client would end its connection.
      const held = holdTimers(5_000, 5_000)
      let begin = () => {}
      let end = () => {}
      const begun = new Promise<void>((resolve) => (begin = resolve))
      const ended = new Promise<void>((resolve) => (end = resolve))
      const slow = once(hub, call, async () => {
        begin()
        await ended
        return 'slow'
      })
      // Only then is the renewal set, and every connection is open.
      await begun
      const runningUntil = async () =>
        (await hub.db.read.selectFrom('idempotency').select('running_until').executeTakeFirst())
          ?.running_until ?? 0
      const first = await runningUntil()
      time += 15_000
      held.fire()
      await until('the claim is renewed', async () => (await runningUntil()) > first)
      time += 15_000
      await expect(make('too early')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' })
      end()
      expect(await slow).toBe('slow')
      expect(await make('again')).toBe('slow')
    })
})
