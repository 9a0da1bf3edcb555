import { HubError } from '@dragoman/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases, type HubPlace, makePlace } from '../../../../../tests/hub-place.ts'
import type { Hub } from '../../hub.ts'
import { addressOf, forgetGuesses, limitGuesses } from './login-throttle.ts'

let place: HubPlace
let hub: Hub
/** Stands still, so that a pause is as long on a busy machine. */
let time: number

const wrong = async () => undefined
const right = async () => 'in'
const advance = (seconds: number) => {
  time += seconds * 1_000
}
/** The outcome of a try: "in", "wrong", or the seconds until the next one is allowed. */
const attempt = async (check: () => Promise<string | undefined>, client = 'a', ip = '10.0.0.1') => {
  try {
    return (await limitGuesses(hub, { name: client, ip }, check)) ?? 'wrong'
  } catch (error) {
    if (error instanceof HubError && error.code === 'RATE_LIMITED') return error.retryAfter
    throw error
  }
}
const fail = async (times: number) => {
  for (let i = 0; i < times; i++) expect(await attempt(wrong)).toBe('wrong')
}

describe.each(databases)('on %s', (database) => {
  beforeEach(async () => {
    place = await makePlace(database)
    const real = await place.open()
    time = real.clock.now()
    hub = { ...real, clock: { ...real.clock, now: () => time } }
  })
  afterEach(() => place.clear())

  test('the eleventh try in a minute is refused, and the pause grows up to a minute', async () => {
    await fail(10)
    const pauses = []
    for (let i = 0; i < 6; i++) pauses.push(await attempt(right))
    expect(pauses).toEqual([10, 20, 40, 60, 60, 60])
  })

  test('other clients and other addresses are not touched', async () => {
    await fail(10)
    expect(await attempt(right)).toBe(10)
    expect(await attempt(right, 'b')).toBe('in')
    expect(await attempt(right, 'a', '10.0.0.2')).toBe('in')
  })

  test('pairs that have been quiet are forgotten as others fail, not only by the sweep', async () => {
    const pairs = () =>
      hub.db.read.selectFrom('guesses').select('client_id').orderBy('client_id').execute()
    for (let at = 0; at < 20; at++) await attempt(wrong, `made-up-${at}`)
    expect(await pairs()).toHaveLength(20)
    advance(601)
    await attempt(wrong, 'another')
    expect(await pairs()).toEqual([{ client_id: 'another' }])
  })

  test('after the pause the right secret gets in and the failures are forgotten', async () => {
    await fail(10)
    advance(6)
    expect(await attempt(right)).toBe('in')
    await fail(9)
    expect(await attempt(right)).toBe('in')
  })

  test('a client that keeps trying gets in one minute after the last secret that was checked', async () => {
    await fail(10)
    for (let seconds = 0; seconds < 58; seconds += 2) {
      advance(2)
      expect(await attempt(right)).toBeTypeOf('number')
    }
    advance(3)
    expect(await attempt(right)).toBe('in')
  })

  test('one more failure after the pause brings the pause back, longer', async () => {
    await fail(10)
    advance(6)
    expect(await attempt(wrong)).toBe('wrong')
    expect(await attempt(right)).toBe(20)
    advance(21)
    expect(await attempt(wrong)).toBe('wrong')
    expect(await attempt(right)).toBe(60)
  })

  test('nine failures in each minute are only failures', async () => {
    for (let minute = 0; minute < 3; minute++) {
      await fail(9)
      advance(61)
    }
    expect(await attempt(right)).toBe('in')
  })

  test('a hundred guesses at once are not a hundred free ones', async () => {
    let looked = 0
    const look = async () => {
      looked += 1
      return undefined
    }
    const all = await Promise.all(Array.from({ length: 100 }, () => attempt(look)))
    expect(looked).toBe(10)
    expect(all.filter((one) => typeof one === 'number')).toHaveLength(90)
  })

  test('quiet pairs are swept away, blocked ones stay', async () => {
    await fail(10)
    const count = async () => (await hub.db.read.selectFrom('guesses').selectAll().execute()).length
    await hub.db.transact((tx) => forgetGuesses(tx, hub.clock.now()))
    expect(await count()).toBe(1)
    advance(601)
    await hub.db.transact((tx) => forgetGuesses(tx, hub.clock.now()))
    expect(await count()).toBe(0)
  })
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:DB8:0:1:a:b:c:d', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (ip, counted) => expect(addressOf(ip)).toBe(counted))
