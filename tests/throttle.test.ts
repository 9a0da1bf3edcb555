import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openThrottle, type Throttle } from '../packages/server/src/doors/http/rate-limit.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import { beatNode } from '../packages/server/src/store/nodes.ts'
import { databases, type HubPlace, makePlace, until } from './hub-place.ts'

/** A clock that stands still until it is moved. */
function stillClock(hub: Hub, start = hub.clock.now()) {
  let time = start
  const to = (next: number) => {
    time = next
  }
  return {
    hub: { ...hub, clock: { ...hub.clock, now: () => time } } satisfies Hub,
    wait: (ms: number) => to(time + ms),
  }
}

const many = async (throttle: Throttle, count: number, address = '192.0.2.1'): Promise<number> => {
  const taken = await Promise.all(Array.from({ length: count }, () => throttle.take(address)))
  return taken.filter(({ allowed }) => allowed).length
}

describe.each(databases)('the throttle on %s', (database) => {
  let place: HubPlace
  let real: Hub
  beforeEach(async () => {
    place = await makePlace(database)
    real = await place.open({ DRAGOMAN_RATE_LIMIT: '20' })
  })
  afterEach(() => place.clear())

  it('lets a second of calls through at once and refuses the next, saying when to come back', async () => {
    const { hub, wait } = stillClock(real)
    const throttle = openThrottle(hub)
    expect(await throttle.take('192.0.2.1')).toMatchObject({
      allowed: true,
      limit: 20,
      remaining: 19,
      retryAfterSeconds: 0,
    })
    expect(await many(throttle, 30)).toBe(19)
    const refused = await throttle.take('192.0.2.1')
    expect(refused).toEqual({
      allowed: false,
      limit: 20,
      remaining: 0,
      retryAfterSeconds: 1,
      resetSeconds: 1,
    })
    expect((await throttle.take('192.0.2.2')).allowed).toBe(true)
    wait(50)
    expect(await many(throttle, 2)).toBe(1)
    wait(1_000)
    expect(await many(throttle, 30)).toBe(20)
  })

  it('counts a client by its own limit, in its own site, beside its address', async () => {
    const { hub } = stillClock(real)
    const throttle = openThrottle(hub)
    const client = { siteId: 'one', clientId: 'c' }
    const allowed = async (who: typeof client) =>
      (await Promise.all(Array.from({ length: 9 }, () => throttle.takeFor(who, 5)))).filter(
        (one) => one.allowed,
      ).length
    expect(await allowed(client)).toBe(5)
    expect(await allowed({ ...client, siteId: 'two' })).toBe(5)
    expect(await throttle.takeFor(client, 'off')).toMatchObject({ allowed: true })
    expect(await many(throttle, 30)).toBe(20)
  })

  it('never refuses a steady stream at the limit, however it trembles', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 200, maxLength: 200 }),
        async (trembling) => {
          const { hub, wait } = stillClock(real)
          const throttle = openThrottle(hub)
          let late = 0
          for (const by of trembling) {
            wait(50 + by - late)
            late = by
            expect((await throttle.take('192.0.2.1')).allowed).toBe(true)
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  it('lets no more through than the rate and one burst, whenever the calls come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 300 }),
        async (waits) => {
          const { hub, wait } = stillClock(real)
          const throttle = openThrottle(hub)
          let passed = 0
          let time = 0
          for (const ms of waits) {
            wait(ms)
            time += ms
            if ((await throttle.take('192.0.2.1')).allowed) passed += 1
            expect(passed).toBeLessThanOrEqual(20 + time / 50)
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  it('takes the addresses of one network for one caller, and a mapped one for what it maps', async () => {
    const { hub } = stillClock(real)
    const throttle = openThrottle(hub)
    expect(await many(throttle, 20, '2001:db8:1:2::1')).toBe(20)
    expect(await many(throttle, 1, '2001:db8:1:2:ffff::9')).toBe(0)
    expect(await many(throttle, 1, '2001:db8:1:3::1')).toBe(1)
    expect(await many(throttle, 20, '::ffff:192.0.2.7')).toBe(20)
    expect(await many(throttle, 1, '192.0.2.7')).toBe(0)
  })

  it('forgets the address longest unseen when there are too many', async () => {
    const { hub } = stillClock(real)
    const throttle = openThrottle(hub)
    expect(await many(throttle, 21, '192.0.2.1')).toBe(20)
    for (let number = 0; number < 49_999; number += 1)
      await throttle.take(`10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`)
    expect(await many(throttle, 1, '192.0.2.1')).toBe(0)
    await throttle.take('198.51.100.1')
    expect(await many(throttle, 1, '192.0.2.1')).toBe(1)
  })

  it('does not shut callers out after the clock was set back', async () => {
    const { hub, wait } = stillClock(real)
    const throttle = openThrottle(hub)
    expect(await many(throttle, 21)).toBe(20)
    wait(-86_400_000)
    expect(await many(throttle, 21)).toBe(20)
  })

  it('is off where it is configured so', async () => {
    const throttle = openThrottle({ ...real, config: { ...real.config, rateLimit: 'off' } })
    expect(await many(throttle, 1_000)).toBe(1_000)
  })

  /** Two nodes that know of each other. */
  const openTwo = async (hub: Hub): Promise<[Throttle, Throttle]> => {
    await beatNode(
      hub.db,
      { nodeId: 'another', host: 'here', version: '1', startedAt: 0 },
      hub.clock,
    )
    await beatNode(
      hub.db,
      { nodeId: hub.nodeId, host: 'here', version: '1', startedAt: 0 },
      hub.clock,
    )
    const patient = { patienceMs: 600_000 }
    const two = [openThrottle(hub, patient), openThrottle(hub, patient)] as [Throttle, Throttle]
    for (const [index, throttle] of two.entries()) {
      const address = `203.0.113.${index}`
      await until('the other node is seen', async () => {
        await throttle.take(address)
        return hub.db.read
          .selectFrom('buckets')
          .select('address')
          .where('address', '=', address)
          .executeTakeFirst()
      })
    }
    return two
  }

  it('is shared by all nodes: together they let one burst through, and then the rate', async () => {
    const { hub, wait } = stillClock(real)
    const [here, there] = await openTwo(hub)
    // A few at a time: calls that wait long for a connection count on their node alone.
    const both = async (): Promise<number> => {
      let allowed = 0
      for (let round = 0; round < 5; round += 1)
        for (const some of await Promise.all([many(here, 3), many(there, 3)])) allowed += some
      return allowed
    }
    expect(await both()).toBe(20)
    expect(await both()).toBe(0)
    wait(100)
    expect(await both()).toBe(2)
    wait(10_000)
    expect(await both()).toBe(20)
  })

  it('forgets addresses that are quiet as it goes on, not only by the sweep', async () => {
    const { hub, wait } = stillClock(real)
    const [here] = await openTwo(hub)
    for (let number = 0; number < 20; number += 1) await here.take(`198.51.100.${number}`)
    const addresses = () => hub.db.read.selectFrom('buckets').select('address').execute()
    expect((await addresses()).length).toBeGreaterThanOrEqual(20)
    wait(61_000)
    await beatNode(
      hub.db,
      { nodeId: 'another', host: 'here', version: '1', startedAt: 0 },
      hub.clock,
    )
    await beatNode(
      hub.db,
      { nodeId: hub.nodeId, host: 'here', version: '1', startedAt: 0 },
      hub.clock,
    )
    await until('the quiet ones are gone', async () => {
      await here.take('192.0.2.9')
      return (await addresses()).length <= 1
    })
  })

  it('counts on alone when the database is gone, and refuses nobody for that', async () => {
    const { hub } = stillClock(real)
    const [here] = await openTwo(hub)
    await place.close(real)
    expect(await many(here, 30)).toBe(20)
  })
})
