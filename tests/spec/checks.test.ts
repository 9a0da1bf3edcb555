/**
 * Contract, section 13: the checks of translations, over the API and at every delivery of a file or
 * of fields.
 */
import { checkNames, checkOf } from '@dragoman/contract/wire'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { run, type ScenarioCall } from '../scenario.ts'
import { goodPassword, tokenIn, visit } from '../visitor.ts'

type Finding = { check: string; severity: string; message: string; fix?: unknown }
type Task = { warnings?: string[]; forced?: boolean; code?: string; message?: string }
const settings = { as: 'demo-settings' }
const provider = 'demo-provider'
const text = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }

describe.each(databases)('checks (%s)', (database) => {
  let hub: TestHub
  let manual = ''
  let elsewhere = ''
  beforeAll(async () => {
    hub = await startHub({ database })
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'other',
      clientId: 'other-admin',
      scopes: ['admin'],
    })
    hub.secrets.set('other-admin', secret)
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      {
        as: 'demo-connector',
      },
    )
    manual = body.providers.find(({ name }) => name === 'Manual')?.id ?? ''
    const given = { name: 'Elsewhere', typeId: 'manual' }
    const made = await hub.call('POST', '/v2/providers', { as: 'demo-admin', body: given })
    elsewhere = String(made.body.id)
  })
  afterAll(() => hub.close())
  afterEach(() => hub.call('PUT', '/v2/settings/checks', { ...settings, body: {} }))

  const go = (row: Omit<ScenarioCall, 'name'>) => run(hub, { ...row, name: row.call })
  const ask = (body: object) => hub.call('PUT', '/v2/settings/checks', { ...settings, body })
  const check = async (body: object) => {
    const path = `/v2/providers/${manual}/checks`
    const answer = await hub.call<{ checks: Finding[] }>('POST', path, {
      as: provider,
      body: { ...text, ...body },
    })
    expect(answer.status).toBe(200)
    return answer.body.checks
  }

  it('are listed with the severities of the site', async () => {
    const { body } = await go({ as: provider, call: 'GET /v2/checks', status: 200 })
    expect(body.checks).toEqual(
      checkNames.map((name) => ({
        check: name,
        severity: checkOf(name).severity,
        finds: checkOf(name).finds,
        remedy: checkOf(name).remedy,
        fix: checkOf(name).fixes ?? false,
      })),
    )
    await ask({ numbers: 'BLOCKING', same: 'OFF' })
    const after = await go({ as: 'demo-connector', call: 'GET /v2/checks', status: 200 })
    const severities = (after.body.checks as Finding[]).map(({ check: name, severity }) => [
      name,
      severity,
    ])
    expect(severities).toContainEqual(['numbers', 'BLOCKING'])
    expect(severities).toContainEqual(['same', 'OFF'])
    const there = await go({ as: 'other-admin', call: 'GET /v2/checks', status: 200 })
    expect(there.body).toEqual(body)
  })

  it('find what is wrong with a text, and mend what a rule can mend', async () => {
    expect(await check({ source: ['Save 5 files. '], target: ['Dateien speichern.'] })).toEqual([
      {
        check: 'numbers',
        severity: 'WARNING',
        message: 'The number 5 of the source is missing.',
        facts: [{ says: 'missing', names: ['5'], count: 1 }],
      },
      {
        check: 'spaces',
        severity: 'WARNING',
        message: 'The space at the end of the source is missing.',
        facts: [{ says: 'endMissing' }],
        fix: ['Dateien speichern. '],
      },
    ])
    expect(await check({ source: ['Save'], target: ['Speichern'] })).toEqual([])
    const tags = [
      { tag: 1, kind: 'OPEN', pair: 2, shows: '<g>' },
      { tag: 2, kind: 'CLOSE', pair: 1, shows: '</g>' },
      { tag: 3, kind: 'SINGLE', shows: '<x/>' },
    ]
    const source = ['Pay ', { tag: 1 }, 'now', { tag: 2 }, ' and save ', { tag: 3 }]
    const left = await check({
      source,
      tags,
      target: ['Pay now and save today. DE', ...source.slice(1)],
    })
    expect(left).toEqual([expect.objectContaining({ check: 'leftover', severity: 'BLOCKING' })])
    expect(await check({ source, target: ['Jetzt'] })).toEqual([
      expect.objectContaining({ check: 'tags.missing', severity: 'BLOCKING' }),
    ])
    expect(
      await check({
        source: ['x'],
        target: ['Längeres'],
        maxLength: { count: 3, unit: 'CHARACTERS' },
      }),
    ).toEqual([expect.objectContaining({ check: 'length' })])
  })

  it('find terms of the site that were not used', async () => {
    const entries = [
      { language: 'en', text: 'invoice' },
      { language: 'de', text: 'Rechnung' },
    ]
    await go({ as: 'demo-admin', call: 'POST /v2/settings/terms', body: { entries }, status: 201 })
    expect(await check({ source: ['Pay the invoice'], target: ['Zahlen Sie den Beleg'] })).toEqual([
      {
        check: 'terms',
        severity: 'WARNING',
        message: 'The term "invoice" of the source should be "Rechnung".',
        facts: [{ says: 'missing', term: 'invoice', names: ['Rechnung'] }],
      },
    ])
    expect(
      await check({ source: ['Pay the invoice'], target: ['Zahlen Sie die Rechnung'] }),
    ).toEqual([])
  })

  it('of a long text run in a worker', async () => {
    const long = 'Save the file. '.repeat(20_000)
    expect(await check({ source: [long], target: ['5'] })).toEqual([
      expect.objectContaining({ check: 'numbers' }),
      expect.objectContaining({ check: 'spaces' }),
    ])
  })

  it('take the severities of the site', async () => {
    await ask({ numbers: 'BLOCKING', spaces: 'OFF' })
    expect(await check({ source: ['Save 5 files. '], target: ['Dateien speichern.'] })).toEqual([
      expect.objectContaining({ check: 'numbers', severity: 'BLOCKING' }),
    ])
  })

  it('refuse numbers of tags that the source does not have, with their place', async () => {
    const call = `POST /v2/providers/${manual}/checks`
    const refuse = async (body: object, path: string) => {
      const row = {
        as: provider,
        call,
        body: { ...text, ...body },
        status: 400,
        code: 'INVALID_REQUEST',
      }
      expect((await go(row)).body.details).toEqual([expect.objectContaining({ path })])
    }
    const tags = [{ tag: 1, kind: 'SINGLE', shows: '<x/>' }]
    await refuse({ source: ['a'], target: ['b', { tag: 1 }] }, '/target/1/tag')
    await refuse({ source: ['a', { tag: 1 }], target: [{ tag: 2 }] }, '/target/0/tag')
    await refuse({ source: [{ tag: 2 }], tags, target: ['a'] }, '/source/0/tag')
    await refuse({ source: ['a'], tags: [...tags, ...tags], target: ['a'] }, '/tags/1/tag')
    await refuse({ source: ['a'], tags: [{ ...tags[0], pair: 9 }], target: ['a'] }, '/tags/0/pair')
  })

  it('refuse other bad input, and providers of others', async () => {
    const call = `POST /v2/providers/${manual}/checks`
    const body = { ...text, source: ['a'], target: ['b'] }
    const bad = { as: provider, call, status: 400 }
    await go({ ...bad, body: { ...body, source: { tag: 1 } }, code: 'INVALID_REQUEST' })
    await go({ ...bad, body: { ...text, source: ['a'] }, code: 'INVALID_REQUEST' })
    await go({ ...bad, body: { ...body, target: [{ tag: 0 }] }, code: 'INVALID_REQUEST' })
    await go({
      ...bad,
      body: { ...body, targetNativeLanguageCode: 'xx-nowhere' },
      code: 'INVALID_LANGUAGE',
    })
    await go({ ...bad, body: { ...body, target: ['Spei\ud800chern'] }, code: 'INVALID_REQUEST' })
    const missing = { body, status: 404, code: 'PROVIDER_NOT_FOUND' } as const
    await go({ ...missing, as: provider, call: 'POST /v2/providers/nobody/checks' })
    await go({ ...missing, as: 'other-admin', call })
    await go({ ...missing, as: provider, call: `POST /v2/providers/${elsewhere}/checks` })
    await go({ as: 'demo-connector', call, body, status: 403, code: 'FORBIDDEN' })
  })

  it('are open to translators of the provider, and to no others', async () => {
    const person = async (provider: string) => {
      const given = {
        name: provider,
        email: `${provider}@example.org`,
        sites: [{ roles: ['translator'], providers: [provider] }],
      }
      const made = await go({ as: 'demo-admin', call: 'POST /v2/people', body: given, status: 201 })
      const visitor = visit(hub)
      await visitor.welcome(tokenIn(String(made.body.link)), { password: goodPassword })
      return visitor
    }
    const body = { ...text, source: ['Save 5'], target: ['Speichern'] }
    const path = `/providers/${manual}/checks`
    const theirs = await person(manual)
    expect(await theirs.call('POST', path, { body })).toMatchObject({
      status: 200,
      body: { checks: [{ check: 'numbers' }] },
    })
    expect((await theirs.call('GET', '/checks')).status).toBe(200)
    expect((await theirs.call('GET', '/settings/checks')).status).toBe(403)
    const other = await person(elsewhere)
    expect(await other.call('POST', path, { body })).toMatchObject({
      status: 404,
      body: { code: 'PROVIDER_NOT_FOUND' },
    })
  })

  it('have settings that are replaced as a whole', async () => {
    const read = async () =>
      (await go({ ...settings, call: 'GET /v2/settings/checks', status: 200 })).body
    expect(await read()).toEqual({})
    expect((await ask({ same: 'OFF', numbers: 'BLOCKING' })).body).toEqual({
      numbers: 'BLOCKING',
      same: 'OFF',
    })
    expect((await ask({ 'tags.missing': 'BLOCKING', spaces: 'WARNING' })).status).toBe(200)
    expect(await read()).toEqual({ 'tags.missing': 'BLOCKING', spaces: 'WARNING' })
    const put = {
      ...settings,
      call: 'PUT /v2/settings/checks',
      status: 400,
      code: 'INVALID_REQUEST',
    } as const
    await go({
      ...put,
      body: { number: 'OFF' },
      says: /\/number is no check; the checks are tags\.missing, .*fuzzy/,
    })
    await go({ ...put, body: { numbers: 'off' } })
    await go({
      ...put,
      body: { empty: 'OFF' },
      says: /\/empty is always BLOCKING; only a check that warns can be switched off/,
    })
    await go({
      ...put,
      body: { leftover: 'WARNING' },
      says: /only a check that warns can be a warning/,
    })
    expect(await read()).toEqual({ 'tags.missing': 'BLOCKING', spaces: 'WARNING' })
    await go({ ...put, as: 'demo-connector', body: {}, status: 403, code: 'FORBIDDEN' })
    expect(
      (await go({ as: 'other-admin', call: 'GET /v2/settings/checks', status: 200 })).body,
    ).toEqual({})
  })

  describe('at a delivery', () => {
    const as = 'demo-connector'
    const send = async (who: string, path: string, content: string): Promise<string> => {
      const { body } = await hub.call<Record<string, string>>('POST', path, { as: who })
      const form = new FormData()
      form.append('file', new Blob([content]), 'x')
      expect(
        (await fetch(body.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })).status,
      ).toBe(201)
      return body.fmsFileId ?? ''
    }
    /** Delivers a file, or fields as they come, and returns the answer. */
    const deliver = async (
      source: string | Record<string, string>,
      target: string | Record<string, string>,
      more = {},
    ) => {
      const fieldsOf = (fields: Record<string, string>) =>
        Object.entries(fields).map(([key, value]) => ({ key, value }))
      const { body } = await hub.call('POST', '/v2/jobs', {
        as,
        body: { jobName: 'Checks', providerId: manual },
      })
      const job = `/v2/jobs/${body.jobId}`
      const content =
        typeof source === 'string'
          ? { fmsFileId: await send(as, `${job}/sourcefiles?fileName=a.json`, source) }
          : { fields: fieldsOf(source) }
      const request = { requestName: 'one', sourceNativeId: 's', sourceNativeLanguageCode: 'en-us' }
      const added = await hub.call<{ requests: { requestId: string }[] }>(
        'POST',
        `${job}/requests/add`,
        {
          as,
          body: { ...request, targetNativeLanguageCodes: ['de-de'], ...content },
        },
      )
      expect((await hub.call('PUT', `${job}/submit`, { as })).status).toBe(200)
      await hub.advance('1s')
      const task = `/v2/providers/${manual}/jobs/${body.jobId}/assetTasks/${added.body.requests[0]?.requestId}`
      if (typeof target === 'string') await send(provider, `${task}/translatedFile`, target)
      else
        await hub.call('PUT', `${task}/translatedContent`, {
          as: provider,
          body: { fields: fieldsOf(target) },
        })
      const answer = { statusCode: 'TRANSLATION_SUBMITTED', ...more }
      return hub.call<Task>('PATCH', task, { as: provider, body: answer })
    }
    const number = 'numbers in the unit "#/a" and 1 more: The number 5 of the source is missing.'

    it('are in the warnings, one sentence for each check, and refuse nothing', async () => {
      const file = await deliver(
        '{"a": "Save 5 files", "b": "In 7 days"}',
        '{"a": "Dateien sichern", "b": "Bald"}',
      )
      expect(file).toMatchObject({ status: 200, body: { warnings: [number] } })
      const fields = await deliver(
        { a: 'Save 5 files', b: 'Save it' },
        { a: 'Dateien', b: 'Save it' },
      )
      expect(fields.body.warnings).toEqual([
        'numbers in the key "a": The number 5 of the source is missing.',
        'same in the key "b": The translation of "Save it" equals the source.',
      ])
      const left = await deliver(
        { a: 'Please <b>pay now</b>' },
        { a: 'Bitte bezahlen Sie jetzt.<b>pay now</b>' },
      )
      expect(left).toMatchObject({
        status: 200,
        body: { warnings: [expect.stringMatching(/^leftover in the key "a"/)] },
      })
    })

    it('refuse what the site made blocking, unless forced', async () => {
      await ask({ numbers: 'BLOCKING' })
      const pair = [
        '{"a": "Save 5 files", "b": "In 7 days"}',
        '{"a": "Dateien sichern", "b": "Bald"}',
      ] as const
      expect(await deliver(...pair)).toMatchObject({
        status: 422,
        body: { code: 'DELIVERY_INVALID', details: [{ message: number }] },
      })
      expect(await deliver(...pair, { force: true })).toMatchObject({
        status: 200,
        body: { forced: true, warnings: [number] },
      })
      await ask({ 'tags.missing': 'BLOCKING' })
      expect(await deliver({ a: 'Hi {name}' }, { a: 'Hallo' })).toMatchObject({ status: 422 })
      await ask({ numbers: 'OFF' })
      expect((await deliver(...pair)).body).not.toHaveProperty('warnings')
    })

    it('refuse what blocks on a strict site, but not what warns', async () => {
      const config = hub.inner.config as { strictDeliveries: readonly string[] }
      config.strictDeliveries = ['demo']
      try {
        expect((await deliver({ a: 'Save 5 files' }, { a: 'Dateien sichern' })).status).toBe(200)
        expect((await deliver({ a: 'Save' }, { a: ' ' })).body).toMatchObject({
          code: 'DELIVERY_INVALID',
          message: expect.stringContaining('empty in the key "a": The translation is empty.'),
        })
      } finally {
        config.strictDeliveries = []
      }
    })
  })
})
