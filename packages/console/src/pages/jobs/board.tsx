/**
 * The jobs as a board: one column per state with its count, cards by due date. Everything works by
 * keyboard or menu.
 */
import type { Job, JobStatus } from '@dragoman/contract/wire'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useKeys } from '../../keys.ts'
import { joinNewer, type Newer, useNewer } from '../../live/newer.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { looks, useStateWord } from '../../look/states.tsx'
import { useLeftView } from '../../parts/left/use-left-view.ts'
import { NewerBar } from '../../parts/live.tsx'
import { Failed, Loading } from '../../parts/said.tsx'
import { usePages } from '../../queries.ts'
import { useLive } from '../../stream.ts'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'
import css from './board.module.css'
import { Card } from './card.tsx'
import { boardStates, type Chosen, inState } from './filters.ts'
import { useCounts } from './use-counts.ts'

const cardHeight = 112
/** The maximum number of cards rendered in each of the six columns, however tall the screen is. */
const maxCards = 10

const fewCards = (range: Range): number[] => defaultRangeExtractor(range).slice(0, maxCards)

export function Board({ chosen, filter }: { readonly chosen: Chosen; readonly filter: string }) {
  const t = useWords<keyof typeof en>('jobs')
  const board = useRef<HTMLDivElement>(null)
  const counts = useCounts(filter)
  const [newer, setNewer] = useState<Readonly<Record<string, Newer>>>({})
  useLive('listJobs')
  const focusFirst = () => board.current?.querySelector<HTMLElement>('[data-card]')?.focus()
  useKeys([{ keys: 'j', says: t('toCards'), act: focusFirst }])
  return (
    <>
      <NewerBar newer={joinNewer(Object.values(newer))} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the links inside. */}
      <div className={css.board} ref={board} onKeyDown={move}>
        {boardStates(chosen.view).map((status) => (
          <Column
            key={status}
            status={status}
            filter={inState(filter, status)}
            order={chosen.order}
            count={counts?.states[status]}
            isMore={counts?.atLeast.includes(status) ?? false}
            onNewer={(some) => setNewer((others) => ({ ...others, [status]: some }))}
          />
        ))}
      </div>
    </>
  )
}

type ColumnProps = {
  readonly status: JobStatus
  readonly filter: string
  readonly order: string
  readonly count: number | undefined
  readonly isMore: boolean
  readonly onNewer: (newer: Newer) => void
}

function Column({ status, filter, order, count, isMore, onNewer }: ColumnProps) {
  const t = useWords<keyof typeof en>('jobs')
  const word = useStateWord()
  const frame = useRef<HTMLDivElement>(null)
  useLeftView(`column ${status}`, frame)
  const input = { query: { filter, orderBy: order, aggregateRequests: true } }
  const pages = usePages('listJobs', input)
  const newer = useNewer('listJobs', input)
  const tell = useRef(onNewer)
  tell.current = onNewer
  const { count: waiting, show } = newer
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board is notified when the number changes.
  useEffect(() => tell.current(newer), [waiting, show])
  const { items, start = 0, hasMore, loadMore, loadEarlier } = pages
  const end = start + items.length
  const cards = useVirtualizer({
    count: end,
    getScrollElement: () => frame.current,
    estimateSize: () => cardHeight,
    overscan: 1,
    rangeExtractor: fewCards,
  })
  const shown = cards.getVirtualItems()
  const first = shown[0]?.index ?? 0
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= end - 10) loadMore()
    else if (start > 0 && first < start + 10) loadEarlier?.()
  }, [hasMore, first, last, start, end, loadMore, loadEarlier])
  const many = count ?? (hasMore ? undefined : end)
  return (
    <section className={css.column} aria-label={t('columnOf', { state: word(status) })}>
      <h2 className={`${css.head} ${looks[status]}`}>
        <Glyph name={looks[status]} size={14} />
        <span>{word(status)}</span>
        {many !== undefined && (
          <span className="num">
            {many}
            {isMore && '+'}
          </span>
        )}
      </h2>
      {pages.failure && items.length === 0 && (
        <Failed failure={pages.failure} retry={pages.reload} />
      )}
      {pages.isLoading && <Loading rows={3} />}
      {!pages.isLoading && items.length === 0 && !pages.failure && (
        <p className={css.none}>{t('noneHere')}</p>
      )}
      <div className={css.frame} ref={frame} tabIndex={items.length > 0 ? 0 : -1}>
        <ul className={css.all} style={{ blockSize: cards.getTotalSize() }}>
          {shown.map(({ index, start: top }) => {
            const job: Job | undefined = items[index - start]
            return (
              job && <Card key={job.jobId} job={job} at={index} top={top} height={cardHeight} />
            )
          })}
        </ul>
      </div>
    </section>
  )
}

/** Arrow keys: up and down within a column, sideways to the card at the same height. */
function move(event: KeyboardEvent<HTMLDivElement>): void {
  const here = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')
  if (!here) return
  const isRtl = getComputedStyle(here).direction === 'rtl'
  const aside = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }[event.key] ?? 0
  const down = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
  if (event.key === 'm' || event.key === 'ContextMenu') {
    event.preventDefault()
    event.stopPropagation()
    here.closest('li')?.querySelector<HTMLElement>('[aria-haspopup]')?.click()
    return
  }
  if (aside === 0 && down === 0) return
  event.preventDefault()
  const columns = [...event.currentTarget.querySelectorAll<HTMLElement>('section')]
  const cardsIn = (column: HTMLElement | undefined) => [
    ...(column?.querySelectorAll<HTMLElement>('[data-card]') ?? []),
  ]
  const column = columns.findIndex((one) => one.contains(here))
  const at = cardsIn(columns[column]).indexOf(here)
  if (down !== 0) {
    cardsIn(columns[column])[at + down]?.focus()
    return
  }
  for (let to = column + aside; to >= 0 && to < columns.length; to += aside) {
    const cards = cardsIn(columns[to])
    cards[Math.min(at, cards.length - 1)]?.focus()
    if (cards.length > 0) return
  }
}
