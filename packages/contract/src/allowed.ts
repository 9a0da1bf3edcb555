/**
 * Which actions a job allows in each state, besides the moves themselves (contract, sections 4, 5
 * and 11). A job whose archive status is not ACTIVE refuses all of them with JOB_ARCHIVED; reading
 * the job itself is always allowed.
 */
import type { ErrorCode } from './errors.ts'
import { type ArchiveStatus, type JobStatus, jobStatuses, type RequestStatus } from './lifecycle.ts'

type AllowedRow = {
  readonly status: readonly JobStatus[]
  readonly otherwise:
    | 'JOB_ALREADY_SUBMITTED'
    | 'JOB_IN_PROGRESS'
    | 'JOB_NOT_SUBMITTED'
    | 'JOB_ARCHIVED'
  /** The same for a completed job, if it has a code of its own. */
  readonly completed?: 'JOB_COMPLETED'
  readonly says: string
}

const created = { status: ['CREATED'], otherwise: 'JOB_ALREADY_SUBMITTED' } as const
const anyStatus = { status: jobStatuses, otherwise: 'JOB_ARCHIVED' } as const
const withProvider = {
  status: ['SENT_TO_PROVIDER', 'IN_TRANSLATION'],
  otherwise: 'JOB_NOT_SUBMITTED',
} as const

export const allowed = {
  changeJob: { ...created, says: 'change a job' },
  deleteJob: {
    status: ['CREATED', 'COMPLETED', 'CANCELLED'],
    otherwise: 'JOB_IN_PROGRESS',
    says: 'delete a job',
  },
  moveJob: {
    ...anyStatus,
    says: 'submit, complete or reopen a job (if the status allows it, see above)',
  },
  addRequests: { ...created, says: 'add requests' },
  changeRequests: { ...created, says: 'change requests' },
  deleteRequest: { ...created, says: 'delete a request' },
  writeSourceContent: { ...created, says: 'create or change source content' },
  addSupportAsset: { ...created, says: 'add a support asset' },
  deleteSupportAsset: { ...created, says: 'delete a support asset' },
  beginTransfer: {
    ...anyStatus,
    says: 'request a transfer object (TM updates can be added at any time)',
  },
  addTmUpdate: { ...anyStatus, says: 'add a TM update' },
  reachContents: { ...anyStatus, says: 'read requests, files, source content and support assets' },
  planJob: {
    status: ['SENDING', 'SENT_TO_PROVIDER', 'IN_TRANSLATION'],
    otherwise: 'JOB_NOT_SUBMITTED',
    completed: 'JOB_COMPLETED',
    says: 'plan a submitted job: its due date and description',
  },
  comment: { ...anyStatus, says: 'comment, ask and answer' },
  copyJob: { ...anyStatus, says: 'copy a job' },
  reviewRequests: { ...anyStatus, says: 'approve or reject requests' },
  deliver: {
    ...withProvider,
    completed: 'JOB_COMPLETED',
    says: 'start, deliver or cancel as a provider',
  },
  invoke: { ...withProvider, says: 'send a job to its provider again' },
} as const satisfies Record<string, AllowedRow>

export type Act = keyof typeof allowed
export type ActRefusal = (typeof allowed)[Act]['otherwise'] | 'JOB_COMPLETED'

/** The error code if the job refuses the action; undefined if it is allowed. */
export function refusalFor(
  act: Act,
  status: JobStatus,
  archiveStatus: ArchiveStatus,
): ActRefusal | undefined {
  if (!isActive(archiveStatus)) return 'JOB_ARCHIVED'
  const row: AllowedRow = allowed[act]
  if (row.status.includes(status)) return undefined
  return status === 'COMPLETED' ? (row.completed ?? row.otherwise) : row.otherwise
}

/**
 * The request states in which the translation can be downloaded; in all others the answer is
 * TRANSLATION_NOT_READY.
 */
export const translationReady = {
  status: ['REVIEW_TRANSLATION', 'TRANSLATION_APPROVED', 'TRANSLATION_REJECTED'],
  otherwise: 'TRANSLATION_NOT_READY',
} as const satisfies { status: readonly RequestStatus[]; otherwise: ErrorCode }

/**
 * Whether the contents of a job are available: not while it is being archived, is archived or is
 * being restored.
 */
export function isActive(status: ArchiveStatus): boolean {
  return status === 'ACTIVE'
}

/** The field `archived` of a job: true in ARCHIVING and ARCHIVED. */
export function isArchived(status: ArchiveStatus): boolean {
  return status === 'ARCHIVING' || status === 'ARCHIVED'
}
