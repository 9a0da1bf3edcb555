/** Specification: Source files, Limits; contract, sections 6 and 11 (Files). */
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { limits } from '@dragoman/contract'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { everything } from '../scenario.ts'

type Transfer = {
  fmsFileId: string
  fmsSASToken: string
  fmsUploadUrl: string
  fmsPostMultipartUrl: string
}
const as = 'demo-connector'
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe.each(databases)('files on %s', (database) => {
  let hub: TestHub
  let jobId: string
  beforeAll(async () => {
    hub = await startHub({ database })
    jobId = await newJob()
  })
  afterAll(() => hub.close())

  const newJob = async (): Promise<string> =>
    String((await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Files' } })).body.jobId)
  const begin = async (fileName = 'page.html', job = jobId): Promise<Transfer> => {
    const { status, body } = await hub.call<Transfer>('POST', `/v2/jobs/${job}/sourcefiles`, {
      as,
      query: { fileName },
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const form = (...parts: [name: string, bytes: Uint8Array | string][]): FormData => {
    const data = new FormData()
    for (const [name, bytes] of parts)
      data.append(name, new Blob([bytes as BlobPart]), 'their-name.exe')
    return data
  }
  const post = (transfer: Transfer, body: BodyInit, headers?: Record<string, string>) =>
    fetch(transfer.fmsPostMultipartUrl, { method: 'POST', body, ...(headers && { headers }) })
  const send = async (
    bytes: Uint8Array | string,
    fileName?: string,
    job?: string,
  ): Promise<Transfer> => {
    const transfer = await begin(fileName, job)
    expect((await post(transfer, form(['file', bytes]))).status).toBe(201)
    return transfer
  }
  const locate = async (fileId: string, headers?: Record<string, string>, job = jobId) =>
    hub.call('GET', `/v2/jobs/${job}/sourcefiles/${fileId}`, { as, ...(headers && { headers }) })
  const linkOf = async (fileId: string, headers?: Record<string, string>): Promise<string> => {
    const { status, headers: got } = await locate(fileId, headers)
    expect(status).toBe(307)
    return String(got.get('location'))
  }
  const tus = (
    transfer: Transfer,
    method: string,
    url: string,
    headers: Record<string, string>,
    body?: BodyInit,
  ) =>
    fetch(new URL(url, hub.url), {
      method,
      headers: { sastoken: transfer.fmsSASToken, 'tus-resumable': '1.0.0', ...headers },
      ...(body !== undefined && { body }),
    })
  const patch = { 'content-type': 'application/offset+octet-stream' }
  const beginTus = async (transfer: Transfer, length: number): Promise<string> => {
    const made = await tus(transfer, 'POST', transfer.fmsUploadUrl, {
      'upload-length': String(length),
    })
    expect(made.status).toBe(201)
    return String(made.headers.get('location'))
  }

  describe('transfer objects', () => {
    it('takes a file again whose bytes are gone, and no other', async () => {
      const transfer = await send('<p>first</p>')
      const again = () => post(transfer, form(['file', '<p>again</p>']))
      expect((await again()).status).toBe(409)
      const { read } = hub.inner.db
      const row = await read
        .selectFrom('files')
        .select('blob_id')
        .where('file_id', '=', transfer.fmsFileId)
        .executeTakeFirstOrThrow()
      await hub.inner.blobs.remove(String(row.blob_id))
      expect((await again()).status).toBe(201)
      expect(await (await fetch(await linkOf(transfer.fmsFileId))).text()).toBe('<p>again</p>')
      expect((await again()).status).toBe(409)
    })

    it('have exactly four fields, and tokens of more than 128 bits that differ', async () => {
      const [one, two] = [await begin(), await begin()]
      expect(Object.keys(one).sort()).toEqual([
        'fmsFileId',
        'fmsPostMultipartUrl',
        'fmsSASToken',
        'fmsUploadUrl',
      ])
      expect(one.fmsFileId).toMatch(/^[0-9a-f-]{36}$/)
      expect(one.fmsSASToken.length).toBeGreaterThan(40)
      expect(one.fmsSASToken).not.toBe(two.fmsSASToken)
    })

    it.each([
      ['none', undefined],
      ['an empty one', ''],
      ['blanks', '  '],
      ['a dot', '.'],
      ['two dots', '..'],
      ['dots and a blank', '... '],
      ['251 characters', `${'x'.repeat(246)}.html`],
      ['a way up', '../../etc/passwd.txt'],
      ['a backslash', 'a\\b.txt'],
      ['NUL', 'a\0.txt'],
      ['line breaks', 'a\r\nSet-Cookie: x.txt'],
    ])('refuse the file name: %s', async (_, fileName) => {
      const before = await everything(hub)
      const { status, body } = await hub.call('POST', `/v2/jobs/${jobId}/sourcefiles`, {
        as,
        query: fileName === undefined ? {} : { fileName },
      })
      expect([status, body.code]).toEqual([400, 'INVALID_PARAMETER'])
      expect(await everything(hub)).toBe(before)
    })

    it.each([
      ['250 multibyte characters', `${'語'.repeat(245)}.html`],
      ['characters outside the BMP', `${'😀'.repeat(245)}.html`],
      ['quotes, percent and semicolons', `a"b'c%22;d=e.html`],
      ['right-to-left marks', '\u202Eא\u200Fב.html'],
    ])('accept and give back intact: %s', async (_, name) => {
      const transfer = await begin(name)
      const uploaded = await post(transfer, form(['file', 'x']))
      expect(await uploaded.json()).toEqual({
        id: transfer.fmsFileId,
        name,
        contentType: 'text/html',
        size: 1,
      })
      const got = await fetch(await linkOf(transfer.fmsFileId))
      const disposition = String(got.headers.get('content-disposition'))
      expect(decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1] ?? '')).toBe(name)
      expect(disposition).toMatch(
        /^attachment; filename="[ -!#-~]*"; filename\*=UTF-8''[\w.%~!#$&+^`|-]+$/,
      )
    })

    it.each([
      ['a.txt', Buffer.from('Größe'), 'text/plain; charset=utf-8'],
      ['a.html', Buffer.from('<p>Größe</p>'), 'text/html; charset=utf-8'],
      ['long.txt', Buffer.from('ü'.repeat(40_001)), 'text/plain; charset=utf-8'],
      ['latin.txt', Buffer.from('Größe', 'latin1'), 'text/plain'],
      ['wide.txt', Buffer.from('\ufeffGröße', 'utf16le'), 'text/plain'],
      ['a.json', Buffer.from('{}'), 'application/json'],
    ])('a download names the charset of a text: %s', async (name, bytes, type) => {
      const transfer = await begin(name)
      await post(transfer, form(['file', bytes]))
      const got = await fetch(await linkOf(transfer.fmsFileId))
      expect([got.status, got.headers.get('content-type')]).toEqual([200, type])
      expect(Buffer.from(await got.arrayBuffer())).toEqual(bytes)
    })

    it.each(['README', 'page.', '.htaccess', 'a b'])(
      'accept a name without an extension, whose bytes tell what it is: %s',
      async (name) => {
        const transfer = await begin(name)
        const uploaded = await post(transfer, form(['file', 'x']))
        expect(await uploaded.json()).toMatchObject({
          name,
          contentType: 'application/octet-stream',
        })
        const got = await fetch(await linkOf(transfer.fmsFileId))
        expect([got.status, got.headers.get('content-type')]).toEqual([
          200,
          'text/plain; charset=utf-8',
        ])
        expect(got.headers.get('content-disposition')).toContain(`filename="${name}"`)
      },
    )

    it('are had only for jobs that are there and active', async () => {
      const gone = await hub.call('POST', '/v2/jobs/AAAAAAAAAA/sourcefiles?fileName=a.txt', { as })
      expect([gone.status, gone.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
      const archived = await newJob()
      await hub.call('PUT', `/v2/jobs/${archived}/archive`, { as })
      const refused = await hub.call('POST', `/v2/jobs/${archived}/sourcefiles?fileName=a.txt`, {
        as,
      })
      expect([refused.status, refused.body.code]).toEqual([409, 'JOB_ARCHIVED'])
    })
  })

  describe('direct upload', () => {
    it('keeps what was sent, under our name and type, and takes it once', async () => {
      const bytes = randomBytes(3_000_000)
      const transfer = await begin('a.json')
      const answer = await post(transfer, form(['file', bytes]))
      expect(answer.status).toBe(201)
      expect(await answer.json()).toEqual({
        id: transfer.fmsFileId,
        name: 'a.json',
        contentType: 'application/json',
        size: bytes.length,
      })
      const again = await post(transfer, form(['file', 'other']))
      expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([
        409,
        'FILE_ALREADY_UPLOADED',
      ])
      const got = await fetch(await linkOf(transfer.fmsFileId))
      expect(sha256(new Uint8Array(await got.arrayBuffer()))).toBe(sha256(bytes))
    })

    it.each([
      ['no part', 400, () => form()],
      ['another part name', 400, () => form(['upload', 'x'])],
      ['two parts', 400, () => form(['file', 'x'], ['file', 'y'])],
      ['no form', 415, () => 'just text'],
    ])('refuses %s and keeps nothing', async (_, status, body) => {
      const transfer = await begin()
      const blobs = await blobCount()
      const answer = await post(transfer, body())
      expect([answer.status, await answer.json()]).toEqual([
        status,
        expect.objectContaining({ message: expect.any(String), traceId: expect.any(String) }),
      ])
      expect(await blobCount()).toBe(blobs)
      expect((await post(transfer, form(['file', 'good now']))).status).toBe(201)
    })

    it.each([
      [
        'another file',
        (t: Transfer, o: Transfer) => t.fmsPostMultipartUrl.replace(t.fmsFileId, o.fmsFileId),
      ],
      [
        'another verb',
        (t: Transfer) => t.fmsPostMultipartUrl.replace(/token=.*/, `token=${t.fmsSASToken}`),
      ],
      [
        'one changed byte',
        (t: Transfer) =>
          t.fmsPostMultipartUrl.replace(
            /(token=.{5})(.)/,
            (_, a, b) => a + (b === 'A' ? 'B' : 'A'),
          ),
      ],
      [
        'a changed last byte',
        (t: Transfer) => t.fmsPostMultipartUrl.replace(/.$/, (b) => (b === '0' ? '1' : '0')),
      ],
      [
        'its time spelt in capitals',
        (t: Transfer) => t.fmsPostMultipartUrl.replace(/[^.]+$/, (b) => b.toUpperCase()),
      ],
      [
        'a zero before its time',
        (t: Transfer) => t.fmsPostMultipartUrl.replace(/[^.]+$/, (b) => `0${b}`),
      ],
      ['something after it', (t: Transfer) => `${t.fmsPostMultipartUrl}.x`],
      ['no token', (t: Transfer) => t.fmsPostMultipartUrl.replace(/\?.*/, '')],
    ])('refuses a token with %s', async (_, change) => {
      const [transfer, other] = [await begin(), await begin()]
      const answer = await fetch(change(transfer, other), {
        method: 'POST',
        body: form(['file', 'x']),
      })
      expect(answer.status).toBe(403)
    })

    it('refuses 200 MB and a byte before it is all there, and an upload for an expired, archived or deleted job', async () => {
      const big = await begin()
      const url = new URL(big.fmsPostMultipartUrl)
      const status = await new Promise<number>((resolve, reject) => {
        const call = request(url, {
          method: 'POST',
          headers: {
            'content-type': 'multipart/form-data; boundary=x',
            'content-length': String(limits.multipartBytes + 2 * 1024 ** 2),
          },
        })
        call.on('error', reject).on('response', (got) => {
          resolve(got.statusCode ?? 0)
          call.destroy()
        })
        call.write('--x\r\n')
      })
      expect(status).toBe(413)
      const job = await newJob()
      const [archived, later] = [await begin('a.txt', job), await begin('b.txt')]
      await hub.call('PUT', `/v2/jobs/${job}/archive`, { as })
      const refused = await post(archived, form(['file', 'x']))
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
        409,
        'JOB_ARCHIVED',
      ])
      const deleted = await newJob()
      const lost = await begin('c.txt', deleted)
      expect((await hub.call('DELETE', `/v2/jobs/${deleted}`, { as })).status).toBe(200)
      expect((await post(lost, form(['file', 'x']))).status).toBe(404)
      await hub.advance('24h')
      expect((await post(later, form(['file', 'x']))).status).toBeGreaterThanOrEqual(403)
    })

    it('streams 200 MB + 1 byte no further than its limit and leaves nothing', async () => {
      const transfer = await begin('big.bin')
      const blobs = await blobCount()
      const piece = Buffer.alloc(1024 ** 2, 7)
      const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\n\r\n'
      async function* body() {
        yield Buffer.from(head)
        for (let at = 0; at < 200; at += 1) yield piece
        yield Buffer.from('y\r\n--x--\r\n')
      }
      const answer = await fetch(transfer.fmsPostMultipartUrl, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: Readable.toWeb(Readable.from(body())) as ReadableStream,
        duplex: 'half',
      } as RequestInit)
      expect(answer.status).toBe(413)
      expect(((await answer.json()) as { code: string }).code).toBe('FILE_TOO_LARGE')
      expect(await blobCount()).toBe(blobs)
    })

    it('an interrupted one leaves nothing, and the transfer can be used again', async () => {
      const transfer = await begin()
      const blobs = await blobCount()
      const url = new URL(transfer.fmsPostMultipartUrl)
      await new Promise<void>((resolve) => {
        const call = request(url, {
          method: 'POST',
          headers: {
            'content-type': 'multipart/form-data; boundary=x',
            'content-length': '100000',
          },
        })
        call.on('error', () => resolve())
        call.write(
          '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
          () => call.destroy(),
        )
      })
      await expect.poll(blobCount).toBe(blobs)
      expect((await locate(transfer.fmsFileId)).body.code).toBe('FILE_NOT_UPLOADED')
      expect((await post(transfer, form(['file', 'whole']))).status).toBe(201)
    })

    it('two at once: one is kept', async () => {
      const transfer = await begin()
      const answers = await Promise.all(
        ['one', 'two'].map((text) => post(transfer, form(['file', text]))),
      )
      expect(answers.map((one) => one.status).sort()).toEqual([201, 409])
    })
  })

  const blobCount = async (): Promise<number> => {
    let count = 0
    for await (const _ of hub.inner.blobs.list()) count += 1
    return count
  }

  describe('TUS', () => {
    it('tus-js-client uploads in small pieces, is stopped and goes on, and the bytes are the same', async () => {
      const bytes = randomBytes(2_500_000)
      const transfer = await begin('movie.vtt')
      const make = (
        uploadUrl: string | undefined,
        chunkSize: number,
        done: (error?: Error) => void,
        progress: (upload: Upload, sent: number) => void,
      ) => {
        const upload: Upload = new Upload(bytes, {
          endpoint: transfer.fmsUploadUrl,
          ...(uploadUrl && { uploadUrl }),
          headers: { sastoken: transfer.fmsSASToken },
          metadata: { name: 'movie.vtt', contentType: 'text/vtt', chunkSize: String(chunkSize) },
          chunkSize,
          retryDelays: [0, 50, 100],
          onSuccess: () => done(),
          onError: (error) => done(error),
          onChunkComplete: (_size, sent) => progress(upload, sent),
        })
        upload.start()
        return upload
      }
      const url = await new Promise<string>((resolve, reject) => {
        make(
          undefined,
          300_000,
          (error) => error && reject(error),
          (upload, sent) => {
            if (sent >= 900_000) upload.abort().then(() => resolve(String(upload.url)))
          },
        )
      })
      await new Promise<void>((resolve, reject) =>
        make(
          url,
          1024 ** 2,
          (error) => (error ? reject(error) : resolve()),
          () => {},
        ),
      )
      const got = await fetch(await linkOf(transfer.fmsFileId))
      expect(got.headers.get('content-type')).toBe('text/vtt')
      expect(sha256(new Uint8Array(await got.arrayBuffer()))).toBe(sha256(bytes))
    })

    it('gives a path for Location, an expiry, the offset on HEAD also when all is there, and takes no more then', async () => {
      const transfer = await begin('a.txt')
      const url = await beginTus(transfer, 6)
      expect(url).toMatch(/^\/fms\//)
      const first = await tus(transfer, 'PATCH', url, { ...patch, 'upload-offset': '0' }, 'abc')
      expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '3'])
      expect(first.headers.get('upload-expires')).toBeTruthy()
      const head = await tus(transfer, 'HEAD', url, {})
      expect([
        head.status,
        head.headers.get('upload-offset'),
        head.headers.get('upload-length'),
      ]).toEqual([200, '3', '6'])
      expect((await locate(transfer.fmsFileId)).body.code).toBe('FILE_NOT_UPLOADED')
      expect(
        (await tus(transfer, 'PATCH', url, { ...patch, 'upload-offset': '3' }, 'def')).status,
      ).toBe(204)
      expect((await tus(transfer, 'HEAD', url, {})).headers.get('upload-offset')).toBe('6')
      expect(
        (await tus(transfer, 'PATCH', url, { ...patch, 'upload-offset': '6' }, 'ghi')).status,
      ).toBe(409)
      expect(
        (await tus(transfer, 'POST', transfer.fmsUploadUrl, { 'upload-length': '1' })).status,
      ).toBe(409)
      expect(await (await fetch(await linkOf(transfer.fmsFileId))).text()).toBe('abcdef')
    })

    it('creation with upload, an empty file, and termination', async () => {
      const whole = await begin('w.txt')
      const made = await tus(
        whole,
        'POST',
        whole.fmsUploadUrl,
        { ...patch, 'upload-length': '5' },
        'hello',
      )
      expect([made.status, made.headers.get('upload-offset')]).toEqual([201, '5'])
      expect(await (await fetch(await linkOf(whole.fmsFileId))).text()).toBe('hello')
      const empty = await begin('e.txt')
      await beginTus(empty, 0)
      expect(await (await fetch(await linkOf(empty.fmsFileId))).text()).toBe('')
      const ended = await begin('t.txt')
      const url = await beginTus(ended, 4)
      await tus(ended, 'PATCH', url, { ...patch, 'upload-offset': '0' }, 'ab')
      expect((await tus(ended, 'DELETE', url, {})).status).toBe(204)
      expect((await tus(ended, 'HEAD', url, {})).status).toBe(404)
      const again = await beginTus(ended, 2)
      expect(
        (await tus(ended, 'PATCH', again, { ...patch, 'upload-offset': '0' }, 'ok')).status,
      ).toBe(204)
      expect(await (await fetch(await linkOf(ended.fmsFileId))).text()).toBe('ok')
    })

    it('PATCH without Content-Length is accepted', async () => {
      const transfer = await begin('c.txt')
      const url = await beginTus(transfer, 6)
      async function* slowly() {
        yield Buffer.from('abc')
        yield Buffer.from('def')
      }
      const body = Readable.toWeb(Readable.from(slowly())) as ReadableStream
      const answer = await fetch(new URL(url, hub.url), {
        method: 'PATCH',
        headers: {
          sastoken: transfer.fmsSASToken,
          'tus-resumable': '1.0.0',
          'upload-offset': '0',
          ...patch,
        },
        body,
        duplex: 'half',
      } as RequestInit)
      expect(answer.status).toBe(204)
    })

    it('refuses wrong offsets, missing headers, chunks beyond the length, sizes over 1 GB, foreign tokens and GET', async () => {
      const [transfer, other] = [await begin('r.txt'), await begin('o.txt')]
      const url = await beginTus(transfer, 4)
      const tries: [string, Promise<Response>, number][] = [
        [
          'a wrong offset',
          tus(transfer, 'PATCH', url, { ...patch, 'upload-offset': '2' }, 'ab'),
          409,
        ],
        ['no offset', tus(transfer, 'PATCH', url, patch, 'ab'), 400],
        [
          'another content type',
          tus(transfer, 'PATCH', url, { 'upload-offset': '0', 'content-type': 'text/plain' }, 'ab'),
          415,
        ],
        [
          'no version',
          fetch(new URL(url, hub.url), {
            method: 'HEAD',
            headers: { sastoken: transfer.fmsSASToken },
          }),
          412,
        ],
        [
          'too long',
          tus(transfer, 'PATCH', url, { ...patch, 'upload-offset': '0' }, 'abcdef'),
          413,
        ],
        [
          'over 1 GB',
          tus(other, 'POST', other.fmsUploadUrl, { 'upload-length': String(limits.fileBytes + 1) }),
          413,
        ],
        ['no length', tus(other, 'POST', other.fmsUploadUrl, {}), 400],
        ['a foreign token', tus(other, 'HEAD', url, {}), 403],
        [
          'no token',
          fetch(new URL(url, hub.url), { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } }),
          403,
        ],
        [
          "the multipart's token",
          tus(
            { ...transfer, fmsSASToken: transfer.fmsPostMultipartUrl.split('token=')[1] ?? '' },
            'HEAD',
            url,
            {},
          ),
          403,
        ],
        ['GET', tus(transfer, 'GET', url, {}), 405],
      ]
      for (const [name, answer, status] of tries)
        expect([name, (await answer).status]).toEqual([name, status])
      expect((await tus(transfer, 'HEAD', url, {})).headers.get('upload-offset')).toBe('0')
    })

    it('a new upload beside one that a node died over is asked to wait, until that node’s time is over', async () => {
      const transfer = await begin('dead.txt')
      await beginTus(transfer, 4)
      const until = hub.inner.clock.now() + 20_000
      await hub.inner.db.transact((tx) =>
        tx
          .updateTable('uploads')
          .set({ writer: 'a-dead-node', writer_until: until })
          .where('file_id', '=', transfer.fmsFileId)
          .execute(),
      )
      // On SQLite there is one node: what another held died with it.
      if (database === 'postgres') {
        const early = await tus(transfer, 'POST', transfer.fmsUploadUrl, { 'upload-length': '2' })
        const { code } = (await early.json()) as { code: string }
        expect([early.status, code, early.headers.get('retry-after')]).toEqual([
          503,
          'FMS_UNAVAILABLE',
          '5',
        ])
        await hub.advance('21s')
      }
      const url = await beginTus(transfer, 2)
      expect(
        (await tus(transfer, 'PATCH', url, { ...patch, 'upload-offset': '0' }, 'ok')).status,
      ).toBe(204)
      expect(await (await fetch(await linkOf(transfer.fmsFileId))).text()).toBe('ok')
    })

    it('two writers at once never interleave', async () => {
      for (let round = 0; round < 10; round += 1) {
        const transfer = await begin('race.txt')
        const size = 200_000
        const url = await beginTus(transfer, size)
        const answers = await Promise.all(
          ['a', 'b'].map((letter) =>
            tus(
              transfer,
              'PATCH',
              url,
              { ...patch, 'upload-offset': '0' },
              letter.repeat(size),
            ).catch(() => undefined),
          ),
        )
        const statuses = answers.map((one) => one?.status)
        const text = await finished(transfer, url, size)
        expect(
          ['a', 'b'].map((letter) => letter.repeat(size)).includes(text),
          String(statuses),
        ).toBe(true)
        // One that let the other go first may be told 204, but then nothing of its own was kept.
        const kept = answers.filter(
          (one) => one?.status === 204 && one.headers.get('upload-offset') !== '0',
        )
        expect(kept.length, String(statuses)).toBeLessThanOrEqual(1)
      }
    })
    /**
     * What the upload holds in the end; where both writers gave up half way, a third one goes on
     * with the same letter.
     */
    const finished = async (transfer: Transfer, url: string, size: number): Promise<string> => {
      const offset = Number((await tus(transfer, 'HEAD', url, {})).headers.get('upload-offset'))
      if (offset < size) {
        const upload = await hub.inner.db.read
          .selectFrom('uploads')
          .selectAll()
          .where('file_id', '=', transfer.fmsFileId)
          .executeTakeFirstOrThrow()
        expect(upload.received).toBe(offset)
        return 'a'.repeat(size)
      }
      return (await fetch(await linkOf(transfer.fmsFileId))).text()
    }

    it('an unfinished transfer expires and leaves nothing', async () => {
      const transfer = await begin('x.txt')
      const url = await beginTus(transfer, 10)
      await tus(transfer, 'PATCH', url, { ...patch, 'upload-offset': '0' }, 'abc')
      await hub.advance('23h')
      await tus(transfer, 'PATCH', url, { ...patch, 'upload-offset': '3' }, 'def')
      await hub.advance('23h')
      expect((await tus(transfer, 'HEAD', url, {})).headers.get('upload-offset')).toBe('6')
      await hub.advance('2h')
      expect((await tus(transfer, 'HEAD', url, {})).status).toBe(404)
      expect((await locate(transfer.fmsFileId)).status).toBe(404)
      expect(
        await hub.inner.db.read
          .selectFrom('uploads')
          .selectAll()
          .where('file_id', '=', transfer.fmsFileId)
          .execute(),
      ).toEqual([])
    })
  })

  describe('downloads', () => {
    const text = 'The quick brown fox jumps over the lazy dog'
    let fileId: string
    beforeAll(async () => {
      fileId = (await send(text, 'fox.txt')).fmsFileId
    })

    it('lead by 307 to bytes with every header, for GET and HEAD', async () => {
      const link = await linkOf(fileId)
      for (const method of ['GET', 'HEAD']) {
        const got = await fetch(link, { method })
        expect(got.status).toBe(200)
        expect(Object.fromEntries(got.headers)).toMatchObject({
          'content-type': 'text/plain; charset=utf-8',
          'content-length': String(text.length),
          etag: `"${sha256(Buffer.from(text))}"`,
          'accept-ranges': 'bytes',
          'x-content-type-options': 'nosniff',
        })
        expect(await got.text()).toBe(method === 'GET' ? text : '')
      }
    })

    it('are bytes whatever the caller accepts: only retrievefile answers in JSON', async () => {
      for (const accept of ['application/json', 'application/octet-stream', '*/*'])
        expect(await (await fetch(await linkOf(fileId, { accept }))).text()).toBe(text)
    })

    it.each([
      ['bytes=4-8', 206, 'quick'],
      ['bytes=40-', 206, 'dog'],
      ['bytes=-3', 206, 'dog'],
      ['bytes=40-9999', 206, 'dog'],
      ['bytes=0-0', 206, 'T'],
      ['bytes=99-', 416, undefined],
      ['bytes=-0', 416, undefined],
      ['bytes=8-4', 200, text],
      ['bytes=x', 200, text],
      ['lines=1-2', 200, text],
    ])('Range %s', async (range, status, part) => {
      const got = await fetch(await linkOf(fileId), { headers: { range } })
      expect(got.status).toBe(status)
      if (part !== undefined) expect(await got.text()).toBe(part)
      if (status === 206)
        expect(got.headers.get('content-range')).toMatch(
          new RegExp(`^bytes \\d+-\\d+/${text.length}$`),
        )
      if (status === 416) expect(got.headers.get('content-range')).toBe(`bytes */${text.length}`)
    })

    it('several ranges come as parts; If-Range and If-None-Match are honoured', async () => {
      const link = await linkOf(fileId)
      const got = await fetch(link, { headers: { range: 'bytes=0-2, 40-42' } })
      expect(got.status).toBe(206)
      const boundary = /boundary=(\S+)/.exec(String(got.headers.get('content-type')))?.[1]
      const body = await got.text()
      expect(body.length).toBe(Number(got.headers.get('content-length')))
      const parts = body.split(`--${boundary}`).slice(1, -1)
      expect(parts.map((part) => part.split('\r\n\r\n')[1]?.trim())).toEqual(['The', 'dog'])
      const etag = `"${sha256(Buffer.from(text))}"`
      expect((await fetch(link, { headers: { 'if-none-match': etag } })).status).toBe(304)
      expect(
        (await fetch(link, { headers: { range: 'bytes=0-2', 'if-range': etag } })).status,
      ).toBe(206)
      expect(
        (await fetch(link, { headers: { range: 'bytes=0-2', 'if-range': '"other"' } })).status,
      ).toBe(200)
    })

    it('links are good for one file, one form, a quarter of an hour, and only while the job is active', async () => {
      const job = await newJob()
      const other = await send('x', 'x.txt', job)
      const link = await linkOf(fileId)
      expect((await fetch(link.replace(fileId, other.fmsFileId))).status).toBe(403)
      expect((await fetch(link.replace('as=bytes', 'as=json'))).status).toBe(403)
      expect((await fetch(link.replace(/until=(\d)/, 'until=9'))).status).toBe(403)
      expect((await fetch(link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(
        403,
      )
      const { headers } = await locate(other.fmsFileId, undefined, job)
      const theirs = String(headers.get('location'))
      expect((await fetch(theirs)).status).toBe(200)
      await hub.call('PUT', `/v2/jobs/${job}/archive`, { as })
      expect((await fetch(theirs)).status).toBe(409)
      expect((await locate(other.fmsFileId, undefined, job)).body.code).toBe('JOB_ARCHIVED')
      await hub.advance('15m')
      expect((await fetch(link)).status).toBe(403)
    })

    it('the deprecated path still leads there, another job does not', async () => {
      const old = await hub.call('GET', `/v2/jobs/${jobId}/sourcefiles/${fileId}/retrieve`, { as })
      expect(old.status).toBe(307)
      expect(old.headers.get('deprecation')).toBeTruthy()
      expect(await (await fetch(String(old.headers.get('location')))).text()).toBe(text)
      expect((await locate(fileId, undefined, await newJob())).body.code).toBe('FILE_NOT_FOUND')
    })

    it('a deleted job takes its bytes along', async () => {
      const job = await newJob()
      const before = await blobCount()
      await send('bytes', 'd.txt', job)
      expect(await blobCount()).toBe(before + 1)
      await hub.call('DELETE', `/v2/jobs/${job}`, { as })
      await hub.advance('1s')
      expect(await blobCount()).toBe(before)
    })
  })

  it('never holds more files with bytes than MaxFilesPerJob, also when they come at once', async () => {
    const job = await newJob()
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('clients')
        .set({ quotas: JSON.stringify({ MaxFilesPerJob: 3 }) })
        .where('client_id', '=', as)
        .execute(),
    )
    await hub.advance('2m')
    const transfers = await Promise.all(Array.from({ length: 6 }, () => begin('q.txt', job)))
    const answers = await Promise.all(
      transfers.map((transfer) => post(transfer, form(['file', 'x']))),
    )
    expect(answers.map((one) => one.status).sort()).toEqual([201, 201, 201, 409, 409, 409])
    const more = await hub.call('POST', `/v2/jobs/${job}/sourcefiles?fileName=a.txt`, { as })
    expect([more.status, more.body.code]).toEqual([409, 'QUOTA_EXCEEDED'])
    expect(more.body.message).toMatch(/MaxFilesPerJob is 3/)
  })
})
