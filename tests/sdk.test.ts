/**
 * The SDK against a real hub: everything that a connector owes the service, done by the client
 * itself.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConnectOptions,
  connect,
  HubError,
  keptInMemory,
  type StatusUpdate,
  sourceOf,
} from '@dragoman/sdk'
import { dailyLog, fileSource, keptInFolder, writeWhole } from '@dragoman/sdk/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHub, type TestHub } from './hub.ts'

let hub: TestHub
let folder: string
beforeAll(async () => {
  hub = await startHub()
  folder = mkdtempSync(join(tmpdir(), 'dragoman-sdk-'))
})
afterAll(async () => {
  await hub.close()
  rmSync(folder, { recursive: true })
})

type Sent = { method: string; path: string; headers: Headers; status: number }

/**
 * A connection that writes down what really goes over the wire, and may be answered by somebody
 * else first.
 */
function watch(
  options: Partial<ConnectOptions> = {},
  instead?: (method: string, url: URL) => Response | undefined,
) {
  const sent: Sent[] = []
  const connection = connect({
    url: hub.url,
    clientId: 'demo-connector',
    clientSecret: 'demo-connector-secret',
    retry: { firstMs: 1, mostMs: 20 },
    fetch: async (input, init) => {
      const call = new Request(input, init)
      const url = new URL(call.url)
      const answer = instead?.(call.method, url) ?? (await fetch(input, init))
      sent.push({
        method: call.method,
        path: url.pathname,
        headers: call.headers,
        status: answer.status,
      })
      return answer
    },
    ...options,
  })
  const count = (path: string) => sent.filter((one) => one.path === path).length
  return { connection, sent, count }
}

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code, message: `${code} for a while`, traceId: 'x' }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })

describe('tokens', () => {
  it('asks for one token however many calls wait for it, and uses it again', async () => {
    const { connection, count } = watch()
    await Promise.all(Array.from({ length: 20 }, () => connection.listJobs()))
    await connection.listProviders()
    expect(count('/connect/token')).toBe(1)
  })

  it('asks for another one shortly before it expires', async () => {
    const short = await startHub({ env: { DRAGOMAN_TOKEN_SECONDS: '1' } })
    try {
      const { connection, count } = watch({ url: short.url })
      await connection.listJobs()
      await expect
        .poll(async () => {
          await connection.listJobs()
          return count('/connect/token')
        })
        .toBeGreaterThan(1)
    } finally {
      await short.close()
    }
  })

  it('goes on with a new token where the hub refuses the old one before its time', async () => {
    const { connection, count } = watch()
    await connection.listJobs()
    await hub.advance('2h')
    await Promise.all([connection.listJobs(), connection.listJobs()])
    expect(count('/connect/token')).toBe(2)
  })

  it('says in a sentence that credentials are wrong, and does not try again', async () => {
    const { connection, count } = watch({ clientSecret: 'wrong' })
    const error = await connection.listJobs().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(HubError)
    expect(error).toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
    expect(count('/connect/token')).toBe(1)
  })
})

describe('retries', () => {
  it.each([
    ['429 with Retry-After', 429, 'RATE_LIMITED', { 'retry-after': '0' }],
    ['429 without', 429, 'RATE_LIMITED', {}],
    ['503', 503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }],
    ['500', 500, 'INTERNAL', {}],
    ['502', 502, 'INTERNAL', {}],
    ['an Idempotency-Key still at work', 409, 'IDEMPOTENCY_IN_PROGRESS', {}],
  ])('tries again after %s, with the same Idempotency-Key', async (_, status, code, headers) => {
    let left = 3
    const { connection, sent } = watch({}, (method) => {
      if (method !== 'POST' || left === 0) return undefined
      left -= 1
      return problem(status, code, headers)
    })
    // The token call is a POST too and meets the same trouble first.
    const job = await connection.createJob({ body: { jobName: 'again' } })
    expect(job.jobName).toBe('again')
    expect(left).toBe(0)
    const keys = sent
      .filter((one) => one.path === '/v2/jobs')
      .map((one) => one.headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(1)
  })

  it('makes one job where the first answer is lost', async () => {
    let lost = false
    const jobName = `lost ${randomBytes(4).toString('hex')}`
    const { connection } = watch({
      fetch: async (input, init) => {
        const answer = await fetch(input, init)
        if (String(input).endsWith('/v2/jobs') && !lost) {
          lost = true
          throw new TypeError('fetch failed')
        }
        return answer
      },
    })
    await connection.createJob({ body: { jobName } })
    const found: string[] = []
    for await (const job of connection.each('listJobs', {
      query: { filter: `jobName eq '${jobName}'` },
    }))
      found.push(job.jobId)
    expect(lost).toBe(true)
    expect(found).toHaveLength(1)
  })

  it.each([
    ['an answer', '/v2/jobs'],
    ['a token', '/connect/token'],
  ])('asks again for %s that breaks off in the middle', async (_, path) => {
    let broken = 0
    const { connection } = watch({
      fetch: async (input, init) => {
        const answer = await fetch(input, init)
        if (!String(input).endsWith(path) || broken > 0) return answer
        broken += 1
        return new Response(breakingOff(answer, 10), {
          status: answer.status,
          headers: answer.headers,
        })
      },
    })
    expect((await connection.listJobs()).jobs).toBeInstanceOf(Array)
    expect(broken).toBe(1)
  })

  it('does not wait for ever for an answer', async () => {
    let slow = 2
    const { connection } = watch({
      timeoutMs: 2_000,
      fetch: (input, init) => {
        slow -= 1
        if (slow < 0) return fetch(input, init)
        return new Promise((_, refuse) =>
          init?.signal?.addEventListener('abort', () => refuse(init.signal?.reason)),
        )
      },
    })
    expect((await connection.listJobs()).jobs).toBeInstanceOf(Array)
  })

  it('gives up after a limited number, and names the trouble', async () => {
    const { connection, count } = watch({ retry: { tries: 3, firstMs: 1, mostMs: 1 } }, (_, url) =>
      url.pathname === '/v2/jobs' ? problem(503, 'SERVICE_UNAVAILABLE') : undefined,
    )
    await expect(connection.listJobs()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
    })
    expect(count('/v2/jobs')).toBe(3)
  })

  it.each([
    [404, 'JOB_NOT_FOUND'],
    [400, 'INVALID_REQUEST'],
    [501, 'NOT_IMPLEMENTED'],
  ])('does not try %i again', async (status, code) => {
    const { connection, count } = watch({}, (_, url) =>
      url.pathname === '/v2/jobs' ? problem(status, code) : undefined,
    )
    await expect(connection.listJobs()).rejects.toMatchObject({ code, status })
    expect(count('/v2/jobs')).toBe(1)
  })

  it('does not wait longer than its patience for a Retry-After', async () => {
    const { connection, count } = watch({}, (_, url) =>
      url.pathname === '/v2/jobs'
        ? problem(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '86400' })
        : undefined,
    )
    await expect(connection.listJobs()).rejects.toMatchObject({ retryAfter: 86_400 })
    expect(count('/v2/jobs')).toBe(1)
  })

  it('says where nobody answers', async () => {
    const { connection } = watch({ url: 'http://127.0.0.1:9', retry: { tries: 2, firstMs: 1 } })
    await expect(connection.listJobs()).rejects.toThrow(/http:\/\/127\.0\.0\.1:9 cannot be reached/)
  })

  it('gives up after fewer attempts on a hub that has never answered, not on one that has', async () => {
    let isThere = false
    let refused = 0
    const { connection } = watch({
      retry: { tries: 5, firstTries: 2, firstMs: 1 },
      fetch: (input, init) => {
        if (isThere) return fetch(input, init)
        refused += 1
        return Promise.reject(new TypeError('fetch failed'))
      },
    })
    await expect(connection.listJobs()).rejects.toThrow(/cannot be reached/)
    expect(refused).toBe(2)
    isThere = true
    await connection.listJobs()
    isThere = false
    await expect(connection.listJobs()).rejects.toThrow(/cannot be reached/)
    expect(refused).toBe(2 + 5)
  })

  it('says that an address is no hub', async () => {
    await serving(
      (_call, answer) => answer.writeHead(404, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
      async (url) => {
        await expect(watch({ url }).connection.listJobs()).rejects.toThrow(
          /is this the address of a hub/,
        )
      },
    )
  })

  it('stops at once when it is told to', async () => {
    const stop = new AbortController()
    const { connection } = watch({ retry: { firstMs: 60_000 } }, (_, url) => {
      if (url.pathname !== '/v2/jobs') return undefined
      queueMicrotask(() => stop.abort(new Error('enough')))
      return problem(503, 'SERVICE_UNAVAILABLE')
    })
    await expect(connection.listJobs({}, { signal: stop.signal })).rejects.toThrow('enough')
  })
})

describe('pages', () => {
  const spellings: [string, (items: number[], next?: string) => object][] = [
    [
      'pagination.navNext',
      (jobs, next) => ({ pagination: { ...(next && { navNext: next }) }, jobs }),
    ],
    [
      'an empty navNext at the end',
      (jobs, next) => ({ pagination: { navNext: next ?? '' }, jobs }),
    ],
    ['next', (jobs, next) => ({ jobs, ...(next && { next }) })],
    [
      '_embedded and _links',
      (jobs, next) => ({
        _embedded: { jobs },
        _links: { ...(next && { next: { href: `/v2/jobs?next=${next}` } }) },
      }),
    ],
  ]
  it.each(spellings)('follows %s, over an empty page, to the end', async (_, page) => {
    const all = [page([1, 2], 'a'), page([], 'b'), page([3])]
    const { connection } = watch({}, (_method, url) => {
      if (url.pathname !== '/v2/jobs') return undefined
      const at = { a: 1, b: 2 }[url.searchParams.get('navNext') ?? ''] ?? 0
      return Response.json(all[at])
    })
    const found: unknown[] = []
    for await (const job of connection.each('listJobs')) found.push(job)
    expect(found).toEqual([1, 2, 3])
  })

  it('does not go round in a circle', async () => {
    const { connection, count } = watch({}, (_method, url) =>
      url.pathname === '/v2/jobs'
        ? Response.json({ jobs: [1], pagination: { navNext: 'same' } })
        : undefined,
    )
    for await (const _ of connection.each('listJobs'));
    expect(count('/v2/jobs')).toBe(2)
  })

  it('reads all pages of a real list', async () => {
    const { connection } = watch()
    const label = randomBytes(4).toString('hex')
    for (let at = 0; at < 5; at += 1)
      await connection.createJob({ body: { jobName: `page ${at}`, labels: [label] } })
    const names: string[] = []
    for await (const job of connection.each('listJobs', {
      query: { filter: `labels eq '${label}'`, pageSize: 2 },
    }))
      names.push(job.jobName)
    expect(names.sort()).toEqual(['page 0', 'page 1', 'page 2', 'page 3', 'page 4'])
  })
})

describe('what a connector owes', () => {
  it('sends its name, version and a GUID made once on create and modify', async () => {
    const kept = keptInFolder(join(folder, 'installation'))
    const connector = { name: 'acme-cms', version: '1.2.0', installation: kept }
    const first = await watch({ connector }).connection.createJob({ body: { jobName: 'a' } })
    const { connection } = watch({
      connector: { ...connector, installation: keptInFolder(join(folder, 'installation')) },
    })
    const second = await connection.createJob({ body: { jobName: 'b' } })
    expect(first.connectorName).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27} acme-cms 1\.2\.0$/)
    expect(second.connectorName).toBe(first.connectorName)
    const changed = await connection.changeJob({
      params: { jobId: second.jobId },
      body: { poReference: '7' },
    })
    expect(changed).toMatchObject({ connectorName: first.connectorName, connectorVersion: '1.2.0' })
  })

  it('makes one GUID where many ask at the same time', async () => {
    const place = join(folder, 'raced')
    const { installationOf } = await import('@dragoman/sdk')
    const made = await Promise.all(
      Array.from({ length: 20 }, () => installationOf(keptInFolder(place))),
    )
    expect(new Set(made).size).toBe(1)
  })

  it('cuts names to 250 bytes between two characters', async () => {
    const { connection } = watch()
    const family = '👩‍👩‍👧‍👦'
    const job = await connection.createJob({ body: { jobName: family.repeat(20) } })
    expect(job.jobName).toBe(family.repeat(10))
    const jobName = `${'a'.repeat(249)}é`
    expect((await connection.createJob({ body: { jobName } })).jobName).toBe('a'.repeat(249))
  })

  it('takes languages as they are but for case and separator, or by its table; it guesses none', async () => {
    const { connection } = watch({ languages: { german: 'de-AT' } })
    expect(['german', 'de_DE', 'EN_us', 'pt-BR'].map(connection.language)).toEqual([
      'de-AT',
      'de_DE',
      'EN_us',
      'pt-BR',
    ])
    for (const [code, candidates] of [
      ['zh-Hant', 'use zh-tw, zh-hk or zh-mo,'],
      ['pt', 'use pt-PT, pt-AO, pt-BR or pt-MZ,'],
      ['az-Cyrl-AZ', 'az-Latn-AZ'],
      ['German', 'option `languages`'],
      ['tlh-KX', 'no accepted code is of this language'],
    ] as const) {
      expect(() => connection.language(code)).toThrow(HubError)
      expect(() => connection.language(code)).toThrow(candidates)
    }
    const jobCount = async () => (await connection.listJobs()).jobs.length
    const before = await jobCount()
    const create = (targetNativeLanguageCodes: string[]) =>
      connection.createJob({ body: { jobName: 'x', targetNativeLanguageCodes } })
    await expect(create(['german', 'fr'])).rejects.toThrow(
      /"fr" is not an accepted language code.*fr-fr/,
    )
    expect(await jobCount()).toBe(before)
    expect((await create(['german', 'fr_FR'])).targetNativeLanguageCodes).toEqual([
      'de-AT',
      'fr_FR',
    ])
  })

  it('writes every transaction to a file of its day, and no secret', async () => {
    const log = dailyLog(join(folder, 'log'))
    const { connection, sent } = watch({ log })
    await connection.listJobs()
    await connection.findJob({ params: { jobId: 'nosuchjob1' } }).catch(() => {})
    await log.flush()
    const [name] = readdirSync(join(folder, 'log'))
    expect(name).toMatch(/^transactions-\d{4}-\d\d-\d\d\.log$/)
    const text = readFileSync(join(folder, 'log', name ?? ''), 'utf8')
    const entries = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entries.map(({ method, path, status }) => [method, path, status])).toEqual(
      sent.map(({ method, path, status }) => [method, path, status]),
    )
    expect(entries.every(({ traceId }) => typeof traceId === 'string')).toBe(true)
    expect(text).not.toContain('demo-connector-secret')
    expect(text).not.toContain('Bearer')
  })
})

describe('the log of a day', () => {
  const entry = (time: string) => ({
    time,
    method: 'GET',
    path: '/v2/jobs',
    status: 200,
    durationMs: 1,
    attempt: 1,
  })

  it('begins a new file with the day, and removes those that are too old', async () => {
    const place = join(folder, 'days')
    const log = dailyLog(place, { keepDays: 2 })
    for (const day of ['2027-02-27', '2027-02-28', '2027-03-01']) log(entry(`${day}T10:00:00.000Z`))
    await log.flush()
    expect(readdirSync(place).sort()).toEqual([
      'transactions-2027-02-28.log',
      'transactions-2027-03-01.log',
    ])
  })

  it('tells that it could not be written, and goes on when it can', async () => {
    const place = join(folder, 'in-the-way')
    writeFileSync(place, 'a file where the folder should be')
    const log = dailyLog(place)
    log(entry('2027-03-01T10:00:00.000Z'))
    await expect(log.flush()).rejects.toThrow(/EEXIST|ENOTDIR/)
    rmSync(place)
    log(entry('2027-03-01T11:00:00.000Z'))
    await log.flush()
    expect(
      readFileSync(join(place, 'transactions-2027-03-01.log'), 'utf8').trim().split('\n'),
    ).toHaveLength(1)
  })
})

describe('files', () => {
  const bytes = randomBytes(5_300_000)
  const sha = (of: Uint8Array) => createHash('sha256').update(of).digest('hex')
  const newJob = async () =>
    (await watch().connection.createJob({ body: { jobName: 'files' } })).jobId

  it('go by multipart under 1 MB and by TUS above, without the token', async () => {
    const { connection, sent } = watch()
    const jobId = await newJob()
    const seen: number[] = []
    const small = await connection.upload(jobId, sourceOf('small.txt', 'hello'))
    const large = await connection.upload(jobId, sourceOf('large.bin', bytes), {
      chunkBytes: 1_000_000,
      onProgress: (count) => seen.push(count),
    })
    expect(seen).toEqual([0, 1e6, 2e6, 3e6, 4e6, 5e6, bytes.length])
    const fms = sent.filter(({ path }) => path.startsWith('/fms/'))
    expect(fms.map(({ method }) => method)).toEqual(['POST', 'POST', ...Array(6).fill('PATCH')])
    expect(fms.every(({ headers }) => headers.get('authorization') === null)).toBe(true)
    const back = await connection.download({ jobId, fmsFileId: large.fmsFileId })
    expect(back).toMatchObject({ name: 'large.bin', size: bytes.length })
    expect(sha(await back.bytes())).toBe(sha(bytes))
    expect(await (await connection.download({ jobId, fmsFileId: small.fmsFileId })).text()).toBe(
      'hello',
    )
  })

  it('go on after a broken piece, and a lost answer, and are whole', async () => {
    let patches = 0
    const { connection } = watch({
      fetch: async (input, init) => {
        if (init?.method !== 'PATCH') return fetch(input, init)
        patches += 1
        if (patches === 2) throw new TypeError('fetch failed')
        const answer = await fetch(input, init)
        if (patches === 4) throw new TypeError('fetch failed')
        return answer
      },
    })
    const jobId = await newJob()
    const { fmsFileId } = await connection.upload(jobId, sourceOf('x.bin', bytes), {
      chunkBytes: 1_000_000,
    })
    expect(sha(await (await connection.download({ jobId, fmsFileId })).bytes())).toBe(sha(bytes))
    expect(patches).toBe(7)
  })

  it('go on in another process where they stopped', async () => {
    const path = join(folder, 'resumed.bin')
    writeFileSync(path, bytes)
    const jobId = await newJob()
    const kept = () => keptInFolder(join(folder, 'uploads'))
    const stop = new AbortController()
    const first = watch({ kept: kept() })
    const stopped = first.connection.upload(jobId, await fileSource(path), {
      chunkBytes: 1_000_000,
      signal: stop.signal,
      onProgress: (count) => count >= 2e6 && stop.abort(new Error('stopped')),
    })
    await expect(stopped).rejects.toThrow('stopped')
    const second = watch({ kept: kept() })
    const { fmsFileId } = await second.connection.upload(jobId, await fileSource(path), {
      chunkBytes: 1_000_000,
    })
    expect(
      second.sent.filter(({ method, path }) => method === 'PATCH' && path.startsWith('/fms')),
    ).toHaveLength(4)
    expect(second.count(`/v2/jobs/${jobId}/sourcefiles`)).toBe(0)
    expect(sha(await (await second.connection.download({ jobId, fmsFileId })).bytes())).toBe(
      sha(bytes),
    )
  })

  it.each([
    ['bytes', async (content: Buffer) => sourceOf('same.bin', content)],
    [
      'a File',
      async (content: Buffer) =>
        sourceOf('same.bin', new File([new Uint8Array(content)], 'same.bin', { lastModified: 1 })),
    ],
    [
      'a file on disk',
      async (content: Buffer) => {
        const path = join(folder, 'same.bin')
        writeFileSync(path, content)
        utimesSync(path, 1, 1)
        return fileSource(path)
      },
    ],
  ])('never go on with other content of the same name, size and time: %s', async (_, source) => {
    const jobId = await newJob()
    const kept = keptInMemory()
    const stop = new AbortController()
    const stopped = watch({ kept }).connection.upload(jobId, await source(bytes), {
      chunkBytes: 1_000_000,
      signal: stop.signal,
      onProgress: (count) => count >= 2e6 && stop.abort(new Error('stopped')),
    })
    await expect(stopped).rejects.toThrow('stopped')
    const other = Buffer.from(bytes).fill('x')
    const { connection } = watch({ kept })
    const { fmsFileId } = await connection.upload(jobId, await source(other), {
      chunkBytes: 1_000_000,
    })
    expect(sha(await (await connection.download({ jobId, fmsFileId })).bytes())).toBe(sha(other))
    // The same bytes go on where they stopped.
    const again = watch({ kept })
    await again.connection.upload(jobId, await source(bytes), { chunkBytes: 1_000_000 })
    expect(
      again.sent.filter(({ method, path }) => method === 'PATCH' && path.startsWith('/fms')),
    ).toHaveLength(4)
  })

  it('are refused when they change on the way', async () => {
    const path = join(folder, 'changing.bin')
    writeFileSync(path, bytes)
    const { connection } = watch()
    const sending = connection.upload(await newJob(), await fileSource(path), {
      chunkBytes: 1_000_000,
      onProgress: (count) => count === 1e6 && writeFileSync(path, bytes.subarray(1)),
    })
    await expect(sending).rejects.toThrow(/changing\.bin changed during the upload/)
  })

  it('come without the token, and go on where the answer broke off', async () => {
    const jobId = await newJob()
    const { fmsFileId } = await watch().connection.upload(jobId, sourceOf('y.bin', bytes))
    let broken = 0
    const { connection, sent } = watch({
      fetch: async (input, init) => {
        const answer = await fetch(input, init)
        if (!new URL(String(input)).pathname.startsWith('/fms/files') || broken > 1) return answer
        broken += 1
        return new Response(breakingOff(answer, 1_500_000), {
          status: answer.status,
          headers: answer.headers,
        })
      },
    })
    const back = await connection.download({ jobId, fmsFileId })
    expect(sha(await back.bytes())).toBe(sha(bytes))
    expect(broken).toBe(2)
    expect(sent.length).toBe(0)
  })

  it('ask for a new link where the old one has expired', async () => {
    const jobId = await newJob()
    const { fmsFileId } = await watch().connection.upload(jobId, sourceOf('z.txt', 'late'))
    let refused = false
    const { connection, sent } = watch({}, (_, url) => {
      if (!url.pathname.startsWith('/fms/files') || refused) return undefined
      refused = true
      return problem(403, 'FORBIDDEN')
    })
    expect(await (await connection.download({ jobId, fmsFileId })).text()).toBe('late')
    const files = sent.filter(({ path }) => path.startsWith('/fms/files'))
    expect(files.map(({ headers }) => headers.get('authorization'))).toEqual([null, null])
  })

  it('are written whole or not at all', async () => {
    const path = join(folder, 'whole.txt')
    writeFileSync(path, 'before')
    async function* broken() {
      yield new TextEncoder().encode('half')
      throw new Error('no more')
    }
    await expect(writeWhole(path, broken())).rejects.toThrow('no more')
    expect(readFileSync(path, 'utf8')).toBe('before')
  })
})

describe('a whole round', () => {
  it('pushes files and keys and values, waits, and has the translations', async () => {
    const { connection } = watch()
    const job = await connection.push({
      jobName: 'round',
      source: 'en-us',
      targets: ['de-de', 'fr-fr'],
      provider: 'pseudo',
      items: [
        { name: 'a.html', file: sourceOf('a.html', '<p>Good morning to you</p>') },
        { name: 'menu', fields: { home: 'Home', about: 'About us' } },
      ],
    })
    const { ready, failed } = await connection.wait(job.jobId, { everyMs: 20 })
    expect(failed).toEqual([])
    expect(ready).toHaveLength(4)
    const page = ready.find(({ fileName }) => fileName === 'a.html')
    const menu = ready.find(({ requestName }) => requestName === 'menu')
    if (!page || !menu) throw new Error('requests are missing')
    expect(await (await connection.download(page)).text()).toMatch(/^<p>.*<\/p>$/)
    expect(Object.keys(await connection.fields(menu))).toEqual(['home', 'about'])
    await connection.approve(
      job.jobId,
      ready.map(({ requestId }) => requestId),
    )
    expect((await connection.completeJob({ params: { jobId: job.jobId } })).statusCode).toBe(
      'COMPLETED',
    )
  })
})

it('sends thousands of short fields in as many calls as the hub wants', async () => {
  const { connection, count } = watch()
  const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, '']))
  const items = Array.from({ length: 3 }, (_, at) => ({ name: `bundle ${at}`, fields }))
  const job = await connection.push({
    jobName: 'short',
    source: 'en-us',
    targets: ['de-de'],
    provider: 'Manual',
    items,
  })
  expect(count(`/v2/jobs/${job.jobId}/requests/add`)).toBe(2)
})

describe('polling', () => {
  const translated = async (count = 1) => {
    const { connection } = watch()
    const items = Array.from({ length: count }, (_, at) => ({
      name: `item ${at}`,
      fields: { a: 'Text' },
    }))
    const job = await connection.push({
      jobName: 'poll',
      source: 'en-us',
      targets: ['de-de'],
      provider: 'Pseudo',
      items,
    })
    await connection.wait(job.jobId, { everyMs: 20 })
    return job.jobId
  }
  const clear = () => watch().connection.pollOnce(() => {})

  it('acknowledges only what was handled; what failed comes again', async () => {
    await clear()
    const [bad, good] = [await translated(), await translated()]
    const { connection } = watch({ kept: keptInMemory() })
    const seen: string[] = []
    const failing = (update: StatusUpdate) => {
      seen.push(update.jobId)
      if (update.jobId === bad) throw new Error('not now')
    }
    const errors: unknown[] = []
    expect(await connection.pollOnce(failing, { onError: (error) => errors.push(error) })).toBe(1)
    expect(seen).toEqual([bad, good])
    expect(errors).toHaveLength(1)
    const again: string[] = []
    await connection.pollOnce((update) => void again.push(update.jobId))
    expect(again).toEqual([bad])
    expect(await connection.pollOnce(() => {})).toBe(0)
  })

  it('does not handle twice what it could not acknowledge', async () => {
    await clear()
    const jobId = await translated()
    let refusing = true
    const { connection } = watch({ retry: { tries: 1 } }, (method, url) =>
      refusing && method === 'PUT' && url.pathname.endsWith('/acknowledge')
        ? problem(503, 'SERVICE_UNAVAILABLE')
        : undefined,
    )
    const handled: string[] = []
    const handle = (update: StatusUpdate) => void handled.push(update.jobId)
    await connection.pollOnce(handle, { onError: () => {} })
    refusing = false
    await connection.pollOnce(handle)
    expect(handled).toEqual([jobId])
    expect(await connection.pollOnce(handle)).toBe(0)
  })

  it('takes a re-delivery after approval as the new update that it is', async () => {
    await clear()
    const jobId = await translated()
    const { connection } = watch()
    const seen: string[][] = []
    const handle = async (update: StatusUpdate) => {
      seen.push(update.requestIds)
      await connection.approve(update.jobId, update.requestIds)
    }
    await connection.pollOnce(handle)
    const job = await connection.findJob({ params: { jobId } })
    await connection.invokeProvider({
      params: { providerId: job.providerId ?? '' },
      body: { jobId },
    })
    await hub.advance('1s')
    await connection.pollOnce(handle)
    expect(seen).toHaveLength(2)
    expect(seen[1]).toEqual(seen[0])
  })

  it('finds in the ledger what a listener acknowledged though it never came', async () => {
    await clear()
    const { connection } = watch()
    await connection.pollOnce(() => {}, { ledger: true })
    const listener = await connection.createListener({
      body: { uri: 'http://127.0.0.1:9/nobody', type: 'REQUEST_STATUS_UPDATED' },
    })
    const jobId = await translated()
    expect(await connection.pollOnce(() => {})).toBe(0)
    const seen: string[] = []
    await connection.pollOnce((update) => void seen.push(update.jobId), { ledger: true })
    expect(seen).toEqual([jobId])
    expect(await connection.pollOnce(() => {}, { ledger: true })).toBe(0)
    await connection.deleteListener({ params: { listenerId: listener.listenerId } })
  })

  it('handles in the ledger each update once while another job fails, and goes on when that job is well', async () => {
    await clear()
    const { connection } = watch()
    await connection.pollOnce(() => {}, { ledger: true })
    const [failing, ...others] = [await translated(), await translated(), await translated()]
    const seen: string[] = []
    let ill = true
    const handle = ({ jobId }: { jobId: string }) => {
      seen.push(jobId)
      if (ill && jobId === failing) throw new Error('not now')
    }
    const options = { ledger: true, onError: () => {} }
    for (let round = 0; round < 3; round += 1) await connection.pollOnce(handle, options)
    expect(seen.filter((jobId) => jobId !== failing)).toEqual(others)
    ill = false
    expect(await connection.pollOnce(handle, options)).toBe(1)
    expect(await connection.pollOnce(handle, options)).toBe(0)
    expect(seen.at(-1)).toBe(failing)
    const next = await translated()
    expect(await connection.pollOnce(handle, options)).toBe(1)
    expect(seen.at(-1)).toBe(next)
  })

  it('goes on until it is stopped', async () => {
    await clear()
    const jobId = await translated()
    const stop = new AbortController()
    const seen: string[] = []
    await watch().connection.poll(
      (update) => {
        seen.push(update.jobId)
        stop.abort()
      },
      { everyMs: 10, signal: stop.signal },
    )
    expect(seen).toEqual([jobId])
  })
})

/** The first bytes of an answer, then a broken line. */
function breakingOff(answer: Response, after: number): ReadableStream<Uint8Array> {
  const reader = answer.body?.getReader()
  let left = after
  return new ReadableStream({
    pull: async (controller) => {
      const piece = await reader?.read()
      if (!piece || piece.done) return controller.close()
      const part = piece.value.subarray(0, left)
      left -= part.length
      if (part.length > 0) controller.enqueue(part)
      if (left === 0) controller.error(new TypeError('terminated'))
    },
    cancel: () => reader?.cancel(),
  })
}

async function serving(
  listener: RequestListener,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
