/** F16: however many ask at once, and at whichever node, no quota is ever exceeded, and none of its places stays empty. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, engines } from '../hub.ts'
import { type Nodes, startNodes } from '../two-nodes.ts'
import { openFileClient, type Transfer } from './file-client.ts'

const as = 'demo-connector'
const quotas = { MaxReqsPerJob: 10, MaxFilesPerJob: 5, MaxSupportAssetsPerJob: 4 }

describe.each(engines)('quotas raced for on %s', (engine) => {
  let nodes: Nodes
  beforeAll(async () => {
    nodes = await startNodes(engine)
    await nodes.hub.inner.engine.transact((tx) =>
      tx
        .updateTable('clients')
        .set({ quotas: JSON.stringify(quotas) })
        .where('client_id', '=', as)
        .execute(),
    )
    // What a client may do is looked at again at least every half minute.
    await nodes.advance('1m')
  })
  afterAll(() => nodes.close())

  const newJob = async (): Promise<string> => {
    const { body } = await nodes.call<{ jobId: string }>('POST', '/v2/jobs', { as, body: { jobName: 'Raced' } })
    return body.jobId
  }
  const race = async <T>(many: number, act: (at: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: many }, (_, at) => act(at)))
  const outcomes = (answers: readonly Answer<{ code?: string }>[]) => ({
    done: answers.filter(({ status }) => status === 201).length,
    refused: answers.filter(({ body }) => body.code === 'QUOTA_EXCEEDED').length,
  })
  const rowsOf = async (table: 'requests' | 'support_assets' | 'files', jobId: string) =>
    nodes.hub.inner.engine.read.selectFrom(table).selectAll().where('job_id', '=', jobId).execute()

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

  it('MaxFilesPerJob holds for direct and resumable uploads together, and the bytes that were refused are gone', async () => {
    const jobId = await newJob()
    const clients = nodes.urls.map((url) => openFileClient(() => url))
    const clientAt = (at: number) => clients[at % clients.length] ?? openFileClient(() => nodes.hub.url)
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
    const files = (await rowsOf('files', jobId)) as { state: string; holds_bytes: number; blob_id: string }[]
    expect(files.filter(({ state }) => state === 'stored')).toHaveLength(5)
    expect(files.filter(({ holds_bytes }) => holds_bytes === 1)).toHaveLength(5)
    const blobs: string[] = []
    for await (const { blobId } of nodes.hub.inner.blobs.list()) blobs.push(blobId)
    const known = await nodes.hub.inner.engine.read.selectFrom('files').select('blob_id').execute()
    expect(blobs.filter((blobId) => !known.some(({ blob_id }) => blob_id === blobId))).toEqual([])
  })
})
