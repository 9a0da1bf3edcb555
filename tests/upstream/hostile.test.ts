/**
 * An upstream that is hostile or broken: however long, deep, large or odd its answers are, the hub
 * reads a bounded part of them, stores nothing of another type, and goes on when it is well again.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../hub.ts'
import { type Between, type Passing, startBetween } from './between.ts'
import { admin, connector, type HubPair, startPair } from './pair.ts'

const fields = [{ key: 'a', value: 'The dog sleeps.' }]
const content = { requestName: 'Text', sourceNativeId: 't', fields }
const languages = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCodes: ['de-de'] }

type Answer = ReturnType<Between['answer']>
const json = (body: object): Answer => ({ status: 200, body: body as Record<string, unknown> })
const raw = (text: string): Answer => ({ status: 200, raw: text })
const isList = ({ method, path }: Passing) =>
  method === 'GET' && /\/jobs\/[^/]+\/requests(?:\?|$)/.test(path)
const isJob = ({ method, path }: Passing) => method === 'GET' && /\/jobs\/[^/?]+(?:\?|$)/.test(path)
const MiB = 1024 ** 2

describe.each(databases)('a hostile upstream on %s', (database) => {
  let pair: HubPair
  let between: Between
  const begun: string[] = []
  beforeAll(async () => {
    pair = await startPair(database)
    between = await startBetween(pair.beyond.hub.url)
  })
  afterAll(async () => {
    await Promise.all([pair.close(), between.close()])
  })
  beforeEach(() => between.reset())
  afterEach(async () => {
    between.reset()
    for (const jobId of begun.splice(0))
      await pair.front.call(connector, 'PUT', `/jobs/${jobId}/complete`)
  })

  const submit = async (): Promise<string> => {
    const { front } = pair
    const providerId = await pair.lead('Manual', { url: between.url })
    const made = await front.call<{ jobId: string }>(connector, 'POST', '/jobs', { jobName: 'A' })
    const { jobId } = made.body
    begun.push(jobId)
    await front.call(connector, 'POST', `/jobs/${jobId}/requests/add`, { ...content, ...languages })
    const sent = await front.call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    return jobId
  }
  const seen = async (jobId: string) => {
    const [request] = await pair.front.requests(jobId)
    return {
      status: request?.statusCode,
      error: request?.latestErrorMessage,
      waits: request?.lastTry?.message,
    }
  }

  let page = 0
  const endless = (items: object[]) =>
    json({ requests: items, pagination: { navNext: `p${page++}` } })
  const lists: [string, () => Answer, RegExp | undefined][] = [
    ['has a list of requests without an end', () => endless([{ requestId: 'none' }]), /status/],
    ['has pages without an end and without items', () => endless([]), /more than 2 pages/],
    [
      'answers with more than 16 MiB',
      () => raw(`{"requests":["${'x'.repeat(17 * MiB)}"]}`),
      /more than 16777216 bytes/,
    ],
    ['answers with a million lists', () => raw(`[${'[],'.repeat(1_000_000)}1]`), /values/],
    ['answers with 200 levels', () => raw('['.repeat(200) + ']'.repeat(200)), /levels/],
    ['has requests that are none', () => json({ requests: [7] }), /did not answer with a request/],
    [
      'has an id with a zero byte',
      () => json({ requests: [{ requestId: 'a\u0000b', statusCode: 'CANCELLED' }] }),
      /usable requestId/,
    ],
  ]
  it.each(lists)('that %s is read in part, and again when it is well', async (_, answer, says) => {
    const jobId = await submit()
    await pair.settle()
    between.answer = (call) => (isList(call) ? answer() : undefined)
    const before = between.seen.filter(isList).length
    await pair.front.hub.advance('1m')
    const tries = between.seen.filter(isJob).length
    expect(between.seen.filter(isList).length - before).toBeLessThanOrEqual(2 * tries)
    expect((await seen(jobId)).waits).toMatch(says ?? /^/)
    between.answer = () => undefined
    await pair.front.hub.advance('16m')
    expect(await seen(jobId)).toMatchObject({ status: 'SENT_TO_PROVIDER', error: undefined })
    expect(between.seen.filter(isList).length).toBeGreaterThan(before + 1)
    expect(pair.front.hub.logged()).not.toContain('invalid input syntax')
  })

  const sentences: [string, unknown, string][] = [
    ['is an object', { toString: 'x' }, 'The upstream reported an error.'],
    ['is a number', 7, 'The upstream reported an error.'],
    ['has a zero byte and an escape', 'No\u0000way\u001b[31m', 'No way [31m'],
    ['is of a megabyte', 'x'.repeat(MiB), `${'x'.repeat(1_999)}…`],
  ]
  it.each(sentences)('whose error %s is told once', async (_, said, shown) => {
    const jobId = await submit()
    await pair.settle()
    between.change = (call, answered) =>
      isList(call)
        ? {
            ...answered,
            requests: (answered.requests as object[]).map((one) => ({
              ...one,
              hasError: true,
              latestErrorMessage: said,
            })),
          }
        : answered
    await pair.front.hub.advance('16m')
    expect((await seen(jobId)).error).toBe(shown)
    between.reset()
  })

  it.each([
    ['is an object', { jobId: { a: 1 } }],
    ['has a zero byte', { jobId: 'a\u0000' }],
    ['is long', { jobId: 'x'.repeat(300) }],
  ])('whose job id %s is asked again', async (_, body) => {
    between.answer = ({ method, path }) =>
      method === 'POST' && path === '/v2/jobs' ? json(body) : undefined
    const jobId = await submit()
    await pair.settle()
    expect((await seen(jobId)).waits).toMatch(/usable jobId/)
  })

  it('that gives a token of megabytes is not asked with it', async () => {
    between.answer = ({ path }) =>
      path === '/connect/token'
        ? json({ access_token: 'x'.repeat(500_000), expires_in: 3_600, token_type: 'Bearer' })
        : undefined
    const jobId = await submit()
    await pair.settle()
    expect((await seen(jobId)).waits).toMatch(/answered without a token/)
    expect(between.seen.filter(({ path }) => path.startsWith('/v2'))).toEqual([])
  })

  it('that refuses the secret is a finding at once, until it takes it', async () => {
    const { front } = pair
    between.answer = ({ path }) =>
      path === '/connect/token'
        ? {
            status: 401,
            body: { error: 'invalid_client', error_description: 'The secret is wrong.' },
          }
        : undefined
    const jobId = await submit()
    await front.hub.advance('1s')
    const findings = async () => {
      const { body } = await front.call<{ findings: { rule: string; sentence: string }[] }>(
        admin,
        'GET',
        '/findings',
      )
      return body.findings.filter(({ rule }) => rule === 'engine-refuses')
    }
    expect(await findings()).toMatchObject([
      { sentence: expect.stringMatching(/refuses the credentials .*The secret is wrong/) },
    ])
    expect((await seen(jobId)).waits).toMatch(/refuses the credentials/)
    between.answer = () => undefined
    await front.hub.advance('16m')
    expect(await findings()).toEqual([])
  })

  it('gets requests with much metadata in calls of a few megabytes, each once', async () => {
    const { front } = pair
    const count = 80
    const providerId = await pair.lead('Manual', { url: between.url })
    const made = await front.call<{ jobId: string }>(connector, 'POST', '/jobs', { jobName: 'A' })
    const { jobId } = made.body
    begun.push(jobId)
    const requests = Array.from({ length: count }, (_, at) => ({
      ...{ ...content, ...languages, sourceNativeId: `t${at}` },
      extendedMetadata: { text: 'x'.repeat(60_000) },
    }))
    await front.call(connector, 'POST', `/jobs/${jobId}/requests/add`, { requests })
    await front.call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    await pair.settle()
    const added = between.seen.filter(({ path }) => path.endsWith('/requests/add'))
    expect(added.length).toBeGreaterThan(1)
    for (const { body } of added) expect(body.length).toBeLessThan(3 * MiB)
    const sent = added.flatMap(
      ({ body }) => (JSON.parse(body) as { requests: { sourceNativeId: string }[] }).requests,
    )
    expect(new Set(sent.map(({ sourceNativeId }) => sourceNativeId)).size).toBe(count)
    expect(sent).toHaveLength(count)
  })

  it('that has updates without an end is acknowledged a part of them', async () => {
    const isUpdates = ({ method, path }: Passing) =>
      method === 'GET' && path.startsWith('/v2/statusupdates?')
    let updates = 0
    between.answer = (call) => {
      if (call.path.startsWith('/v2/statusupdates/listeners')) return { status: 404 }
      if (isUpdates(call))
        return json({
          statusupdates: Array.from({ length: 50 }, () => ({ updateId: `u${updates++}` })),
          pagination: { navNext: `n${updates}` },
        })
      return call.path.startsWith('/v2/statusupdates/') ? { status: 204, raw: '' } : undefined
    }
    const jobId = await submit()
    await pair.front.hub.advance('20s')
    const runs = between.seen.filter(isJob).length
    expect(between.seen.filter(isUpdates).length).toBeLessThanOrEqual(100 * Math.max(1, runs))
    expect((await seen(jobId)).status).toBe('SENT_TO_PROVIDER')
    expect((await pair.front.call(admin, 'GET', '/findings')).status).toBe(200)
  })
})
