/** Words and money of many jobs at once, for the list of jobs in the console. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listJobFigures } from '../packages/server/src/domain/handover/quoting/list-figures.ts'
import { makeJob, providersOf } from './console/some-jobs.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { priceList } from './price-list.ts'

describe.each(databases)('the figures of jobs on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  it('come from the quotes kept at submission, of the own site alone, in the order asked', async () => {
    await hub.call('POST', '/v2/settings/pricelists', { as: 'demo-admin', body: priceList })
    const { Manual = '' } = await providersOf(hub)
    const quoted = await makeJob(hub, { jobName: 'Quoted', submit: Manual, shouldQuote: true })
    const second = await makeJob(hub, { jobName: 'Second', submit: Manual, shouldQuote: true })
    const plain = await makeJob(hub, { jobName: 'Plain', submit: Manual })
    const ids = [second, plain, quoted].map(({ jobId }) => jobId)
    const path = `/console/api/jobs/figures?${ids.map((id) => `jobId=${id}`).join('&')}`
    const figures = await until('both are quoted', async () => {
      const { body } = await hub.call<{
        figures: { jobId: string; words: number; total: string }[]
      }>('GET', path)
      return body.figures.length === 2 && body.figures
    })
    expect(figures.map(({ jobId }) => jobId)).toEqual([second.jobId, quoted.jobId])
    const { body: quote } = await hub.call<{ total: string; currency: string }>(
      'GET',
      `/v2/jobs/${quoted.jobId}/quote`,
      {
        as: 'demo-admin',
      },
    )
    expect(figures[1]).toMatchObject({
      words: 11,
      total: quote.total,
      currency: quote.currency,
      complete: true,
    })
    const caller = {
      siteId: 'elsewhere',
      clientId: 'far',
      scopes: [],
      providerIds: [],
      quotas: {},
      since: undefined,
    }
    const foreign = { caller: { ...caller, pageFormat: 'full' as const }, traceId: 'far' }
    expect(await listJobFigures(hub.inner, foreign, ids)).toEqual({ items: [] })
    expect((await hub.call('GET', '/console/api/jobs/figures')).status).toBe(400)
  })
})
