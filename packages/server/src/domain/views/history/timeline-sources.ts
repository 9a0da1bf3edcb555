/**
 * The tables of a timeline: how each kind of event is read and shown. Texts that belong to the site
 * (names of files, messages of errors) are shown to callers of the site only.
 */
import {
  formatTime,
  paidWords,
  type Quote,
  type TimelineEntry,
  type TimelineKind,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { Key } from '../../../store/page.ts'
import { openNote } from '../../files/seals/notes.ts'
import * as rows from './timeline-rows.ts'

export type TimelineJob = {
  readonly siteId: string
  readonly jobId: string
  /** Whether it is shown to somebody of the site. */
  readonly forSite: boolean
  /** Whether amounts are shown. */
  readonly isPriced: boolean
  /** The client that it is shown to: calls of others are shown without their names. */
  readonly client?: string
}
type Reader = Pick<TimelineJob, 'forSite' | 'isPriced' | 'client'> & { readonly hub: Hub }
/** An event and its place in its own table: the time and the rest of its key. */
export type Event = { readonly entry: TimelineEntry; readonly key: Key }
type Source = {
  /** Comes before every key of the table at the same time. */
  readonly lowest: Key
  /** None of them can fail. */
  readonly neverFails?: true
  readonly read: (hub: Hub, job: TimelineJob, part: rows.TimelinePart) => Promise<Event[]>
}
type Table<R> = Pick<Source, 'lowest' | 'neverFails'> & {
  readonly select: (db: Db, of: rows.EventsOf, part: rows.TimelinePart) => Promise<R[]>
  /** Begins with the time. */
  readonly key: (row: R) => readonly [number, ...Key]
  readonly describe: (row: R, reader: Reader) => Omit<TimelineEntry, 'time' | 'kind'>
}

const source = <R>(
  kind: TimelineKind,
  { select, key: keyOf, describe, ...about }: Table<R>,
): Source => ({
  ...about,
  read: async (hub, { forSite, isPriced, client, ...job }, part) =>
    (await select(hub.db.read, { ...job, now: hub.clock.now() }, part)).map((row) => {
      const key = keyOf(row)
      return {
        key,
        entry: {
          time: formatTime(key[0]),
          kind,
          ...describe(row, { hub, forSite, isPriced, ...(client !== undefined && { client }) }),
        },
      }
    }),
})

const idsIn = (text: string | null): { requestIds?: string[] } => {
  const requestIds = text === null ? [] : (JSON.parse(text) as string[])
  return requestIds.length > 0 ? { requestIds } : {}
}

/** The request that a call names in its path, under either of its names. */
function requestIn(ids: string | null): { requestIds?: string[] } {
  const { requestId, assetTaskId } = JSON.parse(ids ?? '{}') as {
    requestId?: string
    assetTaskId?: string
  }
  const id = requestId ?? assetTaskId
  return id === undefined ? {} : { requestIds: [id] }
}

const given = <K extends string, V>(name: K, value: V | null): { [P in K]?: V } =>
  (value === null ? {} : { [name]: value }) as { [P in K]?: V }

function factsOfQuote(text: string, { forSite, isPriced }: Reader) {
  const { priceListId, priceListVersion, lines, total, currency } = JSON.parse(text) as Quote
  return {
    priceListId,
    priceListVersion,
    ...(forSite && { words: paidWords(lines), ...(isPriced && { total, currency }) }),
  }
}

export const sources: Record<TimelineKind, Source> = {
  call: source('call', {
    lowest: [-1],
    select: rows.callsOfJob,
    key: (row) => [row.called_at, row.call_id],
    describe: (row, { client }) => ({
      id: row.trace_id,
      causeId: row.trace_id,
      ...requestIn(row.ids),
      method: row.method,
      route: row.route,
      ...given('clientId', client === undefined || client === row.client_id ? row.client_id : null),
      statusCode: row.status,
      ...given('code', row.error_code),
      durationMs: row.duration_us / 1_000,
    }),
  }),
  upstream: source('upstream', {
    lowest: [-1],
    select: rows.upstreamCallsOfJob,
    key: (row) => [row.called_at, row.call_id],
    describe: (row) => ({
      id: String(row.call_id),
      causeId: row.cause_id,
      method: row.method,
      route: row.path,
      ...given('statusCode', row.status),
      ...given('error', row.error),
      durationMs: row.duration_us / 1_000,
      tries: row.tries,
      ...given('traceId', row.trace_id),
    }),
  }),
  file: source('file', {
    lowest: [''],
    neverFails: true,
    select: rows.filesOfJob,
    key: (row) => [row.created_at, row.file_id],
    describe: (row, { forSite }) => ({
      id: row.file_id,
      causeId: row.cause_id,
      ...(forSite && { name: row.name }),
      fileKind: row.kind,
      state: row.state,
      ...given('size', row.size),
    }),
  }),
  quote: source('quote', {
    lowest: [''],
    neverFails: true,
    select: rows.quotesOfJob,
    key: (row) => [row.quoted_at, row.job_id],
    describe: (row, reader) => ({
      id: row.job_id,
      causeId: row.cause_id,
      ...factsOfQuote(row.quote, reader),
    }),
  }),
  move: source('move', {
    lowest: [''],
    select: rows.movesOfJob,
    key: (row) => [row.moved_at, row.move_id],
    describe: (row) => ({
      id: row.move_id,
      causeId: row.cause_id,
      ...idsIn(row.request_ids),
      move: row.move,
      from: row.from_status,
      to: row.to_status,
    }),
  }),
  update: source('update', {
    lowest: [''],
    select: rows.updatesOfJob,
    key: (row) => [row.updated_at, row.update_id],
    describe: (row, { hub, forSite }) => ({
      id: row.update_id,
      causeId: row.cause_id,
      ...idsIn(row.request_ids),
      sequence: row.sequence,
      statusCode: row.status,
      hasError: row.has_error === 1,
      ...(forSite && given('errorMessage', openNote(hub, row.error_message))),
      ...given(
        'acknowledgedTime',
        row.acknowledged_at === null ? null : formatTime(row.acknowledged_at),
      ),
    }),
  }),
  task: source('task', {
    lowest: [-1],
    select: rows.tasksOfJob,
    key: (row) => [row.created_at, row.task_id],
    describe: (row) => ({
      id: String(row.task_id),
      causeId: row.cause_id,
      name: row.name,
      // A task whose lease ended is claimed again at once.
      state: row.state === 'lost' ? 'due' : row.state,
      tries: row.attempts,
      dueTime: formatTime(row.due_at),
      ...given('lastError', row.last_error),
    }),
  }),
  delivery: source('delivery', {
    lowest: [-1],
    select: rows.deliveriesOfJob,
    key: (row) => [row.created_at, row.position],
    describe: (row) => ({
      id: row.delivery_id,
      causeId: row.cause_id,
      ...idsIn(row.request_ids),
      listenerId: row.listener_id,
      host: URL.canParse(row.uri) ? new URL(row.uri).host : '',
      eventType: row.event_type,
      ...given('sequence', row.sequence),
      state: row.state,
      ...(row.state === 'PENDING' && row.next_attempt_at !== null
        ? { nextAttemptTime: formatTime(row.next_attempt_at) }
        : {}),
    }),
  }),
  attempt: source('attempt', {
    lowest: [-1, -1],
    select: rows.attemptsOfJob,
    key: (row) => [row.attempted_at, row.position, row.number],
    describe: (row) => ({
      id: `${row.delivery_id}.${row.number}`,
      causeId: row.cause_id ?? '',
      deliveryId: row.delivery_id ?? '',
      ...given('listenerId', row.listener_id),
      durationMs: row.duration_ms,
      ...given('responseCode', row.response_code),
      ...given('error', row.error),
    }),
  }),
}
