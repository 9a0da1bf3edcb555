/** The timeline of a job: lanes of its languages, filters by kind, and the entries. */
import type { Job } from '@dragoman/contract/wire'
import { useMemo, useRef } from 'react'
import { useKeys } from '../../keys.ts'
import { Button, Chip, Chips } from '../../parts/controls.tsx'
import { useLeftView } from '../../parts/left/use-left-view.ts'
import { LiveMark } from '../../parts/live.tsx'
import { Empty } from '../../parts/said.tsx'
import { useSearchState } from '../../search.ts'
import { useWords } from '../../words/words.ts'
import { Entries } from './entries.tsx'
import type { Selection } from './entry-inspector.tsx'
import { Lanes } from './lanes.tsx'
import { withOrigins } from './origins.ts'
import type { Key } from './sentence.tsx'
import css from './timeline.module.css'
import { type Filter, useTimeline } from './use-timeline.ts'

const filters = {
  everything: { only: 'changes' },
  calls: { kind: ['call'] },
  upstream: { kind: ['upstream'] },
  moves: { kind: ['move'] },
  updates: { kind: ['update'] },
  deliveries: { kind: ['delivery', 'attempt'] },
  files: { kind: ['file'] },
  cost: { kind: ['quote'] },
  errors: { only: 'errors' },
} as const satisfies Record<string, Filter>
type FilterName = keyof typeof filters

export function TimelineTab({
  job,
  provider,
  onSelected,
}: {
  readonly job: Job
  readonly provider: string
  readonly onSelected: (selected: Selection | undefined) => void
}) {
  const t = useWords<Key>('job')
  const [search, setSearch] = useSearchState()
  const shown: FilterName =
    (search.show ?? '') in filters ? (search.show as FilterName) : 'everything'
  const names = (Object.keys(filters) as FilterName[]).filter(
    (name) => name !== 'upstream' || job.upstream,
  )
  const frame = useRef<HTMLDivElement>(null)
  useLeftView('timeline', frame)
  const read = useTimeline(
    job.jobId,
    filters[shown] as Filter,
    () => (frame.current?.scrollTop ?? 0) > 160,
  )
  const isOfMoves = shown === 'everything' || shown === 'moves'
  const isWhole = !read.hasMore && !read.isLoading && !read.failure
  const entries = useMemo(
    () => (isOfMoves ? withOrigins(job, read.entries, isWhole) : read.entries),
    [isOfMoves, isWhole, job, read.entries],
  )
  const timeline = { ...read, entries }
  useKeys([
    {
      keys: '.',
      says: t('showNewer'),
      act: () => {
        timeline.showNewer()
        frame.current?.scrollTo({ top: 0 })
      },
    },
  ])
  return (
    <div className={css.frame} ref={frame}>
      <Lanes jobId={job.jobId} />
      <div className={css.filters}>
        <Chips label={t('show')}>
          {names.map((name) => (
            <Chip
              key={name}
              pressed={name === shown}
              onPress={() =>
                setSearch({ show: name === 'everything' ? undefined : name, at: undefined })
              }
            >
              {t(`show.${name}`)}
            </Chip>
          ))}
        </Chips>
        {timeline.newer > 0 ? (
          <Button small kind="quiet" onClick={timeline.showNewer}>
            {t('newer', { count: timeline.newer })}
          </Button>
        ) : (
          <LiveMark />
        )}
      </div>
      <Entries
        key={shown}
        timeline={timeline}
        provider={provider}
        frame={frame}
        label={t('tab.timeline')}
        onSelected={onSelected}
        empty={
          <Empty title={t('emptyTimeline', { what: t(`show.${shown}`) })} glyph="clock">
            {shown !== 'everything' && (
              <Button small onClick={() => setSearch({ show: undefined })}>
                {t('showEverything')}
              </Button>
            )}
          </Empty>
        }
      />
    </div>
  )
}
