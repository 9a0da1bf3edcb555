/**
 * Translating by segments: filters and progress above, rows in the middle, the panel beside them,
 * the keys at the foot.
 */
import type { CheckFinding, TextParts } from '@dragoman/contract/wire'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../parts/controls.tsx'
import { useSentence } from '../../parts/review/use-sentence.ts'
import { Empty, Failed, Loading } from '../../parts/said.tsx'
import { useSearchState } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { ActiveRow, type Hand } from './active-row.tsx'
import { type Dialog, useBenchActs } from './bench-acts.ts'
import { BenchBar } from './bench-bar.tsx'
import { BenchDialogs } from './bench-dialogs.tsx'
import { ClaimFirst } from './claim-first.tsx'
import { Conflict } from './conflict.tsx'
import { useDelivery } from './delivery.tsx'
import { useDrafts } from './drafts/use-drafts.ts'
import { foundIn, isFilter, isOpen } from './filters.ts'
import { BenchFrame } from './head.tsx'
import { Foot, translating } from './keys/foot.tsx'
import { Shares, useOwn } from './own-share.tsx'
import { Panel, type PanelTab } from './panel/panel.tsx'
import { RejectNote } from './reject-note.tsx'
import { useRowFindings } from './row-findings.tsx'
import { Rows, type RowsHandle } from './rows.tsx'
import { SavedMark } from './saved-mark.tsx'
import { isOver, type Task, textKey } from './task.ts'
import type { Key } from './texts.ts'
import { useAtHand } from './use-at-hand.ts'
import { useMatches, useTerms } from './use-lookups.ts'
import { type Shown, useSegments } from './use-segments.ts'
import css from './workbench.module.css'

export function Bench({ task }: { readonly task: Task }) {
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  const sentence = useSentence()
  const { person } = useSession()
  const [search, change] = useSearchState()
  const filter = isFilter(search.filter) ? search.filter : 'all'
  const drafts = useDrafts(task.at)
  const segments = useSegments(task.at, filter, search.text ?? '', drafts)
  const { pages, all, shown, learn } = segments
  const isDone = isOver(task)
  const own = useOwn(task, person.personId)
  const { isMine } = own
  const [dialog, setDialog] = useState<Dialog>()
  const [tab, setTab] = useState<PanelTab>('memory')
  const [keeping, setKeeping] = useState<CheckFinding>()
  const [asked, setAsked] = useState('')
  const [said, setSaid] = useState('')
  const hand = useRef<Hand>(undefined)
  const rows = useRef<RowsHandle>(null)

  const wanted = Number(search.seg ?? 0)
  const first = shown.find((row) => isOpen(row) && own.has(row.position)) ?? shown[0]
  const { current, index, position } = useAtHand(
    shown,
    { wanted, first, start: pages.start },
    (row, at) => {
      rows.current?.show(at)
      setSaid(t('segmentAt', { position: row.position, state: t(`state.${row.state}`) }))
    },
  )
  const isReadOnly = isDone || !isMine || (current !== undefined && !own.has(current.position))
  const choose = useCallback((row: Shown) => change({ seg: String(row.position) }), [change])
  /** What was dropped from memory is read again as soon as its place is in view. */
  const recall = (at: number): boolean => {
    const dropped = pages.start ?? 0
    if (at > 0 && at <= dropped) rows.current?.show(at - 1 - dropped)
    return at > 0 && at <= dropped
  }
  const matches = useMatches(task, current, {
    before: shown[index - 1]?.source,
    after: shown[index + 1]?.source,
  })
  const terms = useTerms(task, current)

  // A segment further down was asked for: it is read up to there.
  const isFurther = wanted > (all.at(-1)?.position ?? 0) && pages.hasMore && filter === 'all'
  const { loadMore, isFetching } = pages
  useEffect(() => {
    if (isFurther && !isFetching) loadMore()
  }, [isFurther, isFetching, loadMore])

  const { write: writeDraft } = drafts
  const write = useCallback(
    (row: Shown, target: TextParts) => {
      writeDraft(row.seen, target, 'DRAFT', row.kept)
    },
    [writeDraft],
  )
  const onFound = useCallback(
    (row: Shown, checks: readonly CheckFinding[], of: string) => {
      learn(row.segmentId, { checks: { of, found: checks } })
      const left = foundIn({ checks: [...checks], ...(row.kept && { kept: row.kept }) })
      setSaid(left.length === 0 ? t('noFindings') : left.map(sentence).join(' '))
    },
    [learn, t, sentence],
  )
  /** The same source elsewhere, still untranslated, is translated with it. */
  const fillRepeats = (row: Shown, target: TextParts): number => {
    const same = all.filter(
      (one) =>
        one.segmentId !== row.segmentId &&
        one.state === 'NEW' &&
        own.has(one.position) &&
        textKey(one.source) === textKey(row.source),
    )
    for (const one of same) {
      drafts.write(one.seen, target, 'TRANSLATED')
      learn(one.segmentId, { isFilled: true })
    }
    return same.length
  }
  const open = all.filter(isOpen).length
  const failed = all.filter((one) =>
    foundIn(one).some(({ severity }) => severity === 'BLOCKING'),
  ).length
  const delivery = useDelivery(task, drafts, all, (row) =>
    change({ seg: String(row.position), filter: undefined }),
  )
  const { chords, reread, fixAll } = useBenchActs({
    isReadOnly,
    hand,
    shown,
    all,
    index,
    position,
    recall,
    matches,
    terms,
    choose,
    drafts,
    fillRepeats,
    setSaid,
    setDialog,
    setTab,
    setAsked,
    setKeeping,
    deliver: delivery.ask,
  })
  const plus = pages.hasMore ? '+' : ''
  const which = open === 0 ? 'blocksFailed' : failed === 0 ? 'blocksOpen' : 'blocks'
  const blocks = open + failed === 0 ? undefined : t(which, { open, failed, plus })
  // Also of a segment that the person has left: both versions wait for a choice.
  const conflict = all.find((one) => drafts.of(one.segmentId)?.theirs)
  const theirs = conflict && drafts.of(conflict.segmentId)?.theirs
  const refused = all.map((one) => drafts.of(one.segmentId)?.failure).find((failure) => failure)
  const below = useRowFindings({
    onFix: (row, fix) =>
      drafts.write(row.seen, fix, row.state === 'TRANSLATED' ? 'TRANSLATED' : 'DRAFT', row.kept),
    onKeep: (row, finding) => {
      choose(row)
      setKeeping(finding)
    },
  })
  const headings = useMemo(
    () => [
      writers.language(task.task.sourceNativeLanguageCode),
      writers.language(task.task.targetNativeLanguageCode),
      t('match'),
      '',
    ],
    [writers, task.task, t],
  )
  return (
    <BenchFrame
      task={task}
      blocks={isDone || !isMine ? undefined : blocks}
      acts={
        <>
          <span className={css.previews}>
            <Button onClick={() => setTab('preview')}>{t('preview')}</Button>
          </span>
          {isMine && !isDone && (
            <Button onClick={() => setDialog('fill')}>{t('fillButton')}</Button>
          )}
          {isMine && !isDone && (
            <Button kind="main" busy={delivery.isBusy} onClick={delivery.ask}>
              {t('deliver')}
            </Button>
          )}
        </>
      }
    >
      <div className={css.bench}>
        <p className="unseen" role="status" aria-live="polite">
          {said}
        </p>
        <div className={css.columns}>
          <div className={css.main}>
            <BenchBar segments={segments} filter={filter} done={all.length - open} plus={plus} />
            {!isMine && !isDone && <ClaimFirst task={task} />}
            <Shares task={task} personId={person.personId} />
            {!all.some(({ review }) => review?.verdict === 'WRONG') && <RejectNote task={task} />}
            {conflict && theirs && (
              <Conflict task={task} segment={conflict} theirs={theirs} drafts={drafts} />
            )}
            {refused && (
              <p role="alert" className={css.notice}>
                <bdi>{(refused as Partial<Error>).message}</bdi>
              </p>
            )}
            {delivery.shown}
            {all.length === 0 && pages.failure ? (
              <Failed failure={pages.failure} retry={pages.reload} />
            ) : pages.isLoading ? (
              <Loading rows={10} />
            ) : shown.length === 0 ? (
              <Empty glyph="filter" title={t('noneShown')}>
                <Button onClick={() => change({ filter: undefined, text: undefined })}>
                  {t('showAll')}
                </Button>
              </Empty>
            ) : (
              <Rows
                task={task}
                rows={shown}
                current={current?.segmentId}
                onChoose={choose}
                onEnd={pages.hasMore ? pages.loadMore : undefined}
                start={shown.length === all.length ? (pages.start ?? 0) : 0}
                onStart={pages.loadEarlier}
                headings={headings}
                {...(!isReadOnly && { below })}
                handle={rows}
                active={(row) => (
                  <ActiveRow
                    key={row.segmentId}
                    task={task}
                    row={row}
                    terms={terms}
                    chords={chords}
                    hand={hand}
                    isReadOnly={isReadOnly}
                    isPlain={search.plain === 'yes'}
                    onChange={write}
                    onFound={onFound}
                    onKeep={(_, finding) => setKeeping(finding)}
                    onLeave={() => void drafts.flush()}
                  />
                )}
              />
            )}
          </div>
          {current && (
            <Panel
              task={task}
              row={current}
              tab={tab}
              setTab={setTab}
              matches={matches}
              terms={terms}
              chords={chords}
              asked={asked}
              onAsk={setAsked}
              onUse={(text) => hand.current?.editor?.replace(text)}
              onInsert={(text) => hand.current?.editor?.insertText(text)}
              onKeep={setKeeping}
              isReadOnly={isReadOnly}
              fixable={all.filter((row) => foundIn(row).some(({ fix }) => fix)).length}
              onFixAll={fixAll}
              savedAt={drafts.savedAt}
            />
          )}
        </div>
        <Foot chords={chords} hints={translating} onKeys={() => setDialog('keys')}>
          <SavedMark
            drafts={drafts}
            isAway={
              drafts.open > 0 && all.some((row) => drafts.of(row.segmentId)?.saving === 'offline')
            }
          />
        </Foot>
      </div>
      <BenchDialogs
        task={task}
        all={all}
        current={current}
        drafts={drafts}
        chords={chords}
        onChords={reread}
        dialog={dialog}
        onClose={() => setDialog(undefined)}
        onGo={(to) => {
          change({ seg: String(to), filter: undefined, text: undefined })
          recall(to)
        }}
        onFilled={(says) => {
          setSaid(says)
          pages.reload()
        }}
        keeping={keeping}
        onKept={(kept) => {
          if (current && kept) {
            const target = hand.current?.value ?? current.target ?? []
            drafts.write(
              current.seen,
              target,
              current.state === 'TRANSLATED' ? 'TRANSLATED' : 'DRAFT',
              kept,
            )
            learn(current.segmentId, { kept })
          }
          setKeeping(undefined)
        }}
      />
    </BenchFrame>
  )
}
