/**
 * Two sites never see each other (contract, section 2): every route with every id in its path, and every id in a body,
 * asked by another site's client. The matrix comes from the endpoint table, so that a new route is in it by itself.
 */
import { type EndpointName, endpoints, isLater } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/upkeep/enrol-client.ts'
import { engines, startHub, type TestHub } from '../hub.ts'
import { priceList } from '../price-list.ts'
import { everything } from '../scenario.ts'

type Ids = Record<string, string>

/** What a call needs beside its ids in order to get as far as looking for them. */
const bodies: Partial<Record<EndpointName, (ids: Ids) => unknown>> = {
  createProvider: () => ({ name: 'x', typeId: 'manual' }),
  changeProvider: () => ({ name: 'x' }),
  createJob: (ids) => ({ jobName: 'x', providerId: ids.providerId }),
  changeJob: () => ({ jobName: 'x' }),
  replaceJob: () => ({ jobName: 'x' }),
  addRequests: (ids) => one({ fmsFileId: ids.fmsFileId }),
  addFileRequests: (ids) => one({ fmsFileId: ids.fmsFileId }),
  changeRequests: (ids) => ({ requestIds: [ids.requestId], requestsUpdate: { requestName: 'x' } }),
  updateFileContent: (ids) => ({ requestIds: [ids.requestId], fmsFileId: ids.fmsFileId }),
  changeRequest: () => ({ requestName: 'x' }),
  createSourceContent: () => ({ fields: [{ key: 'a', value: 'b' }] }),
  replaceSourceContent: () => ({ fields: [{ key: 'a', value: 'b' }] }),
  invokeProvider: (ids) => ({ jobId: ids.jobId }),
  approveRequests: (ids) => ({ requestIds: [ids.requestId] }),
  rejectRequests: (ids) => ({ requestIds: [ids.requestId] }),
  changeAssetTasks: (ids) => ({ assetTaskIds: [ids.requestId], assetTasksUpdate: { statusCode: 'IN_TRANSLATION' } }),
  putTranslatedContent: () => ({ fields: [{ key: 'a', value: 'b' }] }),
  createListener: (ids) => ({ type: 'JOB_STATUS_UPDATED', uri: 'http://127.0.0.1:9/', jobId: ids.jobId }),
  createProviderListener: (ids) => ({ jobUri: 'http://127.0.0.1:9/', providerId: ids.providerId }),
  createAnalysisCode: (ids) => ({ id: ids.id, code: 'C-1', level: 1 }),
  changeAnalysisCode: () => ({ label: 'x' }),
  changeAnalysisLevel: () => ({ label: 'x' }),
  createPriceList: () => priceList,
  createSupportAsset: (ids) => ({ fmsFileId: ids.fmsFileId }),
  createTmUpdate: (ids) => ({
    fmsFileId: ids.fmsFileId,
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCode: 'de-de',
  }),
}
const one = (content: object) => ({
  requestName: 'r',
  sourceNativeId: 's',
  sourceNativeLanguageCode: 'en-us',
  targetNativeLanguageCodes: ['de-de'],
  ...content,
})
/** What every site has, or has one of its own. */
const same: EndpointName[] = ['findProviderType', 'changeAnalysisLevel']
const queries: Partial<Record<EndpointName, Record<string, string>>> = { createSourceFile: { fileName: 'a.txt' } }

const served = (Object.keys(endpoints) as EndpointName[]).filter((name) => !isLater(name))

describe.each(engines)('two sites on %s', (engine) => {
  let hub: TestHub
  let ids: Ids
  const as = 'demo-admin'
  beforeAll(async () => {
    hub = await startHub({ engine })
    const secret = 'another-secret-of-another-site'
    await enrolClient(hub.inner, {
      siteId: 'other',
      clientId: 'other-admin',
      secret,
      scopes: ['admin'],
      providerIds: [],
    })
    hub.secrets.set('other-admin', secret)
    const call = async (method: string, path: string, body?: unknown) =>
      (await hub.call<Record<string, string>>(method, path, { as, ...(body !== undefined && { body }) })).body
    const { jobId = '' } = await call('POST', '/v2/jobs', { jobName: 'Mine' })
    const { body } = await hub.call<{ providers: { id: string }[] }>('GET', '/v2/providers', { as })
    const { fmsFileId = '' } = await call('POST', `/v2/jobs/${jobId}/sourcefiles?fileName=a.html`)
    const { sourcecontentId = '' } = await call('POST', `/v2/jobs/${jobId}/sourcecontent`, {
      fields: [{ key: 'a', value: 'b' }],
    })
    const added = await hub.call<{ requests: { requestId: string }[] }>('POST', `/v2/jobs/${jobId}/requests/add`, {
      as,
      body: one({ fmsFileId }),
    })
    const { supportassetId = '' } = await call('POST', `/v2/jobs/${jobId}/supportassets`, { fmsFileId })
    const { tmupdateId = '' } = await call(
      'POST',
      `/v2/jobs/${jobId}/tmupdates`,
      bodies.createTmUpdate?.({ fmsFileId }),
    )
    ids = {
      jobId,
      providerId: body.providers[0]?.id ?? '',
      fmsFileId,
      fileId: fmsFileId,
      sourcecontentId,
      requestId: added.body.requests[0]?.requestId ?? '',
      supportassetId,
      tmupdateId,
      assetTaskId: added.body.requests[0]?.requestId ?? '',
      supportAssetId: supportassetId,
      listenerId:
        (await call('POST', '/v2/statusupdates/listeners', { type: 'JOB_STATUS_UPDATED', uri: 'http://127.0.0.1:9/' }))
          .listenerId ?? '',
      typeId: 'manual',
      id: (await call('POST', '/v2/settings/analysiscodes', { level: 1, code: 'Mine' })).id ?? '',
      level: '1',
      priceListId: (await call('POST', '/v2/settings/pricelists', priceList)).priceListId ?? '',
    }
    expect(Object.values(ids).every(Boolean), JSON.stringify(ids)).toBe(true)
  })
  afterAll(() => hub.close())

  const fill = (path: string, from: Ids): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => from[name] ?? 'missing')
  const nobody = (from: Ids): Ids =>
    Object.fromEntries(Object.entries(from).map(([name, id]) => [name, id.replace(/[a-z0-9]/gi, 'q')]))

  it.each(served)('%s tells another site what it tells of an id that does not exist', async (name) => {
    const [method = '', path = ''] = endpoints[name].call.split(' ')
    const ask = async (from: Ids) => {
      const { status, body } = await hub.call<Record<string, unknown>>(method, `/v2${fill(path, from)}`, {
        as: 'other-admin',
        ...(queries[name] && { query: queries[name] }),
        ...(bodies[name] && { body: bodies[name](from) }),
      })
      return { status, code: body.code, text: JSON.stringify(body) }
    }
    const before = await everything(hub)
    const theirs = await ask(ids)
    if (/\{/.test(path) && !same.includes(name)) {
      expect(await everything(hub)).toBe(before)
      const none = await ask(nobody(ids))
      expect([theirs.status, theirs.code]).toEqual([404, none.code])
      expect(none.status).toBe(404)
    } else {
      // A refusal names the id it was asked for, and nothing else.
      if (theirs.status !== 404)
        for (const id of [ids.jobId, ids.requestId, ids.fmsFileId]) expect(theirs.text).not.toContain(id)
      expect(theirs.status).toBeLessThan(500)
    }
  })

  it('a cursor of one site is nothing to another', async () => {
    await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Second' } })
    const { next } = (await hub.call<{ next: string }>('GET', '/v2/jobs?pageSize=1', { as })).body
    const { status, body } = await hub.call('GET', '/v2/jobs', { as: 'other-admin', query: { navNext: next } })
    expect([status, body.code]).toEqual([400, 'INVALID_CURSOR'])
  })

  it('the same Idempotency-Key of two sites is two keys', async () => {
    const post = (who: string) =>
      hub.call('POST', '/v2/jobs', { as: who, body: { jobName: 'K' }, headers: { 'idempotency-key': 'same' } })
    const [mine, theirs] = [await post(as), await post('other-admin')]
    expect(mine.body.jobId).not.toBe(theirs.body.jobId)
    expect(theirs.body.siteId).toBe('other')
  })
})
