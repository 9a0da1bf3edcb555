/** SQL of machine work. */
import type { Db } from '../../store/engine.ts'
import type { MachineWorkRow } from '../../store/tables.ts'

export type RequestPlace = Pick<MachineWorkRow, 'site_id' | 'job_id' | 'request_id'>

/** Replaces what was known of the request. No site: the row names it, and the caller found its request there. */
export async function writeMachineWork(tx: Db, row: MachineWorkRow): Promise<void> {
  await tx
    .insertInto('machine_work')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['job_id', 'request_id']).doUpdateSet(({ ref }) => ({
        translation_id: ref('excluded.translation_id'),
        segments: ref('excluded.segments'),
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
