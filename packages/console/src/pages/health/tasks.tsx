/** Background tasks: which wait, run or failed, and running them again. */
import type { Task } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Link } from 'wouter'
import { Pill } from '../../look/states.tsx'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Button, Chip, Chips } from '../../parts/controls.tsx'
import type { Column } from '../../parts/grid.tsx'
import { columnsOf } from '../../parts/list/columns.tsx'
import { useLiveList } from '../../parts/list/list.tsx'
import { ListPage } from '../../parts/list/list-page.tsx'
import { useRowInQuery } from '../../parts/list/open-row.ts'
import { useUrlFilter } from '../../parts/list/url-filter.ts'
import { Moment } from '../../parts/moment.tsx'
import { useRoleName } from '../../parts/role-names.ts'
import { useMay } from '../../session.tsx'
import { useWords } from '../../words/words.ts'
import css from './health.module.css'
import type { Key, PartProps } from './part.ts'
import { looks, TaskInspector } from './task.tsx'
import { useOperator } from './use-operator.ts'

const states = ['parked', 'due', 'later', 'running'] as const
type State = (typeof states)[number]
type TasksQuery = { readonly state: 'parked' | 'later'; readonly name: string }

export function Tasks({ frame }: PartProps) {
  const t = useWords<Key>('health')
  const roleName = useRoleName()
  const filter = useUrlFilter(['state', 'name'])
  const { search, change } = filter
  const state = states.find((one) => one === search.state)
  const name = search.name ?? ''
  const list = useLiveList('listTasks', {
    query: { ...(state && { state }), ...(name && { name }) },
  })
  const open = useRowInQuery('task')
  const [asked, setAsked] = useState<TasksQuery>()
  const [said, setSaid] = useState<string>()
  const isOperator = useOperator()
  const mayAct = useMay('admin') || isOperator
  const refusal = mayAct ? undefined : t('mayNot', { role: roleName('admin') })
  const selected = list.pages.items.find(({ taskId }) => taskId === open.id)
  const all: TasksQuery = { state: state === 'later' ? 'later' : 'parked', name }
  const titleOf = (one: TasksQuery) =>
    one.state === 'later'
      ? t('retryLater')
      : one.name
        ? t('retryNamed', { name: one.name })
        : t('retryAll')
  return (
    <ListPage
      {...frame}
      {...list}
      label={t('tasks')}
      columns={useColumns(isOperator)}
      idOf={({ taskId }) => taskId}
      open={open}
      filter={filter}
      none={{ glyph: 'task', title: t('noTasks'), body: <p>{t('noTasksBody')}</p> }}
      noMatch={{ glyph: 'task', title: t('noTasksFilter'), clear: t('clear') }}
      acts={
        (state === 'parked' || state === 'later' || state === undefined) && (
          <Button glyph="again" refusal={refusal} onClick={() => setAsked(all)}>
            {titleOf(all)}
          </Button>
        )
      }
      inspector={
        selected && (
          <TaskInspector
            task={selected}
            refusal={refusal}
            onClose={open.close}
            onDone={() => setSaid(t('retried', { count: 1 }))}
          />
        )
      }
      bar={
        <>
          {said && (
            <p role="status" className={`${css.said} approved`}>
              {said}
            </p>
          )}
          <div className={css.bar}>
            <Chips label={t('states')}>
              <Chip pressed={state === undefined} onPress={() => change({ state: undefined })}>
                {t('anyState')}
              </Chip>
              {states.map((one) => (
                <Chip key={one} pressed={state === one} onPress={() => change({ state: one })}>
                  {t(`state.${one}`)}
                </Chip>
              ))}
            </Chips>
            <span className={css.grow} />
            <input
              type="search"
              aria-label={t('filterName')}
              placeholder={t('filterName')}
              value={name}
              maxLength={100}
              onChange={({ target }) => change({ name: target.value })}
            />
          </div>
        </>
      }
    >
      {asked && (
        <AskDialog
          title={titleOf(asked)}
          act={titleOf(asked)}
          call="retryTasks"
          input={{ body: { state: asked.state, ...(asked.name && { name: asked.name }) } }}
          changes={['listTasks', 'listFindings', 'countOpen']}
          onClose={() => setAsked(undefined)}
          onDone={({ retried }) => {
            setAsked(undefined)
            setSaid(t('retried', { count: retried }))
          }}
        >
          <p>{t('retryAllBody')}</p>
          <p className="dim meta">{t('recorded')}</p>
        </AskDialog>
      )}
    </ListPage>
  )
}

function useColumns(isOperator: boolean): Column<Task>[] {
  const t = useWords<Key>('health')
  const column = columnsOf<Task, Key>(t)
  const beside = 'hidden' as const
  return [
    column('state', '110px', 1, ({ state }) => (
      <Pill look={looks[state as State]}>{t(`state.${state}`)}</Pill>
    )),
    column('name', 'minmax(0, 1fr)', 1, ({ name }) => <bdi>{name}</bdi>),
    column('tries', '50px', 'hidden', ({ tries }) => tries, { atEnd: true, beside }),
    column(
      'lastError',
      'minmax(0, 2fr)',
      2,
      ({ lastError }) =>
        lastError && (
          <span lang="en" dir="auto" title={lastError}>
            {lastError}
          </span>
        ),
      { beside },
    ),
    column('due', '120px', 2, ({ dueTime }) => <Moment at={dueTime} as="relative" />),
    column(
      'job',
      '110px',
      'hidden',
      ({ jobId }) => jobId && <Link href={`/jobs/${jobId}`}>{jobId}</Link>,
    ),
    ...(isOperator
      ? [column('site', '100px', 'hidden', ({ siteId }) => <bdi>{siteId}</bdi>, { beside })]
      : []),
  ]
}
