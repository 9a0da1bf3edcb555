/**
 * Specification: SupportAsset, TMUpdate, Limits; contract, sections 4, 6 and 11 (Provider side), on
 * both databases.
 */
import { archiveStatuses, jobStatuses, languages } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { type CallOptions, databases, startHub, type TestHub } from '../hub.ts'
import { run, type ScenarioCall } from '../scenario.ts'

type Json = Record<string, unknown>
type Asset = Json & { supportassetId: string }
type TmUpdate = Json & { tmupdateId: string }
type Page = { supportassets: Asset[]; tmupdates: TmUpdate[]; next?: string }
/** A bad body: texts such as `{file}` stand for what is only known once the hub runs. */
type Bad = Omit<ScenarioCall, 'call'> & { readonly field?: string }

const pair = { sourceNativeLanguageCode: 'EN_us', targetNativeLanguageCode: 'de-DE' }

describe.each(databases)('support assets and TM updates on %s', (database) => {
  let hub: TestHub
  const as = 'demo-connector'
  beforeAll(async () => {
    hub = await startHub({ database })
    for (const [clientId, siteId] of [
      ['other-site', 'other'],
      ['small', 'demo'],
    ] as const)
      hub.secrets.set(
        clientId,
        (await enrolClient(hub.inner, { clientId, siteId, scopes: ['content'] })).secret,
      )
    const quotas = JSON.stringify({ MaxSupportAssetsPerJob: 3 })
    await hub.inner.db.transact((tx) =>
      tx.updateTable('clients').set({ quotas }).where('client_id', '=', 'small').execute(),
    )
  })
  afterAll(() => hub.close())

  const must = async <T>(
    status: number,
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<T> => {
    const got = await hub.call<T>(method, path, { as, ...options })
    expect(got.status, JSON.stringify(got.body).slice(0, 500)).toBe(status)
    return got.body
  }
  const newJob = async (who = as): Promise<string> =>
    (
      await must<{ jobId: string }>(201, 'POST', '/v2/jobs', {
        as: who,
        body: { jobName: 'A job' },
      })
    ).jobId
  const newFile = async (jobId: string, fileName = 'terms.tbx'): Promise<string> =>
    (
      await must<{ fmsFileId: string }>(201, 'POST', `/v2/jobs/${jobId}/sourcefiles`, {
        query: { fileName },
      })
    ).fmsFileId
  const addAsset = async (jobId: string, body: Json): Promise<Asset> => {
    const path = `/v2/jobs/${jobId}/supportassets`
    const { _embedded, ...asset } = await must<Asset>(201, 'POST', path, { body })
    expect(_embedded).toEqual({ requests: [] })
    return asset as Asset
  }
  const addUpdate = (jobId: string, body: Json) =>
    must<TmUpdate>(201, 'POST', `/v2/jobs/${jobId}/tmupdates`, { body })
  const force = (jobId: string, change: Json) =>
    hub.inner.db.transact((tx) =>
      tx
        .updateTable('jobs')
        .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
        .where('job_id', '=', jobId)
        .execute(),
    )
  const everything = async (): Promise<string> => {
    const { read } = hub.inner.db
    const tables = ['jobs', 'support_assets', 'tm_updates', 'files'] as const
    return JSON.stringify(
      await Promise.all(tables.map((table) => read.selectFrom(table).selectAll().execute())),
    )
  }

  it('a support asset comes back with every field as given', async () => {
    const jobId = await newJob()
    const fileId = await newFile(jobId, 'Begriffe.2026.tbx')
    const given = {
      description: 'x'.repeat(900),
      sourceNativeIds: ['node/1', 'node/2'],
      sourceNativeLanguageCode: 'EN_us',
      targetNativeLanguageCodes: ['de-DE', 'zh-Hans-MY'],
      extendedMetadata: { a: [null] },
    }
    const asset = await addAsset(jobId, { ...given, fmsFileId: fileId, unknown: 1 })
    const { supportassetId, createdDate, ...rest } = asset
    expect(supportassetId).toMatch(/^[\w-]{22}$/)
    expect(createdDate).toMatch(/^\d{4}-.*\.\d{3}Z$/)
    const file = {
      fileId,
      fmsFileId: fileId,
      jobId,
      filename: 'Begriffe.2026.tbx',
      filetype: 'tbx',
    }
    expect(rest).toEqual({
      ...given,
      ...file,
      supportAssetId: supportassetId,
      ExtendedMetadata: given.extendedMetadata,
    })
    expect(await must(200, 'GET', `/v2/jobs/${jobId}/supportassets/${supportassetId}`)).toEqual(
      asset,
    )
  })

  it('what is not given is left out, but the metadata is an empty object', async () => {
    const jobId = await newJob()
    const fileId = await newFile(jobId)
    const asset = await addAsset(jobId, { fileId, description: null })
    const none = { fmsFileId: fileId, extendedMetadata: {}, ExtendedMetadata: {} }
    const { supportassetId: _, supportAssetId: ____, createdDate: __, ...rest } = asset
    expect(rest).toEqual({ fileId, jobId, filename: 'terms.tbx', filetype: 'tbx', ...none })
    const {
      tmupdateId,
      createdDate: ___,
      ...update
    } = await addUpdate(jobId, { fmsFileId: fileId, ...pair })
    expect(tmupdateId).toMatch(/^[\w-]{22}$/)
    expect(update).toEqual({
      jobId,
      fileId,
      fileName: 'terms.tbx',
      fileType: 'tbx',
      ...pair,
      ...none,
    })
  })

  it('a TM update comes back with its metadata, in both spellings', async () => {
    const jobId = await newJob()
    const fmsFileId = await newFile(jobId, 'memory.tmx')
    const update = await addUpdate(jobId, {
      fmsFileId,
      ...pair,
      ExtendedMetadata: { domain: 'legal' },
    })
    expect(update).toMatchObject({
      extendedMetadata: { domain: 'legal' },
      ExtendedMetadata: { domain: 'legal' },
    })
    expect(await must(200, 'GET', `/v2/jobs/${jobId}/tmupdates/${update.tmupdateId}`)).toEqual(
      update,
    )
  })

  it('one file serves several assets, updates and requests', async () => {
    const jobId = await newJob()
    const fmsFileId = await newFile(jobId)
    for (const _ of [1, 2]) await addAsset(jobId, { fmsFileId })
    for (const _ of [1, 2]) await addUpdate(jobId, { fmsFileId, ...pair })
    const request = {
      requestName: 'r',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      fmsFileId,
    }
    const body = { ...request, targetNativeLanguageCodes: ['de-de'] }
    await must(201, 'POST', `/v2/jobs/${jobId}/requests/add`, { body })
    expect(
      (await must<Page>(200, 'GET', `/v2/jobs/${jobId}/supportassets`)).supportassets,
    ).toHaveLength(2)
  })

  it('both lists come in pages, in order, each thing once', async () => {
    const jobId = await newJob()
    const fmsFileId = await newFile(jobId)
    const assets: string[] = []
    const updates: string[] = []
    for (let at = 0; at < 7; at++) {
      assets.push((await addAsset(jobId, { fmsFileId, description: String(at) })).supportassetId)
      updates.push((await addUpdate(jobId, { fmsFileId, ...pair })).tmupdateId)
    }
    const walk = async (
      path: string,
      idsOf: (page: Page) => string[],
      parameter: string,
    ): Promise<string[]> => {
      const found: string[] = []
      for (let next: string | undefined = ''; next !== undefined; ) {
        const query = { pageSize: 3, ...(next && { [parameter]: next }) }
        const page: Page = await must<Page>(200, 'GET', `/v2/jobs/${jobId}/${path}`, { query })
        found.push(...idsOf(page))
        next = page.next
      }
      return found
    }
    for (const parameter of ['navNext', 'next']) {
      const assetIds = ({ supportassets }: Page) =>
        supportassets.map((asset) => asset.supportassetId)
      expect(await walk('supportassets', assetIds, parameter)).toEqual(assets)
      const updateIds = ({ tmupdates }: Page) => tmupdates.map((update) => update.tmupdateId)
      expect(await walk('tmupdates', updateIds, parameter)).toEqual(updates)
    }
    const { next = '' } = await must<Page>(200, 'GET', `/v2/jobs/${jobId}/supportassets`, {
      query: { pageSize: 3 },
    })
    const other = await newJob()
    for (const call of [`GET /v2/jobs/${jobId}/tmupdates`, `GET /v2/jobs/${other}/supportassets`])
      await run(hub, {
        name: call,
        call,
        query: { navNext: next },
        status: 400,
        code: 'INVALID_CURSOR',
      })
  })

  it('a key sent twice makes one asset and one update', async () => {
    const jobId = await newJob()
    const fmsFileId = await newFile(jobId)
    const headers = { 'idempotency-key': 'once' }
    for (const [path, body] of [
      ['supportassets', { fmsFileId }],
      ['tmupdates', { fmsFileId, ...pair }],
    ] as const) {
      const first = await must(201, 'POST', `/v2/jobs/${jobId}/${path}`, { body, headers })
      expect(await must(201, 'POST', `/v2/jobs/${jobId}/${path}`, { body, headers })).toEqual(first)
      const page = await must<Page>(200, 'GET', `/v2/jobs/${jobId}/${path}`)
      const { _embedded, ...listed } = first as Json
      expect(page[path]).toEqual([listed])
    }
  })

  it('a deleted asset is answered once more, is gone, and its place in the quota is free', async () => {
    const jobId = await newJob()
    const body = { fmsFileId: await newFile(jobId) }
    const path = `/v2/jobs/${jobId}/supportassets`
    const made = await Promise.all(
      Array.from({ length: 9 }, () => hub.call<Asset>('POST', path, { as: 'small', body })),
    )
    const codes = made.map((answer) => answer.body.code ?? answer.status).sort()
    expect(codes).toEqual([...Array(3).fill(201), ...Array(6).fill('QUOTA_EXCEEDED')])
    const { _embedded, ...asset } = (made.find((answer) => answer.status === 201)?.body ??
      {}) as Asset
    expect(await must(200, 'DELETE', `${path}/${asset.supportassetId}`)).toEqual(asset)
    for (const method of ['GET', 'DELETE'])
      await run(hub, {
        name: method,
        call: `${method} ${path}/${asset.supportassetId}`,
        status: 404,
        code: 'SUPPORT_ASSET_NOT_FOUND',
      })
    await must(201, 'POST', path, { as: 'small', body })
    const call = `POST ${path}`
    await run(hub, {
      name: 'one more',
      as: 'small',
      call,
      body,
      status: 409,
      says: /MaxSupportAssetsPerJob is 3/,
    })
    expect((await must<Page>(200, 'GET', path)).supportassets).toHaveLength(3)
  })

  it('each addition and deletion counts as activity of the job', async () => {
    const jobId = await newJob()
    const fmsFileId = await newFile(jobId)
    const activityAfter = async (act: () => Promise<unknown>): Promise<number> => {
      await force(jobId, { activity_at: 1000 })
      await act()
      return Date.parse(
        (await must<{ activityDate: string }>(200, 'GET', `/v2/jobs/${jobId}`)).activityDate,
      )
    }
    let made: Asset | undefined
    const add = async () => {
      made = await addAsset(jobId, { fmsFileId })
    }
    expect(await activityAfter(add)).toBeGreaterThan(1e12)
    expect(await activityAfter(() => addUpdate(jobId, { fmsFileId, ...pair }))).toBeGreaterThan(
      1e12,
    )
    const path = `/v2/jobs/${jobId}/supportassets/${made?.supportassetId}`
    expect(await activityAfter(() => must(200, 'GET', path))).toBe(1000)
    expect(await activityAfter(() => must(200, 'DELETE', path))).toBeGreaterThan(1e12)
  })

  describe('refuses, and changes nothing:', () => {
    let jobId: string
    const place: Record<string, string> = {}
    beforeAll(async () => {
      jobId = await newJob()
      place.file = await newFile(jobId)
      place.foreign = await newFile(await newJob())
    })
    const filled = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value).replace(/\{(\w+)\}/g, (_, name: string) => place[name] ?? ''),
      )
    const check = async (call: string, { field, ...row }: Bad): Promise<void> => {
      const before = await everything()
      const got = await run(hub, { ...row, body: filled(row.body), call })
      if (field !== undefined) expect(got.body).toMatchObject({ field })
      expect(await everything()).toBe(before)
    }
    const file = { fmsFileId: '{file}' }
    const badAssets: Bad[] = [
      { name: 'no file', body: {}, status: 400, code: 'INVALID_REQUEST', field: 'fmsFileId' },
      {
        name: 'an unknown file',
        body: { fmsFileId: 'nobody' },
        status: 404,
        code: 'FILE_NOT_FOUND',
      },
      {
        name: 'a file of another job',
        body: { fmsFileId: '{foreign}' },
        status: 404,
        code: 'FILE_NOT_FOUND',
      },
      {
        name: 'an unknown language',
        body: { ...file, sourceNativeLanguageCode: 'xx' },
        status: 400,
        code: 'INVALID_LANGUAGE',
      },
      {
        name: 'a null language',
        body: { ...file, targetNativeLanguageCodes: [null] },
        status: 400,
        code: 'INVALID_LANGUAGE',
      },
      {
        name: '101 languages',
        body: { ...file, targetNativeLanguageCodes: languages.slice(0, 101) },
        status: 400,
      },
      {
        name: 'ids that are numbers',
        body: { ...file, sourceNativeIds: [1] },
        status: 400,
        field: 'sourceNativeIds[0]',
      },
      { name: 'metadata that is a list', body: { ...file, extendedMetadata: [] }, status: 400 },
      {
        name: 'metadata over 64 KiB',
        body: { ...file, extendedMetadata: { a: 'x'.repeat(65_536) } },
        status: 413,
        code: 'CONTENT_TOO_LARGE',
      },
    ]
    it.each(badAssets)('a support asset with $name', (row) =>
      check(`POST /v2/jobs/${jobId}/supportassets`, row),
    )

    const badUpdates: Bad[] = [
      { name: 'no file', body: pair, status: 400, code: 'INVALID_REQUEST', field: 'fmsFileId' },
      {
        name: 'a file of another job',
        body: { fmsFileId: '{foreign}', ...pair },
        status: 404,
        code: 'FILE_NOT_FOUND',
      },
      { name: 'no languages', body: file, status: 400, code: 'INVALID_REQUEST' },
      {
        name: 'an unknown language',
        body: { ...file, ...pair, targetNativeLanguageCode: 'de-DX' },
        status: 400,
        code: 'INVALID_LANGUAGE',
        says: /de-DX.*de-de/,
      },
      {
        name: 'a null language',
        body: { ...file, ...pair, sourceNativeLanguageCode: null },
        status: 400,
        code: 'INVALID_LANGUAGE',
      },
    ]
    it.each(badUpdates)('a TM update with $name', (row) =>
      check(`POST /v2/jobs/${jobId}/tmupdates`, row),
    )
  })

  describe('everything that belongs to them', () => {
    let jobId: string
    let calls: { call: string; body?: Json; when: 'always' | 'before submission' }[]
    beforeAll(async () => {
      jobId = await newJob()
      const fmsFileId = await newFile(jobId)
      const { supportassetId } = await addAsset(jobId, { fmsFileId })
      const { tmupdateId } = await addUpdate(jobId, { fmsFileId, ...pair })
      const job = `/v2/jobs/${jobId}`
      calls = [
        { call: `GET ${job}/supportassets`, when: 'always' },
        { call: `GET ${job}/supportassets/${supportassetId}`, when: 'always' },
        { call: `GET ${job}/tmupdates`, when: 'always' },
        { call: `GET ${job}/tmupdates/${tmupdateId}`, when: 'always' },
        { call: `POST ${job}/tmupdates`, body: { fmsFileId, ...pair }, when: 'always' },
        { call: `POST ${job}/supportassets`, body: { fmsFileId }, when: 'before submission' },
        { call: `DELETE ${job}/supportassets/${supportassetId}`, when: 'before submission' },
      ]
    })
    const each = async (row: Omit<ScenarioCall, 'name' | 'call'>, which = calls) => {
      for (const { call, body } of which) await run(hub, { name: call, call, body, ...row })
    }

    it.each(archiveStatuses.filter((status) => status !== 'ACTIVE'))(
      'is JOB_ARCHIVED while the job is %s',
      async (status) => {
        await force(jobId, { archive_status: status })
        const before = await everything()
        await each({ status: 409, code: 'JOB_ARCHIVED' })
        expect(await everything()).toBe(before)
        await force(jobId, { archive_status: 'ACTIVE' })
      },
    )

    it.each(jobStatuses)('is allowed by its own rule when the job is %s', async (status) => {
      await force(jobId, { status })
      for (const { call, body, when } of calls.filter(
        ({ call }) => !call.startsWith('DELETE') || status !== 'CREATED',
      ))
        if (when === 'always' || status === 'CREATED')
          await run(hub, { name: call, call, body, status: call.startsWith('POST') ? 201 : 200 })
        else await run(hub, { name: call, call, body, status: 409, code: 'JOB_ALREADY_SUBMITTED' })
      await force(jobId, { status: 'CREATED' })
    })

    it('is as unknown to another site as if it did not exist', async () => {
      const before = await everything()
      await each({ as: 'other-site', status: 404, code: 'JOB_NOT_FOUND' })
      expect(await everything()).toBe(before)
      const theirs = await newJob('other-site')
      for (const { call, body } of calls.filter(
        ({ call }) => !/^GET .*(assets|updates)$/.test(call),
      ))
        await run(hub, {
          name: call,
          as: 'other-site',
          call: call.replace(jobId, theirs),
          body,
          status: 404,
        })
      const page = await must<Page>(200, 'GET', `/v2/jobs/${theirs}/supportassets`, {
        as: 'other-site',
      })
      expect(page.supportassets).toEqual([])
    })

    it('is not found under another job of its own site', async () => {
      const other = await newJob()
      const codes = { supportassets: 'SUPPORT_ASSET_NOT_FOUND', tmupdates: 'TM_UPDATE_NOT_FOUND' }
      for (const { call } of calls.filter(({ call }) => /\/[\w-]{22}$/.test(call))) {
        const code = call.includes('tmupdates') ? codes.tmupdates : codes.supportassets
        await run(hub, { name: call, call: call.replace(jobId, other), status: 404, code })
      }
      for (const name of ['supportassets', 'tmupdates'] as const)
        expect((await must<Page>(200, 'GET', `/v2/jobs/${other}/${name}`))[name]).toEqual([])
    })

    it('needs the scope, and goes with the job', async () => {
      await each({ as: 'demo-provider', status: 403, code: 'FORBIDDEN' })
      await must(200, 'DELETE', `/v2/jobs/${jobId}`)
      await each({ status: 404, code: 'JOB_NOT_FOUND' })
      for (const table of ['support_assets', 'tm_updates'] as const) {
        const rows = hub.inner.db.read
          .selectFrom(table)
          .select('job_id')
          .where('job_id', '=', jobId)
        expect(await rows.execute()).toEqual([])
      }
    })
  })
})
