/**
 * Work: what a person has claimed, what nobody has claimed, and what waits for a verdict, each by
 * due date.
 */
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useKeys } from '../../keys.ts'
import { useNewer } from '../../live/newer.ts'
import { ButtonLink } from '../../parts/controls.tsx'
import { ListPage } from '../../parts/list/list-page.tsx'
import { useMarked } from '../../parts/list/marked.ts'
import { useUrlFilter } from '../../parts/list/url-filter.ts'
import { Tabs } from '../../parts/page.tsx'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { WorkBulkBar } from './bulk.tsx'
import { useColumns } from './columns.tsx'
import { useNone } from './empty.tsx'
import { Filters } from './filters.tsx'
import { useClaims } from './use-claims.ts'
import css from './work.module.css'
import { hrefOf, useWorks, type Work } from './works.ts'

export default function WorkPage() {
  const t = useWords<keyof typeof en>('work')
  const writers = useWriters()
  const filter = useUrlFilter(['provider', 'language'])
  const { search, change } = filter
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
    <ListPage
      title={t('title')}
      listKey={view}
      label={t(view)}
      {...{ columns, pages, newer, filter }}
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
      {...useNone(view, shown)}
      acts={
        <>
          <Filters {...{ search, change }} items={shown.flatMap((one) => one.pages.items)} />
          {mayShare && <ButtonLink href="/work/team">{t('team')}</ButtonLink>}
        </>
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
      isSpaced
      bar={
        <>
          <p role="status" className="unseen">
            {said}
          </p>
          {failure && (
            <p role="alert" className={css.failure}>
              <bdi>{failure.message}</bdi> <code>{failure.code}</code>
            </p>
          )}
        </>
      }
      foot={
        <>
          {pages.items.length > 0 && marked.size === 0 && (
            <footer className={css.foot} role="status">
              {t(pages.hasMore ? 'loadedMore' : 'loaded', {
                count: (pages.start ?? 0) + pages.items.length,
              })}
            </footer>
          )}
          <WorkBulkBar view={view} marked={marked} onDone={() => markOnly([])} />
        </>
      }
    />
  )
}
