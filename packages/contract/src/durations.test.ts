import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDuration, type Duration, formatDuration, parseDuration } from './durations.ts'

const at = (text: string) => Date.parse(text)

describe('reading a duration', () => {
  it.each(['90s', '5m', '2h', '3d', '6mo', '1y', '0s', '1200mo', '100y'])(
    'understands %s',
    (text) => {
      const duration = parseDuration(text)
      expect(duration && formatDuration(duration)).toBe(text)
    },
  )

  it.each([
    '',
    '-1d',
    '+1d',
    '1.5h',
    '1',
    'd',
    '1 d',
    '1D',
    '1w',
    '6mo ',
    '101y',
    '9999999999d',
    '1e3s',
    '1d\n',
    '٣d',
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})

describe('adding a duration', () => {
  it.each([
    ['2026-01-01T00:00:00Z', '90s', '2026-01-01T00:01:30Z'],
    ['2026-01-01T00:00:00Z', '3d', '2026-01-04T00:00:00Z'],
    ['2026-01-15T10:20:30Z', '6mo', '2026-07-15T10:20:30Z'],
    ['2026-08-31T23:59:59Z', '6mo', '2027-02-28T23:59:59Z'],
    ['2023-08-31T12:00:00Z', '6mo', '2024-02-29T12:00:00Z'],
    ['2024-02-29T12:00:00Z', '1y', '2025-02-28T12:00:00Z'],
    ['2026-12-31T00:00:00Z', '1mo', '2027-01-31T00:00:00Z'],
    ['2026-01-31T00:00:00Z', '0mo', '2026-01-31T00:00:00Z'],
  ])('%s and %s is %s', (from, text, to) => {
    expect(addDuration(at(from), parseDuration(text) as Duration)).toBe(at(to))
  })

  it('never goes back, and keeps the time of day for months', () => {
    const moment = fc.integer({ min: at('1971-01-01'), max: at('2200-01-01') })
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 1_200 }), (ms, count) => {
        const later = addDuration(ms, { count, unit: 'mo' })
        expect(later).toBeGreaterThanOrEqual(ms)
        expect(new Date(later).toISOString().slice(11)).toBe(new Date(ms).toISOString().slice(11))
      }),
    )
  })
})
