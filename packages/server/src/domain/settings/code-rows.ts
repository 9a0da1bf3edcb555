/** SQL of analysis codes, their levels, and the jobs that use them. */
import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { AnalysisCodeRow, AnalysisLevelRow, Tables } from '../../store/tables.ts'

export type CodeChange = Updateable<Tables['analysis_codes']>

export function selectLevels(db: Db, siteId: string): Promise<AnalysisLevelRow[]> {
  return db
    .selectFrom('analysis_levels')
    .selectAll()
    .where('site_id', '=', siteId)
    .orderBy('level')
    .execute()
}

export async function putLevel(db: Db, row: AnalysisLevelRow): Promise<void> {
  await db
    .insertInto('analysis_levels')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['site_id', 'level'])
        .doUpdateSet({ label: row.label, visible: row.visible }),
    )
    .execute()
}

/** The columns of a code that the API shows. */
export type ShownCode = Pick<AnalysisCodeRow, 'code_id' | 'level' | 'code' | 'label' | 'visible'>

/**
 * Ordered by level, then by code ignoring case. There may be thousands, so only the columns shown
 * are read.
 */
export function selectCodes(
  db: Db,
  siteId: string,
  asked: { level?: number; hidden: boolean },
): Promise<ShownCode[]> {
  return db
    .selectFrom('analysis_codes')
    .select(['code_id', 'level', 'code', 'label', 'visible'])
    .where('site_id', '=', siteId)
    .$if(asked.level !== undefined, (query) => query.where('level', '=', asked.level as number))
    .$if(!asked.hidden, (query) => query.where('visible', '=', 1))
    .orderBy('level')
    .orderBy('code_key')
    .execute()
}

export function selectCode(
  db: Db,
  siteId: string,
  codeId: string,
): Promise<AnalysisCodeRow | undefined> {
  return db
    .selectFrom('analysis_codes')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('code_id', '=', codeId)
    .executeTakeFirst()
}

export function selectByKeys(
  db: Db,
  siteId: string,
  keys: readonly { level: number; key: string }[],
): Promise<AnalysisCodeRow[]> {
  return db
    .selectFrom('analysis_codes')
    .selectAll()
    .where('site_id', '=', siteId)
    .where((eb) => eb.or(keys.map(({ level, key }) => eb.and({ level, code_key: key }))))
    .execute()
}

/** The ids that belong to codes of the site. */
export async function selectKnownCodes(
  db: Db,
  siteId: string,
  codeIds: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>()
  const asked = [...new Set(codeIds)]
  for (let at = 0; at < asked.length; at += 500) {
    const found = await db
      .selectFrom('analysis_codes')
      .select('code_id')
      .where('site_id', '=', siteId)
      .where('code_id', 'in', asked.slice(at, at + 500))
      .execute()
    for (const { code_id } of found) known.add(code_id)
  }
  return known
}

export async function insertCode(db: Db, row: Insertable<Tables['analysis_codes']>): Promise<void> {
  await db.insertInto('analysis_codes').values(row).execute()
}

export function updateCode(
  db: Db,
  siteId: string,
  codeId: string,
  change: CodeChange,
): Promise<AnalysisCodeRow> {
  return db
    .updateTable('analysis_codes')
    .set(change)
    .where('site_id', '=', siteId)
    .where('code_id', '=', codeId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function removeCode(db: Db, siteId: string, codeId: string): Promise<void> {
  await db
    .deleteFrom('analysis_codes')
    .where('site_id', '=', siteId)
    .where('code_id', '=', codeId)
    .execute()
}

/** Whether any job uses the code: submitted jobs refer to its id, others to its text. */
export async function isUsed(
  db: Db,
  { site_id, code_id, level, code_key }: AnalysisCodeRow,
): Promise<boolean> {
  const submitted = await db
    .selectFrom('job_codes')
    .select('job_id')
    .where('site_id', '=', site_id)
    .where('code_id', '=', code_id)
    .limit(1)
    .executeTakeFirst()
  if (submitted) return true
  const open = await db
    .selectFrom('job_codes')
    .select('job_id')
    .where('site_id', '=', site_id)
    .where('level', '=', level)
    .where('code_key', '=', code_key)
    .where('code_id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}

type UseRow = {
  code_id: string | null
  level: number
  code_key: string
  jobs: number | string | bigint
}

export function selectUse(db: Db, siteId: string): Promise<UseRow[]> {
  return db
    .selectFrom('job_codes')
    .select(['code_id', 'level', 'code_key'])
    .select((eb) => eb.fn.countAll().as('jobs'))
    .where('site_id', '=', siteId)
    .groupBy(['level', 'code_key', 'code_id'])
    .execute()
}

export async function countCodes(db: Db, siteId: string): Promise<number> {
  const row = await db
    .selectFrom('analysis_codes')
    .select((eb) => eb.fn.countAll().as('codes'))
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow()
  return Number(row.codes)
}
