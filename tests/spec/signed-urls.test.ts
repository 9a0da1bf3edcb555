/**
 * Signed URLs die with the client that asked for them, within five seconds; those of an outside
 * issuer's client do not.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setClient } from '../../packages/server/src/domain/access/change-client.ts'
import {
  disableClient,
  enableClient,
  removeClient,
} from '../../packages/server/src/domain/access/clients.ts'
import { mustFindProvider } from '../../packages/server/src/domain/engines/providers.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { closeHub, openHub } from '../../packages/server/src/hub.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { type OutsideIssuer, startIssuer } from '../outside-issuer.ts'

type Transfer = {
  fmsFileId: string
  fmsSASToken: string
  fmsUploadUrl: string
  fmsPostMultipartUrl: string
}
type Ask = (method: string, path: string, body?: object) => Promise<Response>
const chunk = { 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0' }

describe.each(databases)('signed URLs on %s', (database) => {
  let hub: TestHub
  let issuer: OutsideIssuer
  beforeAll(async () => {
    issuer = await startIssuer()
    hub = await startHub({
      database,
      env: issuer.env,
    })
  })
  afterAll(async () => {
    await hub.close()
    await issuer.close()
  })

  const askAs =
    (token: string): Ask =>
    (method, path, body) =>
      fetch(new URL(path, hub.url), {
        method,
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })

  /** Every kind of URL that is given out, each as a call that says what came of it. */
  const everyUrl = async (ask: Ask) => {
    const { jobId } = (await (await ask('POST', '/v2/jobs', { jobName: 'Signed' })).json()) as {
      jobId: string
    }
    const begin = async (): Promise<Transfer> =>
      (await (await ask('POST', `/v2/jobs/${jobId}/sourcefiles?fileName=a.txt`)).json()) as Transfer
    const form = () => {
      const data = new FormData()
      data.append('file', new Blob(['bytes']), 'a.txt')
      return data
    }
    const [stored, direct, resumed] = [await begin(), await begin(), await begin()]
    expect((await fetch(stored.fmsPostMultipartUrl, { method: 'POST', body: form() })).status).toBe(
      201,
    )
    const tus = (method: string, url: string, headers: Record<string, string>, body?: string) =>
      fetch(new URL(url, hub.url), {
        method,
        headers: { ...chunk, sastoken: resumed.fmsSASToken, ...headers },
        ...(body !== undefined && { body }),
      })
    const made = await tus('POST', resumed.fmsUploadUrl, { 'upload-length': '5' })
    const upload = String(made.headers.get('location'))
    const source = await ask('GET', `/v2/jobs/${jobId}/sourcefiles/${stored.fmsFileId}`)
    const asJson = await fetch(
      new URL(`/v2/jobs/${jobId}/sourcefiles/${stored.fmsFileId}`, hub.url),
      {
        redirect: 'manual',
        headers: { accept: 'application/json', authorization: `Bearer ${await tokenOf(ask)}` },
      },
    )
    const links = [source, asJson].map((answer) => String(answer.headers.get('location')))
    return async (): Promise<number[]> => {
      const answers = [
        ...(await Promise.all(links.map((link) => fetch(link)))),
        await tus('HEAD', upload, {}),
        await tus('PATCH', upload, { 'upload-offset': '0' }, ''),
        await tus('POST', resumed.fmsUploadUrl, { 'upload-length': '-' }),
        await fetch(direct.fmsPostMultipartUrl, { method: 'POST', body: new FormData() }),
      ]
      return answers.map(({ status }) => status)
    }
  }
  const tokens = new WeakMap<Ask, string>()
  const tokenOf = async (ask: Ask) => tokens.get(ask) ?? ''
  const join = async (clientId: string, siteId = 'demo'): Promise<Ask> => {
    const { secret } = await enrolClient(hub.inner, { clientId, siteId, scopes: ['content'] })
    const token = await hub.token(clientId, secret)
    const ask = askAs(token)
    tokens.set(ask, token)
    return ask
  }
  const alive = [200, 200, 200, 204, 400, 400]
  const dead = [403, 403, 403, 403, 403, 403]

  it.each(['disabled', 'removed'] as const)(
    'of a client that is %s beside the running hub are refused',
    async (how) => {
      const clientId = `leaving-${how}`
      const use = await everyUrl(await join(clientId))
      expect(await use()).toEqual(alive)
      const tool = await openHub(hub.inner.config, { as: 'tool', log: hub.inner.log })
      await (how === 'disabled' ? disableClient : removeClient)(tool, clientId)
      await closeHub(tool)
      await hub.advance('30s')
      expect(await use()).toEqual(dead)
      if (how === 'removed') return
      await enableClient(hub.inner, clientId)
      expect(await use()).toEqual(alive)
    },
  )

  it.each(['demo', 'elsewhere'])(
    'of a client that was removed stay dead when %s adds its id',
    async (siteId) => {
      const clientId = `wanderer-${siteId}`
      const use = await everyUrl(await join(clientId))
      await removeClient(hub.inner, clientId)
      expect(await use()).toEqual(dead)
      await hub.advance('1s')
      await join(clientId, siteId)
      expect(await use()).toEqual(dead)
    },
  )

  it('of a client that may call from some networks only are refused elsewhere', async () => {
    const use = await everyUrl(await join('at-home'))
    const allowFrom = (networks: string[]) =>
      setClient(hub.inner, 'at-home', { allowFrom: networks }, mustFindProvider)
    await allowFrom(['192.0.2.0/24'])
    expect(await use()).toEqual(dead)
    await allowFrom(['192.0.2.0/24', '127.0.0.0/8', '::1'])
    expect(await use()).toEqual(alive)
  })

  it('of one client live on when another is disabled', async () => {
    await join('other')
    const use = await everyUrl(await join('staying'))
    await disableClient(hub.inner, 'other')
    expect(await use()).toEqual(alive)
  })

  it('of an outside issuer’s client, which has no row here, live their own time', async () => {
    const token = await issuer.sign('demo', 'from-outside', 'content', hub.inner.clock.now())
    const ask = askAs(token)
    tokens.set(ask, token)
    const use = await everyUrl(ask)
    expect(await use()).toEqual(alive)
    await hub.advance('31s')
    expect(await use()).toEqual(alive)
  })

  it('of a provider, to a file of keys and values, die with it too', async () => {
    const { body: page } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      {
        as: 'demo-connector',
      },
    )
    const providerId = String(page.providers.find(({ name }) => name === 'Manual')?.id)
    const as = 'demo-connector'
    const { jobId } = (await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Fields' } })).body
    const fields = [{ key: 'a', value: 'text' }]
    const languages = { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCodes: ['de-DE'] }
    const request = { requestName: 'r', sourceNativeId: 's', ...languages, fields }
    const added = await hub.call<{ requests: { requestId: string }[] }>(
      'POST',
      `/v2/jobs/${jobId}/requests/add`,
      {
        as,
        body: request,
      },
    )
    expect(
      (await hub.call('PUT', `/v2/jobs/${jobId}/submit`, { as, body: { providerId } })).status,
    ).toBe(200)
    await hub.advance('1s')
    const clientId = 'leaving-provider'
    const { secret } = await enrolClient(hub.inner, {
      ...{ clientId, siteId: 'demo', scopes: ['provider'], providerIds: [providerId] },
    })
    const ask = askAs(await hub.token(clientId, secret))
    const path = `/v2/providers/${providerId}/jobs/${jobId}/assetTasks/${added.body.requests[0]?.requestId}/sourceFile`
    const link = String((await ask('GET', path)).headers.get('location'))
    expect((await fetch(link)).status).toBe(200)
    await disableClient(hub.inner, clientId)
    expect((await fetch(link)).status).toBe(403)
  })

  it('cannot be moved to another client', async () => {
    const use = await join('signer')
    const { jobId } = (await (await use('POST', '/v2/jobs', { jobName: 'Moved' })).json()) as {
      jobId: string
    }
    const path = `/v2/jobs/${jobId}/sourcefiles?fileName=a.txt`
    const { fmsPostMultipartUrl, fmsFileId } = (await (await use('POST', path)).json()) as Transfer
    const data = new FormData()
    data.append('file', new Blob(['bytes']), 'a.txt')
    await fetch(fmsPostMultipartUrl, { method: 'POST', body: data })
    const link =
      (await use('GET', `/v2/jobs/${jobId}/sourcefiles/${fmsFileId}`)).headers.get('location') ?? ''
    expect((await fetch(link)).status).toBe(200)
    for (const changed of [
      link.replace('by=signer.', 'by=other.'),
      link.replace(/&by=[^&]*/, ''),
      link.replace(/by=signer\.\w*/, 'by=signer'),
      `${link}&by=other`,
    ])
      expect([changed === link, (await fetch(changed)).status]).toEqual([false, 403])
  })
})
