/** Fixtures of the store's suites: a fresh database for each test, and rows to put in it. */
import { afterEach, beforeEach } from 'vitest'
import type { Database, Db } from '../packages/server/src/store/database.ts'
import { newJobId } from '../packages/server/src/store/ids.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'

export type StorePlace = { readonly url: string; open(): Promise<Database>; clear(): Promise<void> }
/** With all migrations, or empty for a test that migrates it. */
export type Schema = 'migrated' | 'empty'
export type MakePlace = (schema?: Schema) => Promise<StorePlace>

/** A valid job row; a test sets what it needs. */
export function jobRow(
  more: { job_id?: string; job_name?: string; created_at?: number; status?: 'CREATED' } = {},
) {
  const { created_at: at = 1_700_000_000_000 } = more
  return {
    job_id: newJobId(),
    site_id: 'site',
    job_name: 'a job',
    status: 'CREATED' as const,
    archive_status: 'ACTIVE' as const,
    archived: 0,
    has_error: 0,
    creator_id: 'client',
    created_at: at,
    modified_at: at,
    activity_at: at,
    archival_at: at + 1,
    cause_id: 'cause',
    ...more,
  }
}

export const put = (db: Db, name: string, value = 'v') =>
  db.insertInto('hub_state').values({ name, value }).execute()

export const names = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('hub_state').select('name').orderBy('name').execute()).map((row) => row.name)

/** A promise and its resolver. */
export function signal(): { given: Promise<void>; give: () => void } {
  let give = (): void => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}

/** A fresh database for each test, opened and migrated. */
export function freshStore(
  makePlace: MakePlace,
  given: (made: { readonly place: StorePlace; readonly db: Database }) => void,
): void {
  let made: { readonly place: StorePlace; readonly db: Database }
  beforeEach(async () => {
    const place = await makePlace('migrated')
    const db = await place.open()
    await migrate(db, 1)
    made = { place, db }
    given(made)
  })
  afterEach(async () => {
    await made.db.close()
    await made.place.clear()
  })
}
