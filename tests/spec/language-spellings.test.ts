/**
 * Contract, sections 3 and 15: codes match without case and with `_` for `-`, so `fr-FR` and `fr-fr`
 * are one language in every list and group, each echoed as it was sent.
 */
import type { JobLanes, Report } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { packagesOf } from '../packages-kit.ts'

const spellings = ['fr-FR', 'fr-fr', 'FR_fr'] as const
const fields = [{ key: 'a', value: 'Bonjour' }]

describe.each(databases)('spellings of one language on %s', (database) => {
  let hub: TestHub
  let jobId: string
  let provider: string
  const get = async <T>(path: string, as = 'demo-admin') => {
    const { status, body } = await hub.call<T>('GET', path, path.startsWith('/v2') ? { as } : {})
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  beforeAll(async () => {
    hub = await startHub({ database })
    const kit = packagesOf(hub)
    const made: Awaited<ReturnType<typeof kit.sent>>[] = []
    // A job for each spelling, and one with all of them.
    for (const code of spellings) made.push(await kit.sent([{ fields: { a: 'Good day' } }], [code]))
    const { body } = await kit.call('demo-connector', 'POST', '/jobs', { jobName: 'All' })
    jobId = String(body.jobId)
    for (const code of spellings)
      await kit.call('demo-connector', 'POST', `/jobs/${jobId}/requests/add`, {
        ...{ requestName: 'r', sourceNativeId: '1', sourceNativeLanguageCode: 'en-US' },
        ...{ targetNativeLanguageCodes: [code], fields },
      })
    for (const { jobId: id, ids, task } of made) {
      const path = task(ids[0] ?? '')
      await kit.call('demo-provider', 'PUT', `${path}/translatedContent`, { fields })
      const submitted = { statusCode: 'TRANSLATION_SUBMITTED' }
      expect((await kit.call('demo-provider', 'PATCH', path, submitted)).status).toBe(200)
      const body = { requestIds: ids, note: 'No' }
      await kit.call('demo-connector', 'PUT', `/jobs/${id}/requests/reject`, body)
    }
    provider = made[0]?.job.split('/')[2] ?? ''
    await kit.call('demo-connector', 'PUT', `/jobs/${jobId}/submit`, { providerId: provider })
    await hub.advance('1h')
  })
  afterAll(() => hub.close())

  it.each(spellings)('requests into %s are those into each of them', async (code) => {
    const path = `/v2/jobs/${jobId}/requests?targetNativeLanguageCode=${code}`
    const { requests } = await get<{ requests: { targetNativeLanguageCode: string }[] }>(path)
    expect(requests.map((one) => one.targetNativeLanguageCode)).toEqual(spellings)
  })

  it('the states of a job over time have one lane for it', async () => {
    const { lanes } = await get<JobLanes>(`/console/api/jobs/${jobId}/lanes`)
    expect(lanes.map(({ language, requests }) => [language, requests])).toEqual([['fr-FR', 3]])
  })

  it('the pairs that a site uses have it once, with each job once', async () => {
    const path = '/console/api/settings/pricelists/pairs'
    const { pairs } = await get<{ pairs: object[] }>(path)
    expect(pairs).toEqual([{ sourceLanguage: 'en-us', targetLanguage: 'fr-fr', jobs: 4 }])
  })

  const reports = [
    ['rejects', 'language'],
    ['time-in-state', 'language'],
    ['time-in-state', 'provider-language'],
  ] as const
  it.each(reports)('the report %s by %s has one group for it', async (name, by) => {
    const { rows } = await get<Report>(`/v2/reports/${name}?by=${by}`)
    const groups = new Set(rows.map(({ group }) => group))
    expect([...groups]).toEqual([by === 'language' ? 'fr-fr' : `${provider} fr-fr`])
  })
})
