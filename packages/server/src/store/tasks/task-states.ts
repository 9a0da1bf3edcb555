/**
 * The states of a task. No column holds the state: it follows from the row and the time, so a node
 * that dies leaves nothing to clean up.
 *
 *   add ──> later ──(time)──> due ──claim──> running ──finish──> done: the row is gone
 *             ^                ^               │
 *             │                ├── release ────┤
 *             ├──── retry, reschedule (later or at once)
 *             │                                ├── park ──> parked ── unpark ──> due
 *             │                                └── (the lease ends) ──> lost ── claim ──> running
 *
 * Every verb of a holder (finish, retry, reschedule, park, extend, release) names the id and the
 * fence that its claim raised: once another node has claimed a lost task, the former holder can
 * change nothing.
 */
import { type RawBuilder, sql } from 'kysely'

export type TaskState = 'due' | 'later' | 'running' | 'lost' | 'parked'

/** The state of a row of `tasks` at this time. */
export const stateAt = (now: number): RawBuilder<TaskState> =>
  sql<TaskState>`case when parked = 1 then 'parked' when lease_until > ${now} then 'running'
    when lease_until is not null then 'lost' when due_at <= ${now} then 'due' else 'later' end`

/**
 * Which verb takes a task from which state to which. The tests drive each of them on both databases.
 */
export const taskMoves = {
  claim: { from: ['due', 'lost'], to: ['running'] },
  extend: { from: ['running', 'lost'], to: ['running'] },
  finish: { from: ['running', 'lost'], to: ['done'] },
  release: { from: ['running', 'lost'], to: ['due'] },
  retry: { from: ['running', 'lost'], to: ['later', 'due'] },
  reschedule: { from: ['running', 'lost'], to: ['later', 'due'] },
  park: { from: ['running', 'lost'], to: ['parked'] },
  unpark: { from: ['parked'], to: ['due'] },
} as const satisfies Record<
  string,
  { from: readonly TaskState[]; to: readonly (TaskState | 'done')[] }
>
