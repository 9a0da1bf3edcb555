/** SQL of the calls to the upstream that the timeline of a job shows. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

export type NewCall = Required<Omit<Insertable<Tables['upstream_calls']>, 'call_id'>>
type UpstreamCallRow = Selectable<Tables['upstream_calls']>

export async function insertUpstreamCall(tx: Db, row: NewCall): Promise<void> {
  await tx.insertInto('upstream_calls').values(row).execute()
}

const newest = (db: Db, siteId: string, jobId: string) =>
  db
    .selectFrom('upstream_calls')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .orderBy('called_at', 'desc')
    .orderBy('call_id', 'desc')

export const selectLastCall = (
  tx: Db,
  siteId: string,
  jobId: string,
): Promise<UpstreamCallRow | undefined> =>
  newest(tx, siteId, jobId).selectAll().limit(1).executeTakeFirst()

export async function writeTries(
  tx: Db,
  siteId: string,
  callId: number,
  tries: number,
): Promise<void> {
  await tx
    .updateTable('upstream_calls')
    .set({ tries })
    .where('call_id', '=', callId)
    .where('site_id', '=', siteId)
    .execute()
}

/** Removes the oldest beyond so many. */
export async function forgetOldCalls(
  tx: Db,
  siteId: string,
  jobId: string,
  most: number,
): Promise<void> {
  const last = await newest(tx, siteId, jobId)
    .select(['called_at', 'call_id'])
    .offset(most)
    .limit(1)
    .executeTakeFirst()
  if (!last) return
  await tx
    .deleteFrom('upstream_calls')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where((eb) =>
      eb.or([
        eb('called_at', '<', last.called_at),
        eb.and([eb('called_at', '=', last.called_at), eb('call_id', '<=', last.call_id)]),
      ]),
    )
    .execute()
}
