/**
 * What must hold for every accepted history, read from its rows: each move is in the lifecycle
 * table and begins where the previous one ended, the status columns match the last move, each
 * notifying move has exactly one status update, and update numbers have no gap. Each law returns
 * the sentences that break it.
 */
import { archiveMoves, jobMoves, type Move, requestMoves } from '@dragoman/contract'
import type { Selectable } from 'kysely'
import type { Db } from '../../packages/server/src/store/database.ts'
import type { Tables } from '../../packages/server/src/store/tables.ts'

type MoveRow = Omit<Selectable<Tables['moves']>, 'request_ids'> & {
  readonly request_id: string | null
}
type UpdateRow = Selectable<Tables['status_updates']>

/** The history of a job, with one entry per request of each joint move. */
export async function movesOf(db: Db, jobId: string): Promise<MoveRow[]> {
  const rows = await db.selectFrom('moves').selectAll().where('job_id', '=', jobId).execute()
  return rows.flatMap(({ request_ids, ...move }) =>
    ((request_ids === null ? [null] : JSON.parse(request_ids)) as (string | null)[]).map(
      (request_id) => ({
        ...move,
        request_id,
      }),
    ),
  )
}

export async function findBrokenLaws(db: Db, jobIds: readonly string[]): Promise<string[]> {
  const broken: string[] = []
  for (const jobId of jobIds) {
    const moves = await movesOf(db, jobId)
    broken.push(...(await wrongPaths(db, jobId, moves)))
    const updates = await db
      .selectFrom('status_updates')
      .selectAll()
      .where('job_id', '=', jobId)
      .execute()
    broken.push(...wrongUpdates(jobId, moves, updates))
  }
  return [...broken, ...(await findGaps(db))]
}

async function wrongPaths(db: Db, jobId: string, moves: readonly MoveRow[]): Promise<string[]> {
  const job = await db.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirst()
  if (!job) return [`job ${jobId} is gone`]
  const requests = await db.selectFrom('requests').selectAll().where('job_id', '=', jobId).execute()
  const archiving = new Set<string>(archiveMoves.map(({ on }) => on))
  const ofJob = moves.filter(({ request_id }) => request_id === null)
  const lines: [string, readonly Move[], readonly MoveRow[], string, string][] = [
    [
      `job ${jobId}`,
      jobMoves,
      ofJob.filter(({ move }) => !archiving.has(move)),
      'CREATED',
      job.status,
    ],
    [
      `archive of ${jobId}`,
      archiveMoves,
      ofJob.filter(({ move }) => archiving.has(move)),
      'ACTIVE',
      job.archive_status,
    ],
    ...requests.map((request): (typeof lines)[number] => [
      `request ${request.request_id} of ${jobId}`,
      requestMoves,
      moves.filter(({ request_id }) => request_id === request.request_id),
      'CREATED',
      request.status,
    ]),
  ]
  return lines.flatMap(([what, table, own, from, to]) => {
    const unknown = own
      .filter((row) => !isInTable(table, row))
      .map((row) => `${what}: ${tell(row)} is not in the table`)
    const order = inOrder(own, from)
    if (!order) return [...unknown, `${what} has no path: ${own.map(tell).join(', ')}`]
    const end = order.at(-1)?.to_status ?? from
    return end === to ? unknown : [...unknown, `${what} is ${to}, and its last move led to ${end}`]
  })
}

const tell = ({ move, from_status, to_status }: MoveRow): string =>
  `${move} ${from_status}>${to_status}`

const isInTable = (table: readonly Move[], { move, from_status, to_status }: MoveRow): boolean =>
  table.some(
    (row) =>
      row.on === move &&
      row.from.includes(from_status) &&
      (row.to === 'same' ? to_status === from_status : row.to === to_status),
  )

/** By time; moves of one millisecond in any order that fits, because their ids are random. */
function inOrder(moves: readonly MoveRow[], from: string): MoveRow[] | undefined {
  if (moves.length === 0) return []
  const first = Math.min(...moves.map(({ moved_at }) => moved_at))
  for (const next of moves) {
    if (next.moved_at !== first || next.from_status !== from) continue
    const rest = inOrder(
      moves.filter((move) => move !== next),
      next.to_status,
    )
    if (rest) return [next, ...rest]
  }
  return undefined
}

/** Compares the moves of one cause that share an update with the updates of that cause. */
function wrongUpdates(
  jobId: string,
  moves: readonly MoveRow[],
  updates: readonly UpdateRow[],
): string[] {
  const wanted = new Map<string, string[]>()
  const want = (row: MoveRow, requestIds: readonly string[]) => {
    const key = `${row.cause_id} ${row.to_status} ${row.move === 'fail'}`
    wanted.set(key, [...(wanted.get(key) ?? []), ...requestIds])
  }
  const cancels = new Set(
    moves.filter((row) => row.request_id && row.move === 'cancel').map((row) => row.cause_id),
  )
  for (const row of moves) {
    const telling = ['deliver', 'fail', 'cancel'].includes(row.move)
    if (!telling) continue
    if (row.request_id !== null) want(row, [row.request_id])
    // If the job moves with its last request, that request's update covers it.
    else if (row.move === 'fail' || !cancels.has(row.cause_id)) want(row, [])
  }
  const broken: string[] = []
  for (const update of updates) {
    const key = `${update.cause_id} ${update.status} ${update.has_error === 1}`
    const ids = wanted.get(key)
    if (!ids)
      broken.push(
        `job ${jobId}: update ${update.sequence} (${key}) has no move, or a second update`,
      )
    else if ([...ids].sort().join() !== (JSON.parse(update.request_ids) as string[]).sort().join())
      broken.push(`job ${jobId}: update ${update.sequence} names other requests than moved`)
    wanted.delete(key)
  }
  return [
    ...broken,
    ...[...wanted.keys()].map((key) => `job ${jobId}: a move was not told (${key})`),
  ]
}

/** Of all clients; pruning is by age, and nothing here is old. */
async function findGaps(db: Db): Promise<string[]> {
  const counters = await db.selectFrom('update_counters').selectAll().execute()
  const broken: string[] = []
  for (const { site_id, client_id, last } of counters) {
    const updates = db
      .selectFrom('status_updates')
      .select('sequence')
      .where('site_id', '=', site_id)
    const rows = await updates.where('client_id', '=', client_id).execute()
    const found = rows.map(({ sequence }) => sequence).sort((a, b) => a - b)
    if (found.length !== last || found.some((sequence, at) => sequence !== at + 1))
      broken.push(
        `the updates of ${client_id} have a gap or a double: ${found.length} up to ${last}`,
      )
  }
  return broken
}
