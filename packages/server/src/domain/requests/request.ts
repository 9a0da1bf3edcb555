/** Requests as the rooms of the domain hand them to each other. */
import type { RequestRow } from '../../store/tables.ts'

export type RequestWithFile = RequestRow & { file_name: string | null }

/** What a move needs of a request. */
export type Movable = Pick<RequestRow, 'request_id' | 'site_id' | 'job_id' | 'status' | 'reject_note'>

/** The same with the translation that it has. */
export type Deliverable = Movable & Pick<RequestRow, 'translation_file_id' | 'translation_content_id'>
