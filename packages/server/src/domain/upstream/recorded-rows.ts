/** SQL of the recorded calls of a job. */
import type { Insertable } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { RecordedCallRow, Tables } from '../../store/tables.ts'

export type NewRecordedCall = Omit<Insertable<Tables['recorded_calls']>, 'call_id'>

const ofJob = (db: Db, siteId: string, jobId: string) =>
  db.selectFrom('recorded_calls').where('site_id', '=', siteId).where('job_id', '=', jobId)

export const selectRecorded = (db: Db, siteId: string, jobId: string): Promise<RecordedCallRow[]> =>
  ofJob(db, siteId, jobId).selectAll().orderBy('called_at').orderBy('call_id').execute()

/** The newest readings, newest first. */
export const selectLooks = (db: Db, siteId: string, jobId: string, limit: number) =>
  ofJob(db, siteId, jobId)
    .select('look')
    .where('look', 'is not', null)
    .orderBy('called_at', 'desc')
    .orderBy('call_id', 'desc')
    .limit(limit)
    .execute()

export async function sumRecorded(
  tx: Db,
  siteId: string,
  jobId: string,
): Promise<{ bytes: number; isFull: boolean }> {
  const { bytes, full } = await ofJob(tx, siteId, jobId)
    .select((eb) => [
      eb.fn.sum<number | string | null>('bytes').as('bytes'),
      eb.fn.count('call_id').filterWhere('side', '=', 'FULL').as('full'),
    ])
    .executeTakeFirstOrThrow()
  return { bytes: Number(bytes ?? 0), isFull: Number(full) > 0 }
}

export async function insertRecorded(tx: Db, row: NewRecordedCall): Promise<void> {
  await tx.insertInto('recorded_calls').values(row).execute()
}

export async function deleteRecorded(tx: Db, siteId: string, jobId: string): Promise<void> {
  await tx
    .deleteFrom('recorded_calls')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .execute()
}
