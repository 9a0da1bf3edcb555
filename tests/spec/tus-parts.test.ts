/**
 * TUS with several uploads of one file (concatenation) and with a length that is declared later
 * (creation-defer-length).
 */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { limits } from '@dragoman/contract'
import { Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { databases, startHub, type TestHub } from '../hub.ts'

type Transfer = {
  fmsFileId: string
  fmsSASToken: string
  fmsUploadUrl: string
  fmsPostMultipartUrl: string
}
type Headers = Record<string, string>
const as = 'demo-connector'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const partial = { 'upload-concat': 'partial' }

describe.each(databases)('TUS in parts on %s', (database) => {
  let hub: TestHub
  let jobId: string
  beforeAll(async () => {
    hub = await startHub({ database })
    jobId = String(
      (await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Parts' } })).body.jobId,
    )
  })
  afterAll(() => hub.close())

  const begin = async (fileName = 'a.txt'): Promise<Transfer> =>
    (await hub.call<Transfer>('POST', `/v2/jobs/${jobId}/sourcefiles`, { as, query: { fileName } }))
      .body
  const tus = async (
    transfer: Transfer,
    method: string,
    path: string,
    headers: Headers = {},
    body?: string,
  ) => {
    const answer = await fetch(new URL(path, hub.url), {
      method,
      headers: {
        ...{ sastoken: transfer.fmsSASToken, 'tus-resumable': '1.0.0' },
        ...(body !== undefined && { 'content-type': 'application/offset+octet-stream' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    const text = await answer.text()
    const { code, message } = (text ? JSON.parse(text) : {}) as { code?: string; message?: string }
    return { status: answer.status, headers: answer.headers, code, message }
  }
  const create = async (transfer: Transfer, headers: Headers, body?: string): Promise<string> => {
    const made = await tus(transfer, 'POST', transfer.fmsUploadUrl, headers, body)
    expect([made.status, made.message]).toEqual([201, undefined])
    return String(made.headers.get('location'))
  }
  const addPart = (transfer: Transfer, text: string, more: Headers = {}): Promise<string> =>
    create(transfer, { ...partial, 'upload-length': String(text.length), ...more }, text)
  const join = (transfer: Transfer, urls: readonly string[], more: Headers = {}) =>
    tus(transfer, 'POST', transfer.fmsUploadUrl, {
      'upload-concat': `final;${urls.join(' ')}`,
      ...more,
    })
  const patch = (
    transfer: Transfer,
    url: string,
    offset: number,
    body: string,
    more: Headers = {},
  ) => tus(transfer, 'PATCH', url, { 'upload-offset': String(offset), ...more }, body)
  const told = async (transfer: Transfer, url: string) => {
    const { status, headers } = await tus(transfer, 'HEAD', url)
    const [offset, length, deferred, concat] = ['offset', 'length', 'defer-length', 'concat'].map(
      (name) => headers.get(`upload-${name}`),
    )
    return { status, offset, length, deferred, concat }
  }
  const download = async ({ fmsFileId }: Transfer): Promise<Response> => {
    const found = await hub.call('GET', `/v2/jobs/${jobId}/sourcefiles/${fmsFileId}`, { as })
    expect(found.status, JSON.stringify(found.body)).toBe(307)
    return fetch(String(found.headers.get('location')))
  }
  const textOf = async (transfer: Transfer) => (await download(transfer)).text()
  const uploads = ({ fmsFileId }: Transfer) =>
    hub.inner.db.read.selectFrom('uploads').selectAll().where('file_id', '=', fmsFileId).execute()
  const fileOf = ({ fmsFileId }: Transfer) =>
    hub.inner.db.read
      .selectFrom('files')
      .selectAll()
      .where('file_id', '=', fmsFileId)
      .executeTakeFirst()
  const blobsOf = async (transfer: Transfer) =>
    (await uploads(transfer)).map((upload) => upload.blob_id)
  /** Runs due tasks, and tells which of these blobs are still there. */
  const stillThere = async (blobIds: readonly string[]): Promise<string[]> => {
    await hub.advance('1s')
    const left: string[] = []
    await hub.inner.blobs.sweep(Number.POSITIVE_INFINITY, async (blobId) => {
      left.push(blobId)
      return true
    })
    for await (const { blobId } of hub.inner.blobs.list()) left.push(blobId)
    return blobIds.filter((id) => left.includes(id))
  }
  const send = (bytes: Buffer | Readable, transfer: Transfer, options: UploadOptions) =>
    new Promise<string[]>((resolve, reject) => {
      const calls: string[] = []
      new Upload(bytes, {
        endpoint: transfer.fmsUploadUrl,
        headers: { sastoken: transfer.fmsSASToken },
        retryDelays: null,
        onBeforeRequest: (request) =>
          void calls.push(`${request.getMethod()} ${request.getHeader('Upload-Concat')}`),
        onSuccess: () => resolve(calls),
        onError: reject,
        ...options,
      }).start()
    })

  it('OPTIONS offers creation-defer-length and concatenation', async () => {
    const transfer = await begin()
    const { headers } = await tus(transfer, 'OPTIONS', transfer.fmsUploadUrl)
    expect(headers.get('tus-extension')?.split(',')).toEqual(
      expect.arrayContaining(['creation-defer-length', 'concatenation']),
    )
  })

  describe('a client', () => {
    it.each<[string, UploadOptions]>([
      ['tus-js-client with parallelUploads: 4', { parallelUploads: 4 }],
      ['tus-js-client with parallel chunks', { parallelUploads: 3, chunkSize: 100_000 }],
      [
        // Uppy names the type in `filetype`, and sends bytes with each creation.
        'Uppy',
        {
          parallelUploads: 4,
          uploadDataDuringCreation: true,
          metadata: {
            relativePath: 'null',
            name: 'm.bin',
            type: 'text/vtt',
            filename: 'm.bin',
            filetype: 'text/vtt',
          },
        },
      ],
    ])('%s uploads in parallel', async (name, options) => {
      const bytes = randomBytes(1_500_001)
      const transfer = await begin('movie.bin')
      const calls = await send(bytes, transfer, options)
      expect(calls.filter((call) => call === 'POST partial')).toHaveLength(
        Number(options.parallelUploads),
      )
      const got = await download(transfer)
      expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true)
      if (name === 'Uppy') expect(got.headers.get('content-type')).toMatch(/^text\/vtt/)
      expect(await uploads(transfer)).toHaveLength(1)
    })

    it('tus-js-client uploads a stream whose length it does not know', async () => {
      const bytes = randomBytes(700_000)
      for (const more of [{}, { uploadDataDuringCreation: true }]) {
        const transfer = await begin('stream.bin')
        await send(Readable.from([bytes.subarray(0, 250_000), bytes.subarray(250_000)]), transfer, {
          uploadLengthDeferred: true,
          chunkSize: 300_000,
          ...more,
        })
        expect(Buffer.from(await (await download(transfer)).arrayBuffer()).equals(bytes)).toBe(true)
      }
    })
  })

  describe('a deferred length', () => {
    it('is told as such by HEAD, is declared once, and then completes the file', async () => {
      const transfer = await begin()
      const url = await create(transfer, { 'upload-defer-length': '1' })
      expect((await patch(transfer, url, 0, 'abc')).status).toBe(204)
      expect(await told(transfer, url)).toMatchObject({
        status: 200,
        offset: '3',
        length: null,
        deferred: '1',
      })
      const short = await patch(transfer, url, 3, 'd', { 'upload-length': '2' })
      expect([short.status, short.code]).toEqual([400, 'INVALID_REQUEST'])
      const over = await patch(transfer, url, 3, 'defgh', { 'upload-length': '5' })
      expect([over.status, over.code]).toEqual([413, 'FILE_TOO_LARGE'])
      // The length stays, although its chunk was refused.
      expect(await told(transfer, url)).toMatchObject({ offset: '3', length: '5', deferred: null })
      const other = await patch(transfer, url, 3, 'd', { 'upload-length': '6' })
      expect([other.status, other.code]).toEqual([400, 'INVALID_REQUEST'])
      expect((await patch(transfer, url, 3, 'de', { 'upload-length': '5' })).status).toBe(204)
      expect(await textOf(transfer)).toBe('abcde')
    })

    it('may be that of an empty file, or come with the last empty chunk', async () => {
      const empty = await begin()
      const none = await create(empty, { 'upload-defer-length': '1' })
      expect((await patch(empty, none, 0, '', { 'upload-length': '0' })).status).toBe(204)
      expect(await textOf(empty)).toBe('')
      const transfer = await begin()
      const url = await create(transfer, { 'upload-defer-length': '1' }, 'abc')
      expect((await patch(transfer, url, 3, '', { 'upload-length': '3' })).status).toBe(204)
      expect(await textOf(transfer)).toBe('abc')
    })

    it.each<[string, Headers, number]>([
      ['another value than 1', { 'upload-defer-length': '2' }, 400],
      ['a length beside it', { 'upload-defer-length': '1', 'upload-length': '4' }, 400],
    ])('with %s is refused', async (_, headers, status) => {
      const transfer = await begin()
      expect((await tus(transfer, 'POST', transfer.fmsUploadUrl, headers)).status).toBe(status)
      expect(await uploads(transfer)).toEqual([])
    })

    it('over the largest file is refused when it is declared', async () => {
      const transfer = await begin()
      const url = await create(transfer, { 'upload-defer-length': '1' })
      const large = await patch(transfer, url, 0, 'a', {
        'upload-length': String(limits.fileBytes + 1),
      })
      expect([large.status, large.code]).toEqual([413, 'FILE_TOO_LARGE'])
      expect(await told(transfer, url)).toMatchObject({ offset: '0', deferred: '1' })
    })
  })

  describe('concatenation', () => {
    it('joins parts in the order of the final upload, by path or whole URL, and removes them', async () => {
      const transfer = await begin()
      const b = await addPart(transfer, 'world')
      const a = await create(transfer, { ...partial, 'upload-defer-length': '1' })
      expect(await told(transfer, a)).toMatchObject({
        concat: 'partial',
        deferred: '1',
        offset: '0',
      })
      await patch(transfer, a, 0, 'hello ', { 'upload-length': '6' })
      const none = await addPart(transfer, '')
      const blobs = await blobsOf(transfer)
      const made = await join(transfer, [a, none, `${hub.url}${b}`], {
        'upload-metadata': `contentType ${base64('text/x-z')}`,
      })
      expect([made.status, made.message]).toEqual([201, undefined])
      const url = String(made.headers.get('location'))
      expect(await told(transfer, url)).toMatchObject({
        offset: '11',
        length: '11',
        concat: expect.stringMatching(/^final;/),
      })
      const got = await download(transfer)
      expect([await got.text(), got.headers.get('content-type')]).toEqual([
        'hello world',
        'text/x-z; charset=utf-8',
      ])
      expect((await told(transfer, a)).status).toBe(404)
      expect(await stillThere(blobs)).toEqual([])
      const late = await patch(transfer, url, 11, 'x')
      expect([late.status, late.code]).toEqual([403, 'FORBIDDEN'])
      expect((await checkHub(hub.inner)).findings).toEqual([])
    })

    it('refuses what is no complete part of this file, and keeps the parts', async () => {
      const [transfer, other] = [await begin(), await begin()]
      const whole = await addPart(transfer, 'abc')
      const half = await create(transfer, { ...partial, 'upload-length': '4' }, 'ab')
      const foreign = await addPart(other, 'xyz')
      for (const [urls, says] of [
        [[whole, half], /not complete/],
        [[whole, foreign], /not a partial upload of this file/],
        [[whole, '/fms/tus/nothing'], /not a partial upload of this file/],
        [[whole, whole], /twice/],
      ] as const) {
        const refused = await join(transfer, urls)
        expect([refused.status, refused.code, refused.message]).toEqual([
          400,
          'INVALID_REQUEST',
          expect.stringMatching(says),
        ])
      }
      for (const headers of [
        { 'upload-concat': 'final;' },
        { 'upload-concat': 'Partial', 'upload-length': '1' },
        { 'upload-concat': `final;${whole}`, 'upload-length': '3' },
      ] as Headers[]) {
        const refused = await tus(transfer, 'POST', transfer.fmsUploadUrl, headers)
        expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
      }
      expect((await join(other, [whole])).status).toBe(400)
      // A complete part takes no more, and an empty chunk changes nothing.
      expect((await patch(transfer, whole, 3, 'd')).status).toBe(413)
      expect((await patch(transfer, whole, 3, '')).status).toBe(204)
      expect((await patch(transfer, half, 2, 'de')).status).toBe(204)
      expect((await join(transfer, [whole, half])).status).toBe(201)
      expect(await textOf(transfer)).toBe('abcabde')
    })

    it('lets a part be deleted, and counts the file as holding bytes while any part does', async () => {
      const transfer = await begin()
      const [a, b] = [await addPart(transfer, 'aa'), await addPart(transfer, 'bb')]
      const blobs = await blobsOf(transfer)
      expect((await tus(transfer, 'DELETE', a)).status).toBe(204)
      expect((await fileOf(transfer))?.holds_bytes).toBe(1)
      expect((await checkHub(hub.inner)).findings).toEqual([])
      expect((await tus(transfer, 'DELETE', b)).status).toBe(204)
      expect((await fileOf(transfer))?.holds_bytes).toBe(0)
      expect([await uploads(transfer), await stillThere(blobs)]).toEqual([[], []])
    })

    it('parts together may not be larger than one file, nor too many', async () => {
      const transfer = await begin()
      const headers = (length: number) => ({ ...partial, 'upload-length': String(length) })
      await create(transfer, headers(limits.fileBytes - 10))
      const deferred = await create(transfer, { ...partial, 'upload-defer-length': '1' })
      const large = await tus(transfer, 'POST', transfer.fmsUploadUrl, headers(11))
      expect([large.status, large.code, large.message]).toEqual([
        413,
        'FILE_TOO_LARGE',
        expect.stringContaining('all partial uploads of one file together'),
      ])
      expect((await patch(transfer, deferred, 0, 'elevenbytes')).code).toBe('FILE_TOO_LARGE')
      expect((await patch(transfer, deferred, 0, 'a', { 'upload-length': '11' })).code).toBe(
        'FILE_TOO_LARGE',
      )
      expect(
        (await patch(transfer, deferred, 0, 'ten bytes.', { 'upload-length': '10' })).status,
      ).toBe(204)
      // What got no byte for an hour gives way to a client that begins again.
      await hub.advance('2h')
      await create(transfer, headers(limits.fileBytes))
      expect(await uploads(transfer)).toHaveLength(1)

      const many = await begin()
      for (let at = 0; at < limits.partialUploads; at += 1) await create(many, headers(1))
      const more = await tus(many, 'POST', many.fmsUploadUrl, headers(1))
      expect([more.status, more.message]).toEqual([
        400,
        expect.stringContaining('100 partial uploads'),
      ])
    })

    it('abandoned parts expire with their transfer, and make way for a whole upload or a form', async () => {
      const transfer = await begin()
      await addPart(transfer, 'aa')
      await hub.advance('23h')
      await addPart(transfer, 'bb')
      await hub.advance('2h')
      expect(await uploads(transfer)).toHaveLength(2)
      const blobs = await blobsOf(transfer)
      await hub.advance('23h')
      expect([await uploads(transfer), await fileOf(transfer), await stillThere(blobs)]).toEqual([
        [],
        undefined,
        [],
      ])

      const again = await begin()
      await addPart(again, 'aa')
      const before = await blobsOf(again)
      await create(again, { 'upload-length': '3' }, 'new')
      expect([await textOf(again), await stillThere(before)]).toEqual(['new', []])

      const form = await begin()
      await addPart(form, 'aa')
      const parts = await blobsOf(form)
      const body = new FormData()
      body.append('file', new Blob(['by form']), 'a.txt')
      expect((await fetch(form.fmsPostMultipartUrl, { method: 'POST', body })).status).toBe(201)
      expect([await textOf(form), await uploads(form), await stillThere(parts)]).toEqual([
        'by form',
        [],
        [],
      ])
    })

    it('counts a file once against MaxFilesPerJob, and its parts together against MaxBytesPerSite', async () => {
      const held = async () =>
        Number(
          (
            await hub.inner.db.read
              .selectFrom('site_bytes')
              .select((eb) => eb.fn.sum('bytes').as('bytes'))
              .executeTakeFirstOrThrow()
          ).bytes,
        )
      const start = await held()
      await hub.inner.db.transact((tx) =>
        tx
          .updateTable('clients')
          .set({ quotas: JSON.stringify({ MaxBytesPerSite: start + 10 }) })
          .where('client_id', '=', as)
          .execute(),
      )
      try {
        const transfer = await begin()
        const a = await addPart(transfer, 'sixsix')
        const over = await tus(transfer, 'POST', transfer.fmsUploadUrl, {
          ...partial,
          'upload-length': '5',
        })
        expect([over.status, over.code]).toEqual([409, 'QUOTA_EXCEEDED'])
        const later = await create(transfer, { ...partial, 'upload-defer-length': '1' })
        expect((await patch(transfer, later, 0, '12345')).code).toBe('QUOTA_EXCEEDED')
        expect((await patch(transfer, later, 0, '1234', { 'upload-length': '4' })).status).toBe(204)
        expect((await join(transfer, [a, later])).status).toBe(201)
        expect(await held()).toBe(start + 10)
        const single = await begin()
        expect(
          (await tus(single, 'POST', single.fmsUploadUrl, { 'upload-defer-length': '1' })).code,
        ).toBe('QUOTA_EXCEEDED')
      } finally {
        await hub.inner.db.transact((tx) =>
          tx.updateTable('clients').set({ quotas: null }).where('client_id', '=', as).execute(),
        )
      }
    })
  })
})
