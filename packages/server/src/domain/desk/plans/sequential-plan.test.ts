/** Contract, section 18: the sizes are those of the exact plan, and the promise holds. */
import { describe, expect, it } from 'vitest'
import { drawSample } from './draw-sample.ts'
import { brokenShare, planSizes, readPlan, reserve } from './sequential-plan.ts'

/** Segments, per cent and confidence; the sizes for 0, 1, 2 … major errors, computed independently. */
const known: [number, number, number, number[]][] = [
  [60, 5, 90, [32, 45, 54, 60]],
  [100, 2, 95, [69, 90, 100]],
  [100, 5, 95, [49, 66, 80, 90, 97, 100]],
  [150, 2, 90, [84, 116, 138, 149]],
  [150, 4, 95, [68, 93, 111, 126, 138, 146]],
  [500, 2, 95, [174, 237, 288, 332, 370, 404]],
  [1_000, 1, 95, [348, 475, 577, 665, 742, 810]],
  [1_000, 2, 95, [215, 296, 363, 423, 479, 531]],
  [1_000, 5, 95, [102, 140, 172, 202, 230, 256]],
]
const promised = (segments: number, perCent: number, confidence: number) => ({
  segments,
  allowed: Math.floor((segments * perCent) / 100),
  error: 1 - confidence / 100,
})

describe('a review plan', () => {
  it.each(known)(
    'of %i segments, %d per cent and %d per cent sure has the sizes of the exact plan',
    (segments, perCent, confidence, sizes) => {
      const plan = planSizes(promised(segments, perCent, confidence))
      expect(plan.slice(0, 6)).toEqual(sizes)
      expect(plan.at(-1)).toBeLessThanOrEqual(segments)
    },
  )

  it('keeps its level exactly, for every size of a job', () => {
    for (const segments of [1, 2, 7, 40, 333, 2_000])
      for (const perCent of [0.5, 1, 2, 5, 10]) {
        const promise = promised(segments, perCent, 95)
        const sizes = planSizes(promise)
        expect(sizes, `${segments}, ${perCent}`).toHaveLength(promise.allowed + 1)
        expect(brokenShare(promise, sizes)).toBeLessThanOrEqual(0.05 + 1e-9)
      }
  })

  it('of very many segments is exact up to the largest sample, and ends', () => {
    const promise = promised(60_000, 0.5, 95)
    const sizes = planSizes(promise)
    expect(brokenShare(promise, sizes)).toBeLessThanOrEqual(0.05)
    expect(sizes[0]).toBeLessThan(2_000)
  })

  it.each([1, 2, 5, 10])(
    'breaks a promise of %d per cent in at most 5 per cent of 1,000 splits',
    (perCent) => {
      const promise = promised(500, perCent, 95)
      const sizes = planSizes({ ...promise, error: promise.error * reserve })
      for (const [found, size] of planSizes(promise).entries())
        expect(sizes[found], `${found} found`).toBeLessThanOrEqual(size * 1.1)
      let proved = 0
      for (let split = 0; split < 1_000; split++) {
        const order = drawSample(`split ${perCent} ${split}`, promise.segments, promise.segments)
        const verdicts = order.map((place) => place <= promise.allowed)
        const { state, found, size } = readPlan(sizes, verdicts)
        if (state === 'PROVED') proved++
        else expect([state, found], String(split)).toEqual(['FAILED', promise.allowed + 1])
        expect(size).toBeLessThanOrEqual(promise.segments)
      }
      // The plan keeps a reserve of a quarter (review-plan.ts), so that chance does not exceed it here.
      expect(proved).toBeLessThanOrEqual(50)
      // A plan that never proves anything keeps every promise, too.
      expect(proved).toBeGreaterThan(10)
    },
  )

  it('ends at its first success, whatever is said later', () => {
    const sizes = planSizes(promised(100, 2, 95))
    const good = Array.from({ length: 69 }, () => false)
    expect(readPlan(sizes, good.slice(1))).toEqual({
      state: 'MORE',
      reviewed: 68,
      found: 0,
      size: 69,
    })
    expect(readPlan(sizes, [...good, true, true, true, true])).toMatchObject({
      state: 'PROVED',
      size: 69,
    })
    expect(readPlan(sizes, [true, ...good])).toMatchObject({ state: 'MORE', found: 1, size: 90 })
    expect(readPlan(sizes, [true, true, true])).toMatchObject({ state: 'FAILED', reviewed: 3 })
  })

  it('draws every place once, every order as likely, and the same by the same seed', () => {
    const drawn = drawSample('seed', 1_000, 1_000)
    expect(new Set(drawn).size).toBe(1_000)
    expect(drawSample('seed', 1_000, 10)).toEqual(drawn.slice(0, 10))
    expect(drawSample('other', 1_000, 10)).not.toEqual(drawn.slice(0, 10))
    const first = new Map<number, number>()
    for (let seed = 0; seed < 6_000; seed++) {
      const [place = -1] = drawSample(String(seed), 6, 1)
      first.set(place, (first.get(place) ?? 0) + 1)
    }
    for (const count of first.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120)
  })
})
