/**
 * Requests and contents do not ask for their job any more. It was read, and locked, before they are
 * written; asking again for each of thousands of rows was half of the time of such a statement on
 * PostgreSQL. Who removes a job removes them.
 */
import { sql } from 'kysely'
import { contentsAnew, requestsAnew } from './0006-lighter-moves.ts'
import { inOrder, type Migration } from './migration.ts'

export const jobsKnown: Migration = {
  name: 'jobs-known',
  // An older node would leave them behind.
  breaking: true,
  up: (db, types) => {
    const requests = requestsAnew(types, sql`requests_of_known`, sql``)
    return inOrder(db, [...requests, ...contentsAnew(types, sql`contents_of_known`, sql``)])
  },
}
