/**
 * Uploads while their job is archived, beside a second upload of the same file, and in one long
 * call (contract, sections 6 and 15).
 */
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'

type Transfer = {
  fmsFileId: string
  fmsSASToken: string
  fmsUploadUrl: string
  fmsPostMultipartUrl: string
}
type Told = { readonly status: number; readonly code?: string; readonly offset: string | null }
const as = 'demo-connector'
const mib = 1024 ** 2

describe.each(databases)('an upload that is interrupted, on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const begin = async () => {
    const { body } = await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Upload' } })
    const jobId = String(body.jobId)
    const path = `/v2/jobs/${jobId}/sourcefiles?fileName=a.bin`
    return { jobId, transfer: (await hub.call<Transfer>('POST', path, { as })).body }
  }
  const headersOf = ({ fmsSASToken }: Transfer) => ({
    sastoken: fmsSASToken,
    'tus-resumable': '1.0.0',
  })
  const create = async (transfer: Transfer, length: number): Promise<string> => {
    const made = await fetch(transfer.fmsUploadUrl, {
      method: 'POST',
      headers: { ...headersOf(transfer), 'upload-length': String(length) },
    })
    expect(made.status).toBe(201)
    return new URL(made.headers.get('location') ?? '', hub.url).href
  }
  const told = async (answer: Response): Promise<Told> => {
    const text = await answer.text()
    const code = text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined
    const offset = answer.headers.get('upload-offset')
    return { status: answer.status, offset, ...(code !== undefined && { code }) }
  }
  const head = async (url: string, transfer: Transfer) =>
    told(await fetch(url, { method: 'HEAD', headers: headersOf(transfer) }))
  const patch = async (url: string, transfer: Transfer, offset: number, body: Uint8Array) =>
    told(
      await fetch(url, {
        method: 'PATCH',
        headers: {
          ...headersOf(transfer),
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
        },
        body: body as BodyInit,
      }),
    )
  /** A PATCH of which the test sends the bytes. */
  const open = (url: string, transfer: Transfer, length: number) => {
    const call = request(url, {
      method: 'PATCH',
      headers: {
        ...headersOf(transfer),
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
        'content-length': length,
      },
    })
    const answer = once(call, 'response').then(async ([reply]) => {
      let text = ''
      for await (const piece of reply) text += piece
      const code = text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined
      return { status: Number(reply.statusCode), code }
    })
    return { call, answer }
  }
  const send = (call: ClientRequest, bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) =>
      call.write(bytes, (error) => (error ? reject(error) : resolve())),
    )
  const receivedOf = async ({ fmsFileId }: Transfer) => {
    const row = await hub.inner.db.read
      .selectFrom('uploads')
      .select('received')
      .where('file_id', '=', fmsFileId)
      .executeTakeFirst()
    return Number(row?.received ?? -1)
  }
  const archive = async (jobId: string, act: 'archive' | 'unarchive') => {
    await hub.call('PUT', `/v2/jobs/${jobId}/${act}`, { as })
    const wanted = act === 'archive' ? 'ARCHIVED' : 'ACTIVE'
    await until(`the job is ${wanted}`, async () => {
      const { body } = await hub.call('GET', `/v2/jobs/${jobId}`, { as })
      return body.archiveStatus === wanted
    })
  }
  const form = (bytes: Uint8Array) => {
    const parts = new FormData()
    parts.append('file', new Blob([bytes as never]), 'a.bin')
    return parts
  }

  it('by archiving its job answers JOB_ARCHIVED, whole or in part, by either way', async () => {
    for (const sent of [10, 20]) {
      const { jobId, transfer } = await begin()
      const url = await create(transfer, 20)
      const { call, answer } = open(url, transfer, sent)
      await send(call, Buffer.alloc(5, 'a'))
      await until('the call has begun', async () => {
        const row = await hub.inner.db.read
          .selectFrom('uploads')
          .select('writer')
          .where('file_id', '=', transfer.fmsFileId)
          .executeTakeFirst()
        return row !== undefined && row.writer !== null
      })
      await archive(jobId, 'archive')
      call.end(Buffer.alloc(sent - 5, 'a'))
      expect(await answer).toEqual({ status: 409, code: 'JOB_ARCHIVED' })
      await archive(jobId, 'unarchive')
      const { status, offset } = await head(url, transfer)
      expect([status, Number(offset) >= 5, Number(offset) <= sent]).toEqual([200, true, true])
      if (Number(offset) < 20)
        expect(
          await patch(url, transfer, Number(offset), Buffer.alloc(20 - Number(offset), 'a')),
        ).toMatchObject({ status: 204 })
    }
    const { jobId, transfer } = await begin()
    const { blobs } = hub.inner
    const { put } = blobs
    Object.assign(blobs, {
      put: async (...given: Parameters<typeof put>) => {
        const written = await put.apply(blobs, given)
        await archive(jobId, 'archive')
        return written
      },
    })
    try {
      const body = form(Buffer.from('abc'))
      const answer = await fetch(transfer.fmsPostMultipartUrl, { method: 'POST', body })
      expect(await told(answer)).toMatchObject({ status: 409, code: 'JOB_ARCHIVED' })
    } finally {
      Object.assign(blobs, { put })
    }
  })

  it('in one long call has its bytes on record every 16 MiB and every second', async () => {
    const { transfer } = await begin()
    const length = 40 * mib
    const url = await create(transfer, length)
    const { call, answer } = open(url, transfer, length)
    await send(call, Buffer.alloc(17 * mib, 'a'))
    await until('16 MiB are on record', async () => (await receivedOf(transfer)) >= 16 * mib)
    await until('a second later all are', async () => (await receivedOf(transfer)) === 17 * mib)
    await send(call, Buffer.alloc(3, 'a'))
    await until('also a few bytes', async () => (await receivedOf(transfer)) === 17 * mib + 3)
    call.end(Buffer.alloc(length - 17 * mib - 3, 'a'))
    expect((await answer).status).toBe(204)
  })

  it('of two uploads of one file at once, by form and by TUS, one is refused', async () => {
    const { transfer } = await begin()
    const url = await create(transfer, 3)
    const { blobs } = hub.inner
    const { finish } = blobs
    let posted: Promise<Told> | undefined
    Object.assign(blobs, {
      finish: async (...given: Parameters<typeof finish>) => {
        const written = await finish.apply(blobs, given)
        posted ??= fetch(transfer.fmsPostMultipartUrl, {
          method: 'POST',
          body: form(Buffer.from('other bytes')),
        }).then(told)
        await posted
        return written
      },
    })
    try {
      const byTus = await patch(url, transfer, 0, Buffer.from('tus'))
      const byForm = await posted
      expect([byTus.status, byForm?.status]).toEqual([409, 201])
      expect(byTus.code).toBe('FILE_ALREADY_UPLOADED')
    } finally {
      Object.assign(blobs, { finish })
    }
  })
})
