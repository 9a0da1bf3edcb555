/** SQL of the terms of a site. */
import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { PageBounds } from '../../../store/filtered-page.ts'
import { isPostgres } from '../../../store/lock.ts'
import { insertMany } from '../../../store/many-rows.ts'
import { ascending, pageAfter } from '../../../store/page.ts'
import { prepared } from '../../../store/prepared.ts'
import type { TermRow } from '../../../store/tables.ts'

export const insertTerms = insertMany(
  'terms',
  {
    term_id: 'text',
    site_id: 'text',
    definition: 'text',
    entries: 'text',
    languages: 'text',
    texts: 'text',
    sort_key: 'text',
    same_key: 'text',
    content_key: 'text',
    bytes: 'bigint',
    version: 'bigint',
    created_at: 'bigint',
    modified_at: 'bigint',
    cause_id: 'text',
  },
  { alike: ['site_id', 'version', 'created_at', 'modified_at', 'cause_id'] },
)

export const selectTerm = (db: Db, siteId: string, termId: string): Promise<TermRow | undefined> =>
  db
    .selectFrom('terms')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('term_id', '=', termId)
    .executeTakeFirst()

export type TermFilter = { readonly language?: string; readonly text?: string }

/**
 * Ordered by the first text; `text` is a part of one in lower case, `language` a code in lower
 * case, with or without region.
 */
export function selectTerms(
  db: Db,
  siteId: string,
  filter: TermFilter,
  page: PageBounds,
): Promise<TermRow[]> {
  const { language, text } = filter
  const holds = (column: string, part: string) =>
    isPostgres(db)
      ? sql<boolean>`strpos(${sql.ref(column)}, ${part}) > 0`
      : sql<boolean>`instr(${sql.ref(column)}, ${part}) > 0`
  const query = db
    .selectFrom('terms')
    .selectAll()
    .where('site_id', '=', siteId)
    .$if(language !== undefined, (q) =>
      q.where((eb) =>
        eb.or([holds('languages', ` ${language} `), holds('languages', ` ${language}-`)]),
      ),
    )
    .$if(text !== undefined, (q) => q.where(holds('texts', text ?? '')))
  return pageAfter(query, ascending('sort_key', 'term_id'), page.after).limit(page.limit).execute()
}

export type TermColumns = Omit<TermRow, 'term_id' | 'site_id' | 'created_at'>

export async function updateTerm(
  db: Db,
  siteId: string,
  termId: string,
  change: TermColumns,
): Promise<void> {
  await db
    .updateTable('terms')
    .set(change)
    .where('site_id', '=', siteId)
    .where('term_id', '=', termId)
    .execute()
}

export async function removeTerm(db: Db, siteId: string, termId: string): Promise<void> {
  await db.deleteFrom('terms').where('site_id', '=', siteId).where('term_id', '=', termId).execute()
}

export async function sumTerms(db: Db, siteId: string): Promise<{ terms: number; bytes: number }> {
  const row = await db
    .selectFrom('terms')
    .select((eb) => [
      eb.fn.countAll().as('terms'),
      eb.fn.sum<number | string | null>('bytes').as('bytes'),
    ])
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow()
  return { terms: Number(row.terms), bytes: Number(row.bytes ?? 0) }
}

export type TermKeys = Pick<
  TermRow,
  'term_id' | 'sort_key' | 'same_key' | 'content_key' | 'version' | 'bytes'
>

/** What an import compares, of the terms of the site in their order. */
export function selectKeys(db: Db, siteId: string, page: PageBounds): Promise<TermKeys[]> {
  const query = db
    .selectFrom('terms')
    .select(['term_id', 'sort_key', 'same_key', 'content_key', 'version', 'bytes'])
    .where('site_id', '=', siteId)
  return pageAfter(query, ascending('sort_key', 'term_id'), page.after).limit(page.limit).execute()
}

const selectStampOfSite = prepared<{ siteId: string }, { terms_stamp: string | null }>(
  (db, { siteId }) => db.selectFrom('sites').select('terms_stamp').where('site_id', '=', siteId),
)

/** Undefined if the site never had terms. */
export const selectStamp = async (db: Db, siteId: string): Promise<string | undefined> =>
  (await selectStampOfSite(db, { siteId }))[0]?.terms_stamp ?? undefined

export async function updateStamp(db: Db, siteId: string, stamp: string): Promise<void> {
  await db.updateTable('sites').set({ terms_stamp: stamp }).where('site_id', '=', siteId).execute()
}
