import { topics } from '@dragoman/contract/wire'
import { describe, expect, it } from 'vitest'
import { isAffected, type ReadKey } from './affected.ts'

const read = (name: ReadKey[0], params?: object): ReadKey => [
  name,
  'demo',
  params ? { params } : {},
]

describe('an event makes old', () => {
  it.each([
    [read('listJobs'), true],
    [read('countJobs'), true],
    [read('countOpen'), true],
    [read('findJob', { jobId: 'a' }), true],
    [read('listRequests', { jobId: 'a' }), true],
    [read('listTimeline', { jobId: 'a' }), true],
    [read('findJob', { jobId: 'b' }), false],
    [read('listCalls'), false],
    [read('listProviders'), false],
  ])('of job a: %j is %s', (key, affected) => {
    expect(isAffected(key, { topic: 'job', id: 'a', version: 1 })).toBe(affected)
  })

  it('every job, if it names none', () => {
    expect(isAffected(read('findJob', { jobId: 'b' }), { topic: 'job' })).toBe(true)
  })

  it('only the timeline of the job, if something happened beside it', () => {
    expect(isAffected(read('listTimeline', { jobId: 'a' }), { topic: 'timeline', id: 'a' })).toBe(
      true,
    )
    expect(isAffected(read('findJob', { jobId: 'a' }), { topic: 'timeline', id: 'a' })).toBe(false)
    expect(isAffected(read('listTimeline', { jobId: 'b' }), { topic: 'timeline', id: 'a' })).toBe(
      false,
    )
  })

  it('everything, if anything may have changed', () => {
    for (const name of ['listJobs', 'listCalls', 'findSession', 'listSites'] as const)
      expect(isAffected(read(name), { topic: 'all' })).toBe(true)
  })

  it('nothing that is no call of the hub', () => {
    for (const topic of topics) expect(isAffected(['not a call' as never], { topic })).toBe(false)
  })
})
