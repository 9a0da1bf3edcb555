/** SQL of the verdicts that a site has taught by, and of what was learned from them. */
import type { Db } from '../../../store/database.ts'
import type { LearnedRiskRow, RiskVerdictRow } from '../../../store/tables.ts'
import type { Pair } from './risk-model.ts'

export const selectLearned = (
  db: Db,
  siteId: string,
  { source, target }: Pair,
): Promise<LearnedRiskRow | undefined> =>
  db
    .selectFrom('learned_risk')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('source_language', '=', source)
    .where('target_language', '=', target)
    .executeTakeFirst()

export const selectAllLearned = (db: Db, siteId: string): Promise<LearnedRiskRow[]> =>
  db
    .selectFrom('learned_risk')
    .selectAll()
    .where('site_id', '=', siteId)
    .orderBy('source_language')
    .orderBy('target_language')
    .execute()

export async function writeLearned(tx: Db, row: LearnedRiskRow): Promise<void> {
  await tx
    .insertInto('learned_risk')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'source_language', 'target_language']).doUpdateSet(row),
    )
    .execute()
}

const rowsAtOnce = 100

/** What was said last of a segment counts. */
export async function writeVerdicts(tx: Db, rows: readonly RiskVerdictRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await tx
      .insertInto('risk_verdicts')
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['site_id', 'job_id', 'request_id', 'segment_id'])
          .doUpdateSet(({ ref }) => ({
            source_language: ref('excluded.source_language'),
            target_language: ref('excluded.target_language'),
            model: ref('excluded.model'),
            features: ref('excluded.features'),
            is_bad: ref('excluded.is_bad'),
            given_at: ref('excluded.given_at'),
          })),
      )
      .execute()
}

const ofPair = (db: Db, siteId: string, { source, target }: Pair, model: string) =>
  db
    .selectFrom('risk_verdicts')
    .where('site_id', '=', siteId)
    .where('source_language', '=', source)
    .where('target_language', '=', target)
    .where('model', '=', model)

export type OfPair = { readonly siteId: string; readonly pair: Pair; readonly model: string }

/** The latest ones. */
export const selectVerdicts = (
  db: Db,
  { siteId, pair, model }: OfPair,
  most: number,
): Promise<Pick<RiskVerdictRow, 'features' | 'is_bad'>[]> =>
  ofPair(db, siteId, pair, model)
    .select(['features', 'is_bad'])
    .orderBy('given_at', 'desc')
    .limit(most)
    .execute()

/** Counts all verdicts of a site by pair, whatever is learned of them already. */
export const countVerdicts = (
  db: Db,
  siteId: string,
  model: string,
): Promise<{ source_language: string; target_language: string; verdicts: number }[]> =>
  db
    .selectFrom('risk_verdicts')
    .select(['source_language', 'target_language'])
    .select(({ fn }) => fn.countAll<number>().as('verdicts'))
    .where('site_id', '=', siteId)
    .where('model', '=', model)
    .groupBy(['source_language', 'target_language'])
    .execute()

/** Those before the time of the latest so many, and those of other models. */
export async function removeOldVerdicts(
  tx: Db,
  { siteId, pair: { source, target }, model }: OfPair,
  most: number,
): Promise<void> {
  const [last] = await ofPair(tx, siteId, { source, target }, model)
    .select('given_at')
    .orderBy('given_at', 'desc')
    .offset(most)
    .limit(1)
    .execute()
  await tx
    .deleteFrom('risk_verdicts')
    .where('site_id', '=', siteId)
    .where('source_language', '=', source)
    .where('target_language', '=', target)
    .where(({ or, eb }) =>
      or([eb('model', '<>', model), ...(last ? [eb('given_at', '<=', last.given_at)] : [])]),
    )
    .execute()
}
