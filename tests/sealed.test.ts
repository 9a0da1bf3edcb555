/**
 * Content at rest, sealed: a whole round on both databases, and what lies in the rows and on the disk
 * meanwhile.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import { sha256 } from './faults/file-client.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { priceList } from './price-list.ts'
import { type Connector, openConnector, placesOf } from './sealed-place.ts'

const segment = 256 * 1024
const marker = 'Zwiebelkuchen 4711'
/** Mostly a comment, which nobody translates: what is looked for here is bytes, not words. */
const page = (size: number): Buffer => {
  const note = `${marker} `.repeat(Math.ceil(size / marker.length)).slice(0, size)
  return Buffer.from(
    `<!DOCTYPE html><html><body><!-- ${note}--><p>${marker} of the garden house</p></body></html>`,
  )
}

describe.each(databases)('sealed content on %s', (database) => {
  let hub: TestHub
  let connector: Connector
  beforeAll(async () => {
    hub = await startHub({ database, env: { DRAGOMAN_SEAL_CONTENT: 'on' } })
    connector = await openConnector(hub)
  })
  afterAll(() => hub.close())

  const ask = async <T = Record<string, unknown>>(method: string, path: string, body?: object) => {
    const got = await connector.ask(method, `/v2${path}`, body)
    expect(got.status, JSON.stringify(got.body)).toBeLessThan(300)
    return got.body as T
  }
  const whole = async (path: string): Promise<string> => {
    const { headers, status } = await connector.ask('GET', `/v2${path}`)
    expect(status).toBe(307)
    return (await connector.read(String(headers.get('location')))).bytes.toString()
  }
  const findings = async () => (await checkHub(hub.inner)).findings

  it('goes round unseen: no byte of it is in any row or file, but in the memory that it taught', async () => {
    const { jobId } = connector
    const large = page(3 * segment + 1_000)
    const files = [
      await connector.sendWhole('small.html', page(900)),
      // Every kind of cut: inside of a segment, at its end, several segments at once, a single
      // byte.
      await connector.sendPieces('large.html', large, [
        1,
        70_000,
        segment - 70_001 + segment,
        40_000,
      ]),
    ]
    expect(sha256(await connector.fetchFile(files[1] ?? ''))).toBe(sha256(large))
    const common = {
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
    }
    const { sourcecontentId } = await ask('POST', `/jobs/${jobId}/sourcecontent`, {
      fields: [{ key: 'later', value: 'nothing yet' }],
    })
    await ask('PUT', `/jobs/${jobId}/sourcecontent/${sourcecontentId}`, {
      fields: [{ key: `${marker} key`, value: `${marker} stored` }],
    })
    expect(await ask('GET', `/jobs/${jobId}/sourcecontent/${sourcecontentId}`)).toMatchObject({
      fields: [{ value: `${marker} stored` }],
    })
    const requests = [
      ...files.map((fmsFileId, at) => ({ ...common, requestName: `file ${at}`, fmsFileId })),
      { ...common, requestName: 'inline', fields: [{ key: 'title', value: `${marker} inline` }] },
      { ...common, requestName: 'content', sourcecontentId },
    ]
    await ask('POST', `/jobs/${jobId}/requests/add`, { requests })
    expect(await placesOf(hub, marker)).toEqual([])

    const { providers } = await ask<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/providers',
    )
    const providerId = providers.find(({ name }) => name === 'Pseudo')?.id
    const priced = await hub.call('POST', '/v2/settings/pricelists', {
      as: 'demo-settings',
      body: priceList,
    })
    expect(priced.status).toBe(201)
    const { lines } = await ask<{ lines: { counts: { words: number } }[] }>(
      'GET',
      `/jobs/${jobId}/quote`,
    )
    expect(lines).toHaveLength(4)
    for (const { counts } of lines) expect(counts.words).toBeGreaterThan(2)
    await ask('PUT', `/jobs/${jobId}/submit`, { providerId })
    await connector.advance('5s')
    const { requests: done } = await ask<{ requests: { requestId: string; statusCode: string }[] }>(
      'GET',
      `/jobs/${jobId}/requests`,
    )
    expect(done.map(({ statusCode }) => statusCode)).toEqual(Array(4).fill('REVIEW_TRANSLATION'))
    const [, translated, inline] = done.map(
      ({ requestId }) => `/jobs/${jobId}/requests/${requestId}`,
    )
    const text = await whole(`${translated}/retrievefile`)
    const target = /<p>(.{20})/u.exec(text)?.[1] ?? ''
    expect(target.length).toBe(20)
    expect(target).not.toContain(marker)
    const { translationContent } = await ask<{
      translationContent: { targetContent: { value: string }[] }[]
    }>('GET', `${inline}/retrieve`)
    const value = translationContent[0]?.targetContent[0]?.value ?? ''
    expect(value.length).toBeGreaterThan(marker.length)
    expect(await whole(`${inline}/retrievefile`)).toContain(value.slice(0, 5))
    for (const seen of [marker, target, value]) expect(await placesOf(hub, seen)).toEqual([])
    expect(await findings()).toEqual([])

    await ask('PUT', `/jobs/${jobId}/requests/approve`, {
      requestIds: done.map(({ requestId }) => requestId),
    })
    await connector.advance('5s')
    for (const seen of [marker, value]) expect(await placesOf(hub, seen)).toEqual(['memory_units'])
  })

  it('is taken in from several callers at once, all into one job', async () => {
    const sent = Array.from({ length: 8 }, (_, at) =>
      connector.sendWhole(`${at}.bin`, randomBytes(100)),
    )
    expect(new Set(await Promise.all(sent)).size).toBe(8)
  })

  it('is given out whole and in ranges, with the size and the tag of what was sent', async () => {
    const bytes = randomBytes(4 * segment + 17)
    const fileId = await connector.sendWhole('ranges.bin', bytes)
    const link = await connector.link(connector.jobId, fileId)
    expect(link).toContain(hub.url)
    for (const method of ['HEAD', 'GET']) {
      const answer = await fetch(link, { method })
      expect(answer.headers.get('content-length')).toBe(String(bytes.length))
      expect(answer.headers.get('etag')).toBe(`"${sha256(bytes)}"`)
      await answer.arrayBuffer()
    }
    for (const [start, end] of [
      [0, 0],
      [segment - 1, segment],
      [segment, 3 * segment - 1],
      [4 * segment, 4 * segment + 16],
      [100, 4 * segment + 3],
    ] as const) {
      const { status, bytes: part } = await connector.read(link, { range: `bytes=${start}-${end}` })
      expect(status).toBe(206)
      expect(part.equals(bytes.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
    }
    const parts = await connector.read(link, {
      range: `bytes=0-9,${2 * segment - 5}-${2 * segment + 4}`,
    })
    expect(parts.bytes.includes(bytes.subarray(2 * segment - 5, 2 * segment + 5))).toBe(true)
    expect(await connector.read(link, { range: `bytes=${bytes.length}-` })).toMatchObject({
      status: 416,
    })
  })

  it.each([0, 1, segment - 1, segment, segment + 1, 2 * segment])(
    'of %i bytes comes by TUS as it was',
    async (size) => {
      const bytes = randomBytes(size)
      const fileId = await connector.sendPieces('edge.bin', bytes, [Math.floor(size / 2)])
      expect((await connector.fetchFile(fileId)).equals(bytes)).toBe(true)
    },
  )

  it('that changed on the disk is never given out, neither whole nor in part, and the check names the file', async () => {
    const bytes = randomBytes(3 * segment)
    const fileId = await connector.sendWhole('damaged.bin', bytes)
    const path = await pathOf(fileId)
    const lying = readFileSync(path)
    lying[segment + 100] = (lying[segment + 100] ?? 0) ^ 1
    writeFileSync(path, lying)
    const link = await connector.link(connector.jobId, fileId)
    expect(await connector.read(link)).toMatchObject({ whole: false })
    expect(
      await connector.read(link, { range: `bytes=${segment + 40}-${segment + 50}` }),
    ).toMatchObject({
      whole: false,
    })
    expect(await connector.read(link, { range: 'bytes=0-99' })).toMatchObject({ whole: true })
    expect(hub.logged()).toContain(fileId)
    expect(await findings()).toMatchObject([{ check: 'file bytes', what: `file ${fileId}` }])
    lying[segment + 100] = (lying[segment + 100] ?? 0) ^ 1
    writeFileSync(path, lying)
    expect((await connector.fetchFile(fileId)).equals(bytes)).toBe(true)
  })

  it('of a deleted job has no key any more', async () => {
    const other = await openConnector(hub)
    const fileId = await other.sendWhole('gone.bin', randomBytes(100))
    await ask('POST', `/jobs/${other.jobId}/sourcecontent`, { fields: [{ key: 'a', value: 'b' }] })
    const keys = () =>
      hub.inner.db.read
        .selectFrom('content_keys')
        .selectAll()
        .where('job_id', '=', other.jobId)
        .execute()
    expect(await keys()).toHaveLength(2)
    expect(fileId).not.toBe('')
    await ask('DELETE', `/jobs/${other.jobId}`)
    expect(await keys()).toEqual([])
  })

  it('stays readable when sealing is turned off, beside what is not sealed then, and the other way round', async () => {
    connector = await openConnector(hub)
    const sealed = await connector.sendWhole('before.txt', Buffer.from(`${marker} sealed`))
    const open = { fields: [{ key: 'k', value: `${marker} sealed too` }] }
    const { sourcecontentId } = await ask('POST', `/jobs/${connector.jobId}/sourcecontent`, open)
    await hub.restart({ DRAGOMAN_SEAL_CONTENT: 'off' })
    connector.forgetToken()
    expect((await connector.fetchFile(sealed)).toString()).toBe(`${marker} sealed`)
    const plain = await connector.sendWhole('after.txt', Buffer.from('Apfelstrudel 0815'))
    expect(await placesOf(hub, 'Apfelstrudel 0815')).toHaveLength(1)
    const at = `/jobs/${connector.jobId}/sourcecontent/${sourcecontentId}`
    expect(await ask('GET', at)).toMatchObject(open)
    await ask('PUT', at, { fields: [{ key: 'k', value: 'Kaiserschmarrn 42' }] })
    expect(await placesOf(hub, 'Kaiserschmarrn 42')).toContain('source_contents')
    await hub.restart({ DRAGOMAN_SEAL_CONTENT: 'on' })
    connector.forgetToken()
    expect((await connector.fetchFile(plain)).toString()).toBe('Apfelstrudel 0815')
    expect(await ask('GET', at)).toMatchObject({ fields: [{ value: 'Kaiserschmarrn 42' }] })
    expect(await findings()).toEqual([])
  })

  async function pathOf(fileId: string): Promise<string> {
    const { read } = hub.inner.db
    const { blob_id } = await read
      .selectFrom('files')
      .select('blob_id')
      .where('file_id', '=', fileId)
      .executeTakeFirstOrThrow()
    const folder = join(hub.folder, 'data', 'blobs', String(blob_id).slice(0, 2))
    return join(folder, readdirSync(folder).find((name) => name === blob_id) ?? '')
  }
})
