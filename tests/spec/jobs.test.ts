/** Specification: Job, Versioning; contract, sections 3 to 5 and 11 (Jobs, Filter). */
import { connect } from 'node:net'
import {
  archiveMoves,
  archiveStatuses,
  jobMoves,
  jobStatuses,
  languages,
  type Move,
} from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendCall } from '../campaigns/attack-call.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { everything, run, type ScenarioCall } from '../scenario.ts'

type Job = Record<string, unknown> & { jobId: string }
type Page = {
  jobs: Job[]
  next?: string
  pagination: { navNext?: string }
  _embedded: unknown
  _links: Record<string, unknown>
}

describe.each(databases)('jobs on %s', (database) => {
  let hub: TestHub
  const as = 'demo-connector'
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const create = async (body: Record<string, unknown> = {}): Promise<Job> => {
    const { status, body: job } = await hub.call<Job>('POST', '/v2/jobs', {
      as,
      body: { jobName: 'A job', ...body },
    })
    expect(status, JSON.stringify(job)).toBe(201)
    return job
  }
  const list = async (query: Record<string, string | number>, path = '/v2/jobs') =>
    (await hub.call<Page>('GET', path, { as, query })).body
  const force = (jobId: string, change: Record<string, unknown>) =>
    hub.inner.db.transact((tx) =>
      tx.updateTable('jobs').set(change).where('job_id', '=', jobId).execute(),
    )

  it('a created job comes back with every field as given, in both spellings, and nothing is null', async () => {
    const given = {
      jobName: 'Frühling',
      description: 'x'.repeat(900),
      poReference: 'PO-1',
      dueDate: '2026-11-14T10:00:00+02:00',
      customData: '{"a":1}',
      shouldQuote: false,
      connectorName: 'guid CMS 1.0',
      connectorVersion: '1.0',
      serviceType: 'Translation',
      ExtendedMetadata: { depth: { of: ['things', null] } },
      labels: { team: 'web', size: 3, hot: true },
      sourceNativeLanguageCode: 'EN_us',
      targetNativeLanguageCodes: ['de-DE', 'zh-Hans-MY'],
      analysisCodes: [{ level: 1, code: 'X' }],
      somethingUnknown: 1,
      shouldNotMatter: null,
    }
    const job = await create(given)
    const { ExtendedMetadata, somethingUnknown: _, shouldNotMatter: __, ...rest } = given
    expect(job).toMatchObject({
      ...rest,
      dueDate: '2026-11-14T08:00:00.000Z',
      extendedMetadata: ExtendedMetadata,
      ExtendedMetadata,
      statusCode: 'CREATED',
      status: 'CREATED',
      ConnectorName: given.connectorName,
      ConnectorVersion: given.connectorVersion,
      hasError: false,
      archived: false,
      archiveStatus: 'ACTIVE',
      siteId: 'demo',
      creatorId: as,
    })
    expect(job.jobId).toMatch(/^[A-Za-z0-9]{10}$/)
    expect(job.estArchivalDate).toBe(job.estimatedArchivalDate)
    expect(job).not.toHaveProperty('somethingUnknown')
    expect(job).not.toHaveProperty('globalTrackingId')
    expect((await hub.call('GET', `/v2/jobs/${job.jobId}`, { as })).body).toEqual(job)
  })

  const bad: ScenarioCall[] = [
    { name: 'no body', call: 'POST /v2/jobs', status: 400, code: 'INVALID_REQUEST' },
    {
      name: 'an empty object',
      call: 'POST /v2/jobs',
      body: {},
      status: 400,
      code: 'INVALID_REQUEST',
      answer: { field: 'jobName' },
    },
    {
      name: 'a name of blanks',
      call: 'POST /v2/jobs',
      body: { jobName: ' \u00a0\t' },
      status: 400,
      code: 'INVALID_REQUEST',
      answer: { field: 'jobName' },
    },
    { name: 'an array', call: 'POST /v2/jobs', body: [], status: 400, code: 'INVALID_REQUEST' },
    { name: 'null', call: 'POST /v2/jobs', body: 'null', status: 400, code: 'INVALID_REQUEST' },
    {
      name: 'broken JSON',
      call: 'POST /v2/jobs',
      body: '{"jobName":',
      status: 400,
      code: 'INVALID_REQUEST',
    },
    {
      name: 'not UTF-8',
      call: 'POST /v2/jobs',
      body: Buffer.from([0x22, 0xff, 0x22]),
      status: 400,
      code: 'INVALID_REQUEST',
    },
    {
      name: 'a name twice',
      call: 'POST /v2/jobs',
      body: '{"jobName":"a","jobName":"b"}',
      status: 400,
      says: /twice/,
    },
    {
      name: '100,000 levels',
      call: 'POST /v2/jobs',
      body: `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      status: 400,
      says: /deep/,
    },
    {
      name: '__proto__',
      call: 'POST /v2/jobs',
      body: '{"jobName":"a","__proto__":{"x":1}}',
      status: 400,
      says: /__proto__/,
    },
    {
      name: '__proto__ inside',
      call: 'POST /v2/jobs',
      body: '{"jobName":"a","extendedMetadata":{"\\u005f_proto__":1}}',
      status: 400,
      says: /__proto__/,
    },
    {
      name: 'a lone surrogate',
      call: 'POST /v2/jobs',
      body: '{"jobName":"\\ud800"}',
      status: 400,
      says: /surrogate/,
    },
    {
      name: 'NUL',
      call: 'POST /v2/jobs',
      body: '{"jobName":"a\\u0000b"}',
      status: 400,
      says: /NUL/,
    },
    {
      name: 'NUL in metadata',
      call: 'POST /v2/jobs',
      body: '{"jobName":"a","extendedMetadata":{"k\\u0000":1}}',
      status: 400,
      says: /NUL/,
    },
    {
      name: 'a form',
      call: 'POST /v2/jobs',
      body: 'jobName=a',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
    {
      name: 'gzip',
      call: 'POST /v2/jobs',
      body: { jobName: 'a' },
      headers: { 'content-encoding': 'gzip' },
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
    {
      name: '2 MiB and a bit',
      call: 'POST /v2/jobs',
      body: { jobName: 'a', x: 'y'.repeat(2 * 1024 ** 2) },
      status: 413,
      code: 'CONTENT_TOO_LARGE',
    },
    {
      name: 'no name',
      call: 'POST /v2/jobs',
      body: { jobName: '' },
      status: 400,
      code: 'INVALID_REQUEST',
    },
    {
      name: 'null name',
      call: 'POST /v2/jobs',
      body: { jobName: null },
      status: 400,
      code: 'INVALID_REQUEST',
    },
    {
      name: 'a name of 252 bytes',
      call: 'POST /v2/jobs',
      body: { jobName: 'é'.repeat(126) },
      status: 400,
      says: /252 bytes/,
    },
    {
      name: 'metadata of 64 KiB and more',
      call: 'POST /v2/jobs',
      body: { jobName: 'a', extendedMetadata: { a: 'x'.repeat(65_536) } },
      status: 413,
      code: 'CONTENT_TOO_LARGE',
    },
    {
      name: 'metadata of depth 11',
      call: 'POST /v2/jobs',
      body: {
        jobName: 'a',
        extendedMetadata: JSON.parse(`${'{"a":'.repeat(11)}1${'}'.repeat(11)}`),
      },
      status: 400,
      code: 'INVALID_REQUEST',
    },
    {
      name: 'two spellings that differ',
      call: 'POST /v2/jobs',
      body: { jobName: 'a', extendedMetadata: { a: 1 }, ExtendedMetadata: { a: 2 } },
      status: 400,
      says: /extendedMetadata has another value than ExtendedMetadata; send one of them/,
    },
    {
      name: 'an unknown language',
      call: 'POST /v2/jobs',
      body: { jobName: 'a', targetNativeLanguageCodes: ['pt-BE'] },
      status: 400,
      code: 'INVALID_LANGUAGE',
      says: /pt-BR/,
    },
    {
      name: 'a null language',
      call: 'POST /v2/jobs',
      body: { jobName: 'a', targetNativeLanguageCodes: [null] },
      status: 400,
      code: 'INVALID_LANGUAGE',
    },
    {
      name: 'null languages',
      call: 'POST /v2/jobs',
      body: { jobName: 'a', targetNativeLanguageCodes: null },
      status: 400,
    },
    {
      name: 'a day that is none',
      call: 'POST /v2/jobs',
      body: { jobName: 'a', dueDate: '2026-02-30' },
      status: 400,
      answer: { field: 'dueDate' },
    },
    {
      name: 'an unknown provider',
      call: 'POST /v2/jobs',
      body: { jobName: 'a', providerId: 'x'.repeat(22) },
      status: 404,
      code: 'PROVIDER_NOT_FOUND',
    },
    {
      name: 'labels of numbers',
      call: 'POST /v2/jobs',
      body: { jobName: 'a', labels: [1] },
      status: 400,
    },
    {
      name: 'a level of 0',
      call: 'POST /v2/jobs',
      body: { jobName: 'a', analysisCodes: [{ level: 0, code: 'x' }] },
      status: 400,
    },
    ...Object.entries({
      jobName: 1,
      description: {},
      poReference: 5,
      dueDate: 5,
      customData: {},
      shouldQuote: 'true',
      providerId: 7,
      connectorName: [],
      connectorVersion: 1,
      serviceType: false,
      extendedMetadata: 'x',
      labels: 'x',
      sourceNativeLanguageCode: 5,
      targetNativeLanguageCodes: 'de-de',
      analysisCodes: {},
    }).map(
      ([field, value]): ScenarioCall => ({
        name: `${field} of the wrong type`,
        call: 'POST /v2/jobs',
        body: { jobName: 'a', [field]: value },
        status: 400,
      }),
    ),
    { name: 'an unknown job', call: 'GET /v2/jobs/AAAAAAAAAA', status: 404, code: 'JOB_NOT_FOUND' },
    {
      name: 'SQL for a job',
      call: "GET /v2/jobs/x'%20or%20'1'='1",
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    { name: 'NUL for a job', call: 'GET /v2/jobs/a%00b', status: 400, code: 'INVALID_PARAMETER' },
    { name: 'half an escape', call: 'GET /v2/jobs/%E0%A4%A', status: 400 },
    {
      name: 'a size of 0',
      call: 'GET /v2/jobs?pageSize=0',
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    {
      name: 'a size of 51',
      call: 'GET /v2/jobs?pageSize=51',
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    {
      name: 'a size of words',
      call: 'GET /v2/jobs?pageSize=ten',
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    {
      name: 'a size given twice',
      call: 'GET /v2/jobs?pageSize=1&pageSize=2',
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    {
      name: 'aggregateRequests=1',
      call: 'GET /v2/jobs?aggregateRequests=1',
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    {
      name: 'a made-up cursor',
      call: 'GET /v2/jobs?navNext=abc',
      status: 400,
      code: 'INVALID_CURSOR',
    },
    {
      name: 'order by a name',
      call: 'GET /v2/jobs?orderBy=jobName',
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    {
      name: 'order by SQL',
      call: 'GET /v2/jobs?orderBy=createdDate;drop%20table%20jobs',
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    { name: 'no such path', call: 'GET /v2/nothing', status: 404, code: 'NOT_FOUND' },
    {
      name: 'no such method',
      call: 'PATCH /v2/jobs',
      body: {},
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      says: /GET, POST|POST, GET/,
    },
    {
      name: 'a removed call',
      call: 'POST /v2/jobs/AAAAAAAAAA/upload',
      status: 410,
      code: 'GONE',
      says: /sourcefiles/,
    },
    { name: 'the first version', call: 'GET /v1/jobs', status: 410, code: 'GONE', says: /\/v2/ },
    { name: 'the root of the first version', call: 'DELETE /v1', status: 410, code: 'GONE' },
    {
      name: 'order by seven fields',
      call: `GET /v2/jobs?orderBy=${'createdDate,modifiedDate,submittedDate,dueDate,activityDate,estArchivalDate,createdDate'}`,
      status: 400,
      code: 'INVALID_PARAMETER',
      says: /more than 6 fields/,
    },
    {
      name: 'a cursor that is too long',
      call: `GET /v2/jobs?navNext=${'a'.repeat(8_193)}`,
      status: 400,
      code: 'INVALID_CURSOR',
      says: /8192/,
    },
    {
      name: 'a state that is none',
      call: 'GET /v2/jobs?status=DONE',
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    {
      name: 'an empty label',
      call: 'GET /v2/jobs?labels=',
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    {
      name: 'another removed call',
      call: 'PUT /v2/jobs/AAAAAAAAAA/requests',
      status: 410,
      code: 'GONE',
    },
    {
      name: 'a long key',
      call: 'POST /v2/jobs',
      body: { jobName: 'a' },
      headers: { 'idempotency-key': 'k'.repeat(256) },
      status: 400,
      code: 'INVALID_PARAMETER',
    },
  ]
  it.each(bad)('refuses $name and changes nothing', async (row) => {
    const before = await everything(hub)
    await run(hub, row)
    expect(await everything(hub)).toBe(before)
  })

  it('another Expect header is ignored and gets a full response', async () => {
    const headers: [string, string][] = [
      ['expect', 'the-impossible'],
      ['content-type', 'application/json'],
    ]
    const answer = await sendCall(hub.url, {
      method: 'POST',
      path: '/v2/jobs',
      headers,
      body: Buffer.from('{}'),
    })
    expect({ status: answer?.status, ...JSON.parse(answer?.text ?? '') }).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
    })
  })

  it('a body that breaks off half way makes nothing and harms nobody', async () => {
    const before = await everything(hub)
    const { hostname, port } = new URL(hub.url)
    const token = await hub.token(as)
    for (const sent of ['{"jobName":"half', '', '{"jobName":"whole"}']) {
      const head = `POST /v2/jobs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(`${head}content-length: 100000\r\n\r\n${sent}`, () => socket.destroy())
        })
        socket.on('close', () => resolve()).on('error', () => {})
      })
    }
    expect((await hub.call('GET', '/healthz')).status).toBe(200)
    expect(await everything(hub)).toBe(before)
  })

  it('takes a name of exactly 250 bytes, an empty form where no body is needed, and parameters it does not know', async () => {
    const job = await create({ jobName: 'é'.repeat(125) })
    expect(job.jobName).toBe('é'.repeat(125))
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(
      (await hub.call('PUT', `/v2/jobs/${job.jobId}/archive`, { as, headers: form, body: '' }))
        .status,
    ).toBe(200)
    expect(
      (
        await hub.call('GET', '/v2/jobs', {
          as,
          query: { fetchType: 'x', includeArchived: 'true' },
        })
      ).status,
    ).toBe(200)
  })

  it('accepts every language of the specification in any case and with underscores, and echoes it as sent', async () => {
    const spelled = languages.map((code, at) =>
      at % 2 ? code.toUpperCase() : code.replaceAll('-', '_'),
    )
    for (let from = 0; from < spelled.length; from += 100) {
      const codes = spelled.slice(from, from + 100)
      expect(
        (await create({ targetNativeLanguageCodes: codes })).targetNativeLanguageCodes,
      ).toEqual(codes)
    }
  })

  it('leaves metadata and labels alone where a PATCH sends {}, and empties labels with []', async () => {
    const job = await create({ extendedMetadata: { a: 1 }, labels: { c: 'd' } })
    const patch = async (body: object) =>
      (
        await hub.call<Job>('PATCH', `/v2/jobs/${job.jobId}`, {
          as,
          body: { description: 'x', ...body },
        })
      ).body
    const kept = { extendedMetadata: { a: 1 }, labels: { c: 'd' } }
    expect(await patch({ extendedMetadata: {}, labels: {} })).toMatchObject(kept)
    expect(await patch({ ExtendedMetadata: {} })).toMatchObject(kept)
    expect((await list({ filter: "labels.c eq 'd'" })).jobs.map((one) => one.jobId)).toContain(
      job.jobId,
    )
    expect(await patch({ labels: [] })).toMatchObject({ labels: [] })
    expect((await list({ filter: "labels.c eq 'd'" })).jobs.map((one) => one.jobId)).not.toContain(
      job.jobId,
    )
  })

  it('names the methods of a path in Allow', async () => {
    const { status, headers } = await hub.call('PATCH', '/v2/jobs', { as, body: {} })
    expect([status, headers.get('allow')?.split(', ').sort()]).toEqual([
      405,
      ['GET', 'HEAD', 'POST'],
    ])
  })

  it('changes what a PATCH names and nothing else; PUT does the same and says that it is deprecated', async () => {
    const job = await create({ description: 'old', labels: ['a', 'b'] })
    const patched = await hub.call<Job>('PATCH', `/v2/jobs/${job.jobId}`, {
      as,
      body: { poReference: 'P', labels: { c: 'd' }, description: null },
    })
    expect(patched.status).toBe(200)
    expect(patched.body).toMatchObject({
      jobName: 'A job',
      description: 'old',
      poReference: 'P',
      labels: { c: 'd' },
    })
    const put = await hub.call<Job>('PUT', `/v2/jobs/${job.jobId}`, {
      as,
      body: { jobName: 'Other' },
    })
    expect(put.body).toMatchObject({ jobName: 'Other', poReference: 'P' })
    expect(put.headers.get('deprecation')).toBeTruthy()
    expect(put.headers.get('link')).toBe(`</v2/jobs/${job.jobId}>; rel="successor-version"`)
    expect((await list({ filter: "labels eq 'a'" })).jobs.map((one) => one.jobId)).not.toContain(
      job.jobId,
    )
    expect((await list({ filter: "labels.c eq 'd'" })).jobs.map((one) => one.jobId)).toContain(
      job.jobId,
    )
  })

  describe('moves: every state with every move', () => {
    const paths = {
      complete: 'complete',
      reopen: 'intranslation',
      archive: 'archive',
      unarchive: 'unarchive',
    } as const
    type Row = {
      on: keyof typeof paths
      column: 'status' | 'archive_status'
      from: string
      to: string | undefined
      stays: boolean
    }
    const rowsOf = (
      table: readonly Move[],
      column: Row['column'],
      states: readonly string[],
      ons: readonly Row['on'][],
    ): Row[] =>
      states.flatMap((from) =>
        ons.map((on) => {
          const move = table.find((row) => row.on === on)
          const to = move?.from.includes(from) ? move.to : undefined
          return { on, column, from, to, stays: move?.already?.includes(from) ?? false }
        }),
      )
    const rows = [
      ...rowsOf(jobMoves, 'status', jobStatuses, ['complete', 'reopen']),
      ...rowsOf(archiveMoves, 'archive_status', archiveStatuses, ['archive', 'unarchive']),
    ]
    it.each(rows)('$on from $from', async ({ on, column, from, to, stays }) => {
      const { jobId } = await create()
      await force(jobId, { [column]: from })
      const { status, body } = await hub.call('PUT', `/v2/jobs/${jobId}/${paths[on]}`, { as })
      expect(status, JSON.stringify(body)).toBe(to || stays ? 200 : 409)
      if (!to && !stays) expect(body.code).toBe('INVALID_TRANSITION')
      else expect(column === 'status' ? body.statusCode : body.archiveStatus).toBe(to ?? from)
      const moves = await hub.inner.db.read
        .selectFrom('moves')
        .selectAll()
        .where('job_id', '=', jobId)
        .execute()
      expect(moves.filter((move) => move.move === on)).toHaveLength(to ? 1 : 0)
    })

    it.each(jobStatuses)(
      'a job that is %s is changed only before submission and deleted only when not in progress',
      async (status) => {
        const { jobId } = await create()
        await force(jobId, { status })
        const changed = await hub.call('PATCH', `/v2/jobs/${jobId}`, { as, body: { jobName: 'B' } })
        expect([changed.status, changed.body.code]).toEqual(
          status === 'CREATED' ? [200, undefined] : [409, 'JOB_ALREADY_SUBMITTED'],
        )
        const deleted = await hub.call('DELETE', `/v2/jobs/${jobId}`, { as })
        const free = ['CREATED', 'COMPLETED', 'CANCELLED'].includes(status)
        expect([deleted.status, deleted.body.code]).toEqual(
          free ? [200, undefined] : [409, 'JOB_IN_PROGRESS'],
        )
        expect((await hub.call('GET', `/v2/jobs/${jobId}`, { as })).status).toBe(free ? 404 : 200)
      },
    )
  })

  it('archives and unarchives by a task; an archived job can be read but not changed, moved or deleted', async () => {
    const { jobId } = await create()
    const begun = await hub.call('PUT', `/v2/jobs/${jobId}/archive`, {
      as,
      headers: { 'x-request-id': 'the-cause' },
    })
    expect(begun.body).toMatchObject({ archiveStatus: 'ARCHIVING', archived: true })
    await hub.advance('1s')
    expect((await hub.call('GET', `/v2/jobs/${jobId}`, { as })).body).toMatchObject({
      archiveStatus: 'ARCHIVED',
      archived: true,
    })
    const calls = ['PATCH ', 'DELETE ', 'PUT /complete', 'PUT /intranslation']
    for (const one of calls) {
      const [method = '', path = ''] = one.split(' ')
      const { status, body } = await hub.call(method, `/v2/jobs/${jobId}${path}`, {
        as,
        ...(method === 'PATCH' && { body: {} }),
      })
      expect([one, status, body.code]).toEqual([one, 409, 'JOB_ARCHIVED'])
    }
    expect((await list({})).jobs.map((one) => one.jobId)).not.toContain(jobId)
    expect((await list({}, '/v2/jobs/archived')).jobs.map((one) => one.jobId)).toContain(jobId)
    const moves = await hub.inner.db.read
      .selectFrom('moves')
      .selectAll()
      .where('job_id', '=', jobId)
      .orderBy('moved_at')
      .execute()
    expect(moves.map((move) => [move.move, move.cause_id])).toEqual([
      ['archive', 'the-cause'],
      ['archived', expect.stringMatching(/^task:\d+$/)],
    ])
    expect((await hub.call('PUT', `/v2/jobs/${jobId}/unarchive`, { as })).body).toMatchObject({
      archiveStatus: 'UNARCHIVING',
      archived: false,
    })
    await hub.advance('1s')
    const back = (await hub.call('GET', `/v2/jobs/${jobId}`, { as })).body
    expect(back).toMatchObject({ archiveStatus: 'ACTIVE', archived: false })
    expect(Date.parse(String(back.activityDate))).toBeGreaterThan(
      Date.parse(String(begun.body.activityDate)),
    )
  })

  it('archives a job by itself at its estimatedArchivalDate, and not before', async () => {
    const { jobId, createdDate, estimatedArchivalDate } = await create()
    await hub.advance('5mo')
    expect((await hub.call('GET', `/v2/jobs/${jobId}`, { as })).body.archiveStatus).toBe('ACTIVE')
    const touched = (
      await hub.call('PATCH', `/v2/jobs/${jobId}`, { as, body: { jobName: 'Touched' } })
    ).body
    expect(Date.parse(String(touched.estimatedArchivalDate))).toBeGreaterThan(
      Date.parse(String(estimatedArchivalDate)),
    )
    expect(touched.createdDate).toBe(createdDate)
    await hub.advance('2mo')
    expect((await hub.call('GET', `/v2/jobs/${jobId}`, { as })).body.archiveStatus).toBe('ACTIVE')
    await hub.advance('4mo')
    expect((await hub.call('GET', `/v2/jobs/${jobId}`, { as })).body.archiveStatus).toBe('ARCHIVED')
    const [begun] = await hub.inner.db.read
      .selectFrom('moves')
      .selectAll()
      .where('job_id', '=', jobId)
      .orderBy('moved_at')
      .execute()
    const late = Number(begun?.moved_at) - Date.parse(String(touched.estimatedArchivalDate))
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(3_600_000)
  })

  describe('lists', () => {
    let made: Job[]
    beforeAll(async () => {
      made = []
      for (let at = 0; at < 7; at += 1)
        made.push(
          await create({
            jobName: `L${at}`,
            poReference: at < 5 ? `po'${at % 2}` : undefined,
            dueDate: at % 3 ? `2027-01-0${at}T00:00` : undefined,
            labels: at % 2 ? ['odd', `n${at}`] : { even: String(at) },
          }),
        )
    })
    const names = async (query: Record<string, string | number>): Promise<string> => {
      const found: string[] = []
      let navNext: string | undefined
      do {
        const page: Page = await list({ ...query, pageSize: 2, ...(navNext && { navNext }) })
        found.push(
          ...page.jobs.map((job) => String(job.jobName)).filter((name) => /^L\d$/.test(name)),
        )
        navNext = page.pagination.navNext
        expect(page.next).toBe(navNext)
      } while (navNext)
      return found.map((name) => name.slice(1)).join('')
    }

    it.each([
      ["jobName eq 'L3'", '3'],
      ["jobName ge 'L3' and jobName lt 'L5'", '43'],
      ["jobName eq 'L1' or jobName eq 'L2' and poReference eq 'po''1'", '1'],
      ["(jobName eq 'L1' or jobName eq 'L2') and poReference eq 'po''0'", '2'],
      ["not jobName ge 'L2' and jobName ge 'L0'", '10'],
      ["poReference ne 'po''1' and jobName ge 'L' and jobName lt 'M'", '65420'],
      ["not poReference eq 'po''1' and jobName ge 'L' and jobName lt 'M'", '65420'],
      ["poReference lt 'zz' and jobName ge 'L' and jobName lt 'M'", '43210'],
      ["labels eq 'odd'", '531'],
      ["labels eq 'even'", '6420'],
      ["labels ne 'odd' and jobName ge 'L' and jobName lt 'M'", '6420'],
      ["labels.even eq '4'", '4'],
      ["labels.even gt '2'", '64'],
      ["labels.even ne '4' and jobName ge 'L' and jobName lt 'M'", '653210'],
      ["labels.odd eq 'x'", ''],
      ["dueDate ge '2027-01-04' and jobName ge 'L'", '54'],
      ["dueDate eq '2027-01-02T00:00:00Z'", '2'],
      ["submittedDate ne '2027-01-01' and jobName eq 'L1'", '1'],
      ["hasError eq 'false' and jobName eq 'L0'", '0'],
      ["hasError ne 'false' and jobName eq 'L0'", ''],
      ["statusCode eq 'CREATED' and jobName ge 'L5' and jobName lt 'M'", '65'],
      ["jobName eq 'l3'", ''],
      ["jobName GE 'L3' AND NOT jobName Ge 'L5' and jobName lt 'M'", '43'],
      ["jobName EQ 'L1' OR jobName eq 'L2'", '21'],
      ["hasError eq false and jobName eq 'L0'", '0'],
      ["hasError eq FALSE and jobName eq 'L0'", '0'],
      ['labels.even eq 4', '4'],
      ["dueDate eq '2027-01-02 00:00'", '2'],
      ["jobName in ('L1', 'L4','L9')", '41'],
      ["not jobName IN ('L1') and startswith(jobName, 'l') and jobName lt 'L3'", '20'],
      ["statusCode in ('CREATED','SENDING') and jobName ge 'L5' and jobName lt 'M'", '65'],
      ["labels in ('n1', 'even')", '64210'],
      ['dueDate in (2027-01-02,2027-01-04T00:00:00Z)', '42'],
      ["dueDate ge 2027-01-04 and jobName ge 'L'", '54'],
      ["contains(poReference, 'O''1')", '31'],
      ["contains(poReference,'o') and not Contains( poReference , '0')", '31'],
      ["startswith(jobName,'l') and jobName lt 'L2' and jobName ge 'L'", '10'],
      ["startswith(jobName,'L') and contains(jobName,'6')", '6'],
      ["startswith(poReference,'O')", ''],
      ["contains(labels,'VE')", '6420'],
      ["startswith(labels,'ven')", ''],
    ])('filter %s finds %s', async (filter, found) => {
      expect(await names({ filter })).toBe(found)
    })

    it.each([
      ['ÄÖ-Σ', 'äö-σ', true],
      ['100% [a-z]* ^?_\\\\', '% [A-Z]* ^?_\\\\', true],
      ['a]b-c', ']B-', true],
      ['^caret', '^C', true],
      ['abc', '[a-z]', false],
      ['abc', 'a*c', false],
      ['abc', 'a.c', false],
      ['😀 smile', '😀 S', true],
    ])('a job named %s contains %s: %s', async (jobName, part, isThere) => {
      const { jobId } = await create({ jobName })
      const filter = `jobId eq '${jobId}' and contains(jobName, '${part}')`
      expect((await list({ filter })).jobs).toHaveLength(isThere ? 1 : 0)
    })

    it('jobId and providerId filter, as a field and as a repeated parameter', async () => {
      const [a, b, c] = made as [Job, Job, Job]
      const found = async (query: Record<string, unknown>) =>
        (await list(query as Record<string, string>)).jobs.map((job) => job.jobName).join()
      expect(await found({ filter: `jobId in ('${a.jobId}', '${c.jobId}')` })).toBe('L2,L0')
      expect(await found({ jobId: [a.jobId, b.jobId, 'unknown'] })).toBe('L1,L0')
      expect(await found({ jobId: b.jobId, labels: 'even' })).toBe('')
      const { body } = await hub.call<{ providers: { providerId: string }[] }>(
        'GET',
        '/v2/providers',
        { as },
      )
      const [{ providerId } = { providerId: '' }] = body.providers
      const mine = await create({ jobName: 'of a provider', providerId })
      const rest = { filter: `createdDate ge '${mine.createdDate}'` }
      expect(await found({ providerId, ...rest })).toBe('of a provider')
      expect(await found({ providerId: ['x'.repeat(22)], ...rest })).toBe('')
    })

    it.each([
      [{ labels: 'odd' }, '531'],
      [{ labels: ['n1', 'even'] }, '64210'],
      [{ status: 'CREATED', filter: "jobName ge 'L5' and jobName lt 'M'" }, '65'],
      [{ statusCode: ['COMPLETED', 'CANCELLED'] }, ''],
      [
        {
          statusCode: ['CREATED', 'SENDING'],
          labels: 'odd',
          filter: "jobName eq 'L1' or jobName eq 'L2'",
        },
        '1',
      ],
    ])('plain parameters %o find %s, on every page', async (query, found) => {
      expect(await names(query as Record<string, string>)).toBe(found)
    })

    it.each([
      ['createdDate', '0123456'],
      ['createdDate DESC', '6543210'],
      ['createdDate desc', '6543210'],
      ['dueDate', '1245'],
      ['dueDate desc, createdDate', '5421'],
    ])('orderBy %s', async (orderBy, order) => {
      const found = await names({ orderBy, filter: "jobName ge 'L' and jobName lt 'M'" })
      expect(found.slice(0, order.length)).toBe(order)
      // Absent dates come last.
      expect([...found.slice(order.length)].sort().join('')).toBe(order.length === 7 ? '' : '036')
    })

    it.each([
      ['jobName', 8],
      ["jobName eq 'a", 12],
      ['jobName eq a', 12],
      ["jobName is 'a'", 9],
      ["jobname eq 'a'", 1],
      ["jobName eq 'a' jobName eq 'b'", 16],
      ["jobName eq 'a' and", 19],
      ["(jobName eq 'a'", 1],
      ["jobName eq 'a')", 15],
      ['()', 2],
      ['not', 4],
      ["createdDate gt 'yesterday'", 16],
      ["hasError eq 'yes'", 13],
      ["hasError gt 'true'", 10],
      ["labels gt 'x'", 8],
      ["labels. eq 'x'", 1],
      ["analysisCodes.0x2 eq 'x'", 1],
      ["analysisCodes.1.2 eq 'x'", 1],
      ["analysisCodes. eq 'x'", 1],
      ["jobName eq 'a'; drop table jobs", 15],
      [`${'('.repeat(11)}jobName eq 'a'${')'.repeat(11)}`, 11],
      [`${"jobName eq 'a' or ".repeat(50)}jobName eq 'b'`, 901],
      [`jobName eq '${'x'.repeat(2_000)}'`, 2_001],
    ])('a broken filter %s points at position %d', async (filter, position) => {
      const { status, body } = await hub.call('GET', '/v2/jobs', { as, query: { filter } })
      expect(status).toBe(400)
      expect(body.code).toBe('INVALID_FILTER')
      expect(body.message).toMatch(new RegExp(`at position ${position}\\.`))
    })

    it('has the whole superset on every page and no cursor on the last', async () => {
      const filter = "jobName ge 'L' and jobName lt 'M'"
      const first = await list({ filter, pageSize: 5 })
      expect(first.jobs).toHaveLength(5)
      expect(first._embedded).toEqual({ jobs: first.jobs })
      expect(first._links).toMatchObject({
        self: { href: expect.stringContaining('/v2/jobs?') },
        next: { href: expect.stringContaining('/v2/jobs?') },
      })
      const href = (first._links.next as { href: string }).href
      const last = (await hub.call<Page>('GET', href, { as })).body
      expect(last.jobs).toHaveLength(2)
      expect(last.pagination).toEqual({})
      expect(last).not.toHaveProperty('next')
      expect(last._links).not.toHaveProperty('next')
    })

    it('a cursor is good for its own filter, order, list and site alone', async () => {
      const filter = "jobName ge 'L'"
      const { next: navNext = '' } = await list({ filter, pageSize: 1, orderBy: 'createdDate' })
      const tries: [Record<string, string>, number][] = [
        [{ navNext }, 200],
        [{ next: navNext }, 200],
        [{ navNext, filter, orderBy: 'createdDate' }, 200],
        [{ navNext, filter: "jobName ge 'M'" }, 400],
        [{ navNext, orderBy: 'dueDate' }, 400],
        [{ navNext: `${navNext}A` }, 400],
        [{ navNext: navNext.slice(1) }, 400],
        [{ navNext, next: `${navNext}A` }, 400],
        [{ next: `${navNext}A` }, 400],
        [{ navNext: navNext.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) }, 400],
      ]
      for (const [query, status] of tries)
        expect((await hub.call('GET', '/v2/jobs', { as, query })).status).toBe(status)
      expect(
        (await hub.call('GET', '/v2/jobs/archived', { as, query: { navNext } })).body.code,
      ).toBe('INVALID_CURSOR')
      for (const other of ['providers', 'providers/types', 'formats', 'checks'])
        expect(
          (await hub.call('GET', `/v2/${other}`, { as, query: { navNext } })).body,
        ).toMatchObject({ code: 'INVALID_CURSOR' })
    })

    it('shows every change of a job at once, though it was listed just before, as the job itself shows it', async () => {
      const { jobId } = await create({ jobName: 'Listed' })
      const listed = async (path: string) =>
        (await list({ pageSize: 50 }, path)).jobs.find((job) => (job as Job).jobId === jobId)
      const alone = async () => (await hub.call('GET', `/v2/jobs/${jobId}`, { as })).body
      expect(await listed('/v2/jobs')).toEqual(await alone())
      for (const jobName of ['Changed', 'Changed again']) {
        await hub.call('PATCH', `/v2/jobs/${jobId}`, { as, body: { jobName } })
        expect(await listed('/v2/jobs')).toEqual(await alone())
        expect(await listed('/v2/jobs')).toMatchObject({ jobName })
      }
      await hub.call('PUT', `/v2/jobs/${jobId}/archive`, { as })
      await hub.advance('1s')
      expect(await listed('/v2/jobs')).toBeUndefined()
      expect(await listed('/v2/jobs/archived')).toEqual(await alone())
      expect(await listed('/v2/jobs/archived')).toMatchObject({ archiveStatus: 'ARCHIVED' })
    })

    it('counts requests only when asked', async () => {
      const { jobId } = await create()
      const zero = { total: 0, withErrors: 0, byStatusCode: {} }
      expect((await hub.call('GET', `/v2/jobs/${jobId}`, { as })).body).not.toHaveProperty(
        'aggregateRequests',
      )
      expect(
        (await hub.call('GET', `/v2/jobs/${jobId}?aggregateRequests=true`, { as })).body
          .aggregateRequests,
      ).toEqual(zero)
      expect(
        (await list({ aggregateRequests: 'true', pageSize: 1 })).jobs[0]?.aggregateRequests,
      ).toEqual(zero)
    })
  })

  it('each row comes exactly once while others write', async () => {
    const total = 120
    for (let at = 0; at < total; at += 1) await create({ jobName: 'W' })
    const seen: string[] = []
    let navNext: string | undefined
    do {
      const page: Page = await list({
        filter: "jobName eq 'W'",
        pageSize: 7,
        ...(navNext && { navNext }),
      })
      seen.push(...page.jobs.map((job) => job.jobId))
      navNext = page.next
      await Promise.all([create({ jobName: 'W' }), create({ jobName: 'W' })])
    } while (navNext)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThanOrEqual(total)
  })

  it('follows the next page of a filter with a question mark in it', async () => {
    for (const name of ['Why?', 'Why? not?']) await create({ jobName: name })
    const path = "/v2/jobs?pageSize=1&filter=jobName ge 'Why?' and jobName lt 'Why?~'"
    const { body: first } = await hub.call<Page>('GET', path, { as })
    const { href } = first._links.next as { href: string }
    const second = await hub.call<Page>('GET', href, { as })
    expect([first.jobs.length, second.status, second.body.jobs?.length]).toEqual([1, 200, 1])
  })

  describe('Idempotency-Key', () => {
    it('tells calls apart that differ behind a question mark in the query', async () => {
      const { jobId } = await create()
      const post = (query: string) =>
        hub.call('POST', `/v2/jobs/${jobId}/sourcefiles?fileName=${query}`, {
          as,
          headers: { 'idempotency-key': 'q' },
        })
      expect((await post('a.txt&x=1?b')).status).toBe(201)
      expect((await post('a.txt&x=1?c')).body.code).toBe('IDEMPOTENCY_CONFLICT')
    })

    const post = (key: string, body: unknown) =>
      hub.call('POST', '/v2/jobs', { as, body, headers: { 'idempotency-key': key } })
    it('does a repeated call once and gives the first answer again, also after a change, a restart and on other paths not', async () => {
      const first = await post('k1', { jobName: 'Once' })
      await hub.call('PATCH', `/v2/jobs/${first.body.jobId}`, { as, body: { jobName: 'Changed' } })
      await hub.restart()
      const again = await post('k1', { jobName: 'Once' })
      expect(again.status).toBe(201)
      expect(again.body).toEqual(first.body)
      expect((await list({ filter: "jobName eq 'Once'" })).jobs).toHaveLength(0)
      const other = await post('k1', { jobName: 'Other' })
      expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_CONFLICT'])
      await hub.advance('24h')
      expect((await post('k1', { jobName: 'Other' })).status).toBe(201)
    })

    it('happens once however many ask at the same time', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => post('k2', { jobName: 'Raced' })),
      )
      const made = answers.filter((one) => one.status === 201)
      expect(made.length).toBeGreaterThan(0)
      expect(new Set(made.map((one) => one.body.jobId)).size).toBe(1)
      for (const one of answers)
        if (one.status !== 201) expect(one.body.code).toBe('IDEMPOTENCY_IN_PROGRESS')
      expect((await list({ filter: "jobName eq 'Raced'" })).jobs).toHaveLength(1)
    })

    it('gives the key back when the call was refused', async () => {
      expect((await post('k3', { jobName: 'a', providerId: 'x'.repeat(22) })).status).toBe(404)
      expect((await post('k3', { jobName: 'a' })).status).toBe(201)
    })
  })
})
