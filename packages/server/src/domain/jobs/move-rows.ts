/** SQL of the history of moves. */
import type { Db } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import type { MoveRow } from '../../store/tables.ts'

const insert = prepared((db, row: MoveRow) =>
  db.insertInto('moves').values({
    move_id: row.move_id,
    site_id: row.site_id,
    job_id: row.job_id,
    request_ids: row.request_ids,
    move: row.move,
    from_status: row.from_status,
    to_status: row.to_status,
    moved_at: row.moved_at,
    cause_id: row.cause_id,
  }),
)

export async function insertMove(db: Db, row: MoveRow): Promise<void> {
  await insert(db, row)
}
