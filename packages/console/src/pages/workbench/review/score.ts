/**
 * The score of a review: penalty points of the verdicts for each 1,000 words of the source. Pure.
 */
import type { ReviewedSegment } from '@dragoman/contract/wire'
import { countWords } from '../task.ts'

/** By severity, as in MQM scorecards. A verdict without a severity counts as minor. */
export const weights = { NEUTRAL: 0, MINOR: 1, MAJOR: 5, CRITICAL: 25 } as const
export type Severity = keyof typeof weights
export const severities = Object.keys(weights) as Severity[]

type Judged = Pick<ReviewedSegment, 'source' | 'review'>

export function scoreOf(segments: readonly Judged[]): {
  readonly points: number
  readonly words: number
  readonly score: number
} {
  const words = segments.reduce((sum, { source }) => sum + countWords(source), 0)
  const points = segments.reduce(
    (sum, { review }) =>
      sum + (review?.verdict === 'WRONG' ? weights[review.severity ?? 'MINOR'] : 0),
    0,
  )
  return { points, words, score: words === 0 ? 0 : Math.round((points * 10_000) / words) / 10 }
}
