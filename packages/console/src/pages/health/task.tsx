/**
 * One task: what it does for which job, how often it was tried, why it failed, and running it now.
 */
import type { Task } from '@dragoman/contract/wire'
import { Link } from 'wouter'
import { Pill } from '../../look/states.tsx'
import { Button, Copy } from '../../parts/controls.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Facts, Inspector, Panel } from '../../parts/page.tsx'
import { useAct } from '../../queries.ts'
import { useWords } from '../../words/words.ts'
import css from './health.module.css'
import type { Key } from './part.ts'

/** The colours of task states. */
export const looks = {
  parked: 'rejected',
  due: 'sent',
  later: 'created',
  running: 'translating',
} as const

type TaskProps = {
  readonly task: Task
  readonly refusal: string | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

export function TaskInspector({ task, refusal, onClose, onDone }: TaskProps) {
  const t = useWords<Key>('health')
  const {
    taskId,
    name,
    state,
    tries,
    lastError,
    dueTime,
    createdTime,
    jobId,
    causeId,
    siteId,
    nodeId,
  } = task
  const act = useAct('retryTask', ['listTasks', 'listFindings', 'countOpen'])
  const already = state === 'running' ? t('running') : state === 'due' ? t('isDue') : undefined
  const trace = causeId.includes(':') ? undefined : causeId
  return (
    <Inspector
      label={t('task', { id: taskId })}
      title={
        <>
          <bdi>{name}</bdi> <Pill look={looks[state]}>{t(`state.${state}`)}</Pill>
        </>
      }
      acts={
        <Button
          small
          glyph="again"
          kind={state === 'parked' ? 'main' : 'plain'}
          refusal={refusal ?? already}
          busy={act.isPending}
          onClick={() => {
            // The task may leave the list, and unmount this component, before the response arrives.
            void act.mutateAsync({ params: { taskId } }).then(onDone, () => {})
          }}
        >
          {t('retry')}
        </Button>
      }
      onClose={onClose}
    >
      {act.error && (
        <Panel tone="bad">
          <p role="alert" className={css.wrap}>
            <bdi>{act.error.message}</bdi> <code>{act.error.code}</code>
          </p>
        </Panel>
      )}
      {lastError && (
        <Panel title={t('lastError')} tone={state === 'parked' ? 'bad' : 'warn'}>
          <p className={css.wrap} lang="en" dir="auto">
            {lastError}
          </p>
        </Panel>
      )}
      <Panel>
        <Facts
          facts={[
            { name: t('tries'), value: tries },
            { name: t('due'), value: <Moment at={dueTime} /> },
            { name: t('created'), value: <Moment at={createdTime} /> },
            jobId
              ? { name: t('job'), value: <Link href={`/jobs/${jobId}`}>{jobId}</Link> }
              : undefined,
            siteId ? { name: t('site'), value: <bdi>{siteId}</bdi> } : undefined,
            nodeId ? { name: t('node'), value: <span className="mono">{nodeId}</span> } : undefined,
            {
              name: t('cause'),
              value: trace ? (
                <Link href={`/calls/${trace}`}>{trace}</Link>
              ) : (
                <span className="mono">{causeId}</span>
              ),
            },
            {
              name: t('id'),
              value: (
                <>
                  <span className="mono">{taskId}</span>{' '}
                  <Copy text={taskId} label={t('task', { id: taskId })} />
                </>
              ),
            },
          ]}
        />
      </Panel>
    </Inspector>
  )
}
