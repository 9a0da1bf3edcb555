/** SQL of shares: which positions of a text each person translates. */
import type { Db } from '../../../store/database.ts'
import type { ShareRow } from '../../../store/tables.ts'

export type TaskPlace = Pick<ShareRow, 'site_id' | 'job_id' | 'request_id'>

export const selectShares = (
  db: Db,
  siteId: string,
  at: readonly Pick<TaskPlace, 'job_id' | 'request_id'>[],
): Promise<ShareRow[]> =>
  db
    .selectFrom('shares')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('job_id', 'in', [...new Set(at.map(({ job_id }) => job_id))])
    .where('request_id', 'in', [...new Set(at.map(({ request_id }) => request_id))])
    .orderBy('request_id')
    .orderBy('from_position')
    .execute()

/** The caller has locked the job. */
export async function replaceShares(
  tx: Db,
  { site_id, job_id, request_id }: TaskPlace,
  rows: readonly ShareRow[],
): Promise<void> {
  await tx
    .deleteFrom('shares')
    .where('site_id', '=', site_id)
    .where('job_id', '=', job_id)
    .where('request_id', '=', request_id)
    .execute()
  if (rows.length > 0)
    await tx
      .insertInto('shares')
      .values([...rows])
      .execute()
}
