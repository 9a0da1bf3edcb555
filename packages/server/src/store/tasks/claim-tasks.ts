/**
 * Claims due and lost tasks for one node for the time of a lease. No site: the runner serves all
 * sites.
 */

import {
  type ExpressionWrapper,
  expressionBuilder,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Database, Db } from '../database.ts'
import { lock } from '../lock.ts'
import { perForm, prepared } from '../prepared.ts'
import type { Tables } from '../tables.ts'
import type { Task } from './hold-tasks.ts'
import { everyLane, type Lane, lanes } from './lanes.ts'

export type Claim = {
  readonly nodeId: string
  readonly now: number
  readonly leaseUntil: number
  readonly many: number
  /** Every lane by default. */
  readonly lane?: Lane
  /** Tasks whose keys begin with one of these are skipped. */
  readonly skip?: readonly string[]
}

type ClaimForm = { readonly lane?: Lane; readonly skip: readonly SkipForm[] }
type ClaimValues = {
  nodeId: string
  now: number
  leaseUntil: number
  many: number
  [skipped: SkipName]: string
}

const claimWith = perForm(({ lane, skip }: ClaimForm) =>
  prepared((tx: Db, at: ClaimValues) =>
    tx
      .with('due', (db) => {
        const due = db
          .selectFrom('tasks')
          .select('task_id')
          .where(isIn(lane))
          .where('due_at', '<=', at.now)
          .where(isFree(at.now))
          .$if(skip.length > 0, (query) => query.where(beginsWithNone(skip, at)))
          .orderBy('due_at')
          .orderBy('task_id')
          .limit(at.many)
        return lock(tx, due, 'skip locked')
      })
      .updateTable('tasks')
      .set((eb) => ({
        leased_by: at.nodeId,
        lease_until: at.leaseUntil,
        fence: eb('fence', '+', 1),
        attempts: eb('attempts', '+', 1),
      }))
      .where('task_id', 'in', (eb) => eb.selectFrom('due').select('due.task_id'))
      .returning([
        'task_id',
        'name',
        'payload',
        'site_id',
        'key',
        'due_at',
        'attempts',
        'ended_processes',
        'fence',
        'cause_id',
        'lane',
      ]),
  ),
)

/** The earliest tasks that are due or lost; each goes to one claimer only. */
export async function claimTasks(db: Database, claim: Claim): Promise<Task[]> {
  const { nodeId, now, leaseUntil, many, lane, skip = [] } = claim
  if (many < 1) return []
  const { forms, values } = skipping(skip)
  const select = claimWith({ ...(lane && { lane }), skip: forms })
  const rows = await db.transact((tx) => select(tx, { nodeId, now, leaseUntil, many, ...values }))
  return rows
    .sort((a, b) => a.due_at - b.due_at || a.task_id - b.task_id)
    .map((row) => ({
      taskId: row.task_id,
      name: row.name,
      payload: JSON.parse(row.payload) as unknown,
      ...(row.site_id === null ? {} : { siteId: row.site_id }),
      ...(row.key === null ? {} : { key: row.key }),
      dueAt: row.due_at,
      attempts: row.attempts,
      ...(row.ended_processes > 0 && { endedProcesses: row.ended_processes }),
      fence: row.fence,
      causeId: row.cause_id,
      ...(row.lane === lanes.outside ? { outside: true } : {}),
    }))
}

/** When the earliest task that no node holds at `now` is due. */
export async function nextDue(db: Db, now = 0): Promise<number | undefined> {
  const first = await Promise.all(everyLane.map((lane) => nextDueIn(db, lane, now)))
  const due = Math.min(...first.map((row) => row?.due_at ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(due) ? due : undefined
}

const nextDueIn = (db: Db, lane: Lane, now: number): Promise<{ due_at: number } | undefined> =>
  db
    .selectFrom('tasks')
    .select('due_at')
    .where(isIn(lane))
    .where(isFree(now))
    .orderBy('due_at')
    .orderBy('task_id')
    .limit(1)
    .executeTakeFirst()

/** No lease, or an expired one. */
function isFree(now: number): ExpressionWrapper<Tables, 'tasks', SqlBool> {
  const eb = expressionBuilder<Tables, 'tasks'>()
  return eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)])
}

/** Written as a literal, so that both planners see that the partial index fits. */
const isIn = (lane?: Lane) =>
  lane === undefined
    ? sql<SqlBool>`parked = 0 and lane in (${sql.join(Object.values(lanes).map((one) => sql.lit(one)))})`
    : sql<SqlBool>`parked = 0 and lane = ${sql.lit(lanes[lane])}`

/**
 * Prefixes of one length are compared in one list, padded to a power of two: a few statement texts
 * serve any number of them.
 */
type SkipForm = { readonly length: number; readonly count: number }
type SkipName = `skip ${number} ${number}`

function skipping(prefixes: readonly string[]): {
  forms: SkipForm[]
  values: Record<SkipName, string>
} {
  const byLength = new Map<number, string[]>()
  for (const prefix of prefixes) {
    const some = byLength.get(prefix.length)
    if (some) some.push(prefix)
    else byLength.set(prefix.length, [prefix])
  }
  const values: Record<SkipName, string> = {}
  const forms = [...byLength].map(([length, some]) => {
    const count = 2 ** Math.ceil(Math.log2(some.length))
    for (let at = 0; at < count; at += 1) values[`skip ${length} ${at}`] = some[at] ?? some[0] ?? ''
    return { length, count }
  })
  return { forms, values }
}

function beginsWithNone(
  forms: readonly SkipForm[],
  at: Record<SkipName, string>,
): RawBuilder<SqlBool> {
  const clauses = forms.map(({ length, count }) => {
    const list = Array.from({ length: count }, (_, number) => at[`skip ${length} ${number}`])
    return sql`substr(key, 1, ${sql.lit(length)}) not in (${sql.join(list)})`
  })
  return sql<SqlBool>`(key is null or (${sql.join(clauses, sql` and `)}))`
}
