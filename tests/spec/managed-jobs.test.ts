/** Contract, section 15: what a manager does with a job after its submission. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { enter } from '../visitor.ts'
import { type JsonObject, openTeam } from './team-stage.ts'

const html = '<!doctype html>\n<p>Welcome.</p>\n'
const fields = { title: 'Welcome' }
type Requests = {
  readonly requests: readonly (JsonObject & {
    readonly requestId: string
    readonly targetNativeLanguageCode: string
    readonly statusCode: string
  })[]
}

describe.each(databases)('a submitted job on %s', (database) => {
  let hub: TestHub
  let receiver: Receiver
  let team: Awaited<ReturnType<typeof openTeam>>
  beforeAll(async () => {
    hub = await startHub({ database })
    receiver = await startReceiver()
    team = await openTeam(hub)
  })
  afterAll(async () => {
    await receiver.close()
    await hub.close()
  })
  const put = (who: string, jobId: string, act: string, body?: unknown) =>
    team.call<JsonObject>(who, 'PUT', `/jobs/${jobId}/${act}`, body)
  const copy = (jobId: string, body: unknown = {}, who = 'demo-connector') =>
    team.call<JsonObject>(who, 'POST', `/jobs/${jobId}/copies`, body)
  const requestsOf = async (jobId: unknown) =>
    (await team.call<Requests>('demo-connector', 'GET', `/jobs/${jobId}/requests`)).body.requests
  const statuses = async (jobId: string) =>
    (await requestsOf(jobId)).map(({ statusCode }) => statusCode)

  it('gets another plan, of which its provider hears', async () => {
    const { jobId, provided } = await team.sent({ fields }, { description: 'Soon' })
    const listener = await team.call<JsonObject>('demo-provider', 'POST', '/listeners', {
      ...{ jobUri: `${receiver.url}/plan`, providerId: team.manual },
    })
    expect(listener.status).toBe(201)
    const dueDate = '2031-05-06T10:00:00.000Z'
    const planned = await put('demo-admin', jobId, 'plan', { dueDate, description: 'Later' })
    expect([planned.status, planned.body.dueDate, planned.body.description]).toEqual([
      ...[200, dueDate, 'Later'],
    ])
    const seen = await team.call<JsonObject>('demo-provider', 'GET', provided)
    expect([seen.body.dueDate, seen.body.description]).toEqual([dueDate, 'Later'])
    const told = () => receiver.calls.filter(({ body }) => body.jobId === jobId)
    await until('the provider is told', () => told().length === 1)
    expect(told()[0]?.body).toMatchObject({ eventType: 'JOB_UPDATE', dueDate })
    // The same again is no news.
    expect((await put('demo-admin', jobId, 'plan', { dueDate })).status).toBe(200)
    expect((await put('demo-admin', jobId, 'plan', {})).status).toBe(200)
    // PATCH stays refused.
    const patched = await team.call<JsonObject>('demo-admin', 'PATCH', `/jobs/${jobId}`, {
      dueDate,
    })
    expect([patched.status, patched.body.code]).toEqual([409, 'JOB_ALREADY_SUBMITTED'])
    const bad = await put('demo-admin', jobId, 'plan', { dueDate: 'soon' })
    expect([bad.status, bad.body.code]).toEqual([400, 'INVALID_REQUEST'])
    expect((await put('demo-connector', jobId, 'plan', { dueDate })).status).toBe(403)
    expect((await put('demo-admin', jobId, 'complete')).status).toBe(200)
    const late = await put('demo-admin', jobId, 'plan', { dueDate: '2032-01-01' })
    expect([late.status, late.body.code]).toEqual([409, 'JOB_COMPLETED'])
    const draft = await team.sent({ fields }, { submit: false })
    const early = await put('demo-admin', draft.jobId, 'plan', { dueDate })
    expect([early.status, early.body.code]).toEqual([409, 'JOB_NOT_SUBMITTED'])
    expect(told().length).toBe(2)
  })

  it('is cancelled but for what is approved, once, with a note that both sides read', async () => {
    const languages = ['de-de', 'fr-fr', 'es-es']
    const { jobId, ids, provided } = await team.sent({ file: html }, { languages })
    await team.deliver(`${provided}/assetTasks/${ids[0]}`, ['Willkommen.'])
    await team.deliver(`${provided}/assetTasks/${ids[1]}`, ['Bienvenue.'])
    const approved = { requestIds: [ids[0]] }
    expect((await put('demo-connector', jobId, 'requests/approve', approved)).status).toBe(200)
    expect((await put('demo-connector', jobId, 'cancel')).status).toBe(403)
    const manager = await enter(hub, ['manager'], 'demo')
    const body = { note: 'The campaign does not take place.' }
    const cancelled = await manager.call<JsonObject>('PUT', `/jobs/${jobId}/cancel`, { body })
    expect([cancelled.status, cancelled.body.statusCode]).toEqual([200, 'CANCELLED'])
    const now = ['TRANSLATION_APPROVED', 'CANCELLED', 'CANCELLED']
    expect(await statuses(jobId)).toEqual(now)
    const updates = await team.updatesOf(jobId)
    expect(updates.filter(({ statusCode }) => statusCode === 'CANCELLED').length).toBe(1)
    expect((await manager.call('PUT', `/jobs/${jobId}/cancel`, { body })).status).toBe(200)
    expect((await team.updatesOf(jobId)).length).toBe(updates.length)
    for (const [who, at] of [
      ['demo-connector', `/jobs/${jobId}`] as const,
      ['demo-provider', provided] as const,
    ]) {
      const { body: seen } = await team.call<{ comments: JsonObject[] }>(
        who,
        'GET',
        `${at}/comments`,
      )
      expect(seen.comments.map(({ text }) => text)).toEqual([body.note])
    }
    const draft = await team.sent({ fields }, { submit: false })
    const early = await put('demo-admin', draft.jobId, 'cancel')
    expect([early.status, early.body.code]).toEqual([409, 'INVALID_TRANSITION'])
    expect(await statuses(draft.jobId)).toEqual(['CREATED'])
  })

  it('cancel and approve at once leave each request either approved or cancelled', async () => {
    const languages = ['de-de', 'fr-fr', 'es-es', 'it-it']
    const { jobId, ids, provided } = await team.sent({ file: html }, { languages })
    for (const id of ids) await team.deliver(`${provided}/assetTasks/${id}`, ['Ja.'])
    const answers = await Promise.all([
      put('demo-connector', jobId, 'requests/approve', { requestIds: ids.slice(0, 2) }),
      put('demo-admin', jobId, 'cancel'),
      put('demo-connector', jobId, 'requests/approve', { requestIds: ids.slice(2) }),
    ])
    const [one, , two] = answers.map(({ status }) => status)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const found = await statuses(jobId)
    const wanted = (status: number | undefined) =>
      status === 200 ? 'TRANSLATION_APPROVED' : 'CANCELLED'
    expect(found).toEqual([wanted(one), wanted(one), wanted(two), wanted(two)])
  })

  it('is copied with its content, for more languages or another provider, without its bytes', async () => {
    const { jobId, ids } = await team.sent(
      { file: html },
      {
        ...{ languages: ['de-de', 'fr-fr'], description: 'Round', labels: ['web'] },
      },
    )
    /** Names of bytes that have another name. */
    const shared = () => {
      const root = join(hub.folder, 'data', 'blobs')
      const names = readdirSync(root, { recursive: true }).map((name) => join(root, String(name)))
      return names.filter((name) => statSync(name).isFile() && statSync(name).nlink > 1).length
    }
    const before = shared()
    const made = await copy(jobId, {
      targetNativeLanguageCodes: ['es-es', 'it-it'],
      jobName: 'More',
    })
    expect([made.status, made.body.statusCode, made.body.jobName]).toEqual([201, 'CREATED', 'More'])
    expect(made.body).toMatchObject({ description: 'Round', labels: ['web'] })
    const copies = await requestsOf(made.body.jobId)
    expect(copies.map((one) => one.targetNativeLanguageCode)).toEqual(['es-es', 'it-it'])
    // Sealed bytes are sealed again for the copy.
    const isSealed = process.env.DRAGOMAN_TEST_SEALED === 'on'
    expect(shared()).toBe(isSealed ? before : before + 2)
    const [first] = copies
    const source = await team.call(
      'demo-connector',
      'GET',
      `/jobs/${made.body.jobId}/sourcefiles/${first?.fileId}`,
    )
    expect(await (await fetch(String(source.headers.get('location')))).text()).toBe(html)
    const same = await copy(jobId, { requestIds: [ids[1]] })
    expect((await requestsOf(same.body.jobId)).map((one) => one.targetNativeLanguageCode)).toEqual([
      'fr-fr',
    ])
    expect(same.body.jobName).toBe('Team')
    // The job may go; its copy stays whole, and can be copied again.
    expect((await put('demo-admin', jobId, 'cancel')).status).toBe(200)
    expect((await team.call('demo-connector', 'DELETE', `/jobs/${jobId}`)).status).toBe(200)
    await hub.advance('1h')
    const again = await copy(String(made.body.jobId))
    expect(again.status).toBe(201)
    const submitted = await put('demo-connector', String(again.body.jobId), 'submit', {
      providerId: team.manual,
    })
    expect(submitted.status).toBe(200)
    expect((await checkHub(hub.inner)).findings).toEqual([])
    const gone = await copy(jobId)
    expect([gone.status, gone.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
  })

  it('a copy of fields is its own, and a bad wish is refused with a sentence', async () => {
    const { jobId, ids } = await team.sent({ fields })
    const made = await copy(jobId, { targetNativeLanguageCodes: ['fr-fr', 'FR_fr'] })
    expect(made.status).toBe(201)
    const [request, ...others] = await requestsOf(made.body.jobId)
    expect(others).toEqual([])
    const path = `/jobs/${made.body.jobId}/sourcecontent/${request?.sourcecontentId}`
    const changed = [{ key: 'title', value: 'Changed' }]
    expect((await team.call('demo-connector', 'PUT', path, { fields: changed })).status).toBe(200)
    const [before] = await requestsOf(jobId)
    const kept = await team.call<{ fields: JsonObject[] }>(
      'demo-connector',
      'GET',
      `/jobs/${jobId}/sourcecontent/${before?.sourcecontentId}`,
    )
    expect(kept.body.fields).toEqual([{ key: 'title', value: 'Welcome' }])
    const empty = (await team.call('demo-connector', 'POST', '/jobs', { jobName: 'Empty' })).body
    const refusals: [unknown, unknown, number, string][] = [
      [empty.jobId, {}, 409, 'JOB_EMPTY'],
      [jobId, { requestIds: ['A'.repeat(22)] }, 404, 'REQUEST_NOT_FOUND'],
      [jobId, { providerId: 'A'.repeat(22) }, 404, 'PROVIDER_NOT_FOUND'],
      [jobId, { targetNativeLanguageCodes: ['xx-yy'] }, 400, 'INVALID_LANGUAGE'],
      [jobId, { requestIds: [] }, 400, 'INVALID_REQUEST'],
    ]
    for (const [of, body, status, code] of refusals) {
      const got = await copy(String(of), body)
      expect([got.status, got.body.code]).toEqual([status, code])
    }
    // The bytes are gone, although the job is there.
    const lost = await team.sent({ file: html })
    const { blob_id } = await hub.inner.db.read
      .selectFrom('files')
      .select('blob_id')
      .where('job_id', '=', lost.jobId)
      .executeTakeFirstOrThrow()
    await hub.inner.blobs.remove(String(blob_id))
    const erased = await copy(lost.jobId)
    expect([erased.status, erased.body.code]).toEqual([409, 'CONTENT_ERASED'])
    expect(String(erased.body.message)).toContain(String(lost.ids[0]))
    expect(ids.length).toBe(1)
  })

  it('copies sealed content under a key of the copy', async () => {
    const sealed = await startHub({ database, env: { DRAGOMAN_SEAL_CONTENT: 'on' } })
    try {
      const own = await openTeam(sealed)
      const { jobId } = await own.sent({ file: html })
      const made = await own.call<JsonObject>('demo-connector', 'POST', `/jobs/${jobId}/copies`)
      expect(made.status).toBe(201)
      await own.call('demo-admin', 'PUT', `/jobs/${jobId}/cancel`)
      expect((await own.call('demo-connector', 'DELETE', `/jobs/${jobId}`)).status).toBe(200)
      const { body } = await own.call<Requests>(
        'demo-connector',
        'GET',
        `/jobs/${made.body.jobId}/requests`,
      )
      const source = await own.call(
        'demo-connector',
        'GET',
        `/jobs/${made.body.jobId}/sourcefiles/${body.requests[0]?.fileId}`,
      )
      expect(await (await fetch(String(source.headers.get('location')))).text()).toBe(html)
      expect((await checkHub(sealed.inner)).findings).toEqual([])
    } finally {
      await sealed.close()
    }
  })
})
