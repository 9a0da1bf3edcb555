import { expect, it } from 'vitest'
import { nextTry, pauseOf } from './schedule.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

it('a delivery is tried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, a day, and for the last time at 72 h', () => {
  const times = [0]
  for (let next: number | undefined = 0; next !== undefined; ) {
    next = nextTry({ count: times.length, first: 0, last: times.at(-1) ?? 0 })
    if (next !== undefined) times.push(next)
  }
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  const usual = [
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    24 * hour,
  ]
  expect(waits.slice(0, -1)).toEqual(usual)
  expect(times.at(-1)).toBe(72 * hour)
})

it('a receiver may ask for a longer pause, never for a shorter one or one beyond a day', () => {
  const tries = { count: 1, first: 0, last: 0 }
  expect(nextTry(tries, 120 * second)).toBe(120 * second)
  expect(nextTry(tries, 1)).toBe(5 * second)
  expect(nextTry(tries, 1_000 * hour)).toBe(24 * hour)
  expect(nextTry({ count: 9, first: 0, last: 71 * hour }, 5 * hour)).toBe(72 * hour)
})

it('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-11-14T10:00:00Z')
  expect(pauseOf(undefined, undefined, now)).toBe(0)
  expect(pauseOf('120', undefined, now)).toBe(120 * second)
  expect(pauseOf('Sat, 14 Nov 2026 10:05:00 GMT', undefined, now)).toBe(5 * minute)
  // The receiver's clock is two hours ahead, and it asks for five minutes.
  expect(pauseOf('Sat, 14 Nov 2026 12:05:00 GMT', 'Sat, 14 Nov 2026 12:00:00 GMT', now)).toBe(
    5 * minute,
  )
  for (const nonsense of ['soon', '-5', '']) expect(pauseOf(nonsense, undefined, now)).toBe(0)
  expect(pauseOf('Sat, 14 Nov 2020 10:05:00 GMT', undefined, now)).toBe(0)
})
