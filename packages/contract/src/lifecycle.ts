/**
 * States and moves (contract, section 5): each row of the document is a row here. All code that
 * writes a status uses these tables. Only moves with `notifies` create a status update, so that
 * only the three events of the specification do. allowed.ts says what is allowed in which state,
 * provider-names.ts holds the names that providers use.
 */
import type { ErrorCode } from './errors.ts'

export const jobStatuses = [
  'CREATED',
  'SENDING',
  'SENT_TO_PROVIDER',
  'IN_TRANSLATION',
  'COMPLETED',
  'CANCELLED',
] as const
/** The states of a job that still waits for something. */
export const openJobStatuses = ['CREATED', 'SENDING', 'SENT_TO_PROVIDER', 'IN_TRANSLATION'] as const
export const requestStatuses = [
  'CREATED',
  'SENDING',
  'SENT_TO_PROVIDER',
  'IN_TRANSLATION',
  'REVIEW_TRANSLATION',
  'TRANSLATION_APPROVED',
  'TRANSLATION_REJECTED',
  'CANCELLED',
] as const
export const archiveStatuses = ['ACTIVE', 'ARCHIVING', 'ARCHIVED', 'UNARCHIVING'] as const

export type JobStatus = (typeof jobStatuses)[number]
export type RequestStatus = (typeof requestStatuses)[number]
export type ArchiveStatus = (typeof archiveStatuses)[number]

/** The kind of status update that a transition creates. */
export type UpdateKind = 'in_review' | 'failed' | 'cancelled'
export type Mover = 'connector' | 'provider' | 'hub'

export type Move<S extends string = string> = {
  readonly on: string
  readonly from: readonly S[]
  /** `same`: the state does not change (an error is not a state). */
  readonly to: S | 'same'
  /** The target is already in this state: the call returns the current state and moves nothing. */
  readonly already?: readonly S[]
  readonly otherwise: ErrorCode
  readonly notifies?: UpdateKind
  readonly by: readonly Mover[]
}

const moves =
  <S extends string>() =>
  <const M extends readonly Move<S>[]>(rows: M) =>
    rows

export const jobMoves = moves<JobStatus>()([
  {
    on: 'submit',
    from: ['CREATED'],
    to: 'SENDING',
    already: ['SENDING', 'SENT_TO_PROVIDER', 'IN_TRANSLATION'],
    otherwise: 'INVALID_TRANSITION',
    by: ['connector'],
  },
  {
    on: 'sent',
    from: ['SENDING'],
    to: 'SENT_TO_PROVIDER',
    already: ['SENT_TO_PROVIDER', 'IN_TRANSLATION'],
    otherwise: 'INVALID_TRANSITION',
    by: ['hub'],
  },
  {
    on: 'start',
    from: ['SENT_TO_PROVIDER'],
    to: 'IN_TRANSLATION',
    already: ['IN_TRANSLATION'],
    otherwise: 'INVALID_TRANSITION',
    by: ['provider', 'hub'],
  },
  {
    on: 'fail',
    from: ['SENDING', 'SENT_TO_PROVIDER', 'IN_TRANSLATION', 'CANCELLED'],
    to: 'same',
    otherwise: 'INVALID_TRANSITION',
    notifies: 'failed',
    by: ['provider', 'hub'],
  },
  {
    on: 'cancel',
    from: ['SENDING', 'SENT_TO_PROVIDER', 'IN_TRANSLATION'],
    to: 'CANCELLED',
    already: ['CANCELLED'],
    otherwise: 'INVALID_TRANSITION',
    by: ['provider', 'hub'],
  },
  {
    on: 'complete',
    from: ['SENT_TO_PROVIDER', 'IN_TRANSLATION'],
    to: 'COMPLETED',
    already: ['COMPLETED'],
    otherwise: 'INVALID_TRANSITION',
    by: ['connector'],
  },
  {
    on: 'reopen',
    from: ['COMPLETED'],
    to: 'IN_TRANSLATION',
    already: ['IN_TRANSLATION'],
    otherwise: 'INVALID_TRANSITION',
    by: ['connector'],
  },
])

export const requestMoves = moves<RequestStatus>()([
  {
    on: 'submit',
    from: ['CREATED'],
    to: 'SENDING',
    otherwise: 'INVALID_TRANSITION',
    by: ['connector'],
  },
  {
    on: 'sent',
    from: ['SENDING'],
    to: 'SENT_TO_PROVIDER',
    otherwise: 'INVALID_TRANSITION',
    by: ['hub'],
  },
  {
    on: 'start',
    from: ['SENT_TO_PROVIDER', 'TRANSLATION_REJECTED'],
    to: 'IN_TRANSLATION',
    already: ['IN_TRANSLATION'],
    otherwise: 'INVALID_TRANSITION',
    by: ['provider'],
  },
  {
    on: 'deliver',
    from: [
      'SENT_TO_PROVIDER',
      'IN_TRANSLATION',
      'TRANSLATION_REJECTED',
      'REVIEW_TRANSLATION',
      'TRANSLATION_APPROVED',
    ],
    to: 'REVIEW_TRANSLATION',
    otherwise: 'INVALID_TRANSITION',
    notifies: 'in_review',
    by: ['provider'],
  },
  {
    on: 'fail',
    from: [...requestStatuses],
    to: 'same',
    otherwise: 'INVALID_TRANSITION',
    notifies: 'failed',
    by: ['provider', 'hub'],
  },
  {
    on: 'cancel',
    from: [
      'CREATED',
      'SENDING',
      'SENT_TO_PROVIDER',
      'IN_TRANSLATION',
      'REVIEW_TRANSLATION',
      'TRANSLATION_REJECTED',
    ],
    to: 'CANCELLED',
    already: ['CANCELLED'],
    otherwise: 'INVALID_TRANSITION',
    notifies: 'cancelled',
    by: ['provider', 'hub'],
  },
  {
    on: 'approve',
    from: ['REVIEW_TRANSLATION'],
    to: 'TRANSLATION_APPROVED',
    already: ['TRANSLATION_APPROVED'],
    otherwise: 'REQUEST_NOT_IN_REVIEW',
    by: ['connector'],
  },
  {
    on: 'reject',
    from: ['REVIEW_TRANSLATION'],
    to: 'TRANSLATION_REJECTED',
    already: ['TRANSLATION_REJECTED'],
    otherwise: 'REQUEST_NOT_IN_REVIEW',
    by: ['connector'],
  },
])

/**
 * Archiving is not part of a job's status; it has its own table. In the two middle states the hub
 * is working.
 */
export const archiveMoves = moves<ArchiveStatus>()([
  {
    on: 'archive',
    from: ['ACTIVE'],
    to: 'ARCHIVING',
    already: ['ARCHIVING', 'ARCHIVED'],
    otherwise: 'INVALID_TRANSITION',
    by: ['connector', 'hub'],
  },
  {
    on: 'archived',
    from: ['ARCHIVING'],
    to: 'ARCHIVED',
    otherwise: 'INVALID_TRANSITION',
    by: ['hub'],
  },
  {
    on: 'unarchive',
    from: ['ARCHIVED'],
    to: 'UNARCHIVING',
    already: ['UNARCHIVING', 'ACTIVE'],
    otherwise: 'INVALID_TRANSITION',
    by: ['connector'],
  },
  {
    on: 'unarchived',
    from: ['UNARCHIVING'],
    to: 'ACTIVE',
    otherwise: 'INVALID_TRANSITION',
    by: ['hub'],
  },
])

export type JobMove = (typeof jobMoves)[number]['on']
export type RequestMove = (typeof requestMoves)[number]['on']
export type ArchiveMove = (typeof archiveMoves)[number]['on']

/** The row for `on` from the state `from`, or undefined. */
export function findMove<const M extends readonly Move[]>(
  rows: M,
  from: string,
  on: M[number]['on'],
): M[number] | undefined {
  return rows.find((row) => row.on === on && row.from.includes(from))
}

/**
 * Whether a job or request in state `at` is already in the state the move leads to (contract,
 * section 3, Idempotency).
 */
export function isAlready<const M extends readonly Move[]>(
  rows: M,
  at: string,
  on: M[number]['on'],
): boolean {
  return rows.some((row) => row.on === on && row.already?.includes(at) === true)
}

/** The states in which the move can start. */
export function movesFrom<const M extends readonly Move[]>(
  rows: M,
  on: M[number]['on'],
): readonly M[number]['from'][number][] {
  return rows.find((row) => row.on === on)?.from ?? []
}

/**
 * Whether the provider has the job. A job that can still be submitted or sent does not concern its
 * provider yet.
 */
export function isSentToProvider(status: JobStatus): boolean {
  return !findMove(jobMoves, status, 'submit') && !findMove(jobMoves, status, 'sent')
}

/** Whether the request is with its provider and waits for a first or a better translation. */
export function awaitsTranslation(status: RequestStatus): boolean {
  return (
    findMove(requestMoves, status, 'start') !== undefined ||
    isAlready(requestMoves, status, 'start')
  )
}

/** The code that refuses the move from any other state. */
export function refusalOf<const M extends readonly Move[]>(
  rows: M,
  on: M[number]['on'],
): M[number]['otherwise'] {
  return rows.find((row) => row.on === on)?.otherwise ?? 'INVALID_TRANSITION'
}
