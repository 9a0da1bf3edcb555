/**
 * Times of fields in a zone; and the rule that every page formats times in one place, by the hub's
 * clock.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { localOf, timeOf } from './zone.ts'

describe('a field for a date and a time', () => {
  it.each([
    ['UTC', '2026-11-18T14:05:00.000Z', '2026-11-18T14:05'],
    ['Asia/Tokyo', '2026-11-18T20:05:00.000Z', '2026-11-19T05:05'],
    ['Asia/Kathmandu', '2026-12-31T18:15:30.000Z', '2027-01-01T00:00:30'],
    ['America/New_York', '2026-03-08T06:59:00.000Z', '2026-03-08T01:59'],
    ['America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08T03:00'],
    ['Europe/Berlin', '2026-10-25T02:00:00.000Z', '2026-10-25T03:00'],
    ['Pacific/Apia', '2026-06-30T23:00:00.000Z', '2026-07-01T12:00'],
  ])('in %s has %s as %s', (zone, time, local) => {
    expect(localOf(time, zone)).toBe(local)
    expect(timeOf(local, zone)).toBe(time)
  })

  it('takes an hour that is there twice, or not at all, as one of that day', () => {
    expect(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']).toContain(
      timeOf('2026-10-25T02:30', 'Europe/Berlin'),
    )
    expect(timeOf('2026-03-29T02:30', 'Europe/Berlin').slice(0, 10)).toBe('2026-03-29')
  })
})

describe('the source of the console', () => {
  const folder = new URL('./', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts') && !name.startsWith('docs/'),
  )
  const where = (pattern: RegExp): string[] =>
    files.filter((name) => pattern.test(readFileSync(new URL(name, folder), 'utf8'))).sort()

  it('reads the time in one place, which adds what the hub is ahead', () => {
    expect(where(/\bDate\.now\(|\bnew Date\(\)|performance\.timeOrigin/)).toEqual(['clock.ts'])
  })

  it('formats times in one place, and asks for the zone in one', () => {
    expect(where(/\bDateTimeFormat\b|\bRelativeTimeFormat\b/)).toEqual(['times.ts', 'zone.ts'])
    expect(
      where(
        /\.toLocale(Date|Time)?String\(|\.getTimezoneOffset\(|\.get(Hours|Minutes|Date|Day|Month|FullYear)\(/,
      ),
    ).toEqual([])
    expect(where(/storedChoice\('zone'\)/)).toEqual(['zone.ts'])
  })

  it('cuts no piece out of a UTC time, except the days that the hub counts in UTC', () => {
    expect(where(/toISOString\(\)\.slice|\biso\.slice/)).toEqual([
      'pages/prices/prices.tsx',
      'pages/providers/shares.ts',
      'pages/providers/usage-panel.tsx',
      'pages/reports/period.ts',
    ])
  })
})
