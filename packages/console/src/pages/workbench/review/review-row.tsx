/**
 * The segment that is judged: what changed since the delivery before, and the verdict with its
 * kind, weight and note.
 */
import type { ReviewedSegment, SegmentReview, TextParts } from '@dragoman/contract/wire'
import { useEffect, useRef, useState } from 'react'
import { ChipText } from '../../../parts/chip-editor/chip-text.tsx'
import { Button, Chip, Chips } from '../../../parts/controls.tsx'
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

export type ReviewRow = Shown & Pick<ReviewedSegment, 'previous' | 'correction'>

type ReviewRowProps = {
  readonly task: Task
  readonly row: ReviewRow
  readonly isOver: boolean
  readonly hasPrevious: boolean
  /** The note takes the focus each time this changes. */
  readonly noting: number
  readonly onJudge: (row: ReviewRow, review: SegmentReview) => void
  readonly onCorrect: (row: ReviewRow, target: TextParts) => void
}

export function ActiveReview({
  task: { task },
  row,
  isOver,
  hasPrevious,
  noting,
  onJudge,
  onCorrect,
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
        <Corrected row={row} language={language} />
        <Warnings segment={row} />
        {!isOver && <Correct key={row.segmentId} row={row} onCorrect={onCorrect} />}
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

/** What waits to be delivered, as it changes the target. */
export function Corrected({
  row,
  language,
}: {
  readonly row: ReviewRow
  readonly language: string
}) {
  const t = useWords<Key>('workbench')
  if (!row.correction) return null
  return (
    <div data-correction>
      <p className="meta dim">{t('correction')}</p>
      <DifferenceText
        pieces={differencesOf(row.target ?? [], row.correction)}
        tags={row.tags}
        language={language}
      />
    </div>
  )
}

/** Tags are written as `{1}`, as elsewhere in plain text. */
function Correct({
  row,
  onCorrect,
}: Pick<ReviewRowProps, 'onCorrect'> & { readonly row: ReviewRow }) {
  const t = useWords<Key>('workbench')
  const [text, setText] = useState<string>()
  if (text === undefined)
    return (
      <Button onClick={() => setText(plainOf(row.correction ?? row.target ?? []))}>
        {t('correct')}
      </Button>
    )
  return (
    <form
      className={css.judge}
      onSubmit={(event) => {
        event.preventDefault()
        onCorrect(row, partsOf(text, row.tags.length))
        setText(undefined)
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person asked to write here
        autoFocus
        dir="auto"
        data-note
        rows={3}
        aria-label={t('correct')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape') setText(undefined)
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
      />
      <p className="meta dim">{t('correctHelp')}</p>
      <Button type="submit">{t('saveCorrection')}</Button>
    </form>
  )
}

const plainOf = (text: TextParts): string =>
  text.map((piece) => (typeof piece === 'string' ? piece : `{${piece.tag}}`)).join('')

/** A number in braces is a tag where the segment has so many. */
function partsOf(text: string, tags: number): TextParts {
  const pieces = text.split(/\{(\d{1,4})\}/)
  const parts: TextParts = []
  for (const [at, piece] of pieces.entries()) {
    const tag = Number(piece)
    if (at % 2 === 0) {
      if (piece !== '') parts.push(piece)
    } else if (tag >= 1 && tag <= tags) parts.push({ tag })
    else parts.push(`{${piece}}`)
  }
  return parts
}

const types = ['TERMINOLOGY', 'ACCURACY', 'LANGUAGE', 'STYLE', 'LOCALE', 'DESIGN', 'OTHER'] as const
