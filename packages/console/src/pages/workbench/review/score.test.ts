/** The score of a review, recomputed by hand. */
import { expect, it } from 'vitest'
import { scoreOf } from './score.ts'

const text = (words: number) => [Array.from({ length: words }, () => 'word').join(' ')]

it.each([
  [[], 0],
  [[{ source: text(500) }], 0],
  // 5 + 1 points in 200 words are 30 in 1,000.
  [
    [
      { source: text(100), review: { verdict: 'WRONG', severity: 'MAJOR' } },
      { source: text(100), review: { verdict: 'WRONG' } },
    ],
    30,
  ],
  [[{ source: text(1_000), review: { verdict: 'WRONG', severity: 'CRITICAL' } }], 25],
  [[{ source: text(10), review: { verdict: 'WRONG', severity: 'NEUTRAL' } }], 0],
  [[{ source: text(10), review: { verdict: 'OK', severity: 'CRITICAL' } }], 0],
] as const)('%#', (segments, score) => {
  expect(scoreOf(segments as never).score).toBe(score)
})
