/** Background tasks: which wait, run or failed, and running them again. */
import type { Task } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Link } from 'wouter'
import { useNewer } from '../../live/newer.ts'
import { Pill } from '../../look/states.tsx'
import { Button, Chip, Chips } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { NewerBar } from '../../parts/live.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { useRoleName } from '../../parts/role-names.ts'
import { Empty } from '../../parts/said.tsx'
import { useAct, usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useLive } from '../../stream.ts'
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
  const [search, change] = useSearchState()
  const state = states.find((one) => one === search.state)
  const name = search.name ?? ''
  const input = { query: { ...(state && { state }), ...(name && { name }) } }
  const pages = usePages('listTasks', input)
  const newer = useNewer('listTasks', input)
  useLive('listTasks')
  const [asked, setAsked] = useState<TasksQuery>()
  const [said, setSaid] = useState<string>()
  const isOperator = useOperator()
  const mayAct = useMay('admin') || isOperator
  const refusal = mayAct ? undefined : t('mayNot', { role: roleName('admin') })
  const selected = pages.items.find(({ taskId }) => taskId === search.task)
  const isFiltered = state !== undefined || name !== ''
  const which = state === 'later' ? 'later' : 'parked'
  return (
    <Page
      {...frame}
      fills
      acts={
        (state === 'parked' || state === 'later' || state === undefined) && (
          <Button glyph="again" refusal={refusal} onClick={() => setAsked({ state: which, name })}>
            {which === 'later' ? t('retryLater') : name ? t('retryNamed', { name }) : t('retryAll')}
          </Button>
        )
      }
      inspector={
        selected && (
          <TaskInspector
            task={selected}
            refusal={refusal}
            onClose={() => change({ task: undefined })}
            onDone={() => setSaid(t('retried', { count: 1 }))}
          />
        )
      }
    >
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
      <NewerBar newer={newer} />
      <Grid
        label={t('tasks')}
        columns={useColumns(isOperator)}
        pages={pages}
        idOf={({ taskId }) => taskId}
        selected={search.task}
        onOpen={({ taskId }) => change({ task: taskId }, 'push')}
        empty={
          <Empty glyph="task" title={isFiltered ? t('noTasksFilter') : t('noTasks')}>
            {isFiltered ? (
              <Button small onClick={() => change({ state: undefined, name: undefined })}>
                {t('clear')}
              </Button>
            ) : (
              <p>{t('noTasksBody')}</p>
            )}
          </Empty>
        }
      />
      {asked && (
        <RetryAll
          asked={asked}
          onClose={() => setAsked(undefined)}
          onDone={(text) => {
            setAsked(undefined)
            setSaid(text)
          }}
        />
      )}
    </Page>
  )
}

function useColumns(isOperator: boolean): Column<Task>[] {
  const t = useWords<Key>('health')
  return [
    {
      name: 'state',
      title: t('state'),
      width: '110px',
      narrow: 1,
      cell: ({ state }) => <Pill look={looks[state as State]}>{t(`state.${state}`)}</Pill>,
    },
    {
      name: 'name',
      title: t('name'),
      width: 'minmax(0, 1fr)',
      narrow: 1,
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    {
      name: 'tries',
      title: t('tries'),
      width: '50px',
      atEnd: true,
      narrow: 'hidden',
      beside: 'hidden',
      cell: ({ tries }) => tries,
    },
    {
      name: 'error',
      title: t('lastError'),
      width: 'minmax(0, 2fr)',
      narrow: 2,
      beside: 'hidden',
      cell: ({ lastError }) =>
        lastError && (
          <span lang="en" dir="auto" title={lastError}>
            {lastError}
          </span>
        ),
    },
    {
      name: 'due',
      title: t('due'),
      width: '120px',
      narrow: 2,
      cell: ({ dueTime }) => <Moment at={dueTime} as="relative" />,
    },
    {
      name: 'job',
      title: t('job'),
      width: '110px',
      narrow: 'hidden',
      cell: ({ jobId }) => jobId && <Link href={`/jobs/${jobId}`}>{jobId}</Link>,
    },
    ...(isOperator
      ? [
          {
            name: 'site',
            title: t('site'),
            width: '100px',
            narrow: 'hidden' as const,
            beside: 'hidden' as const,
            cell: ({ siteId }: Task) => <bdi>{siteId}</bdi>,
          },
        ]
      : []),
  ]
}

type RetryProps = {
  readonly asked: TasksQuery
  readonly onClose: () => void
  readonly onDone: (said: string) => void
}

function RetryAll({ asked: { state, name }, onClose, onDone }: RetryProps) {
  const t = useWords<Key>('health')
  const act = useAct('retryTasks', ['listTasks', 'listFindings', 'countOpen'])
  const title =
    state === 'later' ? t('retryLater') : name ? t('retryNamed', { name }) : t('retryAll')
  return (
    <Dialog
      title={title}
      act={title}
      busy={act.isPending}
      failure={act.error}
      onClose={onClose}
      onAct={() =>
        act.mutate(
          { body: { state, ...(name && { name }) } },
          { onSuccess: ({ retried }) => onDone(t('retried', { count: retried })) },
        )
      }
    >
      <p>{t('retryAllBody')}</p>
      <p className="dim meta">{t('recorded')}</p>
    </Dialog>
  )
}
