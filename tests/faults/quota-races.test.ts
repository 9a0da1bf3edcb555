/**
 * F16: however many ask at once, and at whichever node, no quota is ever exceeded, and none of its
 * places stays empty.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, databases } from '../hub.ts'
import { priceList } from '../price-list.ts'
import { type Nodes, startNodes } from '../two-nodes.ts'
import { openFileClient, type Transfer } from './file-client.ts'

const as = 'demo-connector'
type Refusal = { code?: string }
const quotas = {
  MaxReqsPerJob: 10,
  MaxFilesPerJob: 5,
  MaxSupportAssetsPerJob: 4,
  MaxTmUpdatesPerJob: 3,
  MaxSourceContentsPerJob: 7,
  MaxOpenTransfersPerJob: 16,
  MaxProviderListeners: 4,
  MaxProvidersPerSite: 6,
  MaxAnalysisCodesPerSite: 4,
  MaxPriceListsPerSite: 3,
  MaxTermsPerSite: 5,
  MaxOpenImportsPerSite: 4,
}

describe.each(databases)('quotas raced for on %s', (database) => {
  let nodes: Nodes
  beforeAll(async () => {
    nodes = await startNodes(database)
    await nodes.hub.inner.db.transact((tx) =>
      tx
        .updateTable('clients')
        .set({ quotas: JSON.stringify(quotas) })
        .execute(),
    )
    // What a client may do is looked at again at least every half minute.
    await nodes.advance('1m')
  })
  afterAll(() => nodes.close())

  const newJob = async (): Promise<string> => {
    const { body } = await nodes.call<{ jobId: string }>('POST', '/v2/jobs', {
      as,
      body: { jobName: 'Raced' },
    })
    return body.jobId
  }
  const race = async <T>(many: number, act: (at: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: many }, (_, at) => act(at)))
  const outcomes = (answers: readonly Answer<{ code?: string }>[]) => ({
    done: answers.filter(({ status }) => status === 201).length,
    refused: answers.filter(({ body }) => body.code === 'QUOTA_EXCEEDED').length,
  })
  const rowsOf = async (
    table: 'requests' | 'support_assets' | 'files' | 'source_contents',
    jobId: string,
  ) => nodes.hub.inner.db.read.selectFrom(table).selectAll().where('job_id', '=', jobId).execute()

  it('MaxReqsPerJob holds, languages multiplied out', async () => {
    const jobId = await newJob()
    const body = {
      requestName: 'kv',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de', 'fr-fr'],
      fields: [{ key: 'a', value: 'b' }],
    }
    const answers = await race(20, () =>
      nodes.call<{ code?: string }>('POST', `/v2/jobs/${jobId}/requests/add`, { as, body }),
    )
    expect(outcomes(answers)).toEqual({ done: 5, refused: 15 })
    const rows = (await rowsOf('requests', jobId)) as { position: number }[]
    expect(rows.map(({ position }) => position).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, at) => at + 1),
    )
  })

  it('MaxSupportAssetsPerJob holds', async () => {
    const jobId = await newJob()
    const client = openFileClient(() => nodes.hub.url)
    const transfer = await client.begin(jobId)
    expect((await client.post(transfer, Buffer.from('x'))).status).toBe(201)
    const answers = await race(16, () =>
      nodes.call<{ code?: string }>('POST', `/v2/jobs/${jobId}/supportassets`, {
        as,
        body: { fmsFileId: transfer.fmsFileId },
      }),
    )
    expect(outcomes(answers)).toEqual({ done: 4, refused: 12 })
    expect(await rowsOf('support_assets', jobId)).toHaveLength(4)
  })

  it('MaxTmUpdatesPerJob holds', async () => {
    const jobId = await newJob()
    const { fmsFileId } = await openFileClient(() => nodes.hub.url).begin(jobId)
    const body = { fmsFileId, sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
    const answers = await race(12, () =>
      nodes.call<Refusal>('POST', `/v2/jobs/${jobId}/tmupdates`, { as, body }),
    )
    expect(outcomes(answers)).toEqual({ done: 3, refused: 9 })
  })

  it('MaxSourceContentsPerJob holds for contents and fields of requests together, also of requests that are gone', async () => {
    const jobId = await newJob()
    const fields = [{ key: 'a', value: 'b' }]
    const request = { requestName: 'kv', sourceNativeId: 's', sourceNativeLanguageCode: 'en-us' }
    const added = await nodes.call<{ requests: { requestId: string }[] }>(
      'POST',
      `/v2/jobs/${jobId}/requests/add`,
      {
        as,
        body: { ...request, targetNativeLanguageCodes: ['de-de'], fields },
      },
    )
    const requestId = added.body.requests[0]?.requestId
    const to = `/v2/jobs/${jobId}/requests/${requestId}`
    expect((await nodes.call('PATCH', to, { as, body: { fields } })).status).toBe(200)
    expect((await nodes.call('DELETE', to, { as })).status).toBe(200)
    const answers = await race(16, (at) =>
      at % 2
        ? nodes.call<Refusal>('POST', `/v2/jobs/${jobId}/sourcecontent`, { as, body: { fields } })
        : nodes.call<Refusal>('POST', `/v2/jobs/${jobId}/requests/add`, {
            as,
            body: { ...request, targetNativeLanguageCodes: ['de-de'], fields },
          }),
    )
    expect(outcomes(answers)).toEqual({ done: 5, refused: 11 })
    expect(await rowsOf('source_contents', jobId)).toHaveLength(7)
  })

  it('MaxOpenTransfersPerJob holds', async () => {
    const jobId = await newJob()
    const answers = await race(24, () =>
      nodes.call<Refusal>('POST', `/v2/jobs/${jobId}/sourcefiles?fileName=a.txt`, { as }),
    )
    expect(outcomes(answers)).toEqual({ done: 16, refused: 8 })
    expect(await rowsOf('files', jobId)).toHaveLength(16)
  })

  it('MaxProvidersPerSite holds', async () => {
    const answers = await race(12, () =>
      nodes.call<Refusal>('POST', '/v2/providers', {
        as: 'demo-admin',
        body: { name: 'P', typeId: 'manual' },
      }),
    )
    expect(outcomes(answers)).toEqual({ done: 4, refused: 8 })
  })

  it('MaxAnalysisCodesPerSite, MaxPriceListsPerSite and MaxTermsPerSite hold', async () => {
    const post = (path: string, body: unknown) =>
      nodes.call<Refusal>('POST', `/v2/settings/${path}`, { as: 'demo-settings', body })
    const codes = await race(10, (at) => post('analysiscodes', { level: 1, code: `C${at}` }))
    expect(outcomes(codes)).toEqual({ done: 4, refused: 6 })
    const lists = await race(8, () => post('pricelists', priceList))
    expect(outcomes(lists)).toEqual({ done: 3, refused: 5 })
    const terms = await race(8, () =>
      post('terms', { entries: [{ language: 'en', text: 'same' }] }),
    )
    expect(outcomes(terms)).toEqual({ done: 5, refused: 3 })
  })

  it('MaxOpenImportsPerSite holds', async () => {
    const path = `/v2/jobs/${await newJob()}/sourcefiles?fileName=late.tmx`
    const { body } = await nodes.call<{ fmsFileId: string }>('POST', path, { as })
    const answers = await race(9, () =>
      nodes.call<Refusal>('POST', '/v2/settings/memory/imports', {
        as: 'demo-settings',
        body: { fmsFileId: body.fmsFileId },
      }),
    )
    expect(outcomes(answers)).toEqual({ done: 4, refused: 5 })
  })

  it('MaxProviderListeners holds: no job is told to more listeners of one client', async () => {
    const provider = { as: 'demo-provider' }
    const { body } = await nodes.call<{ providers: { id: string }[] }>(
      'GET',
      '/v2/providers',
      provider,
    )
    const [one, other] = body.providers.map(({ id }) => id)
    const listen = (providerId?: string) =>
      nodes.call<Refusal & { listenerId: string }>('POST', '/v2/listeners', {
        ...provider,
        body: { jobUri: 'http://127.0.0.1:9/', ...(providerId && { providerId }) },
      })
    // Those of a provider and those for all of them are called together.
    const answers = await race(24, (at) => listen(at % 2 ? one : undefined))
    expect(outcomes(answers)).toEqual({ done: 4, refused: 20 })
    const shown = answers.find(({ status }) => status === 409)
    expect(shown?.body).toMatchObject({
      quota: { name: 'MaxProviderListeners', limit: 4, used: 4 },
    })
    const rows = await nodes.hub.inner.db.read.selectFrom('listeners').selectAll().execute()
    const forAll = rows.filter(({ provider_id }) => provider_id === null).length
    // Another provider has as much room as those for all leave.
    const more = await race(8, () => listen(other))
    expect(outcomes(more)).toEqual({ done: 4 - forAll, refused: 4 + forAll })
    // A listener cannot be turned to a provider that has its fill.
    const turned = more.find(({ status }) => status === 201)?.body.listenerId
    if (turned) {
      const body = { providerId: one }
      const refused = await nodes.call<Refusal>('PATCH', `/v2/listeners/${turned}`, {
        ...provider,
        body,
      })
      expect([refused.status, refused.body.code]).toEqual([409, 'QUOTA_EXCEEDED'])
      const kept = await nodes.call('PATCH', `/v2/listeners/${turned}`, {
        ...provider,
        body: { disabled: true },
      })
      expect(kept.status).toBe(200)
    }
  })

  it('MaxFilesPerJob holds for direct and resumable uploads together, and the bytes that were refused are gone', async () => {
    const jobId = await newJob()
    const clients = nodes.urls.map((url) => openFileClient(() => url))
    const clientAt = (at: number) =>
      clients[at % clients.length] ?? openFileClient(() => nodes.hub.url)
    const transfers: Transfer[] = []
    for (let at = 0; at < 16; at += 1) transfers.push(await clientAt(at).begin(jobId))
    const bytes = Buffer.from('some bytes')
    const codes = await race(transfers.length, async (at) => {
      const transfer = transfers[at]
      if (!transfer) throw new Error('no transfer')
      const client = clientAt(at >> 1)
      if (at % 2 === 0) return client.post(transfer, bytes)
      return client.patch(transfer, await client.beginTus(transfer, bytes.length), 0, bytes)
    })
    const stored = codes.filter(({ status }) => status === 201 || status === 204)
    expect(codes.filter(({ code }) => code === 'QUOTA_EXCEEDED')).toHaveLength(16 - stored.length)
    expect(stored).toHaveLength(5)
    const files = (await rowsOf('files', jobId)) as {
      state: string
      holds_bytes: number
      blob_id: string
    }[]
    expect(files.filter(({ state }) => state === 'stored')).toHaveLength(5)
    expect(files.filter(({ holds_bytes }) => holds_bytes === 1)).toHaveLength(5)
    const blobs: string[] = []
    for await (const { blobId } of nodes.hub.inner.blobs.list()) blobs.push(blobId)
    const known = await nodes.hub.inner.db.read.selectFrom('files').select('blob_id').execute()
    expect(blobs.filter((blobId) => !known.some(({ blob_id }) => blob_id === blobId))).toEqual([])
  })
})
