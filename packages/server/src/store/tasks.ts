/**
 * Background work as rows (architecture, section 5): added in their cause's own transaction, claimed by one node each.
 * A key that is asked for again while its task runs is not lost: `attempts` back at 0 says so, and the end of the run
 * leaves the row to be claimed once more. No site: the runner serves all sites, and the key of a task holds random ids.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Engine } from './engine.ts'
import { everyLane, type Lane, lanes } from './lanes.ts'
import { prepared, preparedFor } from './prepared.ts'
import { rowsAtOnce, type Task } from './task-leases.ts'

export type { Lane } from './lanes.ts'
export * from './task-leases.ts'

export type NewTask = {
  readonly name: string
  readonly payload: object
  readonly siteId?: string
  /** At most one task with the same key at a time. */
  readonly key?: string
  readonly dueAt: number
  readonly causeId: string
  /** `own` where nothing is said. */
  readonly lane?: Lane
}

/**
 * A task whose key is there already is left alone, but an earlier time wins, and a running one will run again. Tasks that
 * are due at the same time run in the order in which they are written: by key, so that two who write the same never block each
 * other; `as given` by who is sure to be alone with them.
 */
export async function addTasks(
  engine: Engine,
  tx: Db,
  now: number,
  tasks: readonly NewTask[],
  order: 'by key' | 'as given' = 'by key',
): Promise<void> {
  const rows = onePerKey(tasks, order === 'by key').map((task) => ({
    name: task.name,
    payload: JSON.stringify(task.payload),
    site_id: task.siteId ?? null,
    key: task.key ?? null,
    due_at: task.dueAt,
    attempts: 0,
    parked: 0,
    lane: lanes[task.lane ?? 'own'],
    fence: 0,
    cause_id: task.causeId,
    created_at: now,
  }))
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await tx
      .insertInto('tasks')
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet(() => ({
            // A lease that ran out holds nothing: that task is overdue, and stays so.
            due_at: sql<number>`case when tasks.lease_until > ${now} or excluded.due_at < tasks.due_at
              then excluded.due_at else tasks.due_at end`,
            attempts: sql<number>`case when tasks.lease_until is null then tasks.attempts else 0 end`,
          }))
          .where(sql<SqlBool>`tasks.lease_until is not null or excluded.due_at < tasks.due_at`),
      )
      .execute()
  }
  if (rows.length > 0) await engine.tasksAdded(tx, [...new Set(tasks.map(({ lane = 'own' }) => lane))])
}

/** One statement cannot change a row twice. */
function onePerKey(tasks: readonly NewTask[], sorted: boolean): NewTask[] {
  const keyed = new Map<string, NewTask>()
  const others: NewTask[] = []
  for (const task of tasks) {
    if (task.key === undefined) others.push(task)
    else if (task.dueAt < (keyed.get(task.key)?.dueAt ?? Number.POSITIVE_INFINITY)) keyed.set(task.key, task)
  }
  const inOrder = sorted ? [...keyed].sort(([a], [b]) => (a < b ? -1 : 1)) : [...keyed]
  return [...others, ...inOrder.map(([, task]) => task)]
}

export type Claim = {
  readonly nodeId: string
  readonly now: number
  readonly leaseUntil: number
  readonly many: number
  /** Every lane where nothing is said. */
  readonly lane?: Lane
  /** Tasks whose keys begin so are left alone. */
  readonly skip?: readonly string[]
}

type ClaimForm = { readonly lane?: Lane; readonly skip: readonly SkipForm[]; readonly locks: boolean }
type ClaimValues = { nodeId: string; now: number; leaseUntil: number; many: number; [skipped: SkipName]: string }

const claimWith = preparedFor(({ lane, skip, locks }: ClaimForm) =>
  prepared((tx: Db, at: ClaimValues) =>
    tx
      .with('due', (db) =>
        db
          .selectFrom('tasks')
          .select('task_id')
          .where(waitsIn(lane))
          .where('due_at', '<=', at.now)
          .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', at.now)]))
          .$if(skip.length > 0, (query) => query.where(beginsWithNone(skip, at)))
          .orderBy('due_at')
          .orderBy('task_id')
          .limit(at.many)
          .$if(locks, (query) => query.forUpdate().skipLocked()),
      )
      .updateTable('tasks')
      .set((eb) => ({
        leased_by: at.nodeId,
        lease_until: at.leaseUntil,
        fence: eb('fence', '+', 1),
        attempts: eb('attempts', '+', 1),
      }))
      .where('task_id', 'in', (eb) => eb.selectFrom('due').select('due.task_id'))
      .returning(['task_id', 'name', 'payload', 'site_id', 'key', 'due_at', 'attempts', 'fence', 'cause_id', 'lane']),
  ),
)

/** The tasks that are due and free, earliest first: each to one claimer only. */
export async function claimTasks(engine: Engine, claim: Claim): Promise<Task[]> {
  const { nodeId, now, leaseUntil, many, lane, skip = [] } = claim
  if (many < 1) return []
  const { forms, values } = skipping(skip)
  const select = claimWith({ ...(lane && { lane }), skip: forms, locks: engine.locksRows })
  const rows = await engine.transact((tx) => select(tx, { nodeId, now, leaseUntil, many, ...values }))
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
      fence: row.fence,
      causeId: row.cause_id,
      ...(row.lane === lanes.outside ? { outside: true } : {}),
    }))
}

/** Written out, so that both planners see the partial index fit. */
const waitsIn = (lane?: Lane) =>
  lane === undefined
    ? sql<SqlBool>`parked = 0 and lane in (${sql.join(Object.values(lanes).map((one) => sql.lit(one)))})`
    : sql<SqlBool>`parked = 0 and lane = ${sql.lit(lanes[lane])}`

/** Keys of one length are compared in one list, filled up to a power of two: a few texts serve every number of them. */
type SkipForm = { readonly length: number; readonly count: number }
type SkipName = `skip ${number} ${number}`

function skipping(prefixes: readonly string[]): { forms: SkipForm[]; values: Record<SkipName, string> } {
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

function beginsWithNone(forms: readonly SkipForm[], at: Record<SkipName, string>): RawBuilder<SqlBool> {
  const clauses = forms.map(({ length, count }) => {
    const list = Array.from({ length: count }, (_, number) => at[`skip ${length} ${number}`])
    return sql`substr(key, 1, ${sql.lit(length)}) not in (${sql.join(list)})`
  })
  return sql<SqlBool>`(key is null or (${sql.join(clauses, sql` and `)}))`
}

/** Puts off what is due and free among the tasks whose keys begin with any of these. */
export async function deferTasks(
  engine: Engine,
  prefixes: readonly string[],
  now: number,
  dueAt: number,
): Promise<void> {
  await engine.transact(async (tx) => {
    for (const prefix of prefixes) await deferGroup(tx, { from: prefix, below: endOf(prefix), now, dueAt })
  })
}

type Deferring = { from: string; below: string; now: number; dueAt: number }

const deferGroup = prepared((tx: Db, at: Deferring) =>
  tx
    .updateTable('tasks')
    .set({ due_at: at.dueAt })
    .where('key', '>=', at.from)
    .where('key', '<', at.below)
    .where('parked', '=', 0)
    .where('due_at', '<=', at.now)
    .where('lease_until', 'is', null),
)

/** Behind all keys that begin so. The last character of a prefix is a colon; a semicolon comes after it. */
const endOf = (prefix: string): string => `${prefix.slice(0, -1)};`

/** Makes what was put off until just then due again. */
export async function recallTasks(engine: Engine, prefix: string, until: number, now: number): Promise<void> {
  await engine.transact(async (tx) => {
    const done = await tx
      .updateTable('tasks')
      .set({ due_at: now })
      .where('key', '>=', prefix)
      .where('key', '<', endOf(prefix))
      .where('due_at', '=', until)
      .executeTakeFirst()
    if (done.numUpdatedRows > 0n) await engine.tasksAdded(tx)
  })
}

/** Whatever waits under keys that begin so is due now; what runs just now runs once more. */
export async function hastenTasks(engine: Engine, tx: Db, prefix: string, now: number): Promise<void> {
  const done = await tx
    .updateTable('tasks')
    .set({
      due_at: now,
      attempts: sql<number>`case when tasks.lease_until is null then tasks.attempts else 0 end`,
    })
    .where('key', '>=', prefix)
    .where('key', '<', endOf(prefix))
    .where('parked', '=', 0)
    .executeTakeFirst()
  if (done.numUpdatedRows > 0n) await engine.tasksAdded(tx)
}

/** Gives tasks of one kind that were put aside another chance. */
export async function unparkTasks(engine: Engine, name: string, now: number): Promise<void> {
  await engine.transact(async (tx) => {
    const done = await tx
      .updateTable('tasks')
      .set({ parked: 0, attempts: 0, due_at: now })
      .where('name', '=', name)
      .where('parked', '=', 1)
      .executeTakeFirst()
    if (done.numUpdatedRows > 0n) await engine.tasksAdded(tx)
  })
}

/** When the earliest task that nobody holds is due; a lease that ran out before `now` holds nothing. */
export async function nextDue(db: Db, now = 0): Promise<number | undefined> {
  const first = await Promise.all(everyLane.map((lane) => nextDueIn(db, lane, now)))
  const due = Math.min(...first.map((row) => row?.due_at ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(due) ? due : undefined
}

const nextDueIn = (db: Db, lane: Lane, now: number): Promise<{ due_at: number } | undefined> =>
  db
    .selectFrom('tasks')
    .select('due_at')
    .where(waitsIn(lane))
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
    .orderBy('due_at')
    .orderBy('task_id')
    .limit(1)
    .executeTakeFirst()
