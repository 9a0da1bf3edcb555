/** Jobs: what is in progress and what is late, as a table by due date or a board by state. */
import type { Job } from '@dragoman/contract/wire'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useMinute } from '../../clock.ts'
import type { CallInput } from '../../hub.ts'
import { useKeys } from '../../keys.ts'
import { ButtonLink, Chip, Chips } from '../../parts/controls.tsx'
import { useMarked } from '../../parts/list/marked.ts'
import { Page } from '../../parts/page.tsx'
import { useSearchState } from '../../search.ts'
import { useMay, useSession } from '../../session.tsx'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'
import { Board } from './board.tsx'
import { JobBulkBar } from './bulk.tsx'
import { Counts } from './counts.tsx'
import { FilterBar } from './filter-bar.tsx'
import { chosenIn, filterOf, toggled } from './filters.ts'
import css from './jobs.module.css'
import { JobTable } from './table.tsx'

export default function JobsPage() {
  const t = useWords<keyof typeof en>('jobs')
  const [search, change] = useSearchState()
  const [, go] = useLocation()
  const { person } = useSession()
  const mayCreate = useMay('manager')
  const chosen = useMemo(() => chosenIn(search), [search])
  const now = useSteadyNow()
  const filter = filterOf(chosen, now, person.personId)
  const input = useMemo(
    () => ({
      query: { ...(filter && { filter }), orderBy: chosen.order, aggregateRequests: true },
    }),
    [filter, chosen.order],
  ) satisfies CallInput<'listJobs'>
  const [marked, mark, markOnly] = useMarked<Job>(({ jobId }) => jobId)
  const isBoard = chosen.as === 'board' && chosen.view !== 'archived'
  const flip = () => change({ as: isBoard ? undefined : 'board' }, 'push')
  const toggle = (name: 'late' | 'errors' | 'mine') => () =>
    change({ is: toggled(chosen.is, name) })
  useKeys([
    { keys: 'l', says: t('onlyLate'), act: toggle('late') },
    { keys: 'e', says: t('onlyErrors'), act: toggle('errors') },
    { keys: 'm', says: t('onlyMine'), act: toggle('mine') },
    { keys: 'v', says: t('flip'), act: flip },
    ...(mayCreate ? [{ keys: 'n', says: t('newJob'), act: () => go('/jobs/new') }] : []),
  ])
  return (
    <Page
      title={t('title')}
      fills
      beside={<Counts chosen={chosen} change={change} />}
      acts={
        <>
          <Chips label={t('shownAs')}>
            <Chip pressed={!isBoard} onPress={() => change({ as: undefined }, 'push')}>
              {t('table')}
            </Chip>
            <Chip
              pressed={isBoard}
              onPress={() => change({ as: 'board', view: undefined }, 'push')}
            >
              {t('board')}
            </Chip>
          </Chips>
          {mayCreate && (
            <ButtonLink href="/jobs/new" kind="main" glyph="add">
              {t('newJob')}
            </ButtonLink>
          )}
        </>
      }
    >
      <div className={css.page}>
        <FilterBar chosen={chosen} change={change} filter={filter} />
        {isBoard ? (
          <Board chosen={chosen} filter={filter} />
        ) : (
          <>
            <JobTable chosen={chosen} change={change} input={input} marked={marked} onMark={mark} />
            <JobBulkBar
              marked={marked}
              isArchive={chosen.view === 'archived'}
              onDone={() => markOnly([])}
            />
          </>
        )}
      </div>
    </Page>
  )
}

const patienceMs = 10 * 60_000

let steady = 0

/**
 * The hub's time for filters. It advances in steps, so that a list of late jobs is not read again
 * every minute, nor when a person comes back to it.
 */
function useSteadyNow(): number {
  const now = useMinute()
  if (Math.abs(now - steady) >= patienceMs) steady = now
  return steady
}
