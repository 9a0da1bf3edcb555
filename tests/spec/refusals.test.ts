/**
 * Contract, sections 3 and 11: what no store, file or number can hold is refused at the door, with
 * its place.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHub, type TestHub } from '../hub.ts'
import { everything, run } from '../scenario.ts'

const as = 'demo-connector'
let hub: TestHub
let jobId: string
beforeAll(async () => {
  hub = await startHub()
  jobId = String(
    (await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Refusals' } })).body.jobId,
  )
})
afterAll(() => hub.close())

const request = (fields: unknown) => ({
  requestName: 'r',
  sourceNativeId: '1',
  sourceNativeLanguageCode: 'en-us',
  targetNativeLanguageCodes: ['de-de'],
  fields,
})
const refused = async (row: Parameters<typeof run>[1]) => {
  const before = await everything(hub)
  const got = await run(hub, row)
  expect(await everything(hub)).toBe(before)
  return got
}

describe('the name of a job', () => {
  it.each([
    ['a line break', 'A\nB'],
    ['a carriage return', 'A\rB'],
    ['an escape', 'A\u001b[31mB'],
    ['a mark that turns the direction of text', 'A\u202eB'],
    ['the end of a line', 'A\u2028B'],
  ])('with %s is refused', async (_, jobName) => {
    const at = { name: jobName, as, status: 400, code: 'INVALID_REQUEST' } as const
    await refused({ ...at, call: 'POST /v2/jobs', body: { jobName }, says: /line break/ })
    await refused({ ...at, call: `PATCH /v2/jobs/${jobId}`, body: { jobName }, says: /line break/ })
  })
})

describe('answers', () => {
  it.each([
    '/v2/jobs',
    '/v2/none',
    '/.well-known/jwks.json',
    '/.well-known/openid-configuration',
    '/healthz',
    '/console/api/none',
    '/console/api/session',
  ])('%s is not to be taken for another type', async (path) => {
    const { headers } = await hub.call('GET', path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    if (path.startsWith('/console/'))
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })
})

describe('key-value content with a character that XML cannot hold', () => {
  const characters = [
    ['\u0001', 'U\\+0001'],
    ['\u001f', 'U\\+001F'],
    ['\ufffe', 'U\\+FFFE'],
    ['\uffff', 'U\\+FFFF'],
    ['\ud800', 'U\\+D800'],
    ['\udfff', 'U\\+DFFF'],
  ] as const

  it.each(characters)(
    'is refused wherever it comes in, with the key and the character: %j',
    async (letter, name) => {
      const value = [
        { key: 'ok', value: 'ok' },
        { key: 'title', value: `a${letter}b` },
      ]
      const key = [{ key: `ti${letter}tle`, value: 'ok' }]
      const content = await hub.call('POST', `/v2/jobs/${jobId}/sourcecontent`, {
        as,
        body: { fields: [] },
      })
      const request1 = await hub.call<{ requests: { requestId: string }[] }>(
        'POST',
        `/v2/jobs/${jobId}/requests/add`,
        {
          as,
          body: request([{ key: 'k', value: 'v' }]),
        },
      )
      const id = request1.body.requests[0]?.requestId
      const ways: [string, (fields: unknown) => unknown, string][] = [
        [`POST /v2/jobs/${jobId}/sourcecontent`, (fields) => ({ fields }), 'fields'],
        [
          `PUT /v2/jobs/${jobId}/sourcecontent/${content.body.sourcecontentId}`,
          (fields) => ({ fields }),
          'fields',
        ],
        [`POST /v2/jobs/${jobId}/requests/add`, request, 'fields'],
        [
          `POST /v2/jobs/${jobId}/requests/add`,
          (fields) => ({ requests: [request(fields)] }),
          'requests[0].fields',
        ],
        [`PATCH /v2/jobs/${jobId}/requests/${id}`, (fields) => ({ fields }), 'fields'],
        [`PATCH /v2/jobs/${jobId}/requests`, (fields) => [{ requestId: id, fields }], '[0].fields'],
      ]
      for (const [call, body, path] of ways) {
        const row = { name: call, call, status: 400, code: 'INVALID_REQUEST' }
        const bad = await refused({
          ...row,
          body: body(value),
          says: new RegExp(`${name}.*key "title"`),
        })
        expect(bad.body.details).toMatchObject([{ path: `${path}[1].value` }])
        const worse = await refused({ ...row, body: body(key), says: new RegExp(name) })
        expect(worse.body.details).toMatchObject([{ path: `${path}[0].key` }])
      }
    },
  )

  it('is refused as a translation too; line ends, tabs and every other character are kept', async () => {
    const { body: made } = await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Back' } })
    const kept = '\t\n\r é\u0085\u2028\ud7ff\ue000\ufffd\u{1f600}\u{10ffff}'
    const added = await hub.call<{ requests: { requestId: string }[] }>(
      'POST',
      `/v2/jobs/${made.jobId}/requests/add`,
      {
        as,
        body: request([{ key: 'title', value: kept }]),
      },
    )
    expect(added.status).toBe(201)
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    const providerId = body.providers.find(({ name }) => name === 'Manual')?.id
    await hub.call('PUT', `/v2/jobs/${made.jobId}/submit`, { as, body: { providerId } })
    await hub.advance('1s')
    const task = `/v2/providers/${providerId}/jobs/${made.jobId}/assetTasks/${added.body.requests[0]?.requestId}`
    const put = (value: string) => ({
      body: { fields: [{ key: 'title', value }] },
      as: 'demo-provider',
    })
    const call = `PUT ${task}/translatedContent`
    await refused({
      name: call,
      call,
      status: 400,
      says: /U\+FFFE.*key "title"/,
      ...put('x\ufffe'),
    })
    await run(hub, { name: 'kept', call, status: 200, ...put(kept) })
    const { headers } = await hub.call('GET', `${task}/sourceFile`, { as: 'demo-provider' })
    const xml = await (await fetch(String(headers.get('location')))).text()
    expect(xml).toContain(
      '&#9;&#10;&#13; é\u0085\u2028\ud7ff\ue000\ufffd\u{1f600}\u{10ffff}</field>',
    )
  })
})

describe('an integer that a double changes', () => {
  const job = (number: string, more = '') =>
    `{"jobName":"x","customData":"9007199254740993 \\" 9007199254740993","extendedMetadata":{"a":[1,{"b":${number}}]${more}}}`
  it.each(['9007199254740993', '-9007199254740993', '12345678901234567890'])(
    '%s is refused in small and large bodies',
    async (number) => {
      for (const more of ['', `,"c":"${'x'.repeat(40_000)}","d":"${'y'.repeat(24_000)}"`])
        await refused({
          name: 'POST /v2/jobs',
          call: 'POST /v2/jobs',
          status: 400,
          body: job(number, more),
          says: new RegExp(`the number ${number} is too large to be kept exactly`),
        })
    },
  )

  it.each([
    '9007199254740991',
    '9007199254740992',
    '18014398509481984',
    '1e21',
    '0.1234567890123456789',
  ])('%s is kept', async (number) => {
    const made = await hub.call('POST', '/v2/jobs', { as: 'demo-connector', body: job(number) })
    expect(made).toMatchObject({
      status: 201,
      body: { extendedMetadata: { a: [1, { b: Number(number) }] } },
    })
  })
})

describe('a number that a double cannot hold', () => {
  it.each(['1e999', '-1e999', '1e400', '9'.repeat(310)])(
    'is refused everywhere, with its place: %s',
    async (number) => {
      const rows: [string, string, string][] = [
        [
          'POST /v2/jobs',
          `{"jobName":"x","extendedMetadata":{"a":[1,{"b":${number}}]}}`,
          'extendedMetadata.a[1].b',
        ],
        ['POST /v2/jobs', `{"jobName":"x","customData":"y","unknown":${number}}`, 'unknown'],
        [`PATCH /v2/jobs/${jobId}`, `{"extendedMetadata":{"n":${number}}}`, 'extendedMetadata.n'],
        [
          `POST /v2/jobs/${jobId}/requests/add`,
          JSON.stringify(request([{ key: 'k', value: 'v' }])).replace(
            '{',
            `{"wordCount":${number},`,
          ),
          'wordCount',
        ],
        [
          // So large that it is read in slices.
          `POST /v2/jobs/${jobId}/requests/add`,
          `{"requests":[${JSON.stringify(request([{ key: 'k', value: 'x'.repeat(200_000) }]))},{"wordCount":${number}}]}`,
          'requests[1].wordCount',
        ],
      ]
      for (const [call, body, path] of rows) {
        const row = {
          name: call,
          call,
          body,
          status: 400,
          code: 'INVALID_REQUEST',
          says: /out of range/,
        }
        const { body: error } = await refused(row)
        expect(error.details).toMatchObject([{ path }])
        expect(error.message).toContain(path)
      }
    },
  )

  it.each(['pageSize=1e999', 'pageSize=-1e999', 'since=1e999', `since=${'9'.repeat(310)}`])(
    'is refused in a query: %s',
    async (query) => {
      const [name = ''] = query.split('=')
      const call = `GET /v2/statusupdates?${query}`
      await run(hub, {
        name: call,
        call,
        status: 400,
        code: 'INVALID_PARAMETER',
        says: new RegExp(name),
      })
    },
  )

  it('does not take the largest numbers along', async () => {
    const body = '{"jobName":"x","extendedMetadata":{"a":1.7976931348623157e308,"b":-5e-324}}'
    const { body: job } = await run(hub, {
      name: 'large',
      call: 'POST /v2/jobs',
      body,
      status: 201,
    })
    expect(job.extendedMetadata).toEqual({ a: Number.MAX_VALUE, b: -Number.MIN_VALUE })
  })
})

describe('a refusal does not mislead', () => {
  const body = (code: unknown) => ({ jobName: 'x', targetNativeLanguageCodes: [code] })
  const call = 'POST /v2/jobs'

  it('a null where a language belongs has a sentence of its own', async () => {
    const row = { name: 'null', call, body: body(null), status: 400, code: 'INVALID_LANGUAGE' }
    const { body: error } = await refused({ ...row, says: /null is not a language code/ })
    expect(JSON.stringify(error)).not.toMatch(/nearest|"null"/)
  })

  it.each(['xx', 'null', 'zz-ZZ'])(
    'an unknown language with nothing near it names none: %s',
    async (code) => {
      const row = { name: code, call, body: body(code), status: 400, code: 'INVALID_LANGUAGE' }
      const { body: error } = await refused({
        ...row,
        says: new RegExp(`"${code}" is not an accepted language code`),
      })
      expect(JSON.stringify(error)).not.toMatch(/nearest/)
    },
  )

  it.each(['http://10.1.2.3/', 'http://192.168.0.1/hook', 'http://[fd00::1]/'])(
    'an address that an operator can allow names DRAGOMAN_LISTENER_ALLOW: %s',
    async (uri) => {
      const listener = { type: 'JOB_STATUS_UPDATED', uri }
      const listen = 'POST /v2/statusupdates/listeners'
      const row = {
        name: uri,
        call: listen,
        body: listener,
        status: 400,
        code: 'LISTENER_URI_FORBIDDEN',
      }
      await refused({ ...row, says: /DRAGOMAN_LISTENER_ALLOW/ })
      const ftp = { ...row, body: { ...listener, uri: 'ftp://example.org/' } }
      const { body: error } = await refused(ftp)
      expect(error.message).not.toContain('DRAGOMAN_LISTENER_ALLOW')
    },
  )
})
