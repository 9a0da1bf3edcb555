/**
 * What only the console calls to set up a site: open work, a metadata schema, a draft of prices,
 * used pairs and codes.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { atConsole } from '../console/at-console.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { priceList } from '../price-list.ts'
import { everything } from '../scenario.ts'

type Body = Record<string, unknown>

describe.each(databases)('setting up by the console on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'other',
      clientId: 'other-admin',
      scopes: ['admin'],
    })
    hub.secrets.set('other-admin', secret)
  })
  afterAll(() => hub.close())

  const person = <T = Body>(method: string, path: string, body?: unknown) =>
    atConsole<T>(hub, method, path, body)
  const call = async (method: string, path: string, body?: unknown, as = 'demo-admin') => {
    const got = await hub.call<Body>(method, `/v2${path}`, {
      as,
      ...(body !== undefined && { body }),
    })
    expect(got.status, `${method} ${path} ${JSON.stringify(got.body)}`).toBeLessThan(300)
    return got.body
  }
  const newJob = async (targets: string[], more: Body = {}, as = 'demo-admin'): Promise<string> => {
    const { jobId } = await call('POST', '/jobs', { jobName: 'Priced', ...more }, as)
    await call(
      'POST',
      `/jobs/${jobId}/requests/add`,
      {
        requestName: 'kv',
        sourceNativeId: 's',
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCodes: targets,
        fields: [{ key: 'a', value: 'The whole text has seven different words.' }],
      },
      as,
    )
    return String(jobId)
  }
  const provider = async (name: string) => {
    const { providers } = await call('GET', '/providers')
    return String((providers as Body[]).find((one) => one.name === name)?.id)
  }

  it('prices a job by a draft as the saved list would, and writes nothing', async () => {
    const jobId = await newJob(['de-de', 'fr-fr'])
    const before = await everything(hub)
    const tried = await person('POST', `/settings/pricelists/try?jobId=${jobId}`, priceList)
    expect(tried.status, JSON.stringify(tried.body)).toBe(200)
    expect(await everything(hub)).toBe(before)
    await call('POST', '/settings/pricelists', priceList)
    const {
      priceListId: _,
      priceListVersion: __,
      ...saved
    } = await call('GET', `/jobs/${jobId}/quote`)
    const { inputsHash, ...quote } = tried.body.quote as Body
    expect(tried.body.faults).toEqual([])
    expect({ ...quote, inputsHash: saved.inputsHash }).toEqual(saved)
    expect(inputsHash).toEqual(expect.any(String))
    const dearer = {
      ...priceList,
      lines: priceList.lines.map((line) => ({ ...line, unitPrice: '10' })),
    }
    const again = await person('POST', `/settings/pricelists/try?jobId=${jobId}`, dearer)
    expect((again.body.quote as Body).total).not.toBe(quote.total)
  })

  it('names every fault of a draft at its path, as saving would', async () => {
    const [first] = priceList.lines
    const draft = {
      ...priceList,
      currency: 'XXY',
      bands: priceList.bands.slice(0, -1),
      lines: [...priceList.lines, { ...first, sourceLanguage: 'EN_us', unitPrice: '1' }],
    }
    const before = await everything(hub)
    const tried = await person('POST', '/settings/pricelists/try', draft)
    const refused = await hub.call<Body>('POST', '/v2/settings/pricelists', {
      as: 'demo-admin',
      body: draft,
    })
    expect(tried.body).toEqual({ faults: refused.body.details })
    expect((tried.body.faults as { path: string }[]).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['currency', 'bands', 'lines[3]']),
    )
    const typed = await person('POST', '/settings/pricelists/try', {
      ...draft,
      lines: [{ ...first, unitPrice: '0,5' }],
    })
    expect([typed.status, (typed.body.details as { path: string }[])[0]?.path]).toEqual([
      400,
      'lines[0].unitPrice',
    ])
    expect(await everything(hub)).toBe(before)
  })

  it('does not price the job of another site', async () => {
    const jobId = await newJob(['de-de'], {}, 'other-admin')
    const tried = await person('POST', `/settings/pricelists/try?jobId=${jobId}`, priceList)
    expect([tried.status, tried.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
  })

  it('lists the pairs of the newest jobs, most used first, of its own site', async () => {
    await newJob(['ja-jp'], {}, 'other-admin')
    await newJob(['de-de'])
    const { body } = await person<{ pairs: { targetLanguage: string; jobs: number }[] }>(
      'GET',
      '/settings/pricelists/pairs',
    )
    expect(body.pairs[0]).toEqual({ sourceLanguage: 'en-us', targetLanguage: 'de-de', jobs: 2 })
    expect(body.pairs.map(({ targetLanguage }) => targetLanguage)).toEqual(['de-de', 'fr-fr'])
  })

  it('counts the jobs of each code, by id once submitted and by its text before', async () => {
    const made = await call('POST', '/settings/analysiscodes', {
      level: 1,
      code: 'MKT',
      label: 'Marketing',
    })
    await call('POST', '/settings/analysiscodes', { level: 1, code: 'NONE' })
    await newJob(['de-de'], { analysisCodes: [{ level: 1, code: 'mkt' }] })
    const sent = await newJob(['de-de'], { analysisCodes: [{ level: 1, code: 'MKT' }] })
    await call('PUT', `/jobs/${sent}/submit`, { providerId: await provider('Manual') })
    await newJob(['de-de'], { analysisCodes: [{ level: 1, code: 'MKT' }] }, 'other-admin')
    expect((await person('GET', '/settings/analysiscodes/use')).body).toEqual({
      codes: [{ id: made.id, jobs: 2 }],
    })
  })

  it('counts the open jobs of each provider, with errors and those that are late', async () => {
    const providerId = await provider('Manual')
    const { body: before } = await person<{ providers: Body[] }>('GET', '/providers/work')
    const count = before.providers.find((one) => one.providerId === providerId) ?? {
      openJobs: 0,
      late: 0,
    }
    const due = await newJob(['de-de'], { dueDate: '2020-01-01T00:00:00Z' })
    await call('PUT', `/jobs/${due}/submit`, { providerId })
    await newJob(['de-de'], { providerId })
    const { body } = await person<{ providers: Body[] }>('GET', '/providers/work')
    expect(body).toMatchObject({ isCapped: false })
    expect(body.providers.find((one) => one.providerId === providerId)).toEqual({
      providerId,
      openJobs: Number(count.openJobs) + 1,
      withErrors: 0,
      late: Number(count.late) + 1,
    })
  })

  it('checks a metadata schema and a sample before anything is saved', async () => {
    const schema = {
      type: 'object',
      required: ['department'],
      properties: { department: { type: 'string' } },
    }
    const check = (extendedMetadataSchema: unknown, extendedMetadata?: unknown) =>
      person('POST', '/providers/metadata/check', { extendedMetadataSchema, extendedMetadata })
    const before = await everything(hub)
    expect((await check(schema, { department: 'x' })).body).toEqual({ faults: [] })
    expect((await check(schema, { department: 7 })).body).toEqual({
      faults: [{ path: 'extendedMetadata/department', message: 'must be string' }],
    })
    const slow = await check({ properties: { a: { pattern: '^(a+)+$' } } }, {})
    expect([slow.status, (slow.body.details as Body[])[0]?.path]).toEqual([
      400,
      'extendedMetadataSchema/properties/a/pattern',
    ])
    expect(await everything(hub)).toBe(before)
  })
})
