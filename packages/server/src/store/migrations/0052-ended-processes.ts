/** How often a task was under way when the memory of its process was used up. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const endedProcesses: Migration = {
  name: 'ended-processes',
  // A node without it tries such a task again, as before.
  breaking: false,
  up: (db, { int }) =>
    inOrder(db, [sql`alter table tasks add column ended_processes ${int} not null default 0`]),
}
