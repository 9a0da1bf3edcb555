/** Types of requests that the rooms of the domain share. */
import type { RequestRow } from '../../../store/tables.ts'

/** Without its metadata: it may be large, and only answers need it. */
export type RequestWithFile = Omit<RequestRow, 'extended_metadata'> & { file_name: string | null }
export type WholeRequest = RequestWithFile & Pick<RequestRow, 'extended_metadata'>
/** The id names what engines suggested to people in it: another one after every change. */
export type OneRequest = WholeRequest & { drafts_id: string | null }

/** The columns that a move needs. */
export type Movable = Pick<
  RequestRow,
  'request_id' | 'site_id' | 'job_id' | 'status' | 'reject_note'
>

/** The same, with the current translation. */
export type Deliverable = Movable &
  Pick<RequestRow, 'translation_file_id' | 'translation_content_id'>
