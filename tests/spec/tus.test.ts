/**
 * TUS 1.0.0 as its page says it (contract, sections 6 and 11, Files): versions, overrides,
 * checksums, refusals.
 */
import { createHash, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { limits } from '@dragoman/contract'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { type RawAnswer, rawCall } from '../raw-call.ts'

type Transfer = { fmsFileId: string; fmsSASToken: string; fmsUploadUrl: string }
type Headers = Record<string, string>
const as = 'demo-connector'
const bytesType = { 'content-type': 'application/offset+octet-stream' }
const base64 = (text: string) => Buffer.from(text).toString('base64')
const checksum = (algorithm: string, text: string | Uint8Array) => ({
  'upload-checksum': `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`,
})

describe.each(databases)('TUS on %s', (database) => {
  let hub: TestHub
  let jobId: string
  beforeAll(async () => {
    hub = await startHub({ database })
    jobId = String(
      (await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'TUS' } })).body.jobId,
    )
  })
  afterAll(() => hub.close())

  const begin = async (fileName = 'a.txt'): Promise<Transfer> =>
    (await hub.call<Transfer>('POST', `/v2/jobs/${jobId}/sourcefiles`, { as, query: { fileName } }))
      .body
  const pathOf = (transfer: Transfer) => new URL(transfer.fmsUploadUrl).pathname
  /** The method, headers beside token and version (undefined takes one away), and a body. */
  const tus = async (
    transfer: Transfer,
    method: string,
    path: string,
    headers: Record<string, string | undefined> = {},
    body: Uint8Array | string = '',
    more: { chunked?: number } = {},
  ): Promise<RawAnswer> => {
    const all = { sastoken: transfer.fmsSASToken, 'tus-resumable': '1.0.0', ...headers }
    const given = Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined)
    const answer = await rawCall(hub.url, { method, path, headers: given, body, ...more })
    if (!answer) throw new Error('no answer')
    return answer
  }
  const create = async (
    transfer: Transfer,
    length: number,
    headers: Headers = {},
  ): Promise<string> => {
    const made = await tus(transfer, 'POST', pathOf(transfer), {
      'upload-length': String(length),
      ...headers,
    })
    expect([made.status, made.text]).toEqual([201, ''])
    return String(made.headers.get('location'))
  }
  const patch = (
    transfer: Transfer,
    url: string,
    offset: number,
    body: string,
    headers: Headers = {},
  ) =>
    tus(transfer, 'PATCH', url, { ...bytesType, 'upload-offset': String(offset), ...headers }, body)
  const offsetOf = async (transfer: Transfer, url: string) =>
    Number((await tus(transfer, 'HEAD', url)).headers.get('upload-offset'))
  const refused = ({ status, text }: RawAnswer) => [
    status,
    (JSON.parse(text) as { code: string }).code,
  ]
  const locate = ({ fmsFileId }: Transfer) =>
    hub.call('GET', `/v2/jobs/${jobId}/sourcefiles/${fmsFileId}`, { as })
  const download = async (transfer: Transfer, headers: Headers = {}) =>
    fetch(String((await locate(transfer)).headers.get('location')), { headers })
  const textOf = async (transfer: Transfer) => (await download(transfer)).text()
  const uploads = ({ fmsFileId }: Transfer) =>
    hub.inner.db.read.selectFrom('uploads').selectAll().where('file_id', '=', fmsFileId).execute()

  describe('OPTIONS', () => {
    it('tells version, extensions, the largest file and the algorithms, to everybody', async () => {
      const transfer = await begin()
      const none = { sastoken: undefined, 'tus-resumable': undefined }
      for (const [method, more] of [
        ['OPTIONS', {}],
        ['POST', { 'x-http-method-override': 'OPTIONS' }],
      ] as const) {
        const { status, headers } = await tus(transfer, method, pathOf(transfer), {
          ...none,
          ...more,
        })
        expect([status, Object.fromEntries(headers)]).toEqual([
          204,
          expect.objectContaining({
            'tus-resumable': '1.0.0',
            'tus-version': '1.0.0',
            'tus-extension':
              'creation,creation-with-upload,creation-defer-length,concatenation,termination,expiration,checksum',
            'tus-max-size': String(limits.fileBytes),
            'tus-checksum-algorithm': 'sha1,sha256',
          }),
        ])
      }
    })
  })

  describe('X-HTTP-Method-Override', () => {
    it('is the method of any call: PATCH, HEAD and DELETE by POST, POST by PUT', async () => {
      const transfer = await begin()
      const by = (
        method: string,
        override: string,
        path: string,
        headers: Headers = {},
        body = '',
      ) => tus(transfer, method, path, { 'x-http-method-override': override, ...headers }, body)
      const made = await by('PUT', 'POST', pathOf(transfer), { 'upload-length': '4' })
      const url = String(made.headers.get('location'))
      expect([made.status, url]).toEqual([201, expect.stringMatching(/^\/fms\/tus\/[\w-]{22}$/)])
      const half = await by('POST', 'PATCH', url, { ...bytesType, 'upload-offset': '0' }, 'ab')
      expect([half.status, half.headers.get('upload-offset')]).toEqual([204, '2'])
      const head = await by('POST', 'head', url)
      expect([
        head.status,
        head.headers.get('upload-offset'),
        head.headers.get('upload-length'),
      ]).toEqual([200, '2', '4'])
      expect((await by('POST', 'DELETE', url)).status).toBe(204)
      expect((await by('POST', 'HEAD', url)).status).toBe(404)
      expect((await by('PATCH', 'POST', pathOf(transfer), { 'upload-length': '4' })).status).toBe(
        201,
      )
    })

    it.each(['GET', 'TRACE', 'patch-', ''])('"%s" is no method here', async (override) => {
      const transfer = await begin()
      const answer = await tus(transfer, 'POST', pathOf(transfer), {
        'x-http-method-override': override,
      })
      expect(refused(answer)).toEqual([405, 'METHOD_NOT_ALLOWED'])
      expect(answer.headers.get('allow')).toBe('POST, HEAD, PATCH, DELETE, OPTIONS')
    })

    it('lets tus-js-client upload where no PATCH can be sent', async () => {
      const bytes = randomBytes(700_000)
      const transfer = await begin('movie.vtt')
      const methods = new Set<string>()
      await new Promise<void>((resolve, reject) => {
        new Upload(bytes, {
          endpoint: transfer.fmsUploadUrl,
          headers: { sastoken: transfer.fmsSASToken },
          chunkSize: 300_000,
          overridePatchMethod: true,
          retryDelays: null,
          onBeforeRequest: (request) => void methods.add(request.getMethod()),
          onSuccess: () => resolve(),
          onError: reject,
        }).start()
      })
      expect([...methods]).toEqual(['POST'])
      expect(Buffer.from(await (await download(transfer)).arrayBuffer()).equals(bytes)).toBe(true)
    })
  })

  describe('the version', () => {
    it.each([undefined, '0.2.2', '1.0.1', '2.0.0', ''])(
      '%s is refused with the one that is spoken',
      async (version) => {
        const transfer = await begin()
        const url = await create(transfer, 4)
        for (const [method, path, headers, body] of [
          ['POST', pathOf(transfer), { 'upload-length': '9' }, ''],
          ['HEAD', url, {}, ''],
          ['PATCH', url, { ...bytesType, 'upload-offset': '0' }, 'abcd'],
          ['DELETE', url, {}, ''],
        ] as const) {
          const answer = await tus(
            transfer,
            method,
            path,
            { ...headers, 'tus-resumable': version },
            body,
          )
          expect([method, answer.status, answer.headers.get('tus-version')]).toEqual([
            method,
            412,
            '1.0.0',
          ])
          if (method !== 'HEAD') expect(refused(answer)).toEqual([412, 'TUS_VERSION_UNSUPPORTED'])
        }
        expect(await offsetOf(transfer, url)).toBe(0)
      },
    )
  })

  describe('refusals', () => {
    it.each([
      undefined,
      'text/plain',
      'application/octet-stream',
      'application/offset+octet-streams',
    ])('a PATCH of type %s: 415', async (type) => {
      const transfer = await begin()
      const url = await create(transfer, 4)
      const answer = await tus(
        transfer,
        'PATCH',
        url,
        { 'upload-offset': '0', 'content-type': type },
        'ab',
      )
      expect(refused(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
      expect(await offsetOf(transfer, url)).toBe(0)
    })

    it('more than one file may have, or more than the upload was to have: 413 that names the limit', async () => {
      const transfer = await begin()
      const large = await tus(transfer, 'POST', pathOf(transfer), {
        'upload-length': String(limits.fileBytes + 1),
      })
      expect([...refused(large), large.text]).toEqual([
        413,
        'FILE_TOO_LARGE',
        expect.stringContaining('1073741824'),
      ])
      const url = await create(transfer, 4)
      for (const more of [{}, { chunked: 2 }]) {
        const headers = { ...bytesType, 'upload-offset': '0' }
        const answer = await tus(transfer, 'PATCH', url, headers, 'abcdef', more)
        expect([...refused(answer), answer.text]).toEqual([
          413,
          'FILE_TOO_LARGE',
          expect.stringMatching(/\b4 bytes/),
        ])
        expect(await offsetOf(transfer, url)).toBe(0)
      }
      const created = { ...bytesType, 'upload-length': '4' }
      for (const more of [{}, { chunked: 2 }]) {
        const answer = await tus(transfer, 'POST', pathOf(transfer), created, 'abcdef', more)
        expect(refused(answer)).toEqual([413, 'FILE_TOO_LARGE'])
      }
    })

    it.each<[string, string, Headers]>([
      [
        'checksum-trailer, creation',
        'POST',
        { ...bytesType, 'upload-length': '4', trailer: 'Upload-Checksum' },
      ],
      [
        'checksum-trailer',
        'PATCH',
        { ...bytesType, 'upload-offset': '0', trailer: 'Upload-Checksum' },
      ],
    ])('an extension that is not offered (%s): 501', async (_, method, headers) => {
      const transfer = await begin()
      const url = method === 'POST' ? pathOf(transfer) : await create(transfer, 4)
      const answer = await tus(transfer, method, url, headers, method === 'POST' ? '' : 'abcd')
      expect(refused(answer)).toEqual([501, 'NOT_IMPLEMENTED'])
      if (method === 'PATCH') expect(await offsetOf(transfer, url)).toBe(0)
      else expect(await uploads(transfer)).toEqual([])
    })

    it.each<[string, Headers]>([
      ['no length', {}],
      ['a length with a sign', { 'upload-length': '+4' }],
      ['a negative length', { 'upload-length': '-1' }],
      ['half a byte', { 'upload-length': '1.5' }],
      ['a length in hex', { 'upload-length': '0x10' }],
      ['a length of thirty digits', { 'upload-length': '9'.repeat(30) }],
      ['two lengths', { 'upload-length': '4, 4' }],
      ['metadata without base64', { 'upload-length': '4', 'upload-metadata': 'name a*b' }],
      ['metadata with three words', { 'upload-length': '4', 'upload-metadata': 'name YQ== YQ==' }],
      [
        'metadata with a key twice',
        { 'upload-length': '4', 'upload-metadata': 'name YQ==,name YQ==' },
      ],
      ['metadata with an empty pair', { 'upload-length': '4', 'upload-metadata': 'name YQ==,,b' }],
      [
        'metadata with a key of another alphabet',
        { 'upload-length': '4', 'upload-metadata': 'n\xe4me YQ==' },
      ],
    ])('a creation with %s: 400, and no upload', async (_, headers) => {
      const transfer = await begin()
      const answer = await tus(transfer, 'POST', pathOf(transfer), headers)
      const [status, code] = refused(answer)
      expect([[status, code], await uploads(transfer)]).toEqual([
        [status === 413 ? 413 : 400, code],
        [],
      ])
      expect(['INVALID_REQUEST', 'FILE_TOO_LARGE']).toContain(code)
    })

    it.each(['', '-1', '0x0', '0, 0', '1e0', '9'.repeat(30)])(
      'an offset of "%s": 400',
      async (offset) => {
        const transfer = await begin()
        const url = await create(transfer, 4)
        const answer = await tus(
          transfer,
          'PATCH',
          url,
          { ...bytesType, 'upload-offset': offset },
          'abcd',
        )
        expect(refused(answer)).toEqual([400, 'INVALID_REQUEST'])
        expect(await offsetOf(transfer, url)).toBe(0)
      },
    )

    it('an offset that is not where the upload is: 409 that says where', async () => {
      const transfer = await begin()
      const url = await create(transfer, 4)
      await patch(transfer, url, 0, 'ab')
      const answer = await patch(transfer, url, 0, 'ab')
      expect([...refused(answer), answer.text]).toEqual([
        409,
        'UPLOAD_OFFSET_CONFLICT',
        expect.stringContaining('2'),
      ])
    })

    it.each([
      '%00',
      '%00%00',
      'a%00b',
      '%FF',
      '%',
      '..',
      '%2e%2e%2f',
      '\xff',
      'x'.repeat(990),
      '%F0%9F%98%80',
      "'",
    ])('an upload called %j, without a token: never a 5xx', async (name) => {
      for (const method of ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS', 'GET']) {
        const headers: [string, string][] = [
          ['tus-resumable', '1.0.0'],
          ...Object.entries(bytesType),
        ]
        const answer = await rawCall(hub.url, { method, path: `/fms/tus/${name}`, headers })
        expect([
          method,
          answer?.status === 204 && method === 'OPTIONS' ? 404 : answer?.status,
        ]).toEqual([method, expect.toSatisfy((status: number) => status >= 400 && status < 500)])
      }
    })
  })

  describe('creation', () => {
    it('with upload of an empty file makes an empty file', async () => {
      const transfer = await begin('empty.txt')
      const headers = { ...bytesType, 'upload-length': '0' }
      const made = await tus(transfer, 'POST', pathOf(transfer), headers)
      expect([made.status, made.headers.get('upload-offset')]).toEqual([201, '0'])
      expect(await textOf(transfer)).toBe('')
      const other = await begin('empty.txt')
      expect((await tus(other, 'POST', pathOf(other), headers, 'x', { chunked: 1 })).status).toBe(
        413,
      )
      expect(await uploads(other)).toEqual([])
      expect((await locate(other)).body.code).toBe('FILE_NOT_UPLOADED')
    })

    it('keeps its metadata as it was sent, any bytes in it', async () => {
      const transfer = await begin()
      const metadata = `name ${base64('ä.txt')},raw /wA=,is_confidential,constructor YQ==`
      const url = await create(transfer, 4, { 'upload-metadata': metadata })
      expect((await tus(transfer, 'HEAD', url)).headers.get('upload-metadata')).toBe(metadata)
      for (const none of [{}, { 'upload-metadata': '' }] as Headers[]) {
        const bare = await begin()
        expect(
          (await tus(bare, 'HEAD', await create(bare, 4, none))).headers.has('upload-metadata'),
        ).toBe(false)
      }
    })

    it.each([
      ['with a line end', 'text/html;\r\n x=y'],
      ['with a header in it', 'text/plain\r\nset-cookie: a=b'],
      ['with a line end and a parameter', 'text/plain ;\r\n\r\n<script>alert(1)</script>;a=b'],
      ['with a bare line feed', 'text/plain;\n a=b'],
      ['with a NUL', 'text/plain;\0a=b'],
      ['with another blank', 'text/plain;\u00a0a=b'],
      ['with another alphabet', 'text/plain;\u2028a=\u4e2d'],
    ])('with a content type %s downloads as what its name says', async (_, type) => {
      const transfer = await begin('page.txt')
      const url = await create(transfer, 10, { 'upload-metadata': `contentType ${base64(type)}` })
      expect((await patch(transfer, url, 0, '0123456789')).status).toBe(204)
      const whole = await download(transfer)
      expect([whole.status, whole.headers.get('content-type'), await whole.text()]).toEqual([
        200,
        'text/plain; charset=utf-8',
        '0123456789',
      ])
      const ranges = await download(transfer, { range: 'bytes=0-1,4-5' })
      const body = await ranges.text()
      expect([ranges.status, body.includes('script'), body.includes('set-cookie')]).toEqual([
        206,
        false,
        false,
      ])
      expect(body.match(/^content-type: text\/plain; charset=utf-8\r$/gim)).toHaveLength(2)
    })

    it('of a file whose row has a bad content type from before downloads as plain bytes', async () => {
      const transfer = await begin('page.txt')
      await patch(transfer, await create(transfer, 2), 0, 'ab')
      await hub.inner.db.transact((tx) =>
        tx
          .updateTable('files')
          .set({ content_type: 'text/html;\r\n\r\n x=y' })
          .where('file_id', '=', transfer.fmsFileId)
          .execute(),
      )
      const got = await download(transfer)
      expect([got.status, got.headers.get('content-type')]).toEqual([
        200,
        'application/octet-stream',
      ])
    })

    it.each(['text/html; charset=utf-8', 'application/x-foo+xml', 'text/plain ; a="b c"'])(
      'with the content type %s downloads as that',
      async (type) => {
        const transfer = await begin('page.bin')
        const url = await create(transfer, 1, { 'upload-metadata': `contentType ${base64(type)}` })
        await patch(transfer, url, 0, 'a')
        expect((await download(transfer)).headers.get('content-type')).toBe(type)
      },
    )
  })

  describe('the checksum', () => {
    it.each(['sha1', 'sha256'])(
      '%s is held against each chunk; a wrong one leaves nothing of it',
      async (algorithm) => {
        const transfer = await begin()
        const url = await create(transfer, 8)
        expect((await patch(transfer, url, 0, 'abcd', checksum(algorithm, 'abcd'))).status).toBe(
          204,
        )
        for (const body of ['wxyz', 'efg']) {
          const wrong = await patch(transfer, url, 4, body, checksum(algorithm, 'efgh'))
          expect(refused(wrong)).toEqual([460, 'CHECKSUM_MISMATCH'])
          expect(await offsetOf(transfer, url)).toBe(4)
        }
        expect((await locate(transfer)).body.code).toBe('FILE_NOT_UPLOADED')
        expect((await patch(transfer, url, 4, 'efgh', checksum(algorithm, 'efgh'))).status).toBe(
          204,
        )
        expect(await textOf(transfer)).toBe('abcdefgh')
      },
    )

    it('of a chunk that breaks off keeps nothing; without one what came is kept', async () => {
      const bytes = Buffer.alloc(3_000_000, 'a')
      for (const [headers, least, most] of [
        [checksum('sha1', bytes), 0, 0],
        [{}, 1, bytes.length - 1],
      ] as const) {
        const transfer = await begin()
        const url = await create(transfer, bytes.length)
        const [upload] = await uploads(transfer)
        const blobId = String(upload?.blob_id)
        const part = join(hub.folder, 'data', 'blobs', blobId.slice(0, 2), `${blobId}.part`)
        const { fmsSASToken: sastoken } = transfer
        const call = request(new URL(url, hub.url), {
          method: 'PATCH',
          headers: {
            ...{
              sastoken,
              'tus-resumable': '1.0.0',
              'upload-offset': '0',
              'content-length': bytes.length,
            },
            ...bytesType,
            ...headers,
          },
        })
        call.on('error', () => {}).write(bytes.subarray(0, -1))
        await expect.poll(() => statSync(part).size).toBeGreaterThan(0)
        call.destroy()
        const offset = await offsetOf(transfer, url)
        expect([offset >= least, offset <= most]).toEqual([true, true])
        // What is sealed lies there in whole segments, with their tags.
        if (!hub.inner.config.sealContent) expect(statSync(part).size).toBe(offset)
      }
    })

    it('of a creation with upload makes the file, or no upload at all', async () => {
      const transfer = await begin()
      const headers = { ...bytesType, 'upload-length': '4' }
      const wrong = await tus(
        transfer,
        'POST',
        pathOf(transfer),
        { ...headers, ...checksum('sha256', 'abcd') },
        'abce',
      )
      expect([...refused(wrong), wrong.headers.has('location')]).toEqual([
        460,
        'CHECKSUM_MISMATCH',
        false,
      ])
      expect(await uploads(transfer)).toEqual([])
      const right = await tus(
        transfer,
        'POST',
        pathOf(transfer),
        { ...headers, ...checksum('sha256', 'abcd') },
        'abcd',
      )
      expect([right.status, right.headers.get('upload-offset')]).toEqual([201, '4'])
      expect(await textOf(transfer)).toBe('abcd')
      const empty = await begin()
      const none = { ...bytesType, 'upload-length': '0' }
      expect(
        (await tus(empty, 'POST', pathOf(empty), { ...none, ...checksum('sha1', 'x') })).status,
      ).toBe(460)
      expect(
        (await tus(empty, 'POST', pathOf(empty), { ...none, ...checksum('sha1', '') })).status,
      ).toBe(201)
    })

    it('that is no digest of its algorithm says nothing: of the whole file, as hex in base64', async () => {
      const transfer = await begin()
      const hex = Buffer.from(createHash('sha256').update('abcdefgh').digest('hex'))
      const given = { 'upload-checksum': `sha256 ${hex.toString('base64')}` }
      const url = await create(transfer, 8, given)
      expect((await patch(transfer, url, 0, 'abcd', given)).status).toBe(204)
      expect((await patch(transfer, url, 4, 'efgh', given)).status).toBe(204)
      expect(await textOf(transfer)).toBe('abcdefgh')
    })

    it.each([
      'md5 1B2M2Y8AsgTpgAmY7PhCfg==',
      'SHA1 2jmj7l5rSw0yVb/vlWAYkK/YBwk=',
      'sha1',
      'sha1 ',
      'sha1 abc',
      'sha1 ****',
      '',
      `sha1  ${Buffer.alloc(20).toString('base64')}`,
    ])('"%s" is none: 400', async (given) => {
      const transfer = await begin()
      const url = await create(transfer, 4)
      const answer = await patch(transfer, url, 0, 'abcd', { 'upload-checksum': given })
      expect(refused(answer)).toEqual([400, 'INVALID_REQUEST'])
      expect(await offsetOf(transfer, url)).toBe(0)
    })
  })
})

it('behind a path the Location of an upload carries it', async () => {
  const hub = await startHub({ env: { DRAGOMAN_PUBLIC_URL: 'http://127.0.0.1:1/hub' } })
  try {
    const { body: job } = await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Prefix' } })
    const path = `/v2/jobs/${job.jobId}/sourcefiles?fileName=a.txt`
    const { body: transfer } = await hub.call<Transfer>('POST', path, { as })
    expect(transfer.fmsUploadUrl).toMatch(/^http:\/\/127\.0\.0\.1:1\/hub\/fms\/tus\//)
    const made = await fetch(`${hub.url}/fms/tus/${transfer.fmsFileId}`, {
      method: 'POST',
      headers: { sastoken: transfer.fmsSASToken, 'tus-resumable': '1.0.0', 'upload-length': '1' },
    })
    expect([made.status, made.headers.get('location')]).toEqual([
      201,
      expect.stringMatching(/^\/hub\/fms\/tus\/[\w-]{22}$/),
    ])
  } finally {
    await hub.close()
  }
})
