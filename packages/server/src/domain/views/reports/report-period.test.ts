import { reportUnits } from '@dragoman/contract'
import { describe, expect, it } from 'vitest'
import { periodOf, unitAt, unitsOf } from './report-period.ts'

const day = 86_400_000
const now = Date.parse('2028-03-15T10:00:00Z')

describe.each(reportUnits)('a period in units of a %s', (unit) => {
  const period = periodOf({ from: '2027-02-10', to: '2028-03-14' }, unit, now)
  it('has every day in one unit, in order', () => {
    for (let at = period.from; at < period.to; at += day) {
      const found = unitAt(period, at)
      expect(period.starts[found]).toBeLessThanOrEqual(at)
      expect(period.starts[found + 1] ?? period.to).toBeGreaterThan(at + day - 1)
      expect(unitAt(period, at + day - 1)).toBe(found)
    }
    expect(unitAt(period, period.from - 1)).toBeLessThan(0)
    expect(unitAt(period, period.to)).toBe(period.starts.length)
  })
})

it('is widened to whole months', () => {
  const period = periodOf({ from: '2028-01-31', to: '2028-03-01' }, 'month', now)
  expect(unitsOf(period)).toEqual(['2028-01-01', '2028-02-01', '2028-03-01'])
  expect(new Date(period.to).toISOString()).toBe('2028-04-01T00:00:00.000Z')
})
