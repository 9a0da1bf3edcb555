import { describe, expect, it } from 'vitest'
import { dueTime, isTimeZone } from './time-zones.ts'

describe('when something is due', () => {
  it.each([
    ['2031-05-06', 'UTC', '2031-05-06T23:59:59.999Z'],
    ['2031-05-06', 'Europe/Berlin', '2031-05-06T21:59:59.999Z'],
    ['2031-12-06', 'Europe/Berlin', '2031-12-06T22:59:59.999Z'],
    ['2031-05-06', 'Asia/Kathmandu', '2031-05-06T18:14:59.999Z'],
    ['2031-05-06', 'Pacific/Kiritimati', '2031-05-06T09:59:59.999Z'],
    ['2031-05-06', 'Pacific/Pago_Pago', '2031-05-07T10:59:59.999Z'],
    // The days on which clocks change.
    ['2026-03-29', 'Europe/Berlin', '2026-03-29T21:59:59.999Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-25T22:59:59.999Z'],
    // A day that begins at one o'clock, and one that the calendar left out.
    ['2018-11-03', 'America/Sao_Paulo', '2018-11-04T02:59:59.999Z'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T09:59:59.999Z'],
    ['9999-12-31', 'America/New_York', '9999-12-31T23:59:59.999Z'],
    ['2031-05-06T10:00', 'Europe/Berlin', '2031-05-06T10:00'],
    ['2031-05-06T00:00:00Z', 'Europe/Berlin', '2031-05-06T00:00:00Z'],
    ['2031-05-06 00:00', 'Europe/Berlin', '2031-05-06 00:00'],
  ])('given as %s in %s it is due at %s', (given, zone, time) => {
    expect(dueTime(given, zone)).toBe(time)
  })
})

describe('names of time zones', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
    '%s is one',
    (name) => expect(isTimeZone(name)).toBe(true),
  )
  it.each(['', 'Europe', 'Europe/Atlantis', '+02:00', 'CEST2', 'Europe/Berlin\n', 'x'.repeat(100)])(
    '%j is none',
    (name) => expect(isTimeZone(name)).toBe(false),
  )
})
