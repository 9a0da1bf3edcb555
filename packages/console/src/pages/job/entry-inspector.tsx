/** The selected entry of the timeline: first the sentence, then its facts and links. */

import type { Job } from '@dragoman/contract/wire'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useStateWord } from '../../look/states.tsx'
import { prefix } from '../../page-facts.ts'
import { Button, ButtonLink, Copy } from '../../parts/controls.tsx'
import { Download } from '../../parts/download.tsx'
import { readable } from '../../parts/json-lines.ts'
import { Moment } from '../../parts/moment.tsx'
import { Code, Inspector, Panel } from '../../parts/page.tsx'
import { useRoleName } from '../../parts/role-names.ts'
import { Empty, Shown } from '../../parts/said.tsx'
import { useAct, useCall } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import { CallLink, isFailure, type Key, Sentence } from './sentence.tsx'
import type { Entry, TimelineEvent } from './timeline-rows.ts'

export type Selection = { readonly told: TimelineEvent; readonly caused: readonly TimelineEvent[] }
type Props = {
  readonly job: Job
  readonly at: string
  /** Undefined until its page of the timeline is loaded. */
  readonly selected: Selection | undefined
  readonly provider: string
  readonly onClose: () => void
}

export function EntryInspector({ job, at, selected, provider, onClose }: Props) {
  const t = useWords<Key>('job')
  const [kind = 'call', ...rest] = at.split('.')
  const entry = selected?.told.entry
  const title = t(`kind.${kind}` as Key)
  return (
    <Inspector label={title} title={title} onClose={onClose}>
      {selected && (
        <Panel {...(isFailure(selected.told) && { tone: 'bad' })}>
          <p>
            <Sentence told={selected.told} caused={selected.caused} provider={provider} />
          </p>
          <p className="meta dim">
            <Moment at={selected.told.entry.time} />
          </p>
        </Panel>
      )}
      {kind === 'call' && <CallDetails traceId={rest.join('.')} />}
      {kind === 'upstream' && entry && <UpstreamDetails job={job} entry={entry} />}
      {kind === 'move' && selected && <MoveDetails job={job} moves={selected.told.joined} />}
      {kind === 'update' && entry && <UpdateDetails entry={entry} />}
      {kind === 'file' && entry && <FileDetails job={job} entry={entry} />}
      {kind === 'quote' && <ButtonLink href={`/jobs/${job.jobId}/cost`}>{t('toCost')}</ButtonLink>}
      {kind === 'task' && entry && <TaskDetails entry={entry} />}
      {!selected && kind !== 'call' && (
        <Empty title={t('entryNotRead')}>{t('entryNotReadBody')}</Empty>
      )}
      {entry && kind !== 'call' && <Cause causeId={entry.causeId} />}
    </Inspector>
  )
}

function Pairs({ pairs }: { readonly pairs: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={css.pairs}>
      {pairs
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name} className={css.pair}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

function Cause({ causeId }: { readonly causeId: string }) {
  const t = useWords<Key>('job')
  return (
    <Panel title={t('cause')}>
      {/^(?!call:)\w+:/.test(causeId) ? (
        <span className="mono">{causeId}</span>
      ) : (
        <CallLink traceId={causeId.replace('call:', '')} />
      )}
    </Panel>
  )
}

function CallDetails({ traceId }: { readonly traceId: string }) {
  const t = useWords<Key>('job')
  const roleName = useRoleName()
  const writers = useWriters()
  const isDeveloper = useMay('developer')
  const call = useCall(
    'findCall',
    { params: { traceId } },
    { keepOld: false, enabled: isDeveloper },
  )
  if (!isDeveloper) return <p className="dim">{t('mayNot', { role: roleName('developer') })}</p>
  return (
    <Shown of={call}>
      {(shown) => (
        <>
          <Panel
            title={`${shown.statusCode}${shown.code ? ` ${shown.code}` : ''}`}
            beside={
              <span className={css.push}>
                <ButtonLink small href={`/calls/${encodeURIComponent(traceId)}`}>
                  {t('openCall')}
                </ButtonLink>
              </span>
            }
          >
            <Pairs
              pairs={[
                [t('route'), <code key="route">{`${shown.method} ${shown.route}`}</code>],
                [t('client'), <bdi key="client">{shown.clientId}</bdi>],
                [t('duration'), writers.duration(shown.durationMs)],
                [t('bytes'), `${writers.bytes(shown.bytesIn)} / ${writers.bytes(shown.bytesOut)}`],
                [
                  t('trace'),
                  <span key="trace" className={css.withCopy}>
                    <span className="mono">{traceId}</span>
                    <Copy text={traceId} label={t('copyId')} />
                  </span>,
                ],
              ]}
            />
            {shown.code && (
              <p>
                <a href={`${prefix}/docs/errors#${shown.code}`}>{t('errorDocs')}</a>
              </p>
            )}
          </Panel>
          {shown.callBody && (
            <Panel title={t('sent')}>
              <Code label={t('sent')} text={readable(shown.callBody)} />
            </Panel>
          )}
          {shown.answerBody && (
            <Panel title={t('answer')}>
              <Code label={t('answer')} text={readable(shown.answerBody)} />
            </Panel>
          )}
        </>
      )}
    </Shown>
  )
}

function UpstreamDetails({ job, entry }: { readonly job: Job; readonly entry: Entry }) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const { traceId, tries = 1 } = entry
  return (
    <Panel>
      <Pairs
        pairs={[
          [t('kind.upstream'), job.upstream && <bdi>{job.upstream.url}</bdi>],
          [t('route'), <code key="route">{`${entry.method} ${entry.route}`}</code>],
          [t('answer'), entry.statusCode ?? t('noAnswer')],
          [t('message'), entry.error && <bdi>{entry.error}</bdi>],
          [t('duration'), writers.duration(entry.durationMs ?? 0)],
          [t('tries'), tries > 1 ? tries : undefined],
          [
            t('upstream.trace'),
            traceId && (
              <span className={css.withCopy}>
                <span className="mono">{traceId}</span>
                <Copy text={traceId} label={t('copyId')} />
              </span>
            ),
          ],
        ]}
      />
    </Panel>
  )
}

function MoveDetails({ job, moves }: { readonly job: Job; readonly moves: readonly Entry[] }) {
  const t = useWords<Key>('job')
  const word = useStateWord()
  const first = moves[0]
  const requests = moves.flatMap(({ requests = [], requestIds = [] }) =>
    requestIds.map((id, at) => ({ id, named: requests[at] })),
  )
  const states = [first?.from, first?.to].map((state) => word(state as never))
  return (
    <Panel title={t('requests', { count: requests.length })}>
      <p>
        {first?.from === undefined
          ? states[1]
          : t('fromTo', { from: states[0] ?? '', to: states[1] ?? '' })}
      </p>
      <ul className={css.list}>
        {requests.slice(0, 50).map(({ id, named }) => (
          <li key={id}>
            <Link href={`/jobs/${job.jobId}/requests?at=request.${id}`}>
              {named ? <bdi>{named.requestName}</bdi> : <span className="mono">{id}</span>}
            </Link>{' '}
            {named && <bdi className="dim">{named.targetNativeLanguageCode}</bdi>}
          </li>
        ))}
      </ul>
      {requests.length > 50 && (
        <p className="dim">{t('andMore', { count: requests.length - 50 })}</p>
      )}
    </Panel>
  )
}

function UpdateDetails({ entry }: { readonly entry: Entry }) {
  const t = useWords<Key>('job')
  return (
    <Panel>
      <Pairs
        pairs={[
          [t('number'), entry.sequence],
          [t('state'), entry.statusCode],
          [t('message'), entry.errorMessage && <bdi>{entry.errorMessage}</bdi>],
          [
            t('acknowledged'),
            entry.acknowledgedTime ? <Moment key="at" at={entry.acknowledgedTime} /> : t('notYet'),
          ],
        ]}
      />
    </Panel>
  )
}

function FileDetails({ job, entry }: { readonly job: Job; readonly entry: Entry }) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  return (
    <Panel>
      <Pairs
        pairs={[
          [t('file'), entry.name && <bdi>{entry.name}</bdi>],
          [t('kind'), t(entry.fileKind === 'translation' ? 'translation' : 'source')],
          [t('size'), entry.size === undefined ? undefined : writers.bytes(entry.size)],
          [
            t('id'),
            <span key="id" className="mono">
              {entry.id}
            </span>,
          ],
        ]}
      />
      {entry.fileKind !== 'translation' &&
        entry.state === 'stored' &&
        job.archiveStatus === 'ACTIVE' && (
          <div>
            <Download
              path={`/jobs/${job.jobId}/sourcefiles/${entry.id}`}
              name={entry.name ?? entry.id}
              label={t('downloadFile', { name: entry.name ?? '' })}
            />
          </div>
        )}
    </Panel>
  )
}

function TaskDetails({ entry }: { readonly entry: Entry }) {
  const t = useWords<Key>('job')
  const roleName = useRoleName()
  const may = useMay('operator')
  const retry = useAct('retryTask', ['listTimeline'])
  return (
    <Panel title={<bdi>{entry.name}</bdi>}>
      <Pairs
        pairs={[
          [t('state'), entry.state],
          [t('tries'), entry.tries],
          [t('dueAt'), entry.dueTime && <Moment at={entry.dueTime} />],
          [t('message'), entry.lastError && <bdi>{entry.lastError}</bdi>],
        ]}
      />
      <div>
        <Button
          small
          glyph="again"
          busy={retry.isPending}
          refusal={may ? undefined : t('mayNot', { role: roleName('admin') })}
          onClick={() => retry.mutate({ params: { taskId: entry.id } })}
        >
          {t('retryTask')}
        </Button>
      </div>
      {retry.error && (
        <p role="alert" className={css.failure}>
          <bdi>{retry.error.message}</bdi>
        </p>
      )}
    </Panel>
  )
}
