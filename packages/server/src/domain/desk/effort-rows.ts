/** SQL of the effort of people with the suggestions of engines. */
import type { Db } from '../../store/database.ts'
import type { EngineEffortRow } from '../../store/tables.ts'
import type { RequestPath } from './segment-rows.ts'

/** The last delivery of a request counts. */
export async function replaceEffort(
  tx: Db,
  { siteId, jobId, requestId }: RequestPath,
  rows: readonly EngineEffortRow[],
): Promise<void> {
  await tx
    .deleteFrom('engine_effort')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .execute()
  if (rows.length > 0)
    await tx
      .insertInto('engine_effort')
      .values([...rows])
      .execute()
}

/** When the person wrote last in this task. */
export async function selectLastWritten(
  tx: Db,
  { siteId, jobId, requestId }: RequestPath,
  personId: string,
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('drafts')
    .select(({ fn }) => fn.max<number | null>('changed_at').as('last'))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .where('changed_by', '=', personId)
    .where('target', 'is not', null)
    // What the hub filled in took nobody's time.
    .where('filled', 'is', null)
    .executeTakeFirst()
  return row?.last === null || row?.last === undefined ? undefined : Number(row.last)
}
