/** The mark of a segment in review: judged wrong, judged right, or not judged. */
import { type Mark, markOfSegment } from '../rows.tsx'
import type { Shown } from '../use-segments.ts'

export function markOfReview(row: Shown): Mark {
  if (row.review?.verdict === 'WRONG') return { glyph: 'again', look: 'bad', word: 'verdict.WRONG' }
  if (row.review?.verdict === 'OK') return { glyph: 'tick', look: 'good', word: 'verdict.OK' }
  const mark = markOfSegment(row)
  return mark.look === 'bad' ? mark : { glyph: 'created', look: 'none', word: 'notJudged' }
}
