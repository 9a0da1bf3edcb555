import { describe, expect, it } from 'vitest'
import { withOrigins } from './origins.ts'
import { type Entry, rowsOf } from './timeline-rows.ts'

const at = (clock: string, day = '14') => `2027-03-${day}T${clock}.000Z`
const entry = (
  kind: Entry['kind'],
  id: string,
  time: string,
  more: Partial<Entry> = {},
): Entry => ({
  kind,
  id,
  time,
  causeId: 'call-1',
  ...more,
})
const named = (requestName: string, targetNativeLanguageCode = 'de-de') => ({
  requestIds: [`${requestName} ${targetNativeLanguageCode}`],
  requests: [{ requestName, targetNativeLanguageCode }],
})
const moved = { move: 'deliver', from: 'IN_TRANSLATION', to: 'REVIEW_TRANSLATION' }
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const shown = (entries: readonly Entry[]) =>
  rowsOf(
    entries.toSorted((one, other) => (one.time < other.time ? 1 : -1)),
    dayOf,
  ).map((row) =>
    'told' in row
      ? `${row.type} ${row.told.joined.map(({ id }) => id).join('+')} +${row.ms}`
      : `${row.type} ${row.ms}`,
  )

describe('the rows of a timeline', () => {
  it('stand under the call that caused them, oldest first', () => {
    const rows = shown([
      entry('call', 'call-1', at('09:38:11')),
      entry('update', 'u', at('09:38:12')),
      entry('delivery', 'd', at('09:38:13')),
    ])
    expect(rows).toEqual(['day 0', 'head call-1 +0', 'child u +1000', 'child d +2000'])
  })

  it('join moves alike, language by language', () => {
    const rows = shown([
      entry('call', 'call-1', at('09:38:11')),
      entry('move', 'm1', at('09:38:11'), { ...moved, ...named('Checkout') }),
      entry('move', 'm2', at('09:38:11'), { ...moved, ...named('Basket') }),
      entry('move', 'm3', at('09:38:11'), { ...moved, ...named('Basket', 'fr-fr') }),
      entry('move', 'm4', at('09:38:11'), { ...moved, ...named('Search'), to: 'CANCELLED' }),
    ])
    expect(rows.filter((row) => row.startsWith('child')).sort()).toEqual([
      'child m1+m2 +0',
      'child m3 +0',
      'child m4 +0',
    ])
  })

  it('have attempts inside their delivery, and alone without it', () => {
    const attempt = (id: string, deliveryId: string) =>
      entry('attempt', id, at('09:40:00'), { deliveryId })
    const rows = rowsOf(
      [attempt('d.1', 'd'), attempt('e.1', 'e'), entry('delivery', 'd', at('09:38:13'))],
      dayOf,
    )
    const told = rows.flatMap((row) => ('told' in row ? [row.told] : []))
    expect(told.map(({ entry, attempts }) => [entry.id, attempts.map(({ id }) => id)])).toEqual([
      ['e.1', []],
      ['d', ['d.1']],
    ])
  })

  it('say how long nothing happened, and which day it is', () => {
    const rows = shown([
      entry('call', 'new', at('09:31:00'), { causeId: 'new' }),
      entry('call', 'near', at('09:10:00'), { causeId: 'near' }),
      entry('call', 'old', at('17:11:00', '13'), { causeId: 'old' }),
    ])
    const idle = 15 * 3_600_000 + 59 * 60_000
    expect(rows).toEqual([
      'day 0',
      'head new +0',
      'head near +0',
      `gap ${idle}`,
      'day 0',
      'head old +0',
    ])
  })
})

describe('creation and submission', () => {
  const job = {
    jobId: 'AAAAAAAAAA',
    createdDate: at('08:00:00'),
    creatorId: 'cms',
    submitterId: 'maria',
  }
  const submitted = entry('move', 'm', at('08:05:00'), {
    causeId: 'call-2',
    move: 'submit',
    from: 'CREATED',
    to: 'SENDING',
  })
  const created = entry('call', 'call-1', at('08:00:00'), {
    method: 'POST',
    route: '/v2/jobs',
    statusCode: 201,
  })
  const told = (entries: readonly Entry[], isWhole = true) =>
    withOrigins(job, entries, isWhole).map(({ kind, move, clientId }) =>
      [kind, move, clientId].join(' '),
    )

  it('come from the job when the call log no longer has their calls', () => {
    expect(told([submitted])).toEqual(['move submit maria', 'move create cms'])
    expect(told([])).toEqual(['move create cms'])
  })

  it('are those of the call log as long as it has them', () => {
    const submission = entry('call', 'call-2', at('08:04:59'), {
      method: 'PUT',
      route: '/v2/jobs/:jobId/submit',
    })
    expect(told([submitted, submission, created])).toEqual(['move submit ', 'call  ', 'call  '])
  })

  it('wait until the oldest entries are read', () => {
    expect(told([submitted], false)).toEqual(['move submit maria'])
  })
})
