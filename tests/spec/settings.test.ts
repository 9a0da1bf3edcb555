/**
 * Contract, sections 9 and 11: the REST twins of the settings service, and the analysis codes that
 * jobs carry.
 */
import type { NewPriceList } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallOptions, databases, startHub, type TestHub } from '../hub.ts'
import { priceList } from '../price-list.ts'
import { everything, run, type ScenarioCall } from '../scenario.ts'

type Json = Record<string, unknown>
type Code = { id: string; code: string; label: string; level: number; visible: boolean }
type Level = { level: number; label: string; visible: boolean; codes: Code[] }
type List = NewPriceList & { priceListId: string; version: number }

describe.each(databases)('project settings on %s', (database) => {
  let hub: TestHub
  const as = 'demo-settings'
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const must = async <T>(status: number, call: string, options: CallOptions = {}): Promise<T> => {
    const [method = '', path = ''] = call.split(' ')
    const got = await hub.call<T>(method, `/v2${path}`, { as, ...options })
    expect(got.status, JSON.stringify(got.body).slice(0, 500)).toBe(status)
    return got.body
  }
  const codes = '/settings/analysiscodes'
  const lists = '/settings/pricelists'
  const newCode = (body: Json) => must<Code>(201, `POST ${codes}`, { body })
  const levels = async (query: Json = {}) =>
    (await must<{ levels: Level[] }>(200, `GET ${codes}`, { query: query as never })).levels

  describe('the settings of the site', () => {
    const site = '/settings/site'
    const due = async (dueDate: string) => {
      const body = { jobName: 'Due', dueDate }
      const job = await must<{ jobId: string; dueDate: string }>(201, 'POST /jobs', {
        as: 'demo-connector',
        body,
      })
      const found = await must(200, `GET /jobs/${job.jobId}`, { as: 'demo-connector' })
      expect(found).toMatchObject({ dueDate: job.dueDate })
      return job
    }

    it('have the time zone in which a date that is due ends', async () => {
      expect(await must(200, `GET ${site}`)).toEqual({ timeZone: 'UTC' })
      const { jobId, dueDate } = await due('2031-05-06')
      expect(dueDate).toBe('2031-05-06T23:59:59.999Z')
      const berlin = { timeZone: 'Europe/Berlin' }
      expect(await must(200, `PUT ${site}`, { body: berlin })).toEqual(berlin)
      expect(await must(200, `PUT ${site}`, { body: {} })).toEqual(berlin)
      expect(await must(200, `GET ${site}`, { as: 'demo-connector' })).toEqual(berlin)
      const job = `/jobs/${jobId}`
      expect(await must(200, `GET ${job}`, { as: 'demo-connector' })).toMatchObject({ dueDate })
      for (const [given, answered] of [
        ['2031-05-07', '2031-05-07T21:59:59.999Z'],
        ['2031-05-07T00:00', '2031-05-07T00:00:00.000Z'],
      ]) {
        const change = { as: 'demo-connector', body: { dueDate: given } }
        expect(await must(200, `PATCH ${job}`, change)).toMatchObject({ dueDate: answered })
      }
      expect(await due('2031-05-06')).toMatchObject({ dueDate: '2031-05-06T21:59:59.999Z' })
      await must(200, `PUT ${site}`, { body: { timeZone: 'UTC' } })
    })

    it.each(['Europe/Atlantis', '+02:00', '', 'x'.repeat(65)])(
      'refuse the zone "%s"',
      async (timeZone) => {
        const refused = await must(400, `PUT ${site}`, { body: { timeZone } })
        expect(refused).toMatchObject({ code: 'INVALID_REQUEST', field: 'timeZone' })
        expect(await must(200, `GET ${site}`)).toEqual({ timeZone: 'UTC' })
      },
    )

    it('are written by those who may change settings', async () => {
      const body = { timeZone: 'Asia/Tokyo' }
      await must(403, `PUT ${site}`, { as: 'demo-connector', body })
      expect(await must(200, `GET ${site}`)).toEqual({ timeZone: 'UTC' })
    })
  })

  describe('analysis codes', () => {
    it('are made, found, changed, moved and listed by level', async () => {
      const one = await newCode({ level: 2, code: 'CC-1', label: 'Märkte' })
      expect(one).toEqual({
        id: expect.any(String),
        code: 'CC-1',
        label: 'Märkte',
        level: 2,
        visible: true,
      })
      const two = await newCode({ level: 2, code: 'aa', visible: false })
      expect(await must(200, `GET ${codes}/${two.id}`)).toEqual({
        ...two,
        label: '',
        visible: false,
      })
      expect(await levels({ level: 2 })).toEqual([
        { level: 2, label: '', visible: true, codes: [one] },
      ])
      expect(await levels({ level: 2, includeHidden: true })).toMatchObject([{ codes: [two, one] }])
      const changed = await must<Code>(200, `PATCH ${codes}/${two.id}`, {
        body: { label: 'A', visible: true, level: 4 },
      })
      expect(changed).toEqual({ ...two, label: 'A', visible: true, level: 4 })
      expect(await newCode({ id: two.id, code: 'AA', level: 2 })).toMatchObject({
        id: two.id,
        code: 'AA',
        label: 'A',
      })
      expect(
        (await levels()).map(({ level, codes }) => [level, codes.map(({ code }) => code)]),
      ).toEqual([[2, ['AA', 'CC-1']]])
    })

    it('hide with their level, and come back with it', async () => {
      const code = await newCode({ level: 9, code: 'x' })
      const level = { level: 9, label: 'Project', visible: false, codes: [code] }
      const body = { label: 'Project', visible: false }
      expect(await must(200, 'PATCH /settings/analysislevels/9', { body })).toEqual(level)
      expect(await levels({ level: 9 })).toEqual([])
      expect(await levels({ level: 9, includeHidden: true })).toEqual([level])
      expect(
        await must(200, 'PATCH /settings/analysislevels/9', { body: { visible: true } }),
      ).toMatchObject({
        label: 'Project',
        visible: true,
      })
      expect(await levels({ level: 9 })).toMatchObject([{ label: 'Project', codes: [code] }])
      expect(await levels({ level: 10 })).toEqual([
        { level: 10, label: '', visible: true, codes: [] },
      ])
    })

    it('are one of ten callers at once, when all want the same', async () => {
      const tries = ['same', 'SAME', 'Same', 'sAme', 'saMe'].map((code) =>
        hub.call('POST', `/v2${codes}`, { as, body: { level: 7, code } }),
      )
      const got = (await Promise.all(tries)).map(({ status, body }) => [status, body.code])
      expect(got.filter(([status]) => status === 201)).toHaveLength(1)
      expect(got.filter(([status]) => status !== 201)).toEqual(
        Array(4).fill([400, 'ANALYSIS_CODE_INVALID']),
      )
    })

    it('are made once with one Idempotency-Key', async () => {
      const send = () => newCodeWith({ 'idempotency-key': 'once' })
      const newCodeWith = (headers: Record<string, string>) =>
        must<Code>(201, `POST ${codes}`, { body: { level: 8, code: 'once' }, headers })
      expect((await send()).id).toBe((await send()).id)
    })

    const bad: readonly (ScenarioCall & { call: string })[] = [
      {
        name: 'level 0',
        call: `POST ${codes}`,
        body: { level: 0, code: 'x' },
        status: 400,
        code: 'INVALID_REQUEST',
      },
      {
        name: 'level 11',
        call: `POST ${codes}`,
        body: { level: 11, code: 'x' },
        status: 400,
        code: 'INVALID_REQUEST',
      },
      {
        name: 'level 1.5',
        call: `POST ${codes}`,
        body: { level: 1.5, code: 'x' },
        status: 400,
        code: 'INVALID_REQUEST',
      },
      {
        name: 'an empty code',
        call: `POST ${codes}`,
        body: { level: 1, code: '' },
        status: 400,
        code: 'INVALID_REQUEST',
      },
      {
        name: 'a label of 201 characters',
        call: `POST ${codes}`,
        body: { level: 1, code: 'x', label: 'x'.repeat(201) },
        status: 400,
        code: 'INVALID_REQUEST',
        says: /label is longer than 200 characters/,
      },
      {
        name: 'an unknown id',
        call: `POST ${codes}`,
        body: { id: 'nobody', level: 1, code: 'x' },
        status: 404,
        code: 'ANALYSIS_CODE_NOT_FOUND',
      },
      {
        name: 'level 11 in a query',
        call: `GET ${codes}?level=11`,
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'level 0 in a path',
        call: 'PATCH /settings/analysislevels/0',
        body: {},
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'no code',
        call: `GET ${codes}/nobody`,
        status: 404,
        code: 'ANALYSIS_CODE_NOT_FOUND',
      },
      {
        name: 'another scope',
        call: `GET ${codes}`,
        as: 'demo-connector',
        status: 403,
        code: 'FORBIDDEN',
      },
    ]
    it.each(bad)('$name is refused, and nothing has changed', async (row) => {
      const before = await everything(hub)
      const [method = '', path = ''] = row.call.split(' ')
      await run(hub, { as, ...row, call: `${method} /v2${path}` })
      expect(await everything(hub)).toBe(before)
    })

    it('200 characters are a label, whatever their bytes', async () => {
      expect(await newCode({ level: 1, code: 'long', label: '字'.repeat(200) })).toMatchObject({
        level: 1,
      })
    })
  })

  describe('jobs', () => {
    const content = 'demo-connector'
    const newJob = async (analysisCodes: Json[], more: Json = {}): Promise<string> => {
      const body = { jobName: 'Coded', analysisCodes, ...more }
      const { jobId } = await must<{ jobId: string }>(201, 'POST /jobs', { as: content, body })
      await must(201, `POST /jobs/${jobId}/requests/add`, {
        as: content,
        body: {
          requestName: 'r',
          sourceNativeId: 's',
          sourceNativeLanguageCode: 'en-us',
          targetNativeLanguageCodes: ['de-de'],
          fields: [{ key: 'a', value: 'Hello' }],
        },
      })
      return jobId
    }
    const manual = async (): Promise<string> => {
      const { providers } = await must<{ providers: { id: string; name: string }[] }>(
        200,
        'GET /providers',
        {
          as: content,
        },
      )
      return providers.find(({ name }) => name === 'Manual')?.id ?? ''
    }
    const submit = (status: number, jobId: string, providerId: string) =>
      must<Json>(status, `PUT /jobs/${jobId}/submit`, { as: content, body: { providerId } })

    it('carry codes that are checked at submission, seen by the provider, and frozen', async () => {
      const providerId = await manual()
      const code = await newCode({ level: 5, code: 'Dept-A' })
      const analysisCodes = [{ level: 5, code: 'dept-a' }]
      const jobId = await newJob([{ level: 5, code: 'nothing' }])
      expect(await submit(400, jobId, providerId)).toMatchObject({
        code: 'ANALYSIS_CODE_INVALID',
        message: expect.stringContaining('there is no code nothing of level 5'),
        details: [{ path: 'analysisCodes[0]' }],
      })
      await must(200, `PATCH /jobs/${jobId}`, { as: content, body: { analysisCodes } })
      await must(200, `PATCH ${codes}/${code.id}`, { body: { visible: false } })
      expect((await submit(400, jobId, providerId)).message).toMatch(/is hidden/)
      await must(200, `PATCH ${codes}/${code.id}`, { body: { visible: true } })
      await must(200, 'PATCH /settings/analysislevels/5', { body: { visible: false } })
      expect((await submit(400, jobId, providerId)).message).toMatch(/is hidden/)
      await must(200, 'PATCH /settings/analysislevels/5', { body: { visible: true } })
      expect(await submit(200, jobId, providerId)).toMatchObject({ analysisCodes })
      await hub.advance('1m')
      expect(await must(200, `GET /jobs/${jobId}`, { as: content })).toMatchObject({
        analysisCodes,
      })
      expect(
        await must(200, `GET /providers/${providerId}/jobs/${jobId}`, { as: 'demo-provider' }),
      ).toMatchObject({
        analysisCodes,
      })
      const refused = await must<Json>(409, `PATCH /jobs/${jobId}`, {
        as: content,
        body: { analysisCodes: [] },
      })
      expect(refused.code).toBe('JOB_ALREADY_SUBMITTED')
      // Used: hidden and kept, even when it meanwhile stands in another level under another name.
      await must(200, `PATCH ${codes}/${code.id}`, { body: { level: 6, code: 'Renamed' } })
      expect(await must(200, `DELETE ${codes}/${code.id}`)).toEqual({ id: code.id, deleted: false })
      expect(await must(200, `GET ${codes}/${code.id}`)).toMatchObject({ visible: false })
      expect(await must(200, `GET /jobs/${jobId}`, { as: content })).toMatchObject({
        analysisCodes,
      })
      await must(200, `PATCH ${codes}/${code.id}`, { body: { level: 5, code: 'Dept-A' } })
      expect((await submit(400, await newJob(analysisCodes), providerId)).code).toBe(
        'ANALYSIS_CODE_INVALID',
      )
    })

    it('name a level once', async () => {
      await newCode({ level: 4, code: 'p' })
      await newCode({ level: 4, code: 'q' })
      const jobId = await newJob([
        { level: 4, code: 'p' },
        { level: 4, code: 'q' },
      ])
      expect((await submit(400, jobId, await manual())).message).toMatch(/level 4 appears twice/)
    })

    it('keep a code that one of them only names, and let an unused one go', async () => {
      const named = await newCode({ level: 3, code: 'Named' })
      const unused = await newCode({ level: 3, code: 'Unused' })
      const jobId = await newJob([{ level: 3, code: 'NAMED' }])
      expect(await must(200, `DELETE ${codes}/${named.id}`)).toMatchObject({ deleted: false })
      expect(await must(200, `DELETE ${codes}/${unused.id}`)).toMatchObject({ deleted: true })
      await must(404, `GET ${codes}/${unused.id}`)
      await must(200, `DELETE /jobs/${jobId}`, { as: content })
      expect(await must(200, `DELETE ${codes}/${named.id}`)).toMatchObject({ deleted: true })
    })

    it('are found by their codes', async () => {
      const [a, b, c] = [
        await newJob([{ level: 1, code: 'Alpha' }], { jobName: 'a' }),
        await newJob(
          [
            { level: 2, code: 'ALPHA' },
            { level: 3, code: "it's" },
          ],
          { jobName: 'b' },
        ),
        await newJob([], { jobName: 'c' }),
      ]
      const ids = [a, b, c]
      const find = async (filter: string): Promise<string[]> => {
        const { jobs } = await must<{ jobs: { jobId: string; jobName: string }[] }>(
          200,
          'GET /jobs',
          {
            as: content,
            query: {
              filter: `(${filter}) and (jobName eq 'a' or jobName eq 'b' or jobName eq 'c')`,
            },
          },
        )
        return jobs
          .filter(({ jobId }) => ids.includes(jobId))
          .map(({ jobName }) => jobName)
          .sort()
      }
      expect(await find("analysisCodes eq 'alpha'")).toEqual(['a', 'b'])
      expect(await find("analysisCodes.2 eq 'Alpha'")).toEqual(['b'])
      expect(await find("analysisCodes.3 eq 'it''s'")).toEqual(['b'])
      expect(await find("analysisCodes ne 'alpha'")).toEqual(['c'])
      expect(await find("not analysisCodes.1 eq 'alpha'")).toEqual(['b', 'c'])
      for (const [filter, says] of [
        ["analysisCodes lt 'a'", /eq and ne only at position 15/],
        ["analysisCodes.11 eq 'a'", /level from 1 to 10.*at position 1\./],
        ["analysisCodes. eq 'a'", /level from 1 to 10/],
        ["analysisCode eq 'a'", /not a field.*analysisCodes/],
      ] as const)
        await run(hub, {
          name: filter,
          call: 'GET /v2/jobs',
          query: { filter },
          status: 400,
          code: 'INVALID_FILTER',
          says,
        })
    })
  })

  describe('price lists', () => {
    const save = (change: Partial<NewPriceList> = {}) =>
      must<List>(201, `POST ${lists}`, { body: { ...priceList, ...change } })
    const current = async (at: string) =>
      (await must<List>(200, `GET ${lists}/current`, { query: { at } })).version

    it('are versions that stay readable; in force is the latest first day, of those the newest', async () => {
      await hub.call('POST', '/sandbox/reset')
      await must(404, `GET ${lists}/current`)
      const first = await save()
      expect(first).toEqual({ ...priceList, priceListId: expect.any(String), version: 1 })
      const second = await save({ name: 'Again' })
      const later = await save({ validFrom: '2025-01-01', validTo: '2025-06-30T12:00:00Z' })
      expect([second.version, later.version, later.validTo]).toEqual([2, 3, '2025-06-30'])
      for (const [at, version] of [
        ['2024-01-01', 2],
        ['2024-12-31T23:59:59.999Z', 2],
        ['2025-01-01', 3],
        ['2025-06-30T23:59:59Z', 3],
        ['2025-07-01', 2],
      ] as const)
        expect([at, await current(at)]).toEqual([at, version])
      await must(404, `GET ${lists}/current`, { query: { at: '2023-12-31' } })
      expect(await must(200, `GET ${lists}/${first.priceListId}`)).toEqual(first)
      const page = await must<{ pricelists: List[]; next: string }>(200, `GET ${lists}`, {
        query: { pageSize: 2 },
      })
      expect(page.pricelists.map(({ version }) => version)).toEqual([3, 2])
      const rest = await must<{ pricelists: List[] }>(200, `GET ${lists}`, {
        query: { next: page.next },
      })
      expect(rest.pricelists).toEqual([first])
    })

    it('without fees have none', async () => {
      const { minimumFee: _, managementFeePercent: __, ...bare } = priceList
      const saved = await must<List>(201, `POST ${lists}`, { body: bare })
      expect(saved).toMatchObject({ minimumFee: '0', managementFeePercent: '0' })
    })

    it('saved at the same time are versions of their own', async () => {
      const saved = await Promise.all(Array.from({ length: 5 }, () => save()))
      expect(new Set(saved.map(({ version }) => version)).size).toBe(5)
    })

    const [line, ...lines] = priceList.lines
    const first = (change: object) => ({ lines: [{ ...line, ...change }, ...lines] })
    const bad: readonly [name: string, change: object, code: string, says: RegExp][] = [
      [
        'the price 1,5',
        first({ unitPrice: '1,5' }),
        'INVALID_REQUEST',
        /lines\[0\]\.unitPrice.*decimal string/,
      ],
      ['the price -1', first({ unitPrice: '-1' }), 'INVALID_REQUEST', /unitPrice/],
      ['the price NaN', first({ unitPrice: 'NaN' }), 'INVALID_REQUEST', /unitPrice/],
      [
        'a price of seven places',
        first({ unitPrice: '0.1234567' }),
        'INVALID_REQUEST',
        /unitPrice/,
      ],
      [
        'a price that is a number',
        first({ unitPrice: 0.1 }),
        'INVALID_REQUEST',
        /unitPrice must be string/,
      ],
      ['a fee of 1.000,00', { minimumFee: '1.000,00' }, 'INVALID_REQUEST', /minimumFee/],
      [
        'a management fee of 101',
        { managementFeePercent: '101' },
        'PRICE_LIST_INVALID',
        /at most 100 percent/,
      ],
      [
        'an unknown currency',
        { currency: 'XXQ' },
        'PRICE_LIST_INVALID',
        /XXQ is not an ISO 4217 currency/,
      ],
      ['gold', { currency: 'XAU' }, 'PRICE_LIST_INVALID', /not an ISO 4217 currency/],
      ['an unknown language', first({ targetLanguage: 'xx' }), 'INVALID_LANGUAGE', /xx/],
      ['an unknown unit', first({ unit: 'Line' }), 'INVALID_REQUEST', /unit must be one of Word/],
      [
        'an unknown code',
        first({ analysisCodeId: 'nobody' }),
        'PRICE_LIST_INVALID',
        /no analysis code nobody/,
      ],
      [
        'a tie',
        { lines: [...priceList.lines, { ...line, unit: 'Hour' }] },
        'PRICE_LIST_INVALID',
        /lines\[3\].*overlaps lines\[0\]/,
      ],
      [
        'a last day before the first',
        { validTo: '2023-12-31' },
        'PRICE_LIST_INVALID',
        /before the first/,
      ],
      ['a day that is none', { validFrom: '2024-02-30' }, 'INVALID_REQUEST', /validFrom/],
      [
        'a gap between bands',
        { bands: priceList.bands.filter(({ name }) => name !== '85-99 %') },
        'PRICE_LIST_INVALID',
        /gap.*85 to 99/,
      ],
      ['no bands', { bands: [] }, 'INVALID_REQUEST', /bands/],
      ['no lines', { lines: [] }, 'INVALID_REQUEST', /lines/],
    ]
    it.each(bad)('%s is refused, and nothing has changed', async (name, change, code, says) => {
      const before = await everything(hub)
      const body = { ...priceList, ...change }
      await run(hub, { name, call: `POST /v2${lists}`, as, body, status: 400, code, says })
      expect(await everything(hub)).toBe(before)
    })

    it('may be priced by a code, by any language and in yen', async () => {
      const { id } = await newCode({ level: 10, code: 'priced' })
      const saved = await save({
        currency: 'JPY',
        bands: [{ name: 'All', kind: 'New', factor: '1' }],
        lines: [
          {
            service: 'Translation',
            sourceLanguage: '*',
            targetLanguage: '*',
            unit: 'Word',
            unitPrice: '12',
            analysisCodeId: id,
          },
        ],
      })
      expect(saved.lines[0]?.analysisCodeId).toBe(id)
    })

    it.each([`GET ${lists}/nobody`, `GET ${lists}/current?at=1999-01-01`])(
      '%s answers 404',
      async (call) => {
        expect((await must<Json>(404, call)).code).toBe('PRICE_LIST_NOT_FOUND')
      },
    )
  })
})
