/**
 * Who has what: the running work of a provider with person, progress and due date, to hand over and
 * to share out; and what was delivered in a month, with its words.
 */
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { type CallAnswer, call, type HubFailure } from '../../hub.ts'
import { useKeys } from '../../keys.ts'
import { Button } from '../../parts/controls.tsx'
import { csvOf } from '../../parts/csv.ts'
import { saveFile } from '../../parts/download.tsx'
import { type BulkAct, BulkBar } from '../../parts/list/bulk-bar.tsx'
import { ListPage } from '../../parts/list/list-page.tsx'
import { useMarked } from '../../parts/list/marked.ts'
import { useUrlFilter } from '../../parts/list/url-filter.ts'
import { Tabs } from '../../parts/page.tsx'
import { useProviders } from '../../parts/provider-names.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { useColumns } from './columns.tsx'
import { HandDialog, ReleaseDialog, ShareDialog, TakeDialog } from './dialogs.tsx'
import css from './team.module.css'
import { holdersOf, isOfPeople, type Key, type Row, useTeam, views } from './use-team.ts'

const dialogs = {
  hand: HandDialog,
  share: ShareDialog,
  take: TakeDialog,
  release: ReleaseDialog,
} as const

export default function TeamPage() {
  const t = useWords<Key>('team')
  const writers = useWriters()
  const filter = useUrlFilter(['language', 'person'])
  const { search, change } = filter
  const [, go] = useLocation()
  const providers = useProviders()
  const ofPeople = providers.all.filter(isOfPeople)
  const providerId = search.provider || ofPeople[0]?.id
  const { view, month, input, pages } = useTeam(providerId, search)
  const mayShare = useMay('provider-manager')
  const [marked, mark, markOnly] = useMarked<Row>(({ assetTaskId }) => assetTaskId)
  const mayMark = mayShare && view === 'RUNNING'
  const [failure, setFailure] = useState<HubFailure>()
  const href = (name: string) =>
    `?${new URLSearchParams({ ...search, view: name.toLowerCase() } as Record<string, string>)}`
  const csv = async () => {
    setFailure(undefined)
    try {
      const rows = await readAll(input)
      const head = (
        ['delivered', 'job', 'text', 'from', 'language', 'person', 'segments', 'words'] as const
      ).map((name) => t(name))
      saveFile(
        `work-${month}.csv`,
        new Blob([csvOf([head, ...rows.flatMap(linesOf)])], { type: 'text/csv' }),
      )
    } catch (error) {
      setFailure(error as HubFailure)
    }
  }
  useKeys([
    ...(view === 'DELIVERED' ? [{ keys: 'e', says: t('csv'), act: () => void csv() }] : []),
    ...(mayMark ? [{ keys: 'a', says: t('markAll'), act: () => markOnly(pages.items) }] : []),
  ])
  const columns = useColumns({
    ...{ view, providerId: providerId ?? '', marked },
    mark: mayMark ? mark : undefined,
  })
  const acts: (BulkAct<keyof typeof dialogs> | false)[] = [
    { name: 'hand', key: 's', says: t('hand') },
    marked.size === 1 && { name: 'share', key: 'p', says: t('share') },
    { name: 'take', key: 't', says: t('take') },
    { name: 'release', key: 'r', says: t('release') },
  ]
  return (
    <ListPage
      title={t('title')}
      listKey={`${providerId} ${view}`}
      label={t(view)}
      {...{ columns, pages, filter }}
      idOf={({ assetTaskId }) => assetTaskId}
      rowHeight={52}
      narrowHeight={84}
      onOpen={({ jobId, assetTaskId }) => go(`/work/${providerId}/${jobId}/${assetTaskId}`)}
      marked={useMemo(() => new Set(marked.keys()), [marked])}
      {...(mayMark && { onMark: mark })}
      none={{
        glyph: 'work',
        title: t(view === 'RUNNING' ? 'noRunning' : 'noDelivered'),
        body: <p>{t(ofPeople.length === 0 ? 'noProviders' : 'noneBody')}</p>,
      }}
      noMatch={{ title: t('noMatch'), clear: t('clear') }}
      acts={
        <>
          {ofPeople.length > 1 && (
            <select
              className={css.select}
              aria-label={t('provider')}
              data-filter
              value={providerId ?? ''}
              onChange={({ target }) => change({ provider: target.value })}
            >
              {ofPeople.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
          {view === 'DELIVERED' && (
            <>
              <input
                type="month"
                className={css.select}
                aria-label={t('month')}
                value={month}
                onChange={({ target }) => change({ month: target.value || undefined })}
              />
              <Button glyph="download" onClick={() => void csv()}>
                {t('csv')}
              </Button>
            </>
          )}
        </>
      }
      head={
        <Tabs
          label={t('parts')}
          at={view}
          tabs={views.map((name) => ({
            name,
            href: `/work/team${href(name)}`,
            title: t(name),
            count:
              name === view ? writers.number(pages.items.length) + (pages.hasMore ? '+' : '') : '',
          }))}
        />
      }
      isSpaced
      bar={
        failure && (
          <p role="alert" className={css.failure}>
            <bdi>{failure.message}</bdi>
          </p>
        )
      }
      foot={
        <BulkBar
          marked={marked}
          acts={acts
            .filter((act) => act !== false)
            .map((act, at) => ({ ...act, kind: at === 0 ? 'main' : 'plain' }))}
          says={t('marked', { count: marked.size })}
          unmark={t('unmark')}
          onDone={() => markOnly([])}
          dialog={(act, rows, onClose) => {
            const Dialog = dialogs[act]
            return <Dialog providerId={providerId ?? ''} rows={rows} onClose={onClose} />
          }}
        />
      }
    />
  )
}

/** All pages of the month. */
async function readAll(input: Parameters<typeof call<'listProviderWork'>>[1]): Promise<Row[]> {
  const rows: Row[] = []
  let navNext: string | undefined
  do {
    const answer: CallAnswer<'listProviderWork'> = await call('listProviderWork', {
      ...input,
      query: { ...input?.query, ...(navNext && { navNext }) },
    })
    rows.push(...answer.work)
    navNext = answer.pagination.navNext
  } while (navNext)
  return rows
}

/** A line for each person: of a shared text the words of their part. */
function linesOf(row: Row): (string | number)[][] {
  const holders = holdersOf(row)
  const line = (name: string, segments: number, words: number) => [
    row.deliveredTime ?? '',
    row.jobName,
    row.requestName,
    row.sourceNativeLanguageCode,
    row.targetNativeLanguageCode,
    ...[name, segments, words],
  ]
  if (holders.length === 0) return [line('', row.segments?.total ?? 0, row.words?.total ?? 0)]
  return holders.map((one) =>
    line(
      one.name ?? one.personId,
      'from' in one ? one.to - one.from + 1 : (row.segments?.total ?? 0),
      one.words,
    ),
  )
}
