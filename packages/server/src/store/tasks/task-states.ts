/**
 * The states of a task. No column holds the state: it follows from the row and the time, so that a node that dies leaves
 * nothing to clean up.
 *
 *            add                   time                  claim                  finish
 *   (none) ------> later  ------------------>  due  ----------------> running ---------> done (the row is gone)
 *                    ^                          ^                     |  |  |
 *                    |       release            +---------------------+  |  +-- the lease ends --> lost
 *                    +------ retry, reschedule -|------------------------+                          |
 *                            (later or at once) |            park                claim by any node  |
 *                       unpark                  |  parked <------- running <------------------------+
 *                         parked ---------------+
 *
 * Every verb of a holder (finish, retry, reschedule, park, extend, release) names the id and the fence that its claim raised:
 * once another node has claimed a lost task, the former holder can change nothing.
 */
export type TaskState = 'due' | 'later' | 'running' | 'lost' | 'parked'

export type StateColumns = {
  readonly parked: number
  readonly due_at: number
  readonly lease_until: number | null
}

/** The first match wins. A task that is done has no row. */
export function stateOf({ parked, due_at, lease_until }: StateColumns, now: number): TaskState {
  if (parked === 1) return 'parked'
  if (lease_until !== null) return lease_until > now ? 'running' : 'lost'
  return due_at <= now ? 'due' : 'later'
}

/** Which verb takes a task from which state to which. The tests drive each of them on both engines. */
export const taskMoves = {
  claim: { from: ['due', 'lost'], to: ['running'] },
  extend: { from: ['running', 'lost'], to: ['running'] },
  finish: { from: ['running', 'lost'], to: ['done'] },
  release: { from: ['running', 'lost'], to: ['due'] },
  retry: { from: ['running', 'lost'], to: ['later', 'due'] },
  reschedule: { from: ['running', 'lost'], to: ['later', 'due'] },
  park: { from: ['running', 'lost'], to: ['parked'] },
  unpark: { from: ['parked'], to: ['due'] },
} as const satisfies Record<string, { from: readonly TaskState[]; to: readonly (TaskState | 'done')[] }>
