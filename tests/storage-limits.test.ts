/**
 * Storage has an end: what a site may keep (quota MaxBytesPerSite), and a reserve of the disk that
 * uploads leave alone.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { setClient } from '../packages/server/src/domain/access/change-client.ts'
import { mustFindProvider } from '../packages/server/src/domain/engines/providers.ts'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { priceList } from './price-list.ts'

const as = 'demo-connector'
const half = 600 * 1024
const MiB = 1024 ** 2

describe.each(databases)('storage on %s', (database) => {
  let hub: TestHub
  afterEach(() => hub.close())
  const start = async (env: Record<string, string>) => {
    hub = await startHub({ database, env })
  }
  const newJob = async (): Promise<string> =>
    String((await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Bytes' } })).body.jobId)
  const transfer = async (jobId: string) =>
    (
      await hub.call<Record<string, string>>(
        'POST',
        `/v2/jobs/${jobId}/sourcefiles?fileName=a.txt`,
        { as },
      )
    ).body
  const send = async (jobId: string, bytes: number) => {
    const { fmsPostMultipartUrl = '' } = await transfer(jobId)
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes).fill(97)]), 'a.txt')
    const answer = await fetch(fmsPostMultipartUrl, { method: 'POST', body: form })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const resumable = async (jobId: string, length: number) => {
    const { fmsUploadUrl = '', fmsSASToken = '' } = await transfer(jobId)
    const headers = {
      'tus-resumable': '1.0.0',
      sastoken: fmsSASToken,
      'upload-length': String(length),
    }
    return (await fetch(fmsUploadUrl, { method: 'POST', headers })).status
  }
  const used = async () => {
    const { body } = await hub.call<{ quotas: { name: string; value: number; used?: number }[] }>(
      'GET',
      '/v2/quota',
      {
        as,
      },
    )
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
      hub.call('POST', '/v2/settings/pricelists', {
        as: 'demo-settings',
        body: { ...priceList, name },
      })
    expect((await save('one')).status).toBe(201)
    const one = (await used())?.used ?? 0
    expect(one).toBeGreaterThan(100)
    expect((await send(jobId, MiB - one - 10)).status).toBe(201)
    expect(await save('two')).toMatchObject(refused(MiB - 10))
    expect((await used())?.used).toBe(MiB - 10)
    expect((await hub.call('DELETE', `/v2/jobs/${jobId}`, { as })).status).toBe(200)
    await setClient(
      hub.inner,
      'demo-settings',
      { quotas: { MaxPriceListsPerSite: 2 } },
      mustFindProvider,
    )
    expect((await save('two')).status).toBe(201)
    expect(await save('three')).toMatchObject({
      status: 409,
      body: { quota: { name: 'MaxPriceListsPerSite' } },
    })
    expect((await used())?.used).toBe(2 * one)
  })

  it('of a site ends at MaxBytesPerSite for metadata, which is counted as it is stored, changed and removed', async () => {
    await start({ DRAGOMAN_SITE_BYTES: '1MiB' })
    const call = async (method: string, path: string, body?: unknown, by = as) =>
      hub.call<Record<string, unknown>>(method, `/v2${path}`, {
        as: by,
        ...(body !== undefined && { body }),
      })
    const made = async (path: string, body: unknown) => {
      const answer = await call('POST', path, body)
      expect(answer.status).toBe(201)
      return answer.body
    }
    /** Metadata of so many bytes as it is stored, with letters of two bytes. */
    const metadata = (bytes: number) => ({
      note: `${'é'.repeat((bytes - '{"note":""}'.length - 1) / 2)}x`,
    })
    const grows = async (by: number, act: () => Promise<unknown>) => {
      const before = (await used())?.used ?? 0
      await act()
      expect((await used())?.used).toBe(before + by)
    }
    const holds = async () => {
      const { findings } = await checkHub(hub.inner)
      expect(findings.filter(({ check }) => check === 'site bytes')).toEqual([])
    }
    const jobId = String((await made('/jobs', { jobName: 'Bytes' })).jobId)
    const job = `/jobs/${jobId}`
    await grows(100, () => call('PATCH', job, { extendedMetadata: metadata(100) }))
    await grows(-40, () => call('PATCH', job, { extendedMetadata: metadata(60) }))
    await grows(0, () => call('PATCH', job, { extendedMetadata: {} }))
    const request = {
      requestName: 'r',
      sourceNativeId: '1',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de', 'fr-fr'],
    }
    const fields = [{ key: 'k', value: 'value' }]
    const ids: string[] = []
    const add = async (extendedMetadata: object, more: object = { fields }) => {
      const { requests } = await made(`${job}/requests/add`, {
        ...request,
        extendedMetadata,
        ...more,
      })
      ids.push(...(requests as { requestId: string }[]).map(({ requestId }) => requestId))
    }
    await grows(2 * 50 + 6, () => add(metadata(50)))
    const { sourcecontentId } = await made(`${job}/sourcecontent`, { fields })
    await grows(2 * 70, () => add(metadata(70), { sourcecontentId }))
    const [first = '', second = '', third = '', fourth = ''] = ids
    await grows(30, () =>
      call('PATCH', `${job}/requests/${first}`, { extendedMetadata: metadata(80) }),
    )
    await grows(20 + 0, () =>
      call('PATCH', `${job}/requests`, {
        requestIds: [second, third],
        requestsUpdate: { extendedMetadata: metadata(70) },
      }),
    )
    await grows(-70, () => call('DELETE', `${job}/requests/${fourth}`))
    const { fmsFileId } = await transfer(jobId)
    let assetId = ''
    await grows(90, async () => {
      const body = { fmsFileId, extendedMetadata: metadata(90) }
      assetId = String((await made(`${job}/supportassets`, body)).supportassetId)
    })
    await grows(-90, () => call('DELETE', `${job}/supportassets/${assetId}`))
    await grows(94, () =>
      made(`${job}/supportassets`, { fmsFileId, extendedMetadata: metadata(94) }),
    )
    const pair = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
    await grows(96, () =>
      made(`${job}/tmupdates`, { fmsFileId, ...pair, extendedMetadata: metadata(96) }),
    )
    await holds()

    // To the provider, who may add to it; nothing else changes it.
    const providers = (await call('GET', '/providers')).body.providers as {
      id: string
      name: string
    }[]
    const providerId = providers.find(({ name }) => name === 'Manual')?.id ?? ''
    await grows(0, () => call('PUT', `${job}/submit`, { providerId }))
    await hub.advance('1s')
    const task = `/providers/${providerId}/jobs/${jobId}/assetTasks/${first}`
    await grows(20, () => call('PATCH', task, { extendedMetadata: metadata(100) }, 'demo-provider'))

    const other = await newJob()
    const before = (await used())?.used ?? 0
    expect((await send(other, MiB - before - 10)).status).toBe(201)
    const full = MiB - 10
    const over = { extendedMetadata: metadata(200) }
    const contents = { ...request, ...over, fields: [] as object[] }
    const refusals: [string, string, unknown, string?][] = [
      ['POST', '/jobs', { jobName: 'Over', ...over }],
      ['PATCH', `/jobs/${other}`, { jobName: 'Over', ...over }],
      ['POST', `/jobs/${other}/requests/add`, { ...contents, fields }],
      ['PATCH', task, over, 'demo-provider'],
      ['POST', `${job}/tmupdates`, { fmsFileId, ...pair, ...over }],
    ]
    const rows = async () => {
      const { read } = hub.inner.db
      const [jobs, requests, updates] = [
        read.selectFrom('jobs'),
        read.selectFrom('requests'),
        read.selectFrom('tm_updates'),
      ]
      return [
        await jobs.selectAll().execute(),
        await requests.selectAll().execute(),
        await updates.selectAll().execute(),
      ]
    }
    const kept = await rows()
    for (const [method, path, body, by] of refusals)
      expect([path, await call(method, path, body, by)]).toMatchObject([path, refused(full)])
    expect(await rows()).toEqual(kept)
    expect((await used())?.used).toBe(full)
    await holds()
    expect((await call('DELETE', `/jobs/${other}`)).status).toBe(200)
    await call(
      'PATCH',
      `/providers/${providerId}/jobs/${jobId}`,
      { statusCode: 'CANCELLED' },
      'demo-provider',
    )
    expect((await call('DELETE', job)).status).toBe(200)
    expect((await used())?.used).toBe(0)
    await holds()
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
      body: {
        code: 'FMS_UNAVAILABLE',
        message: expect.stringContaining('the disk is nearly full'),
      },
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
    expect((await hub.call('POST', `/v2/jobs/${jobId}/requests/add`, { as, body })).status).toBe(
      201,
    )
    expect((await hub.call('GET', '/readyz')).status).toBe(200)
    await hub.restart({ DRAGOMAN_FREE_SPACE: '0' })
    expect((await send(jobId, 10)).status).toBe(201)
  })
})
