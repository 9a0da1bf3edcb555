/** The states in which a job or its requests allow a call, derived from the errors of the call in the endpoint table. */
import {
  allowed,
  archiveMoves,
  archiveStatuses,
  type ErrorCode,
  isAlready,
  jobMoves,
  jobStatuses,
  type Move,
  movesFrom,
  refusalOf,
  requestMoves,
  requestStatuses,
  translationReady,
} from '@dragoman/contract'

export type CallStates = {
  readonly of: 'Job' | 'Request' | 'Archive'
  readonly states: readonly string[]
  /** States in which the call succeeds and changes nothing. */
  readonly already: readonly string[]
  readonly otherwise: ErrorCode
}

/** The calls that move a job. */
const jobCalls: Readonly<Record<string, (typeof jobMoves)[number]['on']>> = {
  submitJob: 'submit',
  completeJob: 'complete',
  reopenJob: 'reopen',
}
const archiveCalls: Readonly<Record<string, (typeof archiveMoves)[number]['on']>> = {
  archiveJob: 'archive',
  unarchiveJob: 'unarchive',
}
const reviewCalls: Readonly<Record<string, (typeof requestMoves)[number]['on']>> = {
  approveRequests: 'approve',
  rejectRequests: 'reject',
}

const moveOf = (of: CallStates['of'], rows: readonly Move[], states: readonly string[], on: string): CallStates => ({
  of,
  states: movesFrom(rows, on),
  already: states.filter((state) => isAlready(rows, state, on)),
  otherwise: refusalOf(rows, on),
})

/** Empty if the call does not depend on a state. */
export function statesOf(name: string, codes: readonly string[]): CallStates[] {
  const has = (code: ErrorCode): boolean => codes.includes(code)
  const row = (of: CallStates['of'], states: readonly string[], otherwise: ErrorCode): CallStates[] =>
    has(otherwise) ? [{ of, states, already: [], otherwise }] : []
  const [job, archive, review] = [jobCalls[name], archiveCalls[name], reviewCalls[name]]
  return [
    ...(job ? [moveOf('Job', jobMoves, jobStatuses, job)] : []),
    ...(archive ? [moveOf('Archive', archiveMoves, archiveStatuses, archive)] : []),
    ...(review ? [moveOf('Request', requestMoves, requestStatuses, review)] : []),
    ...row('Job', allowed.changeJob.status, 'JOB_ALREADY_SUBMITTED'),
    ...row('Job', allowed.deleteJob.status, 'JOB_IN_PROGRESS'),
    ...row('Job', allowed.deliver.status, 'JOB_NOT_SUBMITTED'),
    // For a provider, the same code means that its own file is missing.
    ...(name.startsWith('retrieve') ? row('Request', translationReady.status, translationReady.otherwise) : []),
    ...row('Archive', ['ACTIVE'], 'JOB_ARCHIVED'),
  ]
}
