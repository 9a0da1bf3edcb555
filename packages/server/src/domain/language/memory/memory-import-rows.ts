/** SQL of imports into the memory. */
import type { Updateable } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { MemoryImportRow, Tables } from '../../../store/tables.ts'

export async function insertMemoryImport(db: Db, row: MemoryImportRow): Promise<void> {
  await db.insertInto('memory_imports').values(row).execute()
}

export const selectMemoryImport = (
  db: Db,
  siteId: string,
  importId: string,
): Promise<MemoryImportRow | undefined> =>
  db
    .selectFrom('memory_imports')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('import_id', '=', importId)
    .executeTakeFirst()

/** Those that wait or run. */
export async function countOpenImports(db: Db, siteId: string): Promise<number> {
  const { count } = await db
    .selectFrom('memory_imports')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('site_id', '=', siteId)
    .where('state', 'in', ['QUEUED', 'RUNNING'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Writes only if the import is not over and has reached `units_read`, and returns whether it had.
 */
export async function updateMemoryImport(
  db: Db,
  { site_id, import_id, units_read }: Pick<MemoryImportRow, 'site_id' | 'import_id' | 'units_read'>,
  change: Updateable<Tables['memory_imports']>,
): Promise<boolean> {
  const changed = await db
    .updateTable('memory_imports')
    .set(change)
    .where('site_id', '=', site_id)
    .where('import_id', '=', import_id)
    .where('units_read', '=', units_read)
    .where('state', 'in', ['QUEUED', 'RUNNING'])
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}
