/**
 * Checks what a connector was told in a round against the rows, the bytes and what its listeners
 * received.
 */
import { createHash } from 'node:crypto'
import { openNote } from '../../packages/server/src/domain/files/seals/notes.ts'
import type { Hub } from '../../packages/server/src/hub.ts'
import type { Db } from '../../packages/server/src/store/database.ts'
import { findBrokenLaws, movesOf } from './history-laws.ts'
import type { Receiver } from './round-receiver.ts'
import { type Ledger, sources, wantedRequests } from './round-steps.ts'
import type { Counter } from './tally.ts'

/** Of a round without a fault, for comparison. */
export type Baseline = {
  readonly translations: ReadonlyMap<string, string>
  readonly deliveries: readonly string[]
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const tasksOf = (db: Db, jobId: string) =>
  db
    .selectFrom('tasks')
    .select(['name', 'last_error'])
    .where('payload', 'like', `%${jobId}%`)
    .execute()

/** Counts what is missing of a round, and what is there too often. */
export function countFor(tally: Counter, jobName: string) {
  const lost = (says: string) => tally.lost(`${jobName}: ${says}`)
  const doubled = (says: string) => tally.doubled(`${jobName}: ${says}`)
  const exactly = (what: string, found: readonly string[], wanted: readonly string[]) => {
    for (const one of new Set(wanted)) {
      const many =
        found.filter((other) => other === one).length -
        wanted.filter((other) => other === one).length
      if (many < 0) lost(`${what} ${one} is missing`)
      if (many > 0) doubled(`${what} ${one} is there ${many} times too often`)
    }
    for (const one of found)
      if (!wanted.includes(one)) doubled(`${what} ${one} was never asked for`)
  }
  return { lost, doubled, exactly }
}

export async function holdAgainst(
  hub: Hub,
  ledger: Ledger,
  receiver: Receiver,
  tally: Counter,
  baseline?: Baseline,
): Promise<Baseline> {
  const { read } = hub.db
  const { jobId, jobName } = ledger
  const { lost, doubled, exactly } = countFor(tally, jobName)

  const jobs = await read.selectFrom('jobs').selectAll().where('job_name', '=', jobName).execute()
  exactly(
    'job',
    jobs.map(({ job_id, status, archive_status }) => `${job_id} ${status} ${archive_status}`),
    [`${jobId} COMPLETED ARCHIVED`],
  )
  const requests = await read
    .selectFrom('requests')
    .selectAll()
    .where('job_id', '=', jobId)
    .execute()
  exactly(
    'request',
    requests.map(
      (one) => `${one.request_name} ${one.target_language} ${one.request_id} ${one.status}`,
    ),
    wantedRequests.map((name) => `${name} ${ledger.requests.get(name)} TRANSLATION_APPROVED`),
  )
  const files = await read.selectFrom('files').selectAll().where('job_id', '=', jobId).execute()
  exactly(
    'source file',
    files
      .filter(({ kind }) => kind === 'source')
      .map((file) => `${file.file_id} ${file.state} ${file.sha256}`),
    Object.entries(sources).map(
      ([name, text]) => `${ledger.files.get(name)} stored ${sha256(text)}`,
    ),
  )
  exactly(
    'translation',
    files.filter(({ kind }) => kind === 'translation').map((file) => String(file.sha256)),
    [...ledger.translations]
      .filter(([name]) => !name.startsWith('fields'))
      .map(([, text]) => sha256(text)),
  )
  for (const [name, text] of baseline?.translations ?? [])
    if (ledger.translations.get(name) !== text)
      lost(`${name} came back otherwise than without a fault`)

  const moves = await movesOf(read, jobId)
  exactly(
    'move',
    moves.map(({ request_id, move }) => `${request_id ?? 'job'} ${move}`),
    [
      ...['submit', 'sent', 'start', 'complete', 'archive', 'archived'].map(
        (move) => `job ${move}`,
      ),
      ...[...ledger.requests.values()].flatMap((id) =>
        ['submit', 'sent', 'deliver', 'approve'].map((move) => `${id} ${move}`),
      ),
    ],
  )
  for (const says of await findBrokenLaws(read, [jobId])) doubled(says)
  const updates = await read
    .selectFrom('status_updates')
    .selectAll()
    .where('job_id', '=', jobId)
    .execute()
  exactly(
    'acknowledged update',
    updates.filter((update) => update.acknowledged_at !== null).map(({ update_id }) => update_id),
    ledger.acknowledged,
  )
  if (ledger.acknowledged.length !== updates.length) lost('an update was never shown')

  for (const { name, last_error } of await tasksOf(read, jobId))
    tally.leaked(`${jobName}: task ${name} is left (${last_error})`)

  const deliveries = await holdDeliveries(hub, ledger, receiver, { lost, doubled })
  if (baseline) exactly('delivery', deliveries, baseline.deliveries)
  return { translations: ledger.translations, deliveries }
}

/**
 * Returns the deliveries as text. A call may be repeated after a death, always under its own
 * webhook-id.
 */
export async function holdDeliveries(
  hub: Hub,
  { jobId, listeners }: Pick<Ledger, 'jobId' | 'listeners'>,
  receiver: Receiver,
  { lost, doubled }: { lost(says: string): void; doubled(says: string): void },
): Promise<string[]> {
  const all = hub.db.read
    .selectFrom('deliveries')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('position')
  const rows = (await all.execute()).map((row) => ({ ...row, body: openNote(hub, row.body) ?? '' }))
  const calls = receiver.of(jobId)
  const known = new Map(rows.map((row) => [row.delivery_id, row]))
  for (const { webhookId, body } of calls)
    if (known.get(webhookId)?.body !== body)
      doubled(`the call ${webhookId} is not the delivery of that id`)
  for (const { delivery_id, state } of rows) {
    if (state !== 'DELIVERED') lost(`delivery ${delivery_id} is ${state}`)
    if (!calls.some(({ webhookId }) => webhookId === delivery_id))
      lost(`delivery ${delivery_id} never arrived`)
  }
  for (const listenerId of listeners) {
    const arrived = [...new Set(calls.map(({ webhookId }) => webhookId))]
    const own = (ids: readonly string[]) =>
      ids.filter((id) => known.get(id)?.listener_id === listenerId)
    if (own(arrived).join() !== own([...known.keys()]).join())
      lost(`calls to ${listenerId} came in another order`)
  }
  return rows.map(({ event_type, body, sequence }) => {
    const { statusCode, archived, isError } = JSON.parse(body)
    return `${event_type} ${statusCode} ${archived} ${isError} ${sequence === null ? 'quiet' : 'told'}`
  })
}
