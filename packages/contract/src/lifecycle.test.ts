import { describe, expect, it } from 'vitest'
import { type Act, allowed, isActive, isArchived, refusalFor } from './allowed.ts'
import {
  archiveMoves,
  archiveStatuses,
  awaitsTranslation,
  findMove,
  isAlready,
  isSentToProvider,
  jobMoves,
  jobStatuses,
  movesFrom,
  refusalOf,
  requestMoves,
  requestStatuses,
} from './lifecycle.ts'

/**
 * Every state with every move, as the contract has it: the new state, `=` for "is already so", `-`
 * for refused.
 */
const job = `
          CREATED  SENDING    SENT_TO_PROVIDER  IN_TRANSLATION  COMPLETED       CANCELLED
submit    SENDING  =          =                 =               -               -
sent      -        SENT_TO_PROVIDER  =          =               -               -
start     -        -          IN_TRANSLATION    =               -               -
fail      -        same       same              same            -               same
cancel    -        CANCELLED  CANCELLED         CANCELLED       -               =
complete  -        -          COMPLETED         COMPLETED       =               -
reopen    -        -          -                 =               IN_TRANSLATION  -
`
const request = `
        CREATED SENDING SENT_TO_PROVIDER IN_TRANSLATION REVIEW_TRANSLATION TRANSLATION_APPROVED TRANSLATION_REJECTED CANCELLED
submit  SENDING - - - - - - -
sent    - SENT_TO_PROVIDER - - - - - -
start   - - IN_TRANSLATION = - - IN_TRANSLATION -
deliver - - REVIEW_TRANSLATION REVIEW_TRANSLATION REVIEW_TRANSLATION REVIEW_TRANSLATION REVIEW_TRANSLATION -
fail    same same same same same same same same
cancel  CANCELLED CANCELLED CANCELLED CANCELLED CANCELLED - CANCELLED =
approve - - - - TRANSLATION_APPROVED = - -
reject  - - - - TRANSLATION_REJECTED - = -
`
const archive = `
           ACTIVE     ARCHIVING  ARCHIVED     UNARCHIVING
archive    ARCHIVING  =          =            -
archived   -          ARCHIVED   -            -
unarchive  =          -          UNARCHIVING  =
unarchived -          -          -            ACTIVE
`

function expected(text: string) {
  const [states = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return rows.flatMap(([on = '', ...cells]) =>
    states.map((from, i) => ({ from, on, gives: cells[i] })),
  )
}

const tables = [
  { name: 'job', rows: jobMoves, states: jobStatuses, cases: expected(job) },
  { name: 'request', rows: requestMoves, states: requestStatuses, cases: expected(request) },
  { name: 'archive', rows: archiveMoves, states: archiveStatuses, cases: expected(archive) },
] as const

for (const { name, rows, states, cases } of tables) {
  describe(`the moves of a ${name}`, () => {
    it('are all tried, from every state', () => {
      const tried = cases.map(({ from, on }) => `${from} ${on}`)
      const all = [...new Set(rows.map((row) => row.on))].flatMap((on) =>
        states.map((from) => `${from} ${on}`),
      )
      expect(tried.sort()).toEqual(all.sort())
    })

    it.each(cases)('$on of $from gives $gives', ({ from, on, gives }) => {
      const row = (rows as readonly { on: string; from: readonly string[]; to: string }[]).find(
        (one) => one === findMove(rows, from, on as never),
      )
      expect(row?.to ?? (isAlready(rows, from, on as never) ? '=' : '-')).toBe(gives)
    })
  })
}

describe('status updates', () => {
  it('come of delivery, failure and cancellation by a provider only', () => {
    const notifying = requestMoves
      .filter((row) => 'notifies' in row)
      .map((row) => [row.on, 'notifies' in row && row.notifies])
    expect(notifying).toEqual([
      ['deliver', 'in_review'],
      ['fail', 'failed'],
      ['cancel', 'cancelled'],
    ])
    expect(jobMoves.filter((row) => 'notifies' in row).map((row) => row.on)).toEqual(['fail'])
    expect(archiveMoves.filter((row) => 'notifies' in row)).toEqual([])
  })
})

describe('a refused move', () => {
  it('names its code and where it is possible', () => {
    expect(refusalOf(requestMoves, 'approve')).toBe('REQUEST_NOT_IN_REVIEW')
    expect(refusalOf(jobMoves, 'complete')).toBe('INVALID_TRANSITION')
    expect(movesFrom(jobMoves, 'complete')).toEqual(['SENT_TO_PROVIDER', 'IN_TRANSLATION'])
  })

  it('does not compile when there is no such move', () => {
    // @ts-expect-error no such move
    expect(findMove(jobMoves, 'COMPLETED', 'explode')).toBeUndefined()
  })
})

describe('questions to the tables', () => {
  it('a provider has a job from SENT_TO_PROVIDER on', () => {
    const sent = ['SENT_TO_PROVIDER', 'IN_TRANSLATION', 'COMPLETED', 'CANCELLED']
    expect(jobStatuses.filter(isSentToProvider)).toEqual(sent)
  })

  it('a request awaits a translation while its provider works on it, and again after a rejection', () => {
    const waiting = ['SENT_TO_PROVIDER', 'IN_TRANSLATION', 'TRANSLATION_REJECTED']
    expect(requestStatuses.filter(awaitsTranslation)).toEqual(waiting)
  })

  it('the contents of a job can be reached only while it is ACTIVE', () => {
    expect(archiveStatuses.filter(isActive)).toEqual(['ACTIVE'])
  })
})

describe('what is allowed where', () => {
  const acts = Object.keys(allowed) as Act[]

  it.each(acts)('%s is refused for every job that is not active in the archive', (act) => {
    for (const status of jobStatuses)
      for (const archiveStatus of archiveStatuses)
        if (archiveStatus !== 'ACTIVE')
          expect(refusalFor(act, status, archiveStatus)).toBe('JOB_ARCHIVED')
  })

  it('a submitted job cannot be changed, and one in progress cannot be deleted', () => {
    const refusals = (act: Act) =>
      jobStatuses.map((status) => refusalFor(act, status, 'ACTIVE') ?? 'ok')
    const late = 'JOB_ALREADY_SUBMITTED'
    const busy = 'JOB_IN_PROGRESS'
    expect(refusals('changeJob')).toEqual(['ok', late, late, late, late, late])
    expect(refusals('deleteJob')).toEqual(['ok', busy, busy, busy, 'ok', 'ok'])
    expect(refusals('addTmUpdate')).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
  })

  it('archived is true from ARCHIVING to ARCHIVED', () => {
    expect(archiveStatuses.map(isArchived)).toEqual([false, true, true, false])
  })
})
