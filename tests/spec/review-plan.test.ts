/** Contract, section 18: which segments to review, at random, until a promise is proved or broken. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { packagesOf } from '../packages-kit.ts'

const [as, provider] = ['demo-connector', 'demo-provider']
type Plan = {
  segments: number
  sample: { requestId: string; segmentId: string }[]
  reviewed: number
  found: number
  state: string
  says: string
}
type Place = Plan['sample'][number]
type Shown = { segmentId: string; version: number }

describe.each(databases)('a review plan (%s)', (database) => {
  let hub: TestHub
  let kit: ReturnType<typeof packagesOf>
  let made = 0
  beforeAll(async () => {
    hub = await startHub({ database })
    kit = packagesOf(hub)
  })
  afterAll(() => hub.close())

  const plan = async (jobId: string, query = '') => {
    const { status, body } = await kit.call<Plan>(as, 'GET', `/jobs/${jobId}/review-plan${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  const sent = (segments: number, requests = 1) => {
    made += 1
    const fields = Object.fromEntries(
      Array.from({ length: segments }, (_, at) => [`key-${at}`, `Text ${made} number ${at}`]),
    )
    return kit.sent(Array.from({ length: requests }, () => ({ fields })))
  }
  const deliver = async (task: string, word = 'Satz') => {
    const at = await kit.call<{ segments: Shown[] }>(
      provider,
      'GET',
      `${task}/segments?pageSize=50`,
    )
    const segments = at.body.segments.map(({ segmentId, version }) => ({
      ...{ segmentId, version, state: 'TRANSLATED', target: [`${word} ${segmentId}`] },
    }))
    const written = await kit.call(provider, 'PUT', `${task}/segments`, { segments })
    expect(written.status, JSON.stringify(written.body)).toBe(200)
    expect((await kit.call(provider, 'POST', `${task}/segments/deliver`)).status).toBe(200)
  }
  const judge = async (jobId: string, { requestId, segmentId }: Place, body: object) => {
    const path = `/jobs/${jobId}/requests/${requestId}/segments/${segmentId}/review`
    const { status, body: answer } = await kit.call(as, 'PUT', path, body)
    expect(status, JSON.stringify(answer)).toBe(200)
  }
  const delivered = async (segments: number, requests = 1) => {
    const job = await sent(segments, requests)
    for (const id of job.ids) await deliver(job.task(id))
    return job
  }

  it('has nothing to review before a delivery', async () => {
    const { jobId } = await sent(2)
    expect(await plan(jobId)).toMatchObject({ segments: 0, sample: [], state: 'MORE', found: 0 })
  })

  it('keeps its sample, counts verdicts in its order only, and ends with the proof', async () => {
    const { jobId, ids } = await delivered(20, 2)
    const query = '?majorPerCent=10&confidence=80'
    const first = await plan(jobId, query)
    expect(first).toMatchObject({ segments: 40, reviewed: 0, found: 0, state: 'MORE' })
    const { sample } = first
    expect(sample.length).toBeLessThan(40)
    expect(new Set(sample.map((one) => JSON.stringify(one))).size).toBe(sample.length)
    expect(new Set(sample.map(({ requestId }) => requestId))).toEqual(new Set(ids))
    expect(await plan(jobId, query)).toEqual(first)
    const [one, two, three] = sample as [Place, Place, Place]
    // A verdict further on counts when those before it are there.
    await judge(jobId, two, { verdict: 'WRONG', severity: 'MAJOR' })
    expect(await plan(jobId, query)).toEqual(first)
    await judge(jobId, one, { verdict: 'WRONG', severity: 'MINOR' })
    const second = await plan(jobId, query)
    expect(second).toMatchObject({ reviewed: 2, found: 1, state: 'MORE' })
    // One major error: more must be seen. What was drawn stays.
    expect(second.sample.slice(0, sample.length)).toEqual(sample)
    expect(second.sample.length).toBeGreaterThan(sample.length)
    await judge(jobId, three, { verdict: 'WRONG', severity: 'NEUTRAL' })
    for (const place of second.sample.slice(3, -1)) await judge(jobId, place, { verdict: 'OK' })
    const open = await plan(jobId, query)
    expect(open).toMatchObject({ state: 'MORE', reviewed: second.sample.length - 1 })
    await judge(jobId, second.sample.at(-1) as Place, { verdict: 'OK' })
    const proved = await plan(jobId, query)
    expect(proved).toMatchObject({ state: 'PROVED', found: 1, sample: second.sample })
    expect(proved.says).toMatch(
      /it is 80 per cent sure that at most 10 per cent of the 40 segments/,
    )
  })

  it('fails as soon as more are wrong than the promise allows', async () => {
    const { jobId } = await delivered(30)
    const { sample } = await plan(jobId, '?majorPerCent=5')
    await judge(jobId, sample[0] as Place, { verdict: 'WRONG', severity: 'CRITICAL' })
    expect(await plan(jobId, '?majorPerCent=5')).toMatchObject({ state: 'MORE', found: 1 })
    // A severity that nobody said is taken for a major one.
    await judge(jobId, sample[1] as Place, { verdict: 'WRONG' })
    const failed = await plan(jobId, '?majorPerCent=5')
    expect(failed).toMatchObject({ state: 'FAILED', found: 2, reviewed: 2 })
    expect(failed.says).toContain('it is not true that at most 5 per cent')
  })

  it('draws anew for another delivery, so that nobody corrects the sample alone', async () => {
    const { jobId, ids, task } = await delivered(30)
    const { sample } = await plan(jobId)
    await judge(jobId, sample[0] as Place, { verdict: 'WRONG' })
    const requestIds = ids
    await kit.call(as, 'PUT', `/jobs/${jobId}/requests/reject`, { requestIds, note: 'Again' })
    expect(await plan(jobId)).toMatchObject({ segments: 0 })
    await deliver(task(ids[0] ?? ''), 'Text')
    const again = await plan(jobId)
    expect(again).toMatchObject({ segments: 30, reviewed: 0, found: 0, state: 'MORE' })
    expect(again.sample).not.toEqual(sample)
    expect(again.sample.length).toBe(sample.length)
  })

  it.each([
    'majorPerCent=0',
    'majorPerCent=51',
    'majorPerCent=x',
    'confidence=100',
    'confidence=49',
  ])('refuses ?%s', async (query) => {
    const { jobId } = await sent(1)
    const { status, body } = await kit.call(as, 'GET', `/jobs/${jobId}/review-plan?${query}`)
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETER'])
  })

  it('is not there for an unknown job, or for a provider', async () => {
    const unknown = await kit.call(as, 'GET', '/jobs/0000000000/review-plan')
    expect([unknown.status, unknown.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
    const { jobId } = await sent(1)
    expect((await kit.call(provider, 'GET', `/jobs/${jobId}/review-plan`)).status).toBe(403)
  })
})
