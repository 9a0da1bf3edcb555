/**
 * SQL of console sessions. No site: a session belongs to a person, who may have roles in several;
 * an admin sees those of the people of its site.
 */
import type { Db } from '../../store/database.ts'
import { type Key, pageAfter } from '../../store/page.ts'
import type { SessionRow } from '../../store/tables.ts'

const all = (db: Db) => db.selectFrom('sessions').selectAll()

/** Finds it by the hash of its token, or of the one before. */
export async function sessionByToken(
  db: Db,
  hash: string,
  now: number,
): Promise<SessionRow | undefined> {
  const present = await all(db).where('token_hash', '=', hash).executeTakeFirst()
  return (
    present ??
    all(db).where('former_hash', '=', hash).where('former_until', '>', now).executeTakeFirst()
  )
}

export const sessionById = (db: Db, sessionId: string): Promise<SessionRow | undefined> =>
  all(db).where('session_id', '=', sessionId).executeTakeFirst()

export async function insertSession(tx: Db, session: SessionRow): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
}

/** Returns false if another call has replaced the token meanwhile. */
export async function replaceToken(
  tx: Db,
  { session_id, token_hash }: Pick<SessionRow, 'session_id' | 'token_hash'>,
  change: Pick<SessionRow, 'token_hash' | 'former_hash' | 'former_until' | 'roles_at'>,
): Promise<boolean> {
  const done = await tx
    .updateTable('sessions')
    .set(change)
    .where('session_id', '=', session_id)
    .where('token_hash', '=', token_hash)
    .returning('session_id')
    .executeTakeFirst()
  return done !== undefined
}

export async function noteUse(tx: Db, sessionId: string, now: number): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ used_at: now })
    .where('session_id', '=', sessionId)
    .execute()
}

export async function noteConfirmed(tx: Db, sessionId: string, now: number): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ confirmed_at: now })
    .where('session_id', '=', sessionId)
    .execute()
}

export async function deleteSession(tx: Db, sessionId: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('sessions')
    .where('session_id', '=', sessionId)
    .returning('session_id')
    .executeTakeFirst()
  return gone !== undefined
}

/** All of a person, but for one. */
export async function deleteSessionsOf(tx: Db, personId: string, but = ''): Promise<string[]> {
  const gone = await tx
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .where('session_id', '<>', but)
    .returning('session_id')
    .execute()
  return gone.map(({ session_id }) => session_id)
}

export type Ended = { readonly idleBefore: number; readonly now: number }

export async function deleteEnded(tx: Db, { idleBefore, now }: Ended): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('sessions').where('used_at', '<=', idleBefore).execute()
}

export const sessionsOf = (
  db: Db,
  personId: string,
  { idleBefore, now }: Ended,
): Promise<SessionRow[]> =>
  all(db)
    .where('person_id', '=', personId)
    .where('expires_at', '>', now)
    .where('used_at', '>', idleBefore)
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute()

const newestFirst = [
  { column: 'created_at', descending: true },
  { column: 'session_id', descending: true },
]

/** A page of the open sessions of people of the site or, for an operator, of all. */
export function pageOfSessions(
  db: Db,
  siteId: string | undefined,
  filter: Ended & { readonly personId?: string | undefined },
  page: { readonly after?: Key | undefined; readonly limit: number },
): Promise<SessionRow[]> {
  let query = all(db).where('expires_at', '>', filter.now).where('used_at', '>', filter.idleBefore)
  if (siteId !== undefined)
    query = query.where(
      'person_id',
      'in',
      db.selectFrom('person_roles').select('person_id').where('site_id', '=', siteId),
    )
  if (filter.personId !== undefined) query = query.where('person_id', '=', filter.personId)
  return pageAfter(query, newestFirst, page.after).limit(page.limit).execute()
}
