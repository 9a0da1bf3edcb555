/** SQL of the history of states. */
import { insertMany } from '../../store/insert-many.ts'

export const insertMoves = insertMany('moves', {
  move_id: true,
  site_id: true,
  job_id: true,
  request_id: true,
  move: true,
  from_status: true,
  to_status: true,
  moved_at: true,
  cause_id: true,
})
