/** Whether a verdict found a major error. */
import type { SegmentReview } from '@dragoman/contract'

/** A wrong segment whose severity nobody said counts; MINOR and NEUTRAL do not. */
export const isMajor = ({
  verdict,
  severity = 'MAJOR',
}: Pick<SegmentReview, 'verdict' | 'severity'>): boolean =>
  verdict === 'WRONG' && severity !== 'MINOR' && severity !== 'NEUTRAL'
