import { archiveStatuses, jobStatuses } from '@dragoman/contract/wire'
import { describe, expect, it } from 'vitest'
import { actsOf, mainActOf } from './acts.ts'
import { addMoney } from './money.ts'

const job = (
  statusCode: (typeof jobStatuses)[number],
  archiveStatus: (typeof archiveStatuses)[number] = 'ACTIVE',
  byStatusCode: Record<string, number> = { TRANSLATION_APPROVED: 2 },
) => {
  const total = Object.values(byStatusCode).reduce((sum, count) => sum + count, 0)
  return {
    jobId: 'AAAAAAAAAA',
    statusCode,
    archiveStatus,
    aggregateRequests: { total, withErrors: 0, byStatusCode },
  }
}
const refusals = (of: ReturnType<typeof job>) =>
  Object.fromEntries(actsOf(of).map(({ act, refusal }) => [act, refusal]))

describe('what can be done with a job', () => {
  it('is the next step of its life, which the tables allow', () => {
    const main = (of: ReturnType<typeof job>) => {
      const act = mainActOf(of)
      return [act, act && refusals(of)[act]]
    }
    expect(main(job('CREATED', 'ACTIVE', { CREATED: 2 }))).toEqual(['submit', undefined])
    expect(main(job('IN_TRANSLATION'))).toEqual(['complete', undefined])
    expect(main(job('COMPLETED'))).toEqual(['reopen', undefined])
    expect(main(job('CANCELLED'))).toEqual(['archive', undefined])
    expect(main(job('COMPLETED', 'ARCHIVED'))).toEqual(['unarchive', undefined])
    expect(main(job('SENDING'))).toEqual([undefined, undefined])
  })

  it('is completing only when every request is approved or cancelled', () => {
    const at = (byStatusCode: Record<string, number>) =>
      mainActOf(job('IN_TRANSLATION', 'ACTIVE', byStatusCode))
    expect(at({ TRANSLATION_APPROVED: 2, CANCELLED: 1 })).toBe('complete')
    for (const open of [
      'SENT_TO_PROVIDER',
      'IN_TRANSLATION',
      'REVIEW_TRANSLATION',
      'TRANSLATION_REJECTED',
    ])
      expect(at({ TRANSLATION_APPROVED: 2, [open]: 1 })).toBe(undefined)
    expect(at({})).toBe(undefined)
  })

  it('says why the rest cannot be done', () => {
    expect(refusals(job('IN_TRANSLATION'))).toMatchObject({
      submit: { why: 'state', from: ['CREATED'] },
      delete: { why: 'state', from: ['CREATED', 'COMPLETED', 'CANCELLED'] },
      unarchive: { why: 'archiveState', from: ['ARCHIVED'] },
      complete: undefined,
      cancel: undefined,
    })
    expect(refusals(job('COMPLETED', 'ARCHIVED'))).toMatchObject({ delete: { why: 'archived' } })
    expect(refusals(job('CREATED', 'ACTIVE', {})).submit).toEqual({ why: 'empty' })
  })

  it('agrees with the tables of the contract in every state', () => {
    for (const status of jobStatuses)
      for (const archive of archiveStatuses)
        for (const { act, refusal } of actsOf(job(status, archive)))
          if (refusal && 'from' in refusal)
            expect(refusal.from, act).not.toContain(refusal.why === 'state' ? status : archive)
  })
})

describe('amounts of money', () => {
  it('are added as text, exactly', () => {
    expect(addMoney(['0.1', '0.2', '10000000000000000.05'])).toBe('10000000000000000.35')
    expect(addMoney(['-1.50', '0.25'])).toBe('-1.25')
    expect(addMoney(['5', '7'])).toBe('12')
    expect(addMoney([])).toBe('0')
  })
})
