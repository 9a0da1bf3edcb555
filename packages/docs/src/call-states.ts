/**
 * The states in which a job or its requests allow a call, derived from the errors of the call in
 * the endpoint table.
 */
import {
  allowed,
  archiveMoves,
  archiveStatuses,
  assetTaskAsks,
  type ErrorCode,
  isAlready,
  jobMoves,
  jobStatuses,
  type Move,
  movesFrom,
  providerJobAsks,
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
  /** All other states. */
  readonly refused: readonly string[]
  readonly otherwise: ErrorCode
  /**
   * The move, where the call makes one; `when` says with which value of the body, where there are
   * several.
   */
  readonly on?: string
  readonly when?: string
}

/** The calls that move a job. */
const jobCalls: Readonly<Record<string, (typeof jobMoves)[number]['on']>> = {
  submitJob: 'submit',
  completeJob: 'complete',
  reopenJob: 'reopen',
  cancelJob: 'cancel',
}
const archiveCalls: Readonly<Record<string, (typeof archiveMoves)[number]['on']>> = {
  archiveJob: 'archive',
  unarchiveJob: 'unarchive',
}
const reviewCalls: Readonly<Record<string, (typeof requestMoves)[number]['on']>> = {
  approveRequests: 'approve',
  rejectRequests: 'reject',
}

/** Calls of providers that write into a request what a delivery needs. */
const deliverCalls = [
  'changeSegments',
  'changeSegment',
  'fillSegments',
  'deliverSegments',
  'deliverPackage',
]

const statusesOf: Readonly<Record<CallStates['of'], readonly string[]>> = {
  Job: jobStatuses,
  Request: requestStatuses,
  Archive: archiveStatuses,
}
const without = (of: CallStates['of'], ...some: (readonly string[])[]): string[] =>
  statusesOf[of].filter((state) => !some.flat().includes(state))

function moveOf(
  of: CallStates['of'],
  rows: readonly Move[],
  on: string,
  when?: string,
): CallStates {
  const states = movesFrom(rows, on)
  const already = statusesOf[of].filter((state) => isAlready(rows, state, on))
  const refused = without(of, states, already)
  return {
    of,
    states,
    already,
    refused,
    otherwise: refusalOf(rows, on),
    on,
    ...(when !== undefined && { when }),
  }
}

const asked = (
  of: CallStates['of'],
  rows: readonly Move[],
  asks: Readonly<Record<string, string>>,
): CallStates[] =>
  Object.entries(asks)
    .filter(([value]) => value !== 'SENT_TO_TRANSLATOR')
    .map(([value, on]) => moveOf(of, rows, on, value))

/** Empty if the call does not depend on a state. */
export function statesOf(name: string, codes: readonly string[]): CallStates[] {
  const has = (code: ErrorCode): boolean => codes.includes(code)
  const row = (
    of: CallStates['of'],
    states: readonly string[],
    otherwise: ErrorCode,
  ): CallStates[] =>
    has(otherwise) ? [{ of, states, already: [], refused: without(of, states), otherwise }] : []
  const [job, archive, review] = [jobCalls[name], archiveCalls[name], reviewCalls[name]]
  return [
    ...(job ? [moveOf('Job', jobMoves, job)] : []),
    ...(archive ? [moveOf('Archive', archiveMoves, archive)] : []),
    ...(review ? [moveOf('Request', requestMoves, review)] : []),
    ...(deliverCalls.includes(name) ? [moveOf('Request', requestMoves, 'deliver')] : []),
    ...(name === 'changeProviderJob' ? asked('Job', jobMoves, providerJobAsks) : []),
    ...(name.startsWith('changeAssetTask') ? asked('Request', requestMoves, assetTaskAsks) : []),
    ...(review ? [] : row('Request', ['REVIEW_TRANSLATION'], 'REQUEST_NOT_IN_REVIEW')),
    ...row('Job', allowed.changeJob.status, 'JOB_ALREADY_SUBMITTED'),
    ...row('Job', allowed.deleteJob.status, 'JOB_IN_PROGRESS'),
    ...row('Job', allowed[name === 'planJob' ? 'planJob' : 'deliver'].status, 'JOB_NOT_SUBMITTED'),
    // For a provider, the same code means that its own file is missing.
    ...(name.startsWith('retrieve')
      ? row('Request', translationReady.status, translationReady.otherwise)
      : []),
    ...row('Archive', ['ACTIVE'], 'JOB_ARCHIVED'),
  ]
}
