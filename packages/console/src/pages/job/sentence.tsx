/**
 * An entry of the timeline as a sentence. Names are isolated, so that they keep their own writing
 * direction.
 */
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { GlyphName } from '../../look/glyphs.tsx'
import { type Status, useStateWord } from '../../look/states.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/job.json'
import { useWords } from '../../words/words.ts'
import { callWords, isByProvider, shortPath, upstreamWords } from './call-words.ts'
import css from './timeline.module.css'
import { countOf, type Entry, languagesOf, type TimelineEvent } from './timeline-rows.ts'

export type Key = keyof typeof en

export const glyphs: Readonly<Record<Entry['kind'], GlyphName>> = {
  call: 'call',
  upstream: 'upstream',
  file: 'file',
  quote: 'cost',
  move: 'move',
  update: 'update',
  task: 'task',
  delivery: 'delivery',
  attempt: 'delivery',
}

const b = (inside: ReactNode) => (
  <b>
    <bdi>{inside}</bdi>
  </b>
)
const w = (inside: ReactNode) => <bdi>{inside}</bdi>

type Props = {
  readonly told: TimelineEvent
  readonly caused: readonly TimelineEvent[]
  readonly provider: string
}

export function Sentence({ told, caused, provider }: Props) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const { entry } = told
  switch (entry.kind) {
    case 'call':
      return <CallSentence told={told} caused={caused} provider={provider} />
    case 'upstream':
      return <UpstreamSentence entry={entry} />
    case 'move':
      return <MoveSentence moves={told.joined} />
    case 'update':
      return t.rich(
        entry.hasError
          ? 'update.error'
          : entry.acknowledgedTime
            ? 'update.acknowledged'
            : 'update.open',
        {
          number: String(entry.sequence ?? ''),
          message: entry.errorMessage ?? '',
          b,
          w,
        },
      )
    case 'delivery':
      return t.rich(entry.sequence === undefined ? 'delivery.event' : 'delivery.number', {
        number: String(entry.sequence ?? ''),
        event: entry.eventType ?? '',
        host: entry.host ?? '',
        b,
        w,
      })
    case 'attempt':
      return t('attempt')
    case 'file':
      return t.rich(entry.fileKind === 'translation' ? 'file.translation' : 'file.source', {
        name: entry.name ?? entry.id,
        size: entry.size === undefined ? '' : writers.bytes(entry.size),
        has: entry.size === undefined ? 'none' : 'size',
        b,
      })
    case 'quote':
      return t.rich(entry.total === undefined ? 'quote.short' : 'quote.full', {
        words: entry.words ?? 0,
        money: writers.money(entry.total ?? '', entry.currency ?? ''),
        version: entry.priceListVersion ?? 0,
        b,
      })
    case 'task':
      return t.rich('task', { name: entry.name ?? '', b })
  }
}

function CallSentence({ told, caused, provider }: Props) {
  const t = useWords<Key>('job')
  const { entry } = told
  const { key, count } = callWords(told, caused)
  const client = entry.clientId === 'console' ? t('who.console') : entry.clientId
  const who = (isByProvider(entry.route) && provider) || client || t('who.nobody')
  return (
    <>
      {t.rich(key, { who, count, b, w })} <span className="mono dim">{shortPath(entry)}</span>
    </>
  )
}

/** What this hub did at the upstream; the mark tells it from what happened here. */
function UpstreamSentence({ entry }: { readonly entry: Entry }) {
  const t = useWords<Key>('job')
  return (
    <>
      <span className={css.side}>{t('show.upstream')}</span>{' '}
      {t.rich(upstreamWords(entry), { who: t('who.hub'), count: 0, b, w })}{' '}
      <span className="mono dim">{shortPath(entry)}</span>
    </>
  )
}

/** Moves that say who made them (origins.ts). */
const origins: Readonly<Record<string, Key>> = { create: 'call.created', submit: 'call.submitted' }

/** The note of a rejection appears in the sentence, as people wrote it. */
function MoveSentence({ moves }: { readonly moves: readonly Entry[] }) {
  const t = useWords<Key>('job')
  const stateWord = useStateWord()
  const writers = useWriters()
  const first = moves[0]
  if (!first) return null
  const origin = first.clientId === undefined ? undefined : origins[first.move ?? '']
  if (origin)
    return t.rich(origin, {
      who: first.clientId === 'console' ? t('who.console') : (first.clientId ?? ''),
      w,
    })
  const isArchive = first.move?.includes('archive') ?? false
  const word = (state = '') =>
    isArchive ? t(`archive.${state}` as Key) : stateWord(state as Status)
  const states = { from: word(first.from), to: word(first.to) }
  if (!first.requestIds)
    return t.rich(first.move === 'fail' ? 'move.jobFailed' : 'move.job', { ...states, b })
  const languages = languagesOf(moves)
  const named = moves.flatMap(({ requests = [] }) => requests.map(({ requestName }) => requestName))
  const count = countOf(moves)
  const isNamed = languages.length === 1 && named.length === count && count <= 3
  const n = () =>
    isNamed
      ? writers.listParts(named).map(({ isItem, value }, at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other key.
          isItem ? <Fragment key={at}>{b(value)}</Fragment> : value,
        )
      : b(t('requests', { count }))
  const language = languages.length === 1 ? (languages[0] ?? '') : ''
  const key = first.move === 'fail' ? 'move.failed' : first.note ? 'move.rejected' : 'move.requests'
  return t.rich(key, { ...states, language, note: first.note ?? '', n, w })
}

/** What the end of a row shows: the response, the duration, the next attempt. */
export function Outcome({
  told: { entry, attempts },
  now,
}: {
  readonly told: TimelineEvent
  readonly now: number
}) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  if (entry.kind === 'call')
    return (
      <span className={Number(entry.statusCode) >= 400 ? css.failed : undefined}>
        {entry.statusCode}
        {entry.code && ` ${entry.code}`}, {writers.duration(entry.durationMs ?? 0)}
      </span>
    )
  if (entry.kind === 'upstream')
    return (
      <span className={isRefused(entry) ? css.failed : undefined}>
        {entry.statusCode ?? t('noAnswer')}, {writers.duration(entry.durationMs ?? 0)}
        {(entry.tries ?? 1) > 1 && `, ${t('upstream.times', { count: entry.tries ?? 1 })}`}
      </span>
    )
  if (entry.kind === 'attempt' || entry.kind === 'delivery') {
    const last = entry.kind === 'attempt' ? entry : attempts.at(-1)
    const isDone =
      entry.state === 'DELIVERED' || (entry.kind === 'attempt' && isGood(entry.responseCode))
    const code = last ? (last.responseCode ?? t('noAnswer')) : undefined
    if (isDone)
      return (
        <span className={css.good}>
          {code ?? t('delivered')}
          {last?.durationMs !== undefined && `, ${writers.duration(last.durationMs)}`}
        </span>
      )
    if (entry.state === 'PARKED')
      return <span className={css.failed}>{t('parked', { code: String(code ?? '') })}</span>
    const next = entry.nextAttemptTime
    if (code !== undefined && next)
      return (
        <span className={css.failed}>
          {t('nextTry', { code: String(code), when: writers.relative(next, now) })}
        </span>
      )
    return <span className={code === undefined ? undefined : css.failed}>{code ?? t('waits')}</span>
  }
  if (entry.kind === 'task')
    return <span>{entry.lastError ? <bdi>{entry.lastError}</bdi> : entry.state}</span>
  return null
}

const isRefused = ({ statusCode }: Entry): boolean =>
  statusCode === undefined || Number(statusCode) >= 400
const isGood = (code: number | undefined): boolean =>
  code !== undefined && code >= 200 && code < 300

/** Whether the entry reports something that went wrong. */
export function isFailure({ entry, attempts }: TimelineEvent): boolean {
  if (entry.kind === 'call') return Number(entry.statusCode) >= 400
  if (entry.kind === 'upstream') return isRefused(entry)
  if (entry.kind === 'delivery') return entry.state !== 'DELIVERED' && attempts.length > 0
  if (entry.kind === 'attempt') return !isGood(entry.responseCode)
  return entry.hasError === true || entry.move === 'fail' || entry.lastError !== undefined
}

export const CallLink = ({ traceId }: { readonly traceId: string }) => (
  <Link href={`/calls/${encodeURIComponent(traceId)}`} className="mono">
    {traceId}
  </Link>
)
