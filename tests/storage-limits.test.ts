/** Storage has an end: what a site may keep (quota MaxBytesPerSite), and a reserve of the disk that uploads leave alone. */
import { afterEach, describe, expect, it } from 'vitest'
import { setClient } from '../packages/server/src/domain/access/change-client.ts'
import { mustFindProvider } from '../packages/server/src/domain/providers/providers.ts'
import { engines, startHub, type TestHub } from './hub.ts'
import { priceList } from './price-list.ts'

const as = 'demo-connector'
const half = 600 * 1024
const MiB = 1024 ** 2

describe.each(engines)('storage on %s', (engine) => {
  let hub: TestHub
  afterEach(() => hub.close())
  const start = async (env: Record<string, string>) => {
    hub = await startHub({ engine, env })
  }
  const newJob = async (): Promise<string> =>
    String((await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Bytes' } })).body.jobId)
  const transfer = async (jobId: string) =>
    (await hub.call<Record<string, string>>('POST', `/v2/jobs/${jobId}/sourcefiles?fileName=a.txt`, { as })).body
  const send = async (jobId: string, bytes: number) => {
    const { fmsPostMultipartUrl = '' } = await transfer(jobId)
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes).fill(97)]), 'a.txt')
    const answer = await fetch(fmsPostMultipartUrl, { method: 'POST', body: form })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const resumable = async (jobId: string, length: number) => {
    const { fmsUploadUrl = '', fmsSASToken = '' } = await transfer(jobId)
    const headers = { 'tus-resumable': '1.0.0', sastoken: fmsSASToken, 'upload-length': String(length) }
    return (await fetch(fmsUploadUrl, { method: 'POST', headers })).status
  }
  const used = async () => {
    const { body } = await hub.call<{ quotas: { name: string; value: number; used?: number }[] }>('GET', '/v2/quota', {
      as,
    })
    return body.quotas.find(({ name }) => name === 'MaxBytesPerSite')
  }
  const refused = (before: number) => ({
    status: 409,
    body: { code: 'QUOTA_EXCEEDED', quota: { name: 'MaxBytesPerSite', limit: MiB, used: before } },
  })

  it('of a site ends at MaxBytesPerSite, for files and inline content, and a deleted job frees its part', async () => {
    await start({ DRAGOMAN_SITE_BYTES: '1MiB' })
    const [first, second] = [await newJob(), await newJob()]
    expect((await send(first, half)).status).toBe(201)
    expect(await used()).toEqual({ name: 'MaxBytesPerSite', value: MiB, used: half })
    expect(await send(second, half)).toMatchObject(refused(half))
    expect(await resumable(second, half)).toBe(409)
    const content = (bytes: number) =>
      hub.call('POST', `/v2/jobs/${second}/sourcecontent`, {
        as,
        body: { fields: [{ key: 'k', value: 'x'.repeat(bytes - 1) }] },
      })
    expect(await content(half)).toMatchObject(refused(half))
    expect(await content(1_000)).toMatchObject({ status: 201 })
    expect((await used())?.used).toBe(half + 1_000)
    expect((await hub.call('DELETE', `/v2/jobs/${first}`, { as })).status).toBe(200)
    expect((await used())?.used).toBe(1_000)
    expect((await send(second, half)).status).toBe(201)
    expect((await used())?.used).toBe(half + 1_000)
  })

  it('of a site ends at MaxBytesPerSite and at MaxPriceListsPerSite for the versions of its price list', async () => {
    await start({ DRAGOMAN_SITE_BYTES: '1MiB' })
    const jobId = await newJob()
    const save = (name: string) =>
      hub.call('POST', '/v2/settings/pricelists', { as: 'demo-settings', body: { ...priceList, name } })
    expect((await save('one')).status).toBe(201)
    const one = (await used())?.used ?? 0
    expect(one).toBeGreaterThan(100)
    expect((await send(jobId, MiB - one - 10)).status).toBe(201)
    expect(await save('two')).toMatchObject(refused(MiB - 10))
    expect((await used())?.used).toBe(MiB - 10)
    expect((await hub.call('DELETE', `/v2/jobs/${jobId}`, { as })).status).toBe(200)
    await setClient(hub.inner, 'demo-settings', { quotas: { MaxPriceListsPerSite: 2 } }, mustFindProvider)
    expect((await save('two')).status).toBe(201)
    expect(await save('three')).toMatchObject({ status: 409, body: { quota: { name: 'MaxPriceListsPerSite' } } })
    expect((await used())?.used).toBe(2 * one)
  })

  it('counts what several callers add and remove at once', async () => {
    await start({})
    const jobs = await Promise.all(Array.from({ length: 8 }, newJob))
    await Promise.all(jobs.map((jobId) => send(jobId, 1_000)))
    expect((await used())?.used).toBe(8_000)
    await Promise.all(jobs.slice(1).map((jobId) => hub.call('DELETE', `/v2/jobs/${jobId}`, { as })))
    expect((await used())?.used).toBe(1_000)
  })

  it('refuses uploads below its reserve of the disk, while everything else goes on', async () => {
    await start({ DRAGOMAN_FREE_SPACE: '1000TiB' })
    const jobId = await newJob()
    expect(await send(jobId, 10)).toMatchObject({
      status: 503,
      body: { code: 'FMS_UNAVAILABLE', message: expect.stringContaining('the disk is nearly full') },
    })
    expect(await resumable(jobId, 10)).toBe(503)
    const fields = [{ key: 'a', value: 'b' }]
    const body = {
      requestName: 'r',
      sourceNativeId: '1',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields,
    }
    expect((await hub.call('POST', `/v2/jobs/${jobId}/requests/add`, { as, body })).status).toBe(201)
    expect((await hub.call('GET', '/readyz')).status).toBe(200)
    await hub.restart({ DRAGOMAN_FREE_SPACE: '0' })
    expect((await send(jobId, 10)).status).toBe(201)
  })
})
