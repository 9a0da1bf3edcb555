/** Types of requests that the rooms of the domain share. */
import type { RequestRow } from '../../store/tables.ts'

export type RequestWithFile = RequestRow & { file_name: string | null }

/** The columns that a move needs. */
export type Movable = Pick<RequestRow, 'request_id' | 'site_id' | 'job_id' | 'status' | 'reject_note'>

/** The same, with the current translation. */
export type Deliverable = Movable & Pick<RequestRow, 'translation_file_id' | 'translation_content_id'>
