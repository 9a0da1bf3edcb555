import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTime, mustParseTime, parseTime } from './times.ts'

describe('reading a time', () => {
  it.each([
    ['2026-11-14', '2026-11-14T00:00:00.000Z'],
    ['2026-11-14T10:20:30', '2026-11-14T10:20:30.000Z'],
    ['2026-11-14T10:20:30Z', '2026-11-14T10:20:30.000Z'],
    ['2026-11-14T10:20:30.5Z', '2026-11-14T10:20:30.500Z'],
    ['2026-11-14T10:20:30.1234567Z', '2026-11-14T10:20:30.123Z'],
    ['2026-11-14T10:20:30+02:00', '2026-11-14T08:20:30.000Z'],
    ['2026-11-14T10:20:30.001-0530', '2026-11-14T15:50:30.001Z'],
    ['2031-02-02 12:00', '2031-02-02T12:00:00.000Z'],
    ['2031-02-02 12:00:30', '2031-02-02T12:00:30.000Z'],
    ['2031-02-02T12:00+01:00', '2031-02-02T11:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('understands %s', (text, time) => {
    const ms = parseTime(text)
    expect(ms !== undefined && formatTime(ms)).toBe(time)
  })

  it.each([
    '',
    '2026-02-30',
    '2025-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '2026-04-31T00:00:00Z',
    '2026-11-14T24:00:00Z',
    '2026-11-14T10:60:00Z',
    '2026-11-14T10:00:60Z',
    '2026-11-14T10:00:00+15:00',
    '2026-11-14T10:00:00+02:60',
    '2026-11-14Z',
    '2026-11-14  10:00:00',
    '2026-11-14 10',
    '2026-11-14 10:00.5',
    '2026-11-14T10:00:00Z\n',
    '+12026-11-14',
    '0000-12-31',
    '0001-01-01T00:00:00+02:00',
    '9999-12-31T23:59:59-02:00',
    '1763078400000',
    'tomorrow',
  ])('refuses %j', (text) => {
    expect(parseTime(text)).toBeUndefined()
  })

  it('reads back every time that it writes', () => {
    const moment = fc.integer({ min: Date.parse('0001-01-01'), max: Date.parse('9999-12-31') })
    fc.assert(fc.property(moment, (ms) => parseTime(formatTime(ms)) === ms))
  })

  it('accepts exactly the days that the calendar has', () => {
    const part = (max: number) => fc.integer({ min: 0, max })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), part(14), part(33), (year, month, day) => {
        const text = [
          String(year).padStart(4, '0'),
          ...[month, day].map((n) => String(n).padStart(2, '0')),
        ].join('-')
        const ms = Date.parse(`${text}T00:00:00Z`)
        const real = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
        expect(parseTime(text)).toBe(real ? ms : undefined)
      }),
    )
  })

  it('refuses a text that no schema has checked, instead of taking it for 1970', () => {
    expect(() => mustParseTime('yesterday')).toThrow('"yesterday" is not a time')
    expect(mustParseTime('2026-11-14')).toBe(Date.parse('2026-11-14T00:00:00Z'))
  })
})
