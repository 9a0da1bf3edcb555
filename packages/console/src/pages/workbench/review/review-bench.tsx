/**
 * Reviewing a request by segments: what changed, a verdict on each, the score, and approve or
 * reject with time to take it back.
 */
import type { SegmentReview, TextParts } from '@dragoman/contract/wire'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { call, type HubFailure } from '../../../hub.ts'
import { Comments } from '../../../parts/comments/comments.tsx'
import { Button, Chip, Chips } from '../../../parts/controls.tsx'
import { hasChanged } from '../../../parts/review/differences.ts'
import { UndoBar } from '../../../parts/review/undo-bar.tsx'
import { useVerdicts, type Verdict } from '../../../parts/review/use-verdicts.ts'
import { Warnings } from '../../../parts/review/warnings.tsx'
import { Empty, Failed, Loading } from '../../../parts/said.tsx'
import { useAct, usePages } from '../../../queries.ts'
import { useSearchState } from '../../../search.ts'
import { useMay } from '../../../session.tsx'
import { useWriters } from '../../../times.ts'
import { useWords } from '../../../words/words.ts'
import { repeatsIn } from '../filters.ts'
import { BenchFrame } from '../head.tsx'
import { Foot, reviewing } from '../keys/foot.tsx'
import { KeysDialog } from '../keys/keys-dialog.tsx'
import { useChords } from '../keys/use-chords.ts'
import { Rows, type RowsHandle } from '../rows.tsx'
import { isInReview, type Task } from '../task.ts'
import type { Key } from '../texts.ts'
import { useAtHand } from '../use-at-hand.ts'
import css from '../workbench.module.css'
import { FileReview } from './file-review.tsx'
import { markOfReview } from './review-marks.ts'
import { ActiveReview, Previous, type ReviewRow } from './review-row.tsx'
import { scoreOf } from './score.ts'

const shownBy = {
  all: () => true,
  changed: hasChanged,
  warnings: ({ checks }: ReviewRow) => checks.length > 0,
  wrong: (row: ReviewRow) => row.review?.verdict === 'WRONG',
} as const
/** A verdict belongs to a segment as it was delivered. */
const deliveryOf = ({ segmentId, version }: Pick<ReviewRow, 'segmentId' | 'version'>): string =>
  `${segmentId} ${version}`
const warningsOf = (row: ReviewRow) => <Warnings segment={row} />
type By = keyof typeof shownBy
const bys = Object.keys(shownBy) as By[]

export function ReviewBench({ task }: { readonly task: Task }) {
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  const [, go] = useLocation()
  const client = useQueryClient()
  const [search, change] = useSearchState()
  const mayJudge = useMay('reviewer', 'manager')
  const { jobId, assetTaskId: requestId } = task.at
  const input = useMemo(() => ({ params: { jobId, requestId } }), [jobId, requestId])
  const pages = usePages('listRequestSegments', input)
  const [judged, setJudged] = useState<ReadonlyMap<string, SegmentReview>>(new Map())
  const [failure, setFailure] = useState<HubFailure>()
  const [isKeys, setKeys] = useState(false)
  const [said, setSaid] = useState('')
  const [note, setNote] = useState('')
  /** How often a note was asked for by key. */
  const [noting, setNoting] = useState(0)
  const rows = useRef<RowsHandle>(null)
  /** The verdicts on segments, one after the other; what the last of them failed with, if it did. */
  const sending = useRef<Promise<HubFailure | undefined>>(Promise.resolve(undefined))
  const verdicts = useVerdicts(
    jobId,
    () => go('/work?view=review'),
    // The hub joins the notes of the segments when a request is rejected: they come first.
    async () => {
      const failed = await sending.current
      if (failed) throw failed
    },
  )
  const waiting = verdicts.waiting.at(-1)
  const all = useMemo(() => {
    const repeats = repeatsIn(pages.items)
    return pages.items.map((segment): ReviewRow => {
      const review = judged.get(deliveryOf(segment)) ?? segment.review
      return {
        ...segment,
        ...(review && { review }),
        seen: segment,
        isRepeat: repeats.has(segment.segmentId),
        isFilled: false,
      }
    })
  }, [pages.items, judged])
  const by = bys.find((name) => name === search.filter) ?? 'all'
  const shown = all.filter(shownBy[by])
  const wish = { wanted: Number(search.seg ?? 0), first: shown[0], start: pages.start }
  const { current, index } = useAtHand(shown, wish, (row, at) => {
    rows.current?.show(at)
    setSaid(t('segmentAt', { position: row.position, state: t(markOfReview(row).word) }))
  })
  const choose = useCallback(
    (row: { readonly position: number }) => change({ seg: String(row.position) }),
    [change],
  )
  const judge = (row: ReviewRow, review: SegmentReview) => {
    setJudged((before) => new Map(before).set(deliveryOf(row), review))
    // One after the other, so that the last word on a segment is the one that stays.
    sending.current = sending.current
      .then(() =>
        call('reviewSegment', {
          params: { jobId, requestId, segmentId: row.segmentId },
          body: { ...review, version: row.version },
        }),
      )
      .then(
        () => {
          setFailure(undefined)
          return undefined
        },
        (error: HubFailure) => {
          setFailure(error)
          // Something else was delivered: that is what is to be judged.
          if (error.code === 'VERSION_CONFLICT')
            void client.invalidateQueries({ queryKey: ['listRequestSegments'] })
          return error
        },
      )
    void client.invalidateQueries({ queryKey: ['listWork'], refetchType: 'none' })
  }
  const correct = (row: ReviewRow, target: TextParts) => {
    const params = { jobId, requestId, segmentId: row.segmentId }
    sending.current = sending.current
      .then(() => call('correctSegment', { params, body: { target, version: row.version } }))
      .then(
        () => {
          setFailure(undefined)
          return undefined
        },
        (error: HubFailure) => {
          setFailure(error)
          return error
        },
      )
      .finally(() => client.invalidateQueries({ queryKey: ['listRequestSegments'] }))
  }
  const corrections = all.filter(({ correction }) => correction !== undefined).length
  const deliverAll = useAct('deliverCorrections', ['listRequestSegments', 'findRequest'])
  const step = (by: number): boolean => {
    const next = shown[index + by]
    if (next) choose(next)
    return true
  }
  const canJudge = mayJudge && isInReview(task)
  const isFile = all.length === 0 && pages.failure?.code === 'NO_SEGMENTS'
  const give = (what: Verdict) => {
    ;(document.activeElement as HTMLElement | null)?.blur()
    verdicts.give({
      verdict: what,
      requestIds: [requestId],
      ...(what === 'reject' && note && { note }),
    })
    setSaid(t(`waiting.${what}`))
    return true
  }
  const { chords, reread } = useChords({
    next: () => step(1),
    previous: () => step(-1),
    keys: () => {
      setKeys(true)
      return true
    },
    ...(canJudge && {
      confirm: () => {
        // A note that is being written belongs to a verdict: it is kept, and the next segment
        // follows.
        const note = document.activeElement
        if (note instanceof HTMLElement && note.dataset.note !== undefined) note.blur()
        else if (current) judge(current, { verdict: 'OK' })
        return step(1)
      },
      wrong: () => {
        if (current) judge(current, { ...current.review, verdict: 'WRONG' })
        setNoting((times) => times + 1)
        return true
      },
      deliver: () => give('approve'),
      reject: () => give('reject'),
      undo: () => verdicts.undo() !== undefined,
    }),
  })
  const { points, score } = scoreOf(all)
  const wrong = all.filter(shownBy.wrong).length
  const plus = pages.hasMore ? '+' : ''
  const hasPrevious = all.some(({ previous }) => previous !== undefined)
  const extra = useCallback(
    (row: ReviewRow) => <Previous row={row} language={task.task.targetNativeLanguageCode} />,
    [task.task.targetNativeLanguageCode],
  )
  return (
    <BenchFrame
      task={task}
      acts={
        canJudge && (
          <>
            {corrections > 0 && (
              <Button
                busy={deliverAll.isPending}
                onClick={() => deliverAll.mutate({ params: { jobId, requestId }, body: {} })}
              >
                {t('deliverCorrections', { count: corrections })}
              </Button>
            )}
            <Button kind="danger" onClick={() => give('reject')}>
              {t('reject')}
            </Button>
            <Button kind="main" onClick={() => give('approve')}>
              {t('approve')}
            </Button>
          </>
        )
      }
    >
      <div className={css.bench}>
        <p className="unseen" role="status" aria-live="polite">
          {said}
        </p>
        <div className={css.main}>
          <div className={css.bar} hidden={isFile}>
            <Chips label={t('filters')}>
              {bys.map((name) => (
                <Chip
                  key={name}
                  pressed={name === by}
                  onPress={() => change({ filter: name === 'all' ? undefined : name })}
                >
                  {t(`review.${name}`)} {writers.number(all.filter(shownBy[name]).length) + plus}
                </Chip>
              ))}
            </Chips>
            <span className={css.score} title={t('scoreWhy')}>
              {t('score', { score: writers.number(score), points, wrong, plus })}
            </span>
          </div>
          {waiting && (
            <UndoBar
              given={waiting}
              says={t(`waiting.${waiting.verdict}`)}
              onUndo={() => verdicts.undo()}
              onSend={() => void verdicts.send()}
            />
          )}
          {(verdicts.failure ?? failure ?? deliverAll.error) && (
            <p role="alert" className={css.fault}>
              <bdi>{(verdicts.failure ?? failure ?? deliverAll.error)?.message}</bdi>
            </p>
          )}
          {isFile ? (
            <FileReview task={task} canJudge={canJudge} note={note} setNote={setNote} />
          ) : all.length === 0 && pages.failure ? (
            <Failed failure={pages.failure} retry={pages.reload} />
          ) : pages.isLoading ? (
            <Loading rows={10} />
          ) : shown.length === 0 ? (
            <Empty glyph="filter" title={t('noneShown')}>
              <Button onClick={() => change({ filter: undefined })}>{t('showAll')}</Button>
            </Empty>
          ) : (
            <Rows
              task={task}
              rows={shown}
              current={current?.segmentId}
              onChoose={choose}
              onEnd={pages.hasMore ? pages.loadMore : undefined}
              start={by === 'all' ? (pages.start ?? 0) : 0}
              onStart={pages.loadEarlier}
              markOf={markOfReview}
              below={warningsOf}
              {...(hasPrevious && { extra })}
              hasNoMatch={!all.some(({ isRepeat, percent }) => isRepeat || percent !== undefined)}
              headings={[
                writers.language(task.task.sourceNativeLanguageCode),
                writers.language(task.task.targetNativeLanguageCode),
                ...(hasPrevious ? [t('sincePrevious')] : []),
                // Hidden if it is empty.
                t('match'),
                '',
              ]}
              handle={rows}
              active={(row) => (
                <ActiveReview
                  key={row.segmentId}
                  task={task}
                  row={row}
                  isOver={!canJudge}
                  hasPrevious={hasPrevious}
                  noting={noting}
                  onJudge={judge}
                  onCorrect={correct}
                />
              )}
            />
          )}
        </div>
        {current && (
          <details className={css.panel}>
            <summary>{t('tab.comments')}</summary>
            <Comments
              place={{ jobId, requestId, segmentId: current.segmentId }}
              ids={current.comments ?? []}
            />
          </details>
        )}
        <Foot chords={chords} hints={reviewing} onKeys={() => setKeys(true)} />
      </div>
      {isKeys && <KeysDialog chords={chords} onChange={reread} onClose={() => setKeys(false)} />}
    </BenchFrame>
  )
}
