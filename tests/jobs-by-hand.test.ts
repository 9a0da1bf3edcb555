/**
 * Jobs that people make in the console belong to its built-in client, and their updates wait for
 * nobody.
 */
import type { StatusUpdate } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../packages/server/src/domain/access/caller.ts'
import { submitJob } from '../packages/server/src/domain/handover/submit-job.ts'
import { createJob } from '../packages/server/src/domain/jobs/create-job.ts'
import { addRequests } from '../packages/server/src/domain/jobs/requests/add-requests.ts'
import { enrolClient } from '../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'

const person: Call = {
  caller: {
    siteId: 'demo',
    clientId: 'console',
    person: {
      personId: 'someone',
      name: 'Someone',
      roles: ['manager'],
      sites: [{ siteId: 'demo', roles: ['manager'] }],
      sessionId: 'none',
      confirmed: true,
    },
    scopes: ['content'],
    providerIds: [],
    pageFormat: 'full',
    since: undefined,
    quotas: {},
  },
  traceId: 'by-hand',
}

describe.each(databases)('a job made by hand on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const updates = async (query: string): Promise<StatusUpdate[]> => {
    const { body } = await hub.call<{ statusupdates: StatusUpdate[] }>(
      'GET',
      `/v2/statusupdates?${query}`,
      {
        as: 'demo-admin',
      },
    )
    return body.statusupdates
  }

  it('has its status updates acknowledged at once, while those of other clients wait', async () => {
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      {
        as: 'demo-admin',
      },
    )
    const providerId = body.providers.find(({ name }) => name === 'Pseudo')?.id ?? ''
    const request = {
      requestName: 'Texts',
      sourceNativeId: 'texts',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields: [{ key: 'a', value: 'Pay now' }],
    }
    const { jobId, creatorId } = await createJob(hub.inner, person, { jobName: 'By hand' })
    expect(creatorId).toBe('console')
    await addRequests(hub.inner, person, jobId, { requests: [request] })
    await submitJob(hub.inner, person, jobId, { providerId })
    const as = 'demo-connector'
    const { body: other } = await hub.call<{ jobId: string }>('POST', '/v2/jobs', {
      as,
      body: { jobName: 'By API' },
    })
    await hub.call('POST', `/v2/jobs/${other.jobId}/requests/add`, {
      as,
      body: { requests: [request] },
    })
    await hub.call('PUT', `/v2/jobs/${other.jobId}/submit`, { as, body: { providerId } })

    const mine = await until('its update is there', async () => {
      const found = await updates('acknowledged=true&client=console')
      return found.length > 0 && found
    })
    expect(mine.map((update) => [update.jobId, update.statusCode])).toEqual([
      [jobId, 'REVIEW_TRANSLATION'],
    ])
    await until('the update of the other job is there', async () => (await updates('')).length > 0)
    expect((await updates('')).map((update) => update.jobId)).toEqual([other.jobId])
  })

  it('shares its owner with no client', async () => {
    const refused = enrolClient(hub.inner, {
      siteId: 'demo',
      clientId: 'console',
      scopes: ['content'],
    })
    await expect(refused).rejects.toThrow('belongs to the console')
    const { status } = await hub.call('POST', '/v2/clients', {
      as: 'demo-admin',
      body: { clientId: 'console', scopes: ['content'] },
    })
    expect(status).toBe(400)
    const rows = await hub.inner.db.read.selectFrom('clients').select('client_id').execute()
    expect(rows.map((row) => row.client_id)).not.toContain('console')
  })
})
