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

/** The last verdict on a segment counts. */
export async function writeVerdict(tx: Db, row: RiskVerdictRow): Promise<void> {
  await tx
    .insertInto('risk_verdicts')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'job_id', 'request_id', 'segment_id']).doUpdateSet(row),
    )
    .execute()
}

/** A verdict that is taken back, or about a text of a person, teaches nothing. */
export async function removeVerdict(
  tx: Db,
  at: Pick<RiskVerdictRow, 'site_id' | 'job_id' | 'request_id' | 'segment_id'>,
): Promise<void> {
  await tx
    .deleteFrom('risk_verdicts')
    .where('site_id', '=', at.site_id)
    .where('job_id', '=', at.job_id)
    .where('request_id', '=', at.request_id)
    .where('segment_id', '=', at.segment_id)
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
