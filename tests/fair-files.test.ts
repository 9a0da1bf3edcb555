/**
 * One site's files, however hostile, do not keep the tasks of others waiting: they have a share of
 * the places, by provider.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Faults } from '../packages/server/src/store/tasks/fault-port.ts'
import type { Task } from '../packages/server/src/store/tasks/hold-tasks.ts'
import { databases, startHub, type TestHub } from './hub.ts'

describe.each(databases)('translating on %s', (database) => {
  let hub: TestHub
  const seen: Task[] = []
  beforeAll(async () => {
    hub = await startHub({ database })
    const faults = hub.inner.faults as Faults
    const { task } = faults
    faults.task = (one, run) => {
      if (one.name === 'translate-requests') seen.push(one)
      return task(one, run)
    }
  })
  afterAll(() => hub.close())
  const as = 'demo-connector'

  const submit = async (content: object, jobId: string): Promise<string> => {
    const request = {
      requestName: 'r',
      sourceNativeId: '1',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      ...content,
    }
    expect(
      (await hub.call('POST', `/v2/jobs/${jobId}/requests/add`, { as, body: request })).status,
    ).toBe(201)
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    const providerId = body.providers.find(({ name }) => name === 'Pseudo')?.id ?? ''
    expect(
      (await hub.call('PUT', `/v2/jobs/${jobId}/submit`, { as, body: { providerId } })).status,
    ).toBe(200)
    await hub.advance('1s')
    return providerId
  }
  const newJob = async (): Promise<string> =>
    String((await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Fair' } })).body.jobId)

  it('files wait in the lane of those who wait for others, under the key of their provider', async () => {
    const jobId = await newJob()
    const { body } = await hub.call<Record<string, string>>(
      'POST',
      `/v2/jobs/${jobId}/sourcefiles?fileName=a.txt`,
      {
        as,
      },
    )
    const form = new FormData()
    form.set('file', new Blob(['Good morning']), 'a.txt')
    expect(
      (await fetch(body.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })).status,
    ).toBe(201)
    const providerId = await submit({ fmsFileId: body.fmsFileId }, jobId)
    expect(seen.at(-1)).toMatchObject({
      outside: true,
      key: expect.stringContaining(`translate:${providerId}:`),
    })
  })

  it('small content that the hub only computes with is its own', async () => {
    await submit({ fields: [{ key: 'a', value: 'Good morning' }] }, await newJob())
    expect(seen.at(-1)).not.toHaveProperty('outside')
  })
})
