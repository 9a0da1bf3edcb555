/**
 * A client id says whose something is only together with its site: what is left of a client that
 * was removed, and what one id means that an outside issuer uses in two sites. What strangers see
 * is in sites.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { disableClient } from '../../packages/server/src/domain/access/clients.ts'
import { dismissClient, enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { type OutsideIssuer, startIssuer } from '../outside-issuer.ts'
import { type Receiver, startReceiver } from '../receiver.ts'

describe.each(databases)('one client id on %s', (database) => {
  let hub: TestHub
  let issuer: OutsideIssuer
  let receiver: Receiver
  beforeAll(async () => {
    issuer = await startIssuer()
    receiver = await startReceiver()
    hub = await startHub({ database, env: issuer.env })
    await enrol('here', 'keeper-here')
    await enrol('there', 'keeper-there')
  })
  afterAll(async () => {
    await hub.close()
    await issuer.close()
    await receiver.close()
  })

  const enrol = async (siteId: string, clientId: string): Promise<string> => {
    const { secret } = await enrolClient(hub.inner, { siteId, clientId, scopes: ['admin'] })
    return hub.token(clientId, secret)
  }
  const byIssuer = (siteId: string, clientId: string) =>
    issuer.sign(siteId, clientId, 'admin', hub.inner.clock.now())
  const call = <T = Record<string, string>>(
    token: string,
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ) =>
    hub.call<T>(method, `/v2${path}`, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body }),
    })
  const setQuotas = (clientId: string, quotas: object) =>
    hub.inner.db.transact((tx) =>
      tx
        .updateTable('clients')
        .set({ quotas: JSON.stringify(quotas) })
        .where('client_id', '=', clientId)
        .execute(),
    )

  it('that is removed leaves no key, listener, delivery, secret or failed try; its jobs stay', async () => {
    const token = await enrol('here', 'leaving')
    const { jobId } = (await call(token, 'POST', '/jobs', { jobName: 'Mine' }, 'a-key')).body
    const listener = { type: 'JOB_STATUS_UPDATED', uri: receiver.url }
    const { listenerId } = (await call(token, 'POST', '/statusupdates/listeners', listener)).body
    expect((await call(token, 'POST', `/statusupdates/listeners/${listenerId}/test`)).status).toBe(
      202,
    )
    await hub.token('leaving', 'a wrong secret').catch(() => {})
    const left = async () => {
      const { read } = hub.inner.db
      const count = async (rows: Promise<unknown[]>) => (await rows).length
      const of = (table: 'idempotency' | 'listeners' | 'client_secrets' | 'guesses' | 'clients') =>
        count(
          read.selectFrom(table).select('client_id').where('client_id', '=', 'leaving').execute(),
        )
      return {
        keys: await of('idempotency'),
        listeners: await of('listeners'),
        secrets: await of('client_secrets'),
        tries: await of('guesses'),
        clients: await of('clients'),
        deliveries: await count(
          read
            .selectFrom('deliveries')
            .select('position')
            .where('listener_id', '=', String(listenerId))
            .execute(),
        ),
        jobs: await count(
          read.selectFrom('jobs').select('job_id').where('creator_id', '=', 'leaving').execute(),
        ),
      }
    }
    expect(await left()).toEqual({
      keys: 1,
      listeners: 1,
      secrets: 1,
      tries: 1,
      clients: 1,
      deliveries: 1,
      jobs: 1,
    })
    await dismissClient(hub.inner, 'leaving')
    expect(await left()).toEqual({
      keys: 0,
      listeners: 0,
      secrets: 0,
      tries: 0,
      clients: 0,
      deliveries: 0,
      jobs: 1,
    })
    // Added again, it begins anew: the key makes another job.
    const again = await enrol('here', 'leaving')
    const second = await call(again, 'POST', '/jobs', { jobName: 'Mine' }, 'a-key')
    expect([second.status, second.body.jobId === jobId]).toEqual([201, false])
  })

  it('that is added again is not opened by a token from before', async () => {
    const token = await enrol('here', 'back')
    expect((await call(token, 'GET', '/jobs')).status).toBe(200)
    await dismissClient(hub.inner, 'back')
    await hub.advance('2m')
    const fresh = await enrol('here', 'back')
    const refused = await call(token, 'GET', '/jobs')
    expect([refused.status, refused.body.message]).toEqual([
      401,
      expect.stringContaining('before its client was added'),
    ])
    expect((await call(fresh, 'GET', '/jobs')).status).toBe(200)
  })

  it('of an issuer has the quotas of its own site, not those of its namesake', async () => {
    await enrol('here', 'namesake')
    await setQuotas('namesake', { MaxFilesPerJob: 1, MaxReqsPerJob: 1 })
    const [here, there] = [await byIssuer('here', 'namesake'), await byIssuer('there', 'namesake')]
    const upload = async (token: string): Promise<number[]> => {
      const { jobId } = (await call(token, 'POST', '/jobs', { jobName: 'Files' })).body
      const begun = [1, 2].map((at) =>
        call(token, 'POST', `/jobs/${jobId}/sourcefiles?fileName=${at}.txt`),
      )
      const codes: number[] = []
      for (const { body } of await Promise.all(begun)) {
        const form = new FormData()
        form.append('file', new Blob(['text']), 'x')
        codes.push(
          (await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
        )
      }
      return codes
    }
    expect(await upload(there)).toEqual([201, 201])
    expect(await upload(here)).toEqual([201, 409])
    const shown = await call<{ quotas: { name: string; value: number }[] }>(there, 'GET', '/quota')
    expect(shown.body.quotas).toContainEqual({ name: 'MaxReqsPerJob', value: 2_000 })
  })

  it('of an issuer goes on while its namesake of another site is disabled, and hears', async () => {
    await enrol('here', 'mute')
    await disableClient(hub.inner, 'mute')
    const there = await byIssuer('there', 'mute')
    expect((await call(await byIssuer('here', 'mute'), 'GET', '/jobs')).status).toBe(401)
    const listener = { type: 'JOB_STATUS_UPDATED', uri: `${receiver.url}/mute` }
    const { listenerId } = (await call(there, 'POST', '/statusupdates/listeners', listener)).body
    expect((await call(there, 'POST', `/statusupdates/listeners/${listenerId}/test`)).status).toBe(
      202,
    )
    await hub.advance('1s')
    expect(receiver.calls.map(({ path }) => path)).toContain('/mute')
  })
})
