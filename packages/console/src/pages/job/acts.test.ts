import { archiveStatuses, jobStatuses } from '@dragoman/contract/wire'
import { describe, expect, it } from 'vitest'
import { actsOf, mainActOf } from './acts.ts'
import { addMoney } from './money.ts'

const job = (statusCode: (typeof jobStatuses)[number], archiveStatus: (typeof archiveStatuses)[number] = 'ACTIVE') => ({
  jobId: 'AAAAAAAAAA',
  statusCode,
  archiveStatus,
})
const refusals = (of: ReturnType<typeof job>) =>
  Object.fromEntries(actsOf(of).map(({ act, refusal }) => [act, refusal]))

describe('what can be done with a job', () => {
  it('is the next step of its life, which the tables allow', () => {
    const main = (of: ReturnType<typeof job>) => [mainActOf(of), refusals(of)[mainActOf(of)]]
    expect(main(job('CREATED'))).toEqual(['submit', undefined])
    expect(main(job('IN_TRANSLATION'))).toEqual(['complete', undefined])
    expect(main(job('COMPLETED'))).toEqual(['reopen', undefined])
    expect(main(job('CANCELLED'))).toEqual(['archive', undefined])
    expect(main(job('COMPLETED', 'ARCHIVED'))).toEqual(['unarchive', undefined])
    expect(main(job('SENDING'))).toEqual(['complete', expect.stringContaining('complete is allowed only from')])
  })

  it('says in the sentence of the hub why something cannot be done', () => {
    expect(refusals(job('IN_TRANSLATION'))).toMatchObject({
      submit: 'Job AAAAAAAAAA is IN_TRANSLATION; submit is allowed only from CREATED.',
      delete:
        'Job AAAAAAAAAA is in progress (IN_TRANSLATION); complete it first, or wait until it is completed or cancelled.',
      complete: undefined,
      cancel: undefined,
    })
    expect(actsOf({ ...job('CREATED'), aggregateRequests: { total: 0, withErrors: 0, byStatusCode: {} } })[0]).toEqual({
      act: 'submit',
      refusal: 'Job AAAAAAAAAA has no requests; add at least one before you submit it.',
    })
  })

  it('leaves no blank in any sentence', () => {
    for (const status of jobStatuses)
      for (const archive of archiveStatuses)
        for (const { refusal = '' } of actsOf(job(status, archive))) expect(refusal).not.toMatch(/[{}]| ; | \(\)/)
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
