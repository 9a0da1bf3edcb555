/**
 * What engines cost, by provider, by job and by month: the same figures as GET
 * /providers/{providerId}/usage.
 */
import type { ProviderUsage, Report } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { startEngine, type TranslationEngine } from '../translation-engine.ts'

const as = 'demo-admin'
const day = 86_400_000

describe.each(databases)('the report on engines on %s', (database) => {
  let hub: TestHub
  let engine: TranslationEngine
  beforeAll(async () => {
    hub = await startHub({ database })
    engine = await startEngine()
  })
  afterAll(async () => {
    await hub.close()
    await engine.close()
  })
  const call = async <T = Record<string, string>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> => {
    const got = await hub.call<T>(method, `/v2${path}`, { as, ...(body !== undefined && { body }) })
    expect(got.status, JSON.stringify(got.body)).toBeLessThan(300)
    return got.body
  }
  const newProvider = async (name: string): Promise<string> => {
    const config = { url: engine.url }
    return String(
      (await call('POST', '/providers', { name, typeId: 'machine-translation', config })).id,
    )
  }
  const translate = async (providerId: string, value: string): Promise<string> => {
    const { jobId } = await call('POST', '/jobs', { jobName: `Job of ${value}` })
    const languages = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCodes: ['de-de'] }
    const fields = [{ key: 'k', value }]
    await call('POST', `/jobs/${jobId}/requests/add`, {
      requestName: 'r',
      sourceNativeId: 's',
      ...languages,
      fields,
    })
    await call('PUT', `/jobs/${jobId}/submit`, { providerId })
    await hub.advance('1s')
    return String(jobId)
  }
  const report = (query: string) => call<Report>('GET', `/reports/engines?${query}`)

  it('adds up by month and provider, and by job', async () => {
    const now = () => hub.inner.clock.now()
    const monthOf = (time: number) => `${new Date(time).toISOString().slice(0, 7)}-01`
    const [first, second] = [await newProvider('First'), await newProvider('Second')]
    const begun = monthOf(now())
    const [one, two] = [await translate(first, 'twelve chars'), await translate(second, 'five!')]
    await hub.advance(
      `${Math.ceil((Date.parse(monthOf(Date.parse(begun) + 31 * day)) - now()) / 1000)}s`,
    )
    const next = monthOf(now())
    expect(next > begun).toBe(true)
    const three = await translate(first, 'seven!!')
    await call('POST', `/providers/${first}/test`, { text: 'test' })
    const byProvider = await report(`from=${begun}`)
    const row = (group: string, groupName: string, estimated: number, calls = 1) => ({
      ...{ group, groupName, countedIn: 'CHARACTERS', estimated, savedCharacters: 0, calls },
    })
    const sorted = (rows: Report['rows']) =>
      rows.toSorted((a, b) => `${a.day}${a.groupName}`.localeCompare(`${b.day}${b.groupName}`))
    expect([byProvider.unit, byProvider.by]).toEqual(['month', 'provider'])
    expect(sorted(byProvider.rows)).toEqual([
      { day: begun, ...row(first, 'First', 12) },
      { day: begun, ...row(second, 'Second', 5) },
      { day: next, ...row(first, 'First', 11, 2) },
    ])
    expect(sorted(byProvider.totals)).toEqual([
      row(first, 'First', 23, 3),
      row(second, 'Second', 5),
    ])
    const usage = await call<ProviderUsage>('GET', `/providers/${first}/usage`)
    expect([usage.estimated, usage.requests]).toEqual([23, 3])
    const byJob = await report(`from=${begun}&by=job&unit=day`)
    // A test has no job.
    expect(sorted(byJob.totals)).toEqual([
      row('', '', 4),
      row(two, 'Job of five!', 5),
      row(three, 'Job of seven!!', 7),
      row(one, 'Job of twelve chars', 12),
    ])
  })
})
