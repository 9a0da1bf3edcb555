/**
 * Direct upload by forms that no browser sends (RFC 7578, RFC 2046 section 5.1): each is answered,
 * and none leaves half a file.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { type RawAnswer, type RawCall, rawCall } from '../raw-call.ts'

type Transfer = { fmsFileId: string; fmsPostMultipartUrl: string }
const as = 'demo-connector'
const disposition = 'content-disposition: form-data; name="file"; filename="a.txt"'
const part = (head: string, content: string) => `--x\r\n${head}\r\n\r\n${content}\r\n`
const file = (content: string) => part(disposition, content)

describe.each(databases)('forms on %s', (database) => {
  let hub: TestHub
  let jobId: string
  beforeAll(async () => {
    hub = await startHub({ database })
    jobId = String(
      (await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Forms' } })).body.jobId,
    )
  })
  afterAll(() => hub.close())

  const begin = async (): Promise<Transfer> => {
    const path = `/v2/jobs/${jobId}/sourcefiles`
    return (await hub.call<Transfer>('POST', path, { as, query: { fileName: 'a.txt' } })).body
  }
  const post = async (transfer: Transfer, call: Partial<RawCall>): Promise<RawAnswer> => {
    const { pathname, search } = new URL(transfer.fmsPostMultipartUrl)
    const headers = [['content-type', 'multipart/form-data; boundary=x']] as const
    const answer = await rawCall(hub.url, {
      method: 'POST',
      path: pathname + search,
      headers,
      ...call,
    })
    if (!answer) throw new Error('no answer')
    return answer
  }
  const blobCount = async (): Promise<number> => {
    let count = 0
    for await (const _ of hub.inner.blobs.list()) count += 1
    // Every unfinished write is asked about, and kept.
    await hub.inner.blobs.sweep(Number.POSITIVE_INFINITY, async () => {
      count += 1
      return true
    })
    return count
  }
  const bytesOf = async ({ fmsFileId }: Transfer): Promise<string> => {
    const { headers } = await hub.call('GET', `/v2/jobs/${jobId}/sourcefiles/${fmsFileId}`, { as })
    return (await fetch(String(headers.get('location')))).text()
  }

  it.each<[string, Partial<RawCall>, RegExp]>([
    [
      'ends in the middle of its file',
      { body: file('half').slice(0, -4) },
      /before its closing boundary/,
    ],
    [
      'ends behind its file, without the closing boundary',
      { body: file('whole') },
      /before its closing boundary/,
    ],
    [
      'ends in the middle of the closing boundary',
      { body: `${file('whole')}--x-` },
      /before its closing boundary/,
    ],
    [
      'ends in the head of its part',
      { body: `--x\r\n${disposition}\r\n` },
      /before its closing boundary/,
    ],
    ['is empty', { body: '' }, /before its closing boundary/],
    ['has no boundary in it at all', { body: 'just text' }, /before its closing boundary/],
    [
      'is cut while its length says more',
      { body: file('half'), length: 5000, ends: 'half' },
      /whole|boundary|HTTP/,
    ],
    [
      'has the closing boundary right behind the head',
      { body: `--x\r\n${disposition}\r\n\r\n--x--\r\n` },
      /no content/,
    ],
    [
      'has the next boundary right behind the head',
      { body: `--x\r\n${disposition}\r\n\r\n${file('b')}--x--` },
      /no content/,
    ],
    [
      'has a head without an empty line behind it',
      { body: `--x\r\n${disposition}\r\n--x--\r\n` },
      /headers of a part/,
    ],
    ['has no part', { body: '--x--\r\n' }, /no part named "file"/],
    [
      'has a file part without a name',
      { body: `${part('content-disposition: form-data; filename="a"', 'a')}--x--` },
      /without a name/,
    ],
    [
      'has a part without Content-Disposition',
      { body: `${part('content-type: text/plain', 'a')}--x--` },
      /without a name/,
    ],
    ['has two parts named file', { body: `${file('a')}${file('b')}--x--` }, /more than one part/],
    [
      'has a file under another name',
      { body: `${part('content-disposition: form-data; name="upload"; filename="a"', 'a')}--x--` },
      /"upload"/,
    ],
    [
      'has another file behind its file',
      {
        body: `${file('a')}${part('content-disposition: form-data; name="b"; filename="b"', 'b')}--x--`,
      },
      /"b"/,
    ],
    [
      'has a head of 64 KB',
      { body: `${part(`x: ${'y'.repeat(65_536)}\r\n${disposition}`, 'a')}--x--` },
      /headers of a part/,
    ],
    [
      'has fields of 2 MB',
      {
        body: `${part('content-disposition: form-data; name="f"', 'v'.repeat(100_000)).repeat(20)}${file('a')}--x--`,
      },
      /in addition to its file/,
    ],
    [
      'has 20,000 empty fields',
      {
        body: `${part(`content-disposition: form-data; name="${'n'.repeat(40)}"`, '').repeat(20_000)}${file('a')}--x--`,
      },
      /in addition to its file/,
    ],
    [
      'names a field of the prototype',
      {
        body: `${part('content-disposition: form-data; name="__proto__"; filename="a"', 'a')}--x--`,
      },
      /"__proto__"/,
    ],
    [
      'has its file in base64',
      { body: `${part(`${disposition}\r\ncontent-transfer-encoding: base64`, 'YQ==')}--x--` },
      /base64/,
    ],
    [
      'has garbage behind a boundary',
      { body: `--xyz\r\n${disposition}\r\n\r\na\r\n--x--` },
      /boundary/,
    ],
    [
      'names no boundary',
      { body: `${file('a')}--x--`, headers: [['content-type', 'multipart/form-data']] },
      /boundary/,
    ],
    [
      'has an empty boundary',
      {
        body: `${file('a')}--x--`,
        headers: [['content-type', 'multipart/form-data; boundary=""']],
      },
      /boundary/,
    ],
    [
      'has a boundary of 300 characters',
      {
        body: 'a',
        headers: [['content-type', `multipart/form-data; boundary=${'x'.repeat(300)}`]],
      },
      /boundary/,
    ],
  ])('that %s: 400 with a sentence, and nothing is kept', async (_, call, says) => {
    const transfer = await begin()
    const blobs = await blobCount()
    const { status, text } = await post(transfer, call)
    const refused = {
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(says),
      traceId: expect.any(String),
    }
    expect([status, JSON.parse(text)]).toEqual([400, refused])
    expect(await blobCount()).toBe(blobs)
    expect((await post(transfer, { body: `${file('good now')}--x--\r\n` })).status).toBe(201)
    expect(await bytesOf(transfer)).toBe('good now')
  })

  it.each<[string, Partial<RawCall>, string]>([
    ['an empty file', { body: `${file('')}--x--\r\n` }, ''],
    [
      'a part named file that has no file name',
      { body: `${part('content-disposition: form-data; name="file"', 'text')}--x--` },
      'text',
    ],
    [
      'bytes before the first boundary and behind the last',
      { body: `preamble\r\n${file('a')}--x--\r\nepilogue` },
      'a',
    ],
    ['blanks behind a boundary', { body: `--x \t\r\n${disposition}\r\n\r\na\r\n--x-- \r\n` }, 'a'],
    [
      'fields around the file',
      {
        body: `${part('content-disposition: form-data; name="f"', 'v')}${file('a')}${part('Content-Disposition: FORM-DATA; NAME=g', 'v')}--x--`,
      },
      'a',
    ],
    [
      'a quoted boundary with blanks',
      {
        body: `--a b\r\n${disposition}\r\n\r\na\r\n--a b--`,
        headers: [['content-type', 'multipart/form-data; charset=utf-8; BOUNDARY="a b"']],
      },
      'a',
    ],
    [
      'lines that begin like a boundary',
      { body: `${file('\r\n--\r\n-x\r\n--y\r\r\n-')}--x--` },
      '\r\n--\r\n-x\r\n--y\r\r\n-',
    ],
    [
      'a folded head',
      { body: `${part('Content-Disposition: form-data;\r\n name="file"', 'a')}--x--` },
      'a',
    ],
    [
      'bytes that come one by one',
      { body: `${file('\r\n-one by one')}--x--`, chunked: 1 },
      '\r\n-one by one',
    ],
    ['no length', { body: `${file('a'.repeat(1000))}--x--`, chunked: 100 }, 'a'.repeat(1000)],
  ])('with %s are taken', async (_, call, content) => {
    const transfer = await begin()
    const { status, text } = await post(transfer, call)
    expect([status, text]).toEqual([201, expect.stringContaining(`"size":${content.length}`)])
    expect(await bytesOf(transfer)).toBe(content)
  })

  it('cut at any byte are refused, in any pieces', async () => {
    const whole = `${part('content-disposition: form-data; name="f"', 'v')}${file('\r\n--\r\nbytes')}--x--`
    const transfer = await begin()
    for (let at = 0; at < whole.length; at += 3) {
      const { status } = await post(transfer, { body: whole.slice(0, at), chunked: 7 })
      expect([at, status]).toEqual([at, 400])
    }
    expect((await post(transfer, { body: whole, chunked: 7 })).status).toBe(201)
    const sha256 = createHash('sha256').update('\r\n--\r\nbytes').digest('hex')
    const { read } = hub.inner.db
    const row = await read
      .selectFrom('files')
      .selectAll()
      .where('file_id', '=', transfer.fmsFileId)
      .executeTakeFirst()
    expect(row).toMatchObject({ state: 'stored', sha256 })
  })
})
