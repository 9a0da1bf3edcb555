/**
 * docs/faults-on-demand.md: every scenario does on the wire what its row says, and goes when it has
 * acted.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import {
  faultsPage,
  type ScenarioName,
  scenarioNames,
  scenarios,
} from '../packages/certify/src/scenarios.ts'
import { type Answer, databases, startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { type Receiver, startReceiver } from './receiver.ts'

type JsonObject = Record<string, unknown>
type Fault = { id: string; scenario: string; left: number; acted: number }
type Listed = { scenarios: JsonObject[]; active: Fault[]; spent: Fault[] }
type Call = {
  number: number
  id: string
  method: string
  route: string
  status: number
  client?: string
  fault?: JsonObject
} & JsonObject
type Request = {
  requestId: string
  statusCode: string
  targetNativeLanguageCode: string
  hasError: boolean
}

const as = 'demo-connector'
/** With a listener, so that the other one's updates stay to be polled. */
const hearing = 'demo-admin'
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

describe.each(databases)('faults on demand on %s', (database) => {
  let hub: TestHub
  let pseudo: string
  let receiver: Receiver
  beforeAll(async () => {
    hub = await startHub({ database })
    receiver = await startReceiver()
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    pseudo = body.providers.find((one) => one.name === 'Pseudo')?.id ?? ''
    for (const type of ['JOB_STATUS_UPDATED', 'REQUEST_STATUS_UPDATED'])
      await hub.call('POST', '/v2/statusupdates/listeners', {
        as: hearing,
        body: { uri: receiver.url, type, secret },
      })
  })
  afterEach(() => hub.call('DELETE', '/sandbox/faults'))
  afterAll(async () => {
    await hub.close()
    await receiver.close()
  })

  const ask = (body: unknown) => hub.call<Fault & JsonObject>('POST', '/sandbox/faults', { body })
  const faults = async () => (await hub.call<Listed>('GET', '/sandbox/faults')).body
  const calls = async (after = 0) =>
    (await hub.call<{ calls: Call[]; last: number }>('GET', '/sandbox/calls', { query: { after } }))
      .body
  const last = async (): Promise<Call | undefined> => (await calls()).calls.at(-1)
  const call = <T = JsonObject>(
    method: string,
    path: string,
    body?: unknown,
    who = as,
  ): Promise<Answer<T>> =>
    hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })
  const list = () => call('GET', '/jobs')
  const on = async (scenario: ScenarioName, more: JsonObject = {}) =>
    expect((await ask({ scenario, ...more })).status).toBe(201)

  const newJob = async (labels: readonly string[] = [], who = as): Promise<string> => {
    const { body } = await call(
      'POST',
      '/jobs',
      { jobName: 'Faulty', labels, providerId: pseudo },
      who,
    )
    return String(body.jobId)
  }
  const upload = async (
    jobId: string,
    bytes: string | Uint8Array<ArrayBuffer>,
  ): Promise<{ fileId: string; status: number }> => {
    const { status, body } = await call<Record<string, string>>(
      'POST',
      `/jobs/${jobId}/sourcefiles?fileName=a.txt`,
    )
    if (status !== 201) return { fileId: '', status }
    const form = new FormData()
    form.append('file', new Blob([bytes]), 'a.txt')
    const sent = await fetch(body.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })
    return { fileId: body.fmsFileId ?? '', status: sent.status }
  }
  const add = (jobId: string, more: JsonObject = {}, who = as) =>
    call(
      'POST',
      `/jobs/${jobId}/requests/add`,
      {
        requestName: 'page',
        sourceNativeId: 's',
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCodes: ['de-de', 'fr-fr'],
        ...(more.fmsFileId
          ? {}
          : { fields: [{ key: 'title', value: 'Good morning, all of you' }] }),
        ...more,
      },
      who,
    )
  const submit = (jobId: string, who = as) => call('PUT', `/jobs/${jobId}/submit`, {}, who)
  const requestsOf = async (jobId: string, who = as) =>
    (await call<{ requests: Request[] }>('GET', `/jobs/${jobId}/requests`, undefined, who)).body
      .requests
  const statuses = async (jobId: string) =>
    (await requestsOf(jobId)).map((one) => one.statusCode).sort()
  const reviewed = (jobId: string, who = as) =>
    until('all are in review', async () =>
      (await requestsOf(jobId, who)).every(({ statusCode }) => statusCode === 'REVIEW_TRANSLATION'),
    )
  /** A job of two requests, sent to Pseudo. */
  const sent = async (labels: readonly string[], who = as): Promise<string> => {
    const jobId = await newJob(labels, who)
    await add(jobId, {}, who)
    expect((await submit(jobId, who)).status).toBe(200)
    return jobId
  }
  const retrieve = async (jobId: string) => {
    const [request] = await requestsOf(jobId)
    return call('GET', `/jobs/${jobId}/requests/${request?.requestId}/retrievefile`)
  }
  const text = 'Good morning, all of you. '.repeat(500)
  /** A file that was translated, and the link to it. */
  const download = async (): Promise<{ link: () => Promise<string> }> => {
    const jobId = await newJob()
    await add(jobId, { fmsFileId: (await upload(jobId, text)).fileId })
    await submit(jobId)
    await reviewed(jobId)
    return { link: async () => (await retrieve(jobId)).headers.get('location') ?? '' }
  }
  const refused = async (
    scenario: ScenarioName,
    times: number,
    status: number,
    retryAfter: string | null,
  ) => {
    await on(scenario)
    for (let n = 0; n < times; n += 1) {
      const answer = await list()
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, retryAfter])
    }
    expect((await list()).status).toBe(200)
  }
  const heard = (jobId: string) => receiver.calls.filter(({ body }) => body.jobId === jobId)
  const hear = (jobId: string, many: number) =>
    until(`${many} deliveries`, () => heard(jobId).length >= many && heard(jobId))
  const broken = async (made: Promise<unknown>) =>
    expect(
      await made.then(
        () => 'answered',
        () => 'broken off',
      ),
    ).toBe('broken off')

  const rows: Record<ScenarioName, () => Promise<unknown>> = {
    'rate-limit-storm': () => refused('rate-limit-storm', 3, 429, '1'),
    'rate-limit-silent': () => refused('rate-limit-silent', 3, 429, null),
    unavailable: () => refused('unavailable', 2, 503, '1'),
    'unavailable-silent': () => refused('unavailable-silent', 3, 503, null),
    'internal-error': () => refused('internal-error', 1, 500, null),
    'bad-gateway': async () => {
      await refused('bad-gateway', 2, 502, null)
      await on('bad-gateway')
      expect((await list()).headers.get('content-type')).toBe('text/html')
    },
    'slow-answers': async () => {
      await on('slow-answers', { times: 1, seconds: 0.3 })
      const begun = performance.now()
      expect((await list()).status).toBe(200)
      expect(performance.now() - begun).toBeGreaterThan(295)
    },
    'connection-reset': async () => {
      await on('connection-reset', { times: 1 })
      await broken(list())
      expect(await last()).toMatchObject({
        route: '/v2/jobs',
        status: 0,
        fault: { scenario: 'connection-reset' },
      })
      expect((await list()).status).toBe(200)
    },
    'answer-lost': async () => {
      const before = (await call<{ jobs: JsonObject[] }>('GET', '/jobs?pageSize=1')).body.jobs[0]
        ?.jobId
      await on('answer-lost')
      await broken(call('POST', '/jobs', { jobName: 'Lost' }))
      const made = (await call<{ jobs: JsonObject[] }>('GET', '/jobs?pageSize=1')).body.jobs[0]
      expect(made).toMatchObject({ jobName: 'Lost' })
      expect(made?.jobId).not.toBe(before)
    },
    'answer-cut': async () => {
      await on('answer-cut')
      await broken(list())
      expect((await list()).status).toBe(200)
    },
    'upload-reset': async () => {
      const jobId = await newJob()
      await on('upload-reset', { jobId, times: 2 })
      await broken(upload(jobId, 'small'))
      await broken(upload(jobId, new Uint8Array(8 * 1024 ** 2)))
      expect((await upload(jobId, 'small')).status).toBe(201)
    },
    'fms-failure': async () => {
      const jobId = await newJob(['fault:fms-failure'])
      expect((await upload(jobId, 'x')).status).toBe(503)
      expect(await last()).toMatchObject({ code: 'FMS_UNAVAILABLE', retryAfter: '1' })
      expect((await upload(jobId, 'x')).status).toBe(503)
      expect((await upload(jobId, 'x')).status).toBe(201)
    },
    'download-expired': async () => {
      const { link } = await download()
      await on('download-expired')
      expect((await fetch(await link())).status).toBe(403)
      expect((await fetch(await link())).status).toBe(200)
    },
    'download-cut': async () => {
      const { link } = await download()
      await on('download-cut')
      await broken(fetch(await link()).then((answer) => answer.arrayBuffer()))
      expect((await (await fetch(await link())).arrayBuffer()).byteLength).toBeGreaterThan(
        text.length,
      )
    },
    'token-revoked': async () => {
      const old = { headers: { authorization: `Bearer ${await hub.token(as)}` } }
      await on('token-revoked')
      for (let n = 0; n < 3; n += 1)
        expect((await hub.call('GET', '/v2/jobs', old)).status).toBe(401)
      const fresh = { headers: { authorization: `Bearer ${await hub.token(as)}` } }
      expect((await hub.call('GET', '/v2/jobs', fresh)).status).toBe(200)
    },
    'token-clock-skew': async () => {
      const old = { headers: { authorization: `Bearer ${await hub.token(as)}` } }
      await on('token-clock-skew')
      const { status, headers, body } = await hub.call('GET', '/v2/jobs', old)
      expect([status, body.message]).toEqual([401, expect.stringContaining('expired')])
      expect(Date.parse(headers.get('date') ?? '') - hub.inner.clock.now()).toBeGreaterThan(500_000)
    },
    'token-short': async () => {
      await on('token-short')
      const form = {
        grant_type: 'client_credentials',
        client_id: as,
        client_secret: `${as}-secret`,
      }
      const ask = async () =>
        (
          await fetch(`${hub.url}/connect/token`, {
            method: 'POST',
            body: new URLSearchParams(form),
          })
        ).json()
      expect(await ask()).toMatchObject({ expires_in: 5 })
      expect(await ask()).toMatchObject({ expires_in: 3600 })
    },
    'token-endpoint-down': async () => {
      await on('token-endpoint-down', { client: as })
      expect(await hub.token('demo-settings')).toMatch(/^ey/)
      for (let n = 0; n < 2; n += 1) await expect(hub.token(as)).rejects.toThrow('503')
      expect(await hub.token(as)).toMatch(/^ey/)
    },
    'empty-page': async () => {
      await newJob()
      await on('empty-page')
      const empty = (
        await call<{ jobs: JsonObject[]; pagination: { navNext: string } }>(
          'GET',
          '/jobs?pageSize=1',
        )
      ).body
      expect(empty.jobs).toEqual([])
      const next = await call<{ jobs: JsonObject[] }>(
        'GET',
        `/jobs?navNext=${empty.pagination.navNext}`,
      )
      expect([next.status, next.body.jobs.length]).toEqual([200, 1])
    },
    'small-pages': async () => {
      await Promise.all([newJob(), newJob()])
      await on('small-pages')
      const { body } = await call<{ jobs: JsonObject[]; pagination: JsonObject }>('GET', '/jobs')
      expect([body.jobs.length, body.pagination.navNext]).toEqual([1, expect.any(String)])
      const second = await call<{ jobs: JsonObject[] }>(
        'GET',
        `/jobs?navNext=${body.pagination.navNext}`,
      )
      expect([second.body.jobs.length, second.body.jobs[0]?.jobId]).toEqual([
        1,
        expect.not.stringMatching(`^${body.jobs[0]?.jobId}$`),
      ])
    },
    'quota-reached': async () => {
      const jobId = await newJob(['fault:quota-reached'])
      await add(jobId)
      expect(await submit(jobId)).toMatchObject({ status: 409, body: { code: 'QUOTA_EXCEEDED' } })
      expect((await submit(jobId)).status).toBe(200)
    },
    'job-archived': async () => {
      const jobId = await sent(['fault:job-archived'])
      await reviewed(jobId)
      const [request] = await requestsOf(jobId)
      const file = `/jobs/${jobId}/requests/${request?.requestId}/retrievefile`
      expect(await call('GET', file)).toMatchObject({ status: 409, body: { code: 'JOB_ARCHIVED' } })
      await until(
        'it is archived',
        async () => (await call('GET', `/jobs/${jobId}`)).body.archiveStatus === 'ARCHIVED',
      )
      await call('PUT', `/jobs/${jobId}/unarchive`)
      await until(
        'it is back',
        async () => (await call('GET', `/jobs/${jobId}`)).body.archiveStatus === 'ACTIVE',
      )
      expect((await call('GET', file)).status).toBe(307)
    },
    'redelivery-after-approval': async () => {
      const jobId = await sent(['fault:redelivery-after-approval'])
      await reviewed(jobId)
      const requestIds = (await requestsOf(jobId)).map(({ requestId }) => requestId)
      expect((await call('PUT', `/jobs/${jobId}/requests/approve`, { requestIds })).status).toBe(
        200,
      )
      await reviewed(jobId)
      expect((await call('PUT', `/jobs/${jobId}/requests/approve`, { requestIds })).status).toBe(
        200,
      )
      expect(await statuses(jobId)).toEqual(['TRANSLATION_APPROVED', 'TRANSLATION_APPROVED'])
    },
    'stuck-sending': async () => {
      const jobId = await sent(['fault:stuck-sending'])
      await hub.advance('4m')
      expect(await statuses(jobId)).toEqual(['SENDING', 'SENDING'])
      await hub.advance('2m')
      await reviewed(jobId)
    },
    'provider-error': async () => {
      const jobId = await sent(['fault:provider-error'])
      await until('it has an error', async () =>
        (await requestsOf(jobId)).every(({ hasError }) => hasError),
      )
      await hub.advance('6m')
      await reviewed(jobId)
      expect((await requestsOf(jobId)).some(({ hasError }) => hasError)).toBe(false)
    },
    'provider-cancels-one': async () => {
      const jobId = await sent(['fault:provider-cancels-one'])
      await until(
        'one is there',
        async () => (await statuses(jobId)).join() === 'CANCELLED,REVIEW_TRANSLATION',
      )
    },
    'provider-cancels-all': async () => {
      const jobId = await sent(['fault:provider-cancels-all'])
      await until(
        'none is left',
        async () => (await statuses(jobId)).join() === 'CANCELLED,CANCELLED',
      )
      expect((await call('GET', `/jobs/${jobId}`)).body.statusCode).toBe('CANCELLED')
    },
    'corrupt-translation': async () => {
      const jobId = await sent(['fault:corrupt-translation'])
      await reviewed(jobId)
      const [request] = await requestsOf(jobId)
      const content = async () =>
        JSON.stringify(
          (await call('GET', `/jobs/${jobId}/requests/${request?.requestId}/retrieve`)).body,
        )
      expect(await content()).toContain('\ufffd')
      await hub.advance('6m')
      expect(await content()).not.toContain('\ufffd')
    },
    'missing-languages': async () => {
      const jobId = await sent(['fault:missing-languages'])
      await until('one is there', async () =>
        (await statuses(jobId)).includes('REVIEW_TRANSLATION'),
      )
      const missing = (await requestsOf(jobId)).filter(
        ({ statusCode }) => statusCode !== 'REVIEW_TRANSLATION',
      )
      expect(missing.map((one) => one.targetNativeLanguageCode)).toEqual(['de-de'])
      await hub.advance('61m')
      await reviewed(jobId)
    },
    'late-translation': async () => {
      const jobId = await sent(['fault:late-translation'])
      await hub.advance('23h')
      expect(await statuses(jobId)).toEqual(['SENT_TO_PROVIDER', 'SENT_TO_PROVIDER'])
      await hub.advance('2h')
      await reviewed(jobId)
    },
    'duplicate-deliveries': async () => {
      const jobId = await sent(['fault:duplicate-deliveries'], hearing)
      const all = await hear(jobId, 5)
      const times = new Map<string, number>()
      for (const { headers } of all)
        times.set(headers['webhook-id'] ?? '', (times.get(headers['webhook-id'] ?? '') ?? 0) + 1)
      expect(Math.max(...times.values())).toBe(2)
    },
    'late-deliveries': async () => {
      await on('late-deliveries', { client: hearing })
      const jobId = await sent([], hearing)
      await reviewed(jobId, hearing)
      await until('both tries were withheld', async () => (await faults()).spent.length === 1)
      const before = heard(jobId).length
      await hub.advance('10m')
      expect(heard(jobId).length).toBeGreaterThan(before)
    },
    'reordered-deliveries': async () => {
      await on('reordered-deliveries', { client: hearing, label: 'in disorder', seconds: 60 })
      // The translation comes later, so that the job's first delivery is surely the one that is
      // held.
      const jobId = await sent(['in disorder', 'fault:late-translation'], hearing)
      await until('one is held', async () =>
        (await faults()).spent.some(({ scenario }) => scenario === 'reordered-deliveries'),
      )
      await hub.advance('25h')
      const states = (await hear(jobId, 3)).flatMap(({ body }) =>
        body.eventType === 'JOB_UPDATE' ? [body.statusCode] : [],
      )
      expect(states).toEqual(['IN_TRANSLATION', 'SENT_TO_PROVIDER'])
    },
    'bad-signature': async () => {
      const wrong: boolean[] = []
      const verify = new Webhook(secret)
      receiver.behave(({ text: sentText, headers }) => {
        try {
          verify.verify(sentText, headers)
          return 204
        } catch {
          wrong.push(true)
          return 401
        }
      })
      const jobId = await sent(['fault:bad-signature'], hearing)
      await until('the wrong one was refused', () => wrong.length === 1)
      await hub.advance('1m')
      receiver.behave(204)
      expect(wrong.length).toBe(1)
      expect(heard(jobId).length).toBeGreaterThanOrEqual(4)
    },
    'never-called': async () => {
      const jobId = await sent(['fault:never-called'], hearing)
      await reviewed(jobId, hearing)
      await hub.advance('1h')
      expect(heard(jobId)).toEqual([])
      const waiting = await call<{ statusupdates: JsonObject[] }>(
        'GET',
        '/statusupdates',
        undefined,
        hearing,
      )
      expect(waiting.body.statusupdates.filter((one) => one.jobId === jobId)).toEqual([])
    },
  }
  it.each(scenarioNames)('%s happens as its row says', async (name) => {
    await rows[name]()
  })

  it('acts for the client that it was asked for, and for nobody else', async () => {
    await on('unavailable', { client: hearing, times: 2 })
    expect((await list()).status).toBe(200)
    expect((await call('GET', '/jobs', undefined, hearing)).status).toBe(503)
    const { active } = await faults()
    expect(active).toMatchObject([{ scenario: 'unavailable', left: 1, acted: 1, client: hearing }])
  })

  it('acts for a job by its label, and each job has its own count', async () => {
    const [one, other] = await Promise.all([
      newJob({ fault: 'unavailable' } as never),
      newJob(['fault:unavailable']),
    ])
    for (const jobId of [one, other])
      expect([
        (await call('GET', `/jobs/${jobId}`)).status,
        (await call('GET', `/jobs/${jobId}`)).status,
      ]).toEqual([503, 503])
    expect((await call('GET', `/jobs/${one}`)).status).toBe(200)
    expect((await list()).status).toBe(200)
  })

  it('acts for a provider by its name, or by the name that it is asked for', async () => {
    const named = await hub.call<{ id: string }>('POST', '/v2/providers', {
      as: 'demo-admin',
      body: { name: 'Unlucky fault:provider-cancels-all', typeId: 'pseudo' },
    })
    expect(named.status).toBe(201)
    await on('provider-cancels-all', { provider: 'Pseudo' })
    for (const providerId of [named.body.id, pseudo]) {
      const jobId = await newJob()
      await add(jobId)
      await call('PUT', `/jobs/${jobId}/submit`, { providerId })
      await until(
        'it is cancelled',
        async () => (await call('GET', `/jobs/${jobId}`)).body.statusCode === 'CANCELLED',
      )
    }
  })

  it('can be taken back one by one or all together', async () => {
    const { body } = await ask({ scenario: 'unavailable', times: 9 })
    await on('internal-error', { times: 9 })
    expect(await hub.call('DELETE', `/sandbox/faults/${body.id}`)).toMatchObject({
      status: 200,
      body: { removed: 1 },
    })
    expect((await list()).status).toBe(500)
    expect((await hub.call('DELETE', '/sandbox/faults')).body).toEqual({ removed: 1 })
    expect((await list()).status).toBe(200)
    expect(await hub.call('DELETE', '/sandbox/faults/none')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })

  const bad: [string, unknown][] = [
    ['no body', undefined],
    ['a list', [1]],
    ['no scenario', {}],
    ['an unknown scenario', { scenario: 'rate-limit' }],
    ['a member that is misspelt', { scenario: 'unavailable', time: 3 }],
    ['no times', { scenario: 'unavailable', times: 0 }],
    ['times as text', { scenario: 'unavailable', times: '3' }],
    ['a duration without a unit', { scenario: 'stuck-sending', by: '5' }],
    ['too many seconds', { scenario: 'slow-answers', seconds: 601 }],
    ['a client that is no text', { scenario: 'unavailable', client: 7 }],
  ]
  it.each(bad)('refuses %s, and nothing is active', async (_, body) => {
    const answer = await ask(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    expect((await faults()).active).toEqual([])
  })

  it('shows the calls it has seen, with what matters of them and without a secret', async () => {
    const { last: start } = await calls()
    const token = await hub.token(as)
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'x-request-id': 'seen-1',
    }
    const name = 'ü'.repeat(120)
    const body = { jobName: name, connectorName: 'g n 1', targetNativeLanguageCodes: ['de-de'] }
    await hub.call('POST', '/v2/jobs', { headers, body })
    await hub.call('GET', '/v2/jobs', { headers, query: { pageSize: 1 } })
    const seen = (await calls(start)).calls
    expect(
      seen.map(({ method, route, client, status }) => [method, route, client, status]),
    ).toEqual([
      ['POST', '/connect/token', as, 200],
      ['POST', '/v2/jobs', as, 201],
      ['GET', '/v2/jobs', as, 200],
    ])
    expect(seen[1]).toMatchObject({
      id: 'seen-1',
      accept: 'application/json',
      sent: { connectorName: 'g n 1', languages: ['de-de'], names: [{ bytes: 240 }] },
      answered: { jobId: expect.any(String) },
    })
    expect(seen[2]).toMatchObject({
      answered: { items: 1, next: expect.any(String) },
      token: seen[1]?.token,
    })
    const text = JSON.stringify(seen)
    for (const hidden of [token, `${as}-secret`, 'sig=', 'Bearer'])
      expect(text).not.toContain(hidden)
    expect((await hub.call('GET', '/sandbox/calls', { query: { after: 'x' } })).status).toBe(400)
    expect((await hub.call('GET', '/sandbox/calls', { query: { limit: '5000' } })).status).toBe(400)
  })

  it('sees what a large body says, and looks no further into one that is refused', async () => {
    const { body: job } = await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Large' } })
    const path = `/v2/jobs/${job.jobId}/requests/add`
    const fields = [{ key: 'a', value: 'x'.repeat(1_000) }]
    const request = {
      sourceNativeId: 'a',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields,
    }
    const requests = Array.from({ length: 200 }, (_, at) => ({
      ...request,
      requestName: `page ${at}`,
    }))
    expect((await hub.call('POST', path, { as, body: { requests } })).status).toBe(201)
    expect((await last())?.sent).toMatchObject({
      languages: ['en-us', 'de-de'],
      names: { length: 20 },
    })
    const refused = await hub.call('POST', path, {
      as,
      body: `{"requests":[${'{},'.repeat(1_000_000)}{}]}`,
    })
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_REQUEST'])
    expect((await last())?.sent).toBeUndefined()
  })

  it('begins without faults after a reset', async () => {
    await on('unavailable', { times: 9 })
    await hub.call('POST', '/sandbox/reset')
    expect((await faults()).active).toEqual([])
  })
})

test('outside the sandbox there are neither faults nor recorded calls', async () => {
  const hub = await startHub({ profile: 'staging' })
  try {
    for (const path of ['/sandbox/faults', '/sandbox/calls', '/sandbox/deliveries'])
      expect((await hub.call('GET', path)).status).toBe(404)
    expect(hub.inner.faults).toBeUndefined()
    const { body } = await hub.call('POST', '/v2/jobs', {
      as: 'first-admin',
      body: { jobName: 'x', labels: ['fault:unavailable'] },
    })
    expect((await hub.call('GET', `/v2/jobs/${body.jobId}`, { as: 'first-admin' })).status).toBe(
      200,
    )
  } finally {
    await hub.close()
  }
})

test('the page is what the table says, and every row says what a good connector does', () => {
  expect(scenarioNames.length).toBeGreaterThanOrEqual(24)
  for (const name of scenarioNames) {
    expect(scenarios[name].says).toMatch(/\.$/)
    expect(scenarios[name].goodConnector).toMatch(/\.$/)
  }
  const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'faults-on-demand.md'), 'utf8')
  expect(page === faultsPage(), 'docs/faults-on-demand.md differs; run: npm run generate').toBe(
    true,
  )
})
