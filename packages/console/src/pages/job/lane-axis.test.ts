import { describe, expect, it } from 'vitest'
import { axisOf } from './lane-axis.ts'

const time = (clock: string, day = '13') => Date.parse(`2027-03-${day}T${clock}:00Z`)

describe('the axis of the lanes', () => {
  const times = [
    time('14:00'),
    time('14:31'),
    time('15:20'),
    time('16:40'),
    time('17:11'),
    time('09:31', '14'),
  ]
  const axis = axisOf(times, time('09:41', '14'))

  it('cuts out the night, and tells how long it was', () => {
    expect(axis.cuts.map(({ idle }) => [idle.from, idle.to])).toEqual([
      [time('17:11'), time('09:31', '14')],
    ])
    const [cut] = axis.cuts
    expect(axis.place(cut?.to ?? 0) - axis.place(cut?.from ?? 0)).toBeCloseTo(4)
  })

  it('goes from 0 to 100 and never back', () => {
    const places = [...times, axis.to].map((at) => axis.place(at))
    expect(places[0]).toBe(0)
    expect(places.at(-1)).toBeCloseTo(100)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  it('leaves room for the last minutes beside hours', () => {
    expect(100 - axis.place(time('09:31', '14'))).toBeGreaterThan(5)
  })

  it('holds with one time, and with thousands', () => {
    expect(axisOf([5], 5).place(5)).toBe(0)
    expect(axisOf([], 5).cuts).toEqual([])
    const many = Array.from({ length: 20_000 }, (_, at) => time('14:00') + at * 100)
    expect(axisOf(many, time('18:00')).place(time('18:00'))).toBeCloseTo(100)
  })
})
