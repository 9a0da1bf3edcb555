/**
 * DRAGOMAN_RETENTION_MONTHS: archived jobs are removed with their bytes after so many months, and
 * listed a week before.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listExpiringJobs } from '../packages/server/src/domain/jobs/retention.ts'
import { databases, startHub, type TestHub } from './hub.ts'

const as = 'demo-connector'

describe.each(databases)('retention on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database, env: { DRAGOMAN_RETENTION_MONTHS: '2' } })
  })
  afterAll(() => hub.close())

  const newJob = async (jobName: string): Promise<string> => {
    const { body } = await hub.call('POST', '/v2/jobs', { as, body: { jobName } })
    return String(body.jobId)
  }
  const archive = (jobId: string, how = 'archive') =>
    hub.call('PUT', `/v2/jobs/${jobId}/${how}`, { as })
  const status = async (jobId: string) =>
    (await hub.call('GET', `/v2/jobs/${jobId}`, { as })).status
  /** With one sweep, instead of one for each day between. */
  const daysLater = async (days: number) => {
    hub.inner.clock.setOffset(hub.inner.clock.offset() + days * 86_400_000)
    await hub.advance('1s')
  }
  const week = { within: 7 * 86_400_000, limit: 100 }
  const expiring = async (siteId?: string) =>
    (await listExpiringJobs(hub.inner, siteId, week)).map(({ jobId }) => jobId)
  const blobs = async () => {
    let many = 0
    for await (const _ of hub.inner.blobs.list()) many += 1
    return many
  }

  it('removes a job and its bytes two months after it was archived, and no other', async () => {
    const [old, back, active] = [await newJob('old'), await newJob('back'), await newJob('active')]
    const { body: transfer } = await hub.call(
      'POST',
      `/v2/jobs/${old}/sourcefiles?fileName=a.txt`,
      { as },
    )
    const form = new FormData()
    form.append('file', new Blob(['text']), 'a.txt')
    expect(
      (await fetch(String(transfer.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
    ).toBe(201)
    for (const jobId of [old, back]) expect((await archive(jobId)).status).toBe(200)
    await hub.advance('1s')
    expect(await expiring()).toEqual([])
    await daysLater(50)
    expect((await archive(back, 'unarchive')).status).toBe(200)
    const late = await newJob('late')
    await archive(late)
    await hub.advance('1s')
    expect(await expiring()).toEqual([])
    await daysLater(6)
    for (const siteId of [undefined, 'demo']) expect(await expiring(siteId)).toEqual([old])
    expect(await expiring('elsewhere')).toEqual([])
    const [first] = await listExpiringJobs(hub.inner, 'demo', { ...week, limit: 1 })
    expect(first?.removedAt).toBeGreaterThan(hub.inner.clock.now())
    expect([await status(old), await blobs()]).toEqual([200, 1])
    await daysLater(8)
    await hub.advance('1s')
    expect([await status(old), await blobs()]).toEqual([404, 0])
    for (const jobId of [back, active, late]) expect(await status(jobId)).toBe(200)
    const acts = await hub.inner.db.read
      .selectFrom('audit')
      .selectAll()
      .where('verb', '=', 'archived jobs removed')
      .execute()
    expect(acts).toMatchObject([{ actor: 'hub', site_id: 'demo', thing_id: 'demo' }])
    const { body } = await hub.call<{ quotas: { name: string; used?: number }[] }>(
      'GET',
      '/v2/quota',
      { as },
    )
    expect(body.quotas.find(({ name }) => name === 'MaxBytesPerSite')?.used).toBe(0)
  })
})

describe('without a retention', () => {
  it('archived jobs stay', async () => {
    const hub = await startHub()
    try {
      const { body } = await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'x' } })
      await hub.call('PUT', `/v2/jobs/${body.jobId}/archive`, { as })
      await hub.advance('1s')
      hub.inner.clock.setOffset(800 * 86_400_000)
      await hub.advance('1s')
      expect((await hub.call('GET', `/v2/jobs/${body.jobId}`, { as })).status).toBe(200)
      expect(await listExpiringJobs(hub.inner, undefined, { within: 1, limit: 10 })).toEqual([])
    } finally {
      await hub.close()
    }
  })
})
