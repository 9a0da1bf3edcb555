/**
 * Notes at rest, sealed: what people and clients wrote about content is in no row, and is read as
 * it was written.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import { replaceMasterKey } from '../packages/server/src/domain/operations/master-key/replace-master-key.ts'
import { exportSite } from '../packages/server/src/domain/sites/export-site.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { placesOf } from './sealed-place.ts'

const marker = 'Zwiebelkuchen 4711'
const connector = 'demo-connector'
const provider = 'demo-provider'
/** Texts by what they are about. */
const notes = {
  job: `The job of ${marker}`,
  asset: `The asset of ${marker}`,
  // Looks sealed; it is a text like any other.
  reject: `sealed.1.${marker} is too stiff`,
  requestError: `No glossary for ${marker}`,
  jobError: `No translator for ${marker}`,
}

describe.each(databases)('sealed notes on %s', (database) => {
  let hub: TestHub
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    hub = await startHub({ database, env: { DRAGOMAN_SEAL_CONTENT: 'on' } })
  })
  afterAll(async () => {
    await hub.close()
    await receiver.close()
  })

  const ask = async <T = Record<string, unknown>>(
    as: string,
    method: string,
    path: string,
    body?: object,
  ) => {
    const got = await hub.call<T>(method, `/v2${path}`, { as, ...(body && { body }) })
    expect(got.status, `${path} ${JSON.stringify(got.body)}`).toBeLessThan(300)
    return got.body
  }
  const badNotes = async () =>
    (await checkHub(hub.inner)).findings.filter(({ check }) => check === 'sealed notes')
  const exported = async (): Promise<string> => {
    const parts: Uint8Array[] = []
    for await (const part of exportSite(hub.inner, 'demo', () => {})) parts.push(part)
    return Buffer.concat(parts).toString()
  }

  /**
   * A job with a description, an asset, a rejected request and a failed one, which has failed
   * itself.
   */
  const noted = async () => {
    const { jobId } = await ask(connector, 'POST', '/jobs', {
      jobName: 'Noted',
      description: 'not yet',
    })
    await ask(connector, 'PATCH', `/jobs/${jobId}`, { description: notes.job })
    const file = await ask(connector, 'POST', `/jobs/${jobId}/sourcefiles?fileName=a.txt`)
    const form = new FormData()
    form.append('file', new Blob(['Hello']), 'a.txt')
    expect(
      (await fetch(String(file.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
    ).toBe(201)
    const asset = { fmsFileId: file.fmsFileId, description: notes.asset }
    const { supportassetId } = await ask(connector, 'POST', `/jobs/${jobId}/supportassets`, asset)
    const requests = ['one', 'two'].map((requestName) => ({
      ...{ requestName, sourceNativeId: requestName, sourceNativeLanguageCode: 'en-us' },
      ...{ targetNativeLanguageCodes: ['de-de'], fields: [{ key: 'title', value: 'Hello' }] },
    }))
    const added = await ask<{ requests: { requestId: string }[] }>(
      ...([connector, 'POST', `/jobs/${jobId}/requests/add`, { requests }] as const),
    )
    const [rejected, failed] = added.requests.map(({ requestId }) => requestId)
    const { providers } = await ask<{ providers: { id: string; name: string }[] }>(
      connector,
      'GET',
      '/providers',
    )
    const providerId = providers.find(({ name }) => name === 'Manual')?.id
    await ask(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    await hub.advance('1s')
    const work = `/providers/${providerId}/jobs/${jobId}`
    await ask(provider, 'PUT', `${work}/assetTasks/${rejected}/translatedContent`, {
      fields: [{ key: 'title', value: 'Hallo' }],
    })
    await ask(provider, 'PATCH', `${work}/assetTasks/${rejected}`, {
      statusCode: 'TRANSLATION_SUBMITTED',
    })
    await ask(connector, 'PUT', `/jobs/${jobId}/requests/reject`, {
      requestIds: [rejected],
      note: notes.reject,
    })
    const fail = (errorMessage: string) => ({ hasError: true, errorMessage })
    await ask(provider, 'PATCH', `${work}/assetTasks/${failed}`, fail(notes.requestError))
    await ask(provider, 'PATCH', work, fail(notes.jobError))
    await hub.advance('1s')
    return {
      job: `/jobs/${jobId}`,
      rejected,
      failed,
      work,
      asset: `/jobs/${jobId}/supportassets/${supportassetId}`,
    }
  }
  type Noted = Awaited<ReturnType<typeof noted>>

  /** Every answer that shows a note, with what it must show. */
  const mustShow = async ({ job, rejected, failed, work, asset }: Noted) => {
    const ofJob = { description: notes.job, latestErrorMessage: notes.jobError }
    expect(await ask(connector, 'GET', job)).toMatchObject(ofJob)
    expect(await ask(provider, 'GET', work)).toMatchObject(ofJob)
    expect(await ask(connector, 'GET', asset)).toMatchObject({ description: notes.asset })
    const [ofRejected, ofFailed] = [
      { rejectNote: notes.reject },
      { latestErrorMessage: notes.requestError },
    ]
    expect(await ask(connector, 'GET', `${job}/requests/${rejected}`)).toMatchObject(ofRejected)
    expect(await ask(connector, 'GET', `${job}/requests`)).toMatchObject({
      requests: [ofRejected, ofFailed],
    })
    expect(await ask(provider, 'GET', `${work}/assetTasks/${failed}`)).toMatchObject(ofFailed)
    expect(await ask(provider, 'GET', `${work}/assetTasks`)).toMatchObject({
      assetTasks: [ofRejected, ofFailed],
    })
    const jobs = await ask<{ jobs: object[] }>(
      connector,
      'GET',
      `/jobs?filter=${encodeURIComponent("jobName eq 'Noted'")}`,
    )
    expect(jobs).toMatchObject({ jobs: [ofJob] })
    const updates = JSON.stringify(
      await ask(connector, 'GET', `${job}/statusupdates?acknowledged=all`),
    )
    const timeline = JSON.stringify(await ask('demo-admin', 'GET', `${job}/timeline`))
    for (const text of [notes.requestError, notes.jobError]) {
      expect(updates).toContain(text)
      expect(timeline).toContain(text)
    }
    expect(timeline).toContain(notes.reject)
    const tar = await exported()
    for (const text of Object.values(notes)) expect(tar).toContain(text)
    const sent = await hub.inner.db.read.selectFrom('deliveries').select('delivery_id').execute()
    const bodies = await Promise.all(
      sent.map(({ delivery_id }) => ask('demo-admin', 'GET', `/deliveries/${delivery_id}`)),
    )
    expect(bodies.map(({ body }) => body).sort()).toEqual(
      receiver.calls.map(({ text }) => text).sort(),
    )
  }

  it('are in no row and in every answer, with sealing on, off again, and under another master key', async () => {
    const uri = `${receiver.url}/hook`
    const listening = {
      uri,
      type: 'REQUEST_STATUS_UPDATED',
      statusCodes: ['IN_TRANSLATION'],
      acknowledgeStatusUpdate: false,
    }
    const mine = await ask(connector, 'POST', '/statusupdates/listeners', listening)
    const theirs = { assetTaskUri: uri, assetTaskStatusCodes: ['TRANSLATION_REJECTED'] }
    const its = await ask(provider, 'POST', '/listeners', theirs)
    const all = await noted()
    const heard = receiver.calls.map(({ text }) => text).join()
    for (const text of [notes.reject, notes.requestError]) expect(heard).toContain(text)
    for (const { text, headers, body } of receiver.calls) {
      const secret = body.listenerId === mine.listenerId ? mine.secret : its.secret
      new Webhook(String(secret)).verify(text, { ...headers })
    }
    expect(await placesOf(hub, marker)).toEqual([])
    await mustShow(all)
    expect(await badNotes()).toEqual([])

    await hub.restart({ DRAGOMAN_SEAL_CONTENT: 'off' })
    await mustShow(all)
    const open = 'sealed.1.looks sealed'
    const { jobId } = await ask(connector, 'POST', '/jobs', { jobName: 'Open', description: open })
    expect(await ask(connector, 'GET', `/jobs/${jobId}`)).toMatchObject({ description: open })

    const key = randomBytes(32)
    const { clock } = hub.inner
    // As if its nodes had been stopped a minute ago.
    const later = { ...hub.inner, clock: { ...clock, now: () => clock.now() + 120_000 } }
    await replaceMasterKey(later, key)
    await hub.restart({ DRAGOMAN_MASTER_KEY: key.toString('hex') })
    await mustShow(all)
    expect(await ask(connector, 'GET', `/jobs/${jobId}`)).toMatchObject({ description: open })
    expect(await badNotes()).toEqual([])

    // One that does not open is left out; the check names it.
    const damage = sql`update jobs set error_message = 'sealed.1.AAAA', version = version + 1 where job_name = 'Noted'`
    await hub.inner.db.transact((tx) => damage.execute(tx))
    const shown = await ask(connector, 'GET', all.job)
    expect(shown).toMatchObject({ description: notes.job, hasError: true })
    expect(shown).not.toHaveProperty('latestErrorMessage')
    expect(await badNotes()).toMatchObject([
      { check: 'sealed notes', siteId: 'demo', what: all.job.slice(1).replace('/', ' ') },
    ])
  })
})
