/** SQL of machine work. */
import { awaitsTranslation, requestStatuses } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import type { MachineWorkRow } from '../../store/tables.ts'

export type RequestPlace = Pick<MachineWorkRow, 'site_id' | 'job_id' | 'request_id'>

/**
 * Replaces what was known of the request. No site: the row names it, and the caller found its
 * request there.
 */
export async function writeMachineWork(tx: Db, row: MachineWorkRow): Promise<void> {
  await tx
    .insertInto('machine_work')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['job_id', 'request_id']).doUpdateSet(({ ref }) => ({
        translation_id: ref('excluded.translation_id'),
        segments: ref('excluded.segments'),
        drafts: ref('excluded.drafts'),
      })),
    )
    .execute()
}

export const selectMachineWork = (
  db: Db,
  { site_id, job_id, request_id }: RequestPlace,
): Promise<Pick<MachineWorkRow, 'translation_id' | 'segments'> | undefined> =>
  db
    .selectFrom('machine_work')
    .select(['translation_id', 'segments'])
    .where('site_id', '=', site_id)
    .where('job_id', '=', job_id)
    .where('request_id', '=', request_id)
    .executeTakeFirst()

export async function selectSuggestions(
  db: Db,
  { site_id, job_id, request_id }: RequestPlace,
): Promise<string | null> {
  const row = await db
    .selectFrom('machine_work')
    .select('drafts')
    .where('site_id', '=', site_id)
    .where('job_id', '=', job_id)
    .where('request_id', '=', request_id)
    .executeTakeFirst()
  return row?.drafts ?? null
}

/** Finds a request of the job that waits for its suggestions. */
export async function selectUnsuggested(
  db: Db,
  siteId: string,
  jobId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('requests')
    .select('requests.request_id')
    .where('requests.site_id', '=', siteId)
    .where('requests.job_id', '=', jobId)
    .where('requests.status', 'in', requestStatuses.filter(awaitsTranslation))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('machine_work')
            .select('machine_work.request_id')
            .where('machine_work.site_id', '=', siteId)
            .whereRef('machine_work.job_id', '=', 'requests.job_id')
            .whereRef('machine_work.request_id', '=', 'requests.request_id')
            .where('machine_work.drafts', 'is not', null),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.request_id
}
