/** What the checks find in a segment, and why the translator keeps it. */
import type { ReviewedSegment } from '@dragoman/contract/wire'
import { Glyph } from '../../look/glyphs.tsx'
import type en from '../../words/en/review.json'
import { useWords } from '../../words/words.ts'
import css from './review.module.css'
import { useSentence } from './use-sentence.ts'

export function Warnings({
  segment: { checks, kept },
}: {
  readonly segment: Pick<ReviewedSegment, 'checks' | 'kept'>
}) {
  const t = useWords<keyof typeof en>('review')
  const sentence = useSentence()
  return checks.map((finding) => {
    const reason = kept?.find((one) => one.check === finding.check)?.reason
    return (
      <p key={finding.check} className={css.warning}>
        <Glyph name="error" size={14} />
        <span>
          <bdi>{sentence(finding)}</bdi>{' '}
          {reason && (
            <span className="mut">
              {t('keptAs')} <bdi>{reason}</bdi>
            </span>
          )}
        </span>
      </p>
    )
  })
}
