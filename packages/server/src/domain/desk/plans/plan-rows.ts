/** SQL of review plans. */
import type { Db } from '../../../store/database.ts'
import type { ReviewPlanRow } from '../../../store/tables.ts'

export const selectPlan = (
  db: Db,
  siteId: string,
  jobId: string,
): Promise<ReviewPlanRow | undefined> =>
  db
    .selectFrom('review_plans')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .executeTakeFirst()

/** What another call has written in the meantime stays. No site: the row names it. */
export async function writePlan(tx: Db, row: ReviewPlanRow): Promise<void> {
  await tx
    .insertInto('review_plans')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('job_id')
        .doUpdateSet(({ ref }) => ({ mark: ref('excluded.mark'), seed: ref('excluded.seed') }))
        .whereRef('review_plans.mark', '<>', 'excluded.mark'),
    )
    .execute()
}
