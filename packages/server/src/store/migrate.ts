/**
 * Brings the schema up to date: each migration in its own transaction, which also writes its
 * number, one process at a time. If killed, it continues at the next start. A node older than the
 * schema refuses to run.
 */

import { type Kysely, sql } from 'kysely'
import type { Database, Db } from './database.ts'
import { migrations as all } from './migrations/index.ts'
import { type Migration, postgresTypes, sqliteTypes } from './migrations/migration.ts'
import { deadAfterMs } from './nodes.ts'

type Applied = { number: number; name: string; breaking: number; applied_at: number }
type MigrationTables = {
  schema_migrations: Applied
  nodes: { node_id: string; version: string; seen_at: number }
  hub_state: { name: string; value: string }
}

export class SchemaTooNew extends Error {
  override name = 'SchemaTooNew'
}

export class OlderNodeRuns extends Error {
  override name = 'OlderNodeRuns'
}

/** Any number, but the same in every node: "dragoman" on a phone keypad. */
const migrationLock = 37246626

/** Returns how many migrations were applied. */
export async function migrate(
  db: Database,
  now: number,
  migrations: readonly Migration[] = all,
): Promise<number> {
  let applied = 0
  while (await migrateOne(db, now, migrations)) applied++
  return applied
}

function migrateOne(db: Database, now: number, migrations: readonly Migration[]): Promise<boolean> {
  const postgres = db.name === 'postgres'
  return db.transact(async (tx) => {
    const db = tx as unknown as Kysely<MigrationTables>
    const types = postgres ? postgresTypes : sqliteTypes
    // On SQLite the write transaction is already the lock.
    if (postgres) {
      await sql`set local lock_timeout = 0`.execute(db)
      await sql`set local statement_timeout = 0`.execute(db)
      await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(db)
    }
    await sql`create table if not exists schema_migrations (
      number ${types.int} primary key, name ${types.text} not null, breaking ${types.int} not null, applied_at ${types.int} not null
    ) ${types.end}`.execute(db)
    const known = await db.selectFrom('schema_migrations').selectAll().orderBy('number').execute()
    mustKnow(known, migrations)
    const next = migrations[known.length]
    if (!next) return false
    if (next.breaking && postgres && known.length > 0) await mustBeAlone(db, next.name, now)
    await next.up(tx as unknown as Kysely<unknown>, types)
    const row = {
      number: known.length + 1,
      name: next.name,
      breaking: next.breaking ? 1 : 0,
      applied_at: now,
    }
    await db.insertInto('schema_migrations').values(row).execute()
    return true
  })
}

/**
 * A node that runs does not know the migration, and would read or write wrongly after it. On SQLite
 * there is no other node.
 */
async function mustBeAlone(db: Kysely<MigrationTables>, name: string, now: number): Promise<void> {
  const offset = await db
    .selectFrom('hub_state')
    .select('value')
    .where('name', '=', 'clock_offset')
    .executeTakeFirst()
  const node = await db
    .selectFrom('nodes')
    .select(['node_id', 'version'])
    .where('seen_at', '>', now + Number(offset?.value ?? 0) - deadAfterMs)
    .orderBy('node_id')
    .limit(1)
    .executeTakeFirst()
  if (node)
    throw new OlderNodeRuns(
      `The database was not changed: the migration ${name} is breaking, and the node ${node.node_id} of version ${node.version} still runs. Stop every node of the older version, then start this one. A node that was killed counts as running for ${deadAfterMs / 1_000} s.`,
    )
}

/** When this database was created, on the machine's clock. */
export async function madeAt(db: Db): Promise<number> {
  const migrations = db as unknown as Kysely<MigrationTables>
  const first = await migrations
    .selectFrom('schema_migrations')
    .select('applied_at')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return first?.applied_at ?? 0
}

function mustKnow(known: readonly Applied[], migrations: readonly Migration[]): void {
  const newer = known[migrations.length]
  if (newer)
    throw new SchemaTooNew(
      `The database was migrated to schema ${known.length} (${known.at(-1)?.name}) by a newer version; this one knows ${migrations.length}. Run the newer version.`,
    )
  for (const [index, { number, name }] of known.entries())
    if (number !== index + 1 || name !== migrations[index]?.name)
      throw new Error(
        `The database does not belong to Dragoman: its migration ${number} is called ${name}.`,
      )
}
