/**
 * Work: what a person has claimed, what nobody has claimed, and what waits for a verdict, each by
 * due date.
 */
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useKeys } from '../../keys.ts'
import { useNewer } from '../../live/newer.ts'
import { Grid } from '../../parts/grid.tsx'
import { NewerBar } from '../../parts/live.tsx'
import { useMarked } from '../../parts/marked.ts'
import { Page, Tabs } from '../../parts/page.tsx'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { BulkBar } from './bulk.tsx'
import { useColumns } from './columns.tsx'
import { NoWork } from './empty.tsx'
import { Filters } from './filters.tsx'
import { useClaims } from './use-claims.ts'
import css from './work.module.css'
import { hrefOf, useWorks, type Work } from './works.ts'

export default function WorkPage() {
  const t = useWords<keyof typeof en>('work')
  const writers = useWriters()
  const [search, change] = useSearchState()
  const [, go] = useLocation()
  const { view, shown, pages, input } = useWorks(search)
  const newer = useNewer('listWork', input)
  const mayShare = useMay('provider-manager')
  const { claim, release, said, failure } = useClaims()
  const [marked, mark, markOnly] = useMarked<Work>(({ requestId }) => requestId)
  const mayMark = view === 'REVIEW' || view === 'OPEN' || mayShare
  const show = (name: string) => {
    markOnly([])
    change({ view: name.toLowerCase() }, 'push')
  }
  useKeys([
    ...shown.map(({ name }, at) => ({
      keys: String(at + 1),
      says: t('show', { part: t(name) }),
      act: () => show(name),
    })),
    ...(mayMark ? [{ keys: 'a', says: t('markAll'), act: () => markOnly(pages.items) }] : []),
  ])
  const columns = useColumns({ view, marked, mark: mayMark ? mark : undefined, claim, release })
  const href = (name: string) =>
    `?${new URLSearchParams({ ...search, view: name.toLowerCase() } as Record<string, string>)}`
  return (
    <Page
      title={t('title')}
      fills
      acts={
        <Filters search={search} change={change} items={shown.flatMap((one) => one.pages.items)} />
      }
      head={
        <Tabs
          label={t('parts')}
          at={view}
          tabs={shown.map(({ name, pages: { items, hasMore } }) => ({
            name,
            href: `/work${href(name)}`,
            title: t(name),
            count: writers.number(items.length) + (hasMore ? '+' : ''),
          }))}
        />
      }
    >
      <div className={css.page}>
        <p role="status" className="unseen">
          {said}
        </p>
        {failure && (
          <p role="alert" className={css.failure}>
            <bdi>{failure.message}</bdi> <code>{failure.code}</code>
          </p>
        )}
        <NewerBar newer={newer} />
        <Grid
          key={view}
          label={t(view)}
          columns={columns}
          pages={pages}
          idOf={({ requestId }) => requestId}
          rowHeight={52}
          narrowHeight={84}
          onOpen={(work) => go(hrefOf(work, view))}
          marked={useMemo(() => new Set(marked.keys()), [marked])}
          {...(mayMark && { onMark: mark })}
          rowKeys={
            view === 'MINE'
              ? [{ keys: 'r', says: t('releaseRow'), act: release }]
              : view === 'OPEN'
                ? [{ keys: 'c', says: t('claimRow'), act: claim }]
                : []
          }
          empty={<NoWork view={view} search={search} change={change} open={shown} />}
        />
        {pages.items.length > 0 && marked.size === 0 && (
          <footer className={css.foot} role="status">
            {t(pages.hasMore ? 'loadedMore' : 'loaded', {
              count: (pages.start ?? 0) + pages.items.length,
            })}
          </footer>
        )}
        <BulkBar view={view} marked={marked} onDone={() => markOnly([])} />
      </div>
    </Page>
  )
}
