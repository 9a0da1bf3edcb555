/**
 * A provider that records keeps the calls of both sides, without secrets; a player answers from
 * them as the upstream did.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cassette, CassetteCall } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { playCassette } from '../../packages/cli/src/testing/cassette-player.ts'
import { databases, startHub } from '../hub.ts'
import { runCommandLine } from '../run-command.ts'
import { admin, connector, type HubPair, type Side, sideOf, startPair, translator } from './pair.ts'

const html = '<p>The dog sleeps in the garden.</p>'
const german = '<p>Der Hund schläft im Garten.</p>'
const languages = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCodes: ['de-de'] }

async function create({ call, upload }: Side, providerId: string): Promise<string> {
  const { jobId } = (
    await call<{ jobId: string }>(connector, 'POST', '/jobs', { jobName: 'Across', labels: ['a'] })
  ).body
  const fmsFileId = await upload(jobId, 'page.html', html)
  const requests = [
    { requestName: 'Page', sourceNativeId: 'p', ...languages, fmsFileId },
    {
      requestName: 'Texts',
      sourceNativeId: 't',
      ...languages,
      fields: [{ key: 'title', value: 'The dog' }],
    },
  ]
  expect((await call(connector, 'POST', `/jobs/${jobId}/requests/add`, { requests })).status).toBe(
    201,
  )
  expect((await call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId })).status).toBe(200)
  return jobId
}

const review = async ({ call, requests }: Side, jobId: string, note?: string): Promise<void> => {
  const [page, texts] = await requests(jobId)
  const verdict = (path: string, body: object) =>
    call(connector, 'PUT', `/jobs/${jobId}/requests/${path}`, body)
  if (note !== undefined) await verdict('reject', { requestIds: [page?.requestId], note })
  else await verdict('approve', { requestIds: [page?.requestId, texts?.requestId] })
}

const cassetteOf = async ({ call }: Side, jobId: string): Promise<Cassette> =>
  (await call<Cassette>(admin, 'GET', `/jobs/${jobId}/cassette`)).body

const named = (calls: readonly CassetteCall[], side: CassetteCall['side']): string[] =>
  calls.flatMap((call) =>
    call.side === side ? [`${call.method} ${call.path} ${call.response?.status}`] : [],
  )

describe.each(databases)('a recorded job, on %s', (database) => {
  let pair: HubPair
  let recorded: Cassette
  let jobId: string
  beforeAll(async () => {
    pair = await startPair(database, { front: { DRAGOMAN_SEAL_CONTENT: 'on' } })
    const { front, beyond, settle } = pair
    jobId = await create(front, await pair.lead('Manual', { record: true }))
    await settle()
    const there = (await front.job(jobId)).upstream?.jobId ?? ''
    const manual = await beyond.provider('Manual')
    const [page, texts] = await beyond.requests(there)
    await beyond.call(translator, 'PATCH', `/providers/${manual}/jobs/${there}`, {
      statusCode: 'IN_TRANSLATION',
    })
    await beyond.deliver(manual, there, page?.requestId ?? '', '<p>Der Hund.</p>')
    await beyond.deliver(manual, there, texts?.requestId ?? '', { title: 'Der Hund' })
    await settle()
    await review(front, jobId, 'More.')
    await settle()
    await beyond.deliver(manual, there, page?.requestId ?? '', german)
    await settle()
    await review(front, jobId)
    await settle()
    await front.call(connector, 'PUT', `/jobs/${jobId}/complete`)
    await settle()
    await settle('1h')
    recorded = await cassetteOf(front, jobId)
  })
  afterAll(() => pair.close())

  it('has the calls of the connector, those to the upstream and those of its listeners, with their bodies', () => {
    expect(recorded).toMatchObject({
      format: 'dragoman-cassette',
      version: 1,
      jobId,
      complete: true,
    })
    const there = `/v2/jobs/${recorded.upstreamJobId}`
    const here = `/v2/jobs/${jobId}`
    const transfer = expect.stringMatching(/^POST \/fms\/[\w-]{16} 201$/)
    expect(named(recorded.calls, 'CONNECTOR').filter((one) => !one.startsWith('GET'))).toEqual([
      'POST /v2/jobs 201',
      expect.stringContaining(`POST ${here}/sourcefiles`),
      transfer,
      `POST ${here}/requests/add 201`,
      `PUT ${here}/submit 200`,
      `PUT ${here}/requests/reject 200`,
      `PUT ${here}/requests/approve 200`,
      `PUT ${here}/complete 200`,
    ])
    expect(named(recorded.calls, 'UPSTREAM').filter((one) => !one.startsWith('GET'))).toEqual([
      'POST /v2/jobs 201',
      expect.stringContaining(`POST ${there}/sourcefiles`),
      transfer,
      `POST ${there}/requests/add 201`,
      `PUT ${there}/submit 200`,
      `PUT ${there}/requests/reject 200`,
      `PUT ${there}/requests/approve 200`,
      `PUT ${there}/complete 200`,
    ])
    expect(named(recorded.calls, 'LISTENER')).toEqual(
      expect.arrayContaining(['POST /upstream 204']),
    )
    const sent = recorded.calls.find(
      ({ side, path }) => side === 'UPSTREAM' && path === `${there}/requests/add`,
    )
    expect(sent?.request.body?.json).toMatchObject({
      requests: [{ requestName: 'Page' }, { requestName: 'Texts' }],
    })
    const file = recorded.calls.filter(
      ({ side, path }) => side === 'UPSTREAM' && path.startsWith('/fms/'),
    )
    expect(file.map(({ request, response }) => request.body?.text ?? response?.body?.text)).toEqual(
      expect.arrayContaining([html, '<p>Der Hund.</p>', german]),
    )
  })

  it('has no secret: no token, no signature, no signed address, no secret of a client or listener', () => {
    const text = JSON.stringify(recorded)
    for (const secret of [
      /eyJ[\w-]{20}/,
      /Bearer/i,
      /whsec_/,
      /drg_/,
      /signature/i,
      /[?&](sig|token|sas)=/i,
    ])
      expect(text).not.toMatch(secret)
    expect(text).toContain('{upstream}/fms/')
    const there = recorded.calls.filter(({ side }) => side === 'UPSTREAM')
    expect(JSON.stringify(there)).not.toContain(pair.beyond.hub.url)
    expect(text).toMatch(/"fmsSASToken":"\[removed\]"/)
  })

  it('is saved by the command line, which says where there is none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-cassette-'))
    onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 5 }))
    const { front } = pair
    const run = (...args: string[]) =>
      runCommandLine(['cassette', ...args], { HUB_URL: front.hub.url, HOME: folder }, folder)
    const file = `${jobId}.cassette.json`
    const said = await run(jobId)
    const saved: Cassette = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const many = saved.calls.length
    expect(said).toEqual({ code: 0, out: `${file}: ${many} calls.\n`, err: '' })
    // The two hubs go on talking: what is recorded only grows.
    expect(many).toBeGreaterThanOrEqual(recorded.calls.length)
    const now = await cassetteOf(front, jobId)
    expect(saved).toEqual({ ...now, calls: now.calls.slice(0, many) })
    const none = await create(front, await front.provider('Pseudo'))
    expect(await run(none)).toMatchObject({
      code: 1,
      err: expect.stringContaining('No calls of job'),
    })
    expect((await run()).code).toBe(2)
  })

  it('is sealed where content is, and goes with the job', async () => {
    const { front } = pair
    const { read } = front.hub.inner.db
    const rows = await read
      .selectFrom('recorded_calls')
      .select('call')
      .where('job_id', '=', jobId)
      .execute()
    expect(rows.every(({ call }) => call.startsWith('sealed.1.'))).toBe(true)
    expect((await front.call(connector, 'DELETE', `/jobs/${jobId}`)).status).toBe(200)
    const left = await read
      .selectFrom('recorded_calls')
      .select('call_id')
      .where('job_id', '=', jobId)
      .execute()
    expect(left).toEqual([])
    expect((await front.call(admin, 'GET', `/jobs/${jobId}/cassette`)).status).toBe(404)
  })

  it('is not kept for a job that goes elsewhere, nor shown to a connector', async () => {
    const { front } = pair
    const other = await create(front, await front.provider('Pseudo'))
    expect(await cassetteOf(front, other)).toMatchObject({ complete: true, calls: [] })
    expect((await front.call(connector, 'GET', `/jobs/${other}/cassette`)).status).toBe(403)
  })

  it('plays back: a fresh hub goes the whole round with the player behind it, call by call', async () => {
    const player = await playCassette(recorded)
    const hub = await startHub({ database })
    try {
      const side = sideOf(hub)
      const config = { url: player.url, clientId: 'any', clientSecret: 'any', review: 'WAIT' }
      const manual = (recorded.calls.find(
        ({ path }) => path.endsWith('/submit') && !path.includes(jobId),
      )?.request.body?.json ?? {}) as { providerId?: string }
      const body = {
        name: 'Played',
        typeId: 'upstream',
        config: { ...config, providerId: manual.providerId },
      }
      const provider = (await side.call<{ id: string }>(admin, 'POST', '/providers', body)).body
      const played = await create(side, provider.id)
      const until = async (statuses: string[]) => {
        for (let turn = 0; turn < 20; turn += 1) {
          if (JSON.stringify(await side.statuses(played)) === JSON.stringify(statuses)) return
          await hub.advance('15m')
        }
        expect({ ...player, statuses: await side.statuses(played) }).toEqual({
          unexpected: [],
          statuses,
        })
      }
      await until(['REVIEW_TRANSLATION', 'REVIEW_TRANSLATION'])
      const [page] = await side.requests(played)
      expect(await side.download(played, page?.requestId ?? '')).toBe('<p>Der Hund.</p>')
      await review(side, played, 'More.')
      await until(['TRANSLATION_REJECTED', 'REVIEW_TRANSLATION'])
      await hub.advance('15m')
      await until(['REVIEW_TRANSLATION', 'REVIEW_TRANSLATION'])
      expect(await side.download(played, page?.requestId ?? '')).toBe(german)
      await review(side, played)
      await hub.advance('15m')
      await side.call(connector, 'PUT', `/jobs/${played}/complete`)
      await hub.advance('15m')
      expect(player.unexpected).toEqual([])
      expect(player.left()).toEqual([])
      expect((await side.job(played)).statusCode).toBe('COMPLETED')
    } finally {
      await hub.close()
      await player.close()
    }
  })

  it('is strict: a job that differs is refused, and the player says in what', async () => {
    const player = await playCassette(recorded)
    const hub = await startHub({ database })
    try {
      const side = sideOf(hub)
      const config = { url: player.url, clientId: 'any', clientSecret: 'any' }
      const made = await side.call<{ id: string }>(admin, 'POST', '/providers', {
        name: 'P',
        typeId: 'upstream',
        config,
      })
      const { jobId: other } = (
        await side.call<{ jobId: string }>(connector, 'POST', '/jobs', { jobName: 'Other' })
      ).body
      const request = {
        requestName: 'a',
        sourceNativeId: 'a',
        ...languages,
        fields: [{ key: 'a', value: 'The dog' }],
      }
      await side.call(connector, 'POST', `/jobs/${other}/requests/add`, request)
      await side.call(connector, 'PUT', `/jobs/${other}/submit`, { providerId: made.body.id })
      await hub.advance('20s')
      expect(player.unexpected).toEqual(['POST /v2/jobs was sent with another jobName.'])
      expect(await side.updates(other)).toEqual([
        expect.stringContaining('answered 400: Not in the recording'),
      ])
      expect(player.left()).toHaveLength(8)
    } finally {
      await hub.close()
      await player.close()
    }
  })
})
