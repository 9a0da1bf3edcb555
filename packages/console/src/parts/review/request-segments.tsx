/**
 * The segments of a request, source and translation side by side: what changed since the delivery
 * before, what the checks find, and the numbers of both marked.
 */
import type { ReviewedSegment, TextParts } from '@dragoman/contract/wire'
import { useState } from 'react'
import { usePages } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/review.json'
import { useWords } from '../../words/words.ts'
import { ChipText, type TextMark } from '../chip-editor/chip-text.tsx'
import { Button, Chip, Chips } from '../controls.tsx'
import { Failed, Loading } from '../said.tsx'
import { DifferenceText } from './difference-text.tsx'
import { differencesOf, hasChanged } from './differences.ts'
import css from './review.module.css'
import { Warnings } from './warnings.tsx'

type Key = keyof typeof en
const shownBy = {
  all: () => true,
  changed: hasChanged,
  warnings: ({ checks }: ReviewedSegment) => checks.length > 0,
} as const
type By = keyof typeof shownBy
const bys = Object.keys(shownBy) as By[]

type RequestSegmentsProps = {
  readonly jobId: string
  readonly requestId: string
  readonly from: string
  readonly to: string
}

export function RequestSegments({ jobId, requestId, from, to }: RequestSegmentsProps) {
  const t = useWords<Key>('review')
  const writers = useWriters()
  const [by, setBy] = useState<By>('all')
  const pages = usePages('listRequestSegments', { params: { jobId, requestId } })
  const { items, failure } = pages
  if (items.length === 0 && failure?.code === 'NO_SEGMENTS')
    return <p className="dim">{t('noSegments')}</p>
  if (items.length === 0 && failure) return <Failed failure={failure} retry={pages.reload} />
  if (pages.isLoading) return <Loading rows={4} />
  const plus = pages.hasMore ? '+' : ''
  return (
    <>
      <Chips label={t('show')}>
        {bys.map((name) => (
          <Chip key={name} pressed={name === by} onPress={() => setBy(name)}>
            {t(`show.${name}`)} {writers.number(items.filter(shownBy[name]).length) + plus}
          </Chip>
        ))}
      </Chips>
      <ol className={css.segments}>
        {items.filter(shownBy[by]).map((segment) => (
          <SegmentRow key={segment.segmentId} segment={segment} from={from} to={to} />
        ))}
      </ol>
      {pages.hasMore && (
        <div>
          <Button small busy={pages.isFetching} onClick={pages.loadMore}>
            {t('moreSegments')}
          </Button>
        </div>
      )}
    </>
  )
}

type SegmentRowProps = {
  readonly segment: ReviewedSegment
  readonly from: string
  readonly to: string
}

function SegmentRow({ segment, from, to }: SegmentRowProps) {
  const t = useWords<Key>('review')
  const { position, source, target = [], tags, checks, previous } = segment
  const look = checks.some(({ check }) => check === 'numbers') ? css.wrongNumber : css.number
  return (
    <li className={css.segment} data-position={position}>
      <span className={css.position}>{position}</span>
      <ChipText text={source} tags={tags} language={from} marks={numbersIn(source, look)} />
      <ChipText text={target} tags={tags} language={to} marks={numbersIn(target, look)} />
      {previous?.target && hasChanged(segment) && (
        <div className={css.under}>
          <span className="meta dim">{t('sincePrevious')}</span>{' '}
          <DifferenceText
            pieces={differencesOf(previous.target, target)}
            tags={tags}
            language={to}
          />
        </div>
      )}
      {checks.length > 0 && (
        <div className={css.under}>
          <Warnings segment={segment} />
        </div>
      )}
    </li>
  )
}

const numbersIn = (text: TextParts, look: string | undefined): TextMark[] =>
  text.flatMap((part, at) =>
    typeof part === 'string'
      ? [...part.matchAll(/\p{Nd}+(?:[.,]\p{Nd}+)*/gu)].map(({ 0: found, index }) => ({
          part: at,
          from: index,
          to: index + found.length,
          show: (shown: string) => <mark className={look}>{shown}</mark>,
        }))
      : [],
  )
