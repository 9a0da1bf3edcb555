/**
 * The segment that is judged: what changed since the delivery before, and the verdict with its
 * kind, weight and note.
 */
import type { ReviewedSegment, SegmentReview } from '@dragoman/contract/wire'
import { useEffect, useRef, useState } from 'react'
import { ChipText } from '../../../parts/chip-editor/chip-text.tsx'
import { Chip, Chips } from '../../../parts/controls.tsx'
import { DifferenceText } from '../../../parts/review/difference-text.tsx'
import { differencesOf, hasChanged } from '../../../parts/review/differences.ts'
import { Warnings } from '../../../parts/review/warnings.tsx'
import { useWords } from '../../../words/words.ts'
import { Cell, MarkCells } from '../rows.tsx'
import type { Task } from '../task.ts'
import type { Key } from '../texts.ts'
import type { Shown } from '../use-segments.ts'
import css from '../workbench.module.css'
import { markOfReview } from './review-marks.ts'
import { severities } from './score.ts'

export type ReviewRow = Shown & Pick<ReviewedSegment, 'previous'>

type ReviewRowProps = {
  readonly task: Task
  readonly row: ReviewRow
  readonly isOver: boolean
  readonly hasPrevious: boolean
  /** The note takes the focus each time this changes. */
  readonly noting: number
  readonly onJudge: (row: ReviewRow, review: SegmentReview) => void
}

export function ActiveReview({
  task: { task },
  row,
  isOver,
  hasPrevious,
  noting,
  onJudge,
}: ReviewRowProps) {
  const t = useWords<Key>('workbench')
  const [review, setReview] = useState<SegmentReview | undefined>(row.review)
  useEffect(() => setReview(row.review), [row.review])
  const judge = (some: Partial<SegmentReview>) => {
    const next = { ...review, verdict: 'WRONG' as const, ...some }
    const given = next.verdict === 'OK' ? { verdict: next.verdict } : next
    setReview(given)
    onJudge(row, given)
  }
  const language = task.targetNativeLanguageCode
  const isWrong = review?.verdict === 'WRONG'
  const note = useRef<HTMLTextAreaElement>(null)
  const noted = useRef(noting)
  useEffect(() => {
    if (noted.current === noting || !isWrong) return
    noted.current = noting
    note.current?.focus()
  }, [noting, isWrong])
  return (
    <>
      <Cell kind="position">{row.position}</Cell>
      <Cell>
        <ChipText text={row.source} tags={row.tags} language={task.sourceNativeLanguageCode} />
      </Cell>
      <Cell>
        <ChipText text={row.target ?? []} tags={row.tags} language={language} />
        <Warnings segment={row} />
        {!isOver && (
          <div className={css.judge}>
            <Chips label={t('verdict')}>
              <Chip pressed={review?.verdict === 'OK'} onPress={() => judge({ verdict: 'OK' })}>
                {t('verdict.OK')}
              </Chip>
              <Chip pressed={isWrong} onPress={() => judge({ verdict: 'WRONG' })}>
                {t('verdict.WRONG')}
              </Chip>
            </Chips>
            {isWrong && (
              <>
                <select
                  aria-label={t('type')}
                  value={review.type ?? ''}
                  onChange={({ target }) =>
                    judge({ type: types.find((type) => type === target.value) ?? 'OTHER' })
                  }
                >
                  <option value="">{t('type')}</option>
                  {types.map((type) => (
                    <option key={type} value={type}>
                      {t(`type.${type}`)}
                    </option>
                  ))}
                </select>
                <select
                  aria-label={t('severity')}
                  value={review.severity ?? 'MINOR'}
                  onChange={({ target }) =>
                    judge({ severity: target.value as NonNullable<SegmentReview['severity']> })
                  }
                >
                  {severities.map((severity) => (
                    <option key={severity} value={severity}>
                      {t(`severity.${severity}`)}
                    </option>
                  ))}
                </select>
                <textarea
                  dir="auto"
                  ref={note}
                  data-note
                  rows={2}
                  aria-label={t('note')}
                  placeholder={t('note')}
                  defaultValue={review.note ?? ''}
                  onBlur={({ target }) =>
                    target.value !== (review.note ?? '') && judge({ note: target.value })
                  }
                />
              </>
            )}
          </div>
        )}
        {isOver && isWrong && (
          <p className={css.blocking}>
            <bdi>{review.note ?? t('verdict.WRONG')}</bdi>
          </p>
        )}
      </Cell>
      {hasPrevious && (
        <Cell>
          <Previous row={row} language={language} />
        </Cell>
      )}
      <MarkCells row={row} mark={markOfReview(row)} />
    </>
  )
}

/** What changed since the delivery before. */
export function Previous({
  row,
  language,
}: {
  readonly row: ReviewRow
  readonly language: string
}) {
  const t = useWords<Key>('workbench')
  const { target, verdict, note } = row.previous ?? {}
  return (
    <>
      {target && hasChanged(row) ? (
        <>
          <span className={`meta dim ${css.onPhone}`}>{t('sincePrevious')}</span>
          <DifferenceText
            pieces={differencesOf(target, row.target ?? [])}
            tags={row.tags}
            language={language}
          />
        </>
      ) : (
        <span className={`dim ${css.empty}`}>{t('unchanged')}</span>
      )}
      {verdict && (
        <p className="meta dim">
          {t(`verdict.${verdict}`)} {note && <bdi>{note}</bdi>}
        </p>
      )}
    </>
  )
}

const types = ['TERMINOLOGY', 'ACCURACY', 'LANGUAGE', 'STYLE', 'LOCALE', 'DESIGN', 'OTHER'] as const
