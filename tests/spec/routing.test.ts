/**
 * Contract, section 14: rules choose the provider of a job that is submitted without one; a dry run
 * says the same beforehand.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { draws } from '../draws.ts'
import { databases, startHub, type TestHub } from '../hub.ts'

type Rule = { name: string; when?: object; providerId: string }
type Answer = {
  providerId?: string
  rule?: string
  version: number
  rejected: { rule: string; because: string }[]
}
type Wanted = {
  source?: string
  targets?: string[]
  labels?: unknown
  extendedMetadata?: object
  texts?: string[]
  providerId?: string
}

const path = '/v2/settings/routing'
const settings = 'demo-settings'
const connector = 'demo-connector'
const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')

describe.each(databases)('routing (%s)', (database) => {
  let hub: TestHub
  let [legal, agency, extra] = ['', '', '']
  beforeAll(async () => {
    hub = await startHub({ database })
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'other',
      clientId: 'other-admin',
      scopes: ['admin'],
    })
    hub.secrets.set('other-admin', secret)
    const add = async (name: string) => {
      const body = { name, typeId: 'manual' }
      return String((await hub.call('POST', '/v2/providers', { as: 'demo-admin', body })).body.id)
    }
    ;[legal, agency, extra] = [await add('Legal'), await add('Agency'), await add('Extra')]
  })
  afterAll(() => hub.close())

  const put = async (rules: readonly Rule[]) => {
    const { version } = (await hub.call<{ version: number }>('GET', path, { as: settings })).body
    const answer = await hub.call<{ version: number }>('PUT', path, {
      as: settings,
      body: { version, rules },
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.version
  }
  const refused = async (rules: readonly object[], as = settings) => {
    const { version } = (await hub.call<{ version: number }>('GET', path, { as: settings })).body
    const { status, body } = await hub.call('PUT', path, { as, body: { version, rules } })
    return [status, body.code, body.message]
  }
  const attempt = async (body: object) =>
    (await hub.call<Answer>('POST', `${path}/try`, { as: settings, body })).body
  const submit = (jobId: string, body?: object) =>
    hub.call('PUT', `/v2/jobs/${jobId}/submit`, { as: connector, ...(body && { body }) })
  const job = async ({
    source = 'en-us',
    targets = ['de-de'],
    texts = ['One two three.'],
    ...more
  }: Wanted = {}) => {
    const { body } = await hub.call('POST', '/v2/jobs', {
      as: connector,
      body: { jobName: 'Routed', ...more },
    })
    const requests = texts.map((value, at) => ({
      requestName: `Text ${at}`,
      sourceNativeId: `text-${at}`,
      sourceNativeLanguageCode: source,
      targetNativeLanguageCodes: targets,
      fields: [{ key: 'a', value }],
    }))
    const added = await hub.call('POST', `/v2/jobs/${body.jobId}/requests/add`, {
      as: connector,
      body: { requests },
    })
    expect(added.status, JSON.stringify(added.body)).toBe(201)
    return String(body.jobId)
  }

  it('a site without rules has version 0, and submits as before', async () => {
    expect((await hub.call('GET', path, { as: settings })).body).toEqual({ version: 0, rules: [] })
    const { status, body } = await submit(await job())
    expect([status, body.code]).toEqual([400, 'PROVIDER_REQUIRED'])
    expect(body.message).toMatch(/enabled providers, not exactly one\.$/)
  })

  it('rules are replaced with their version; an old one gets what is there now', async () => {
    const rules = [{ name: 'All', providerId: agency }]
    expect(
      (await hub.call('PUT', path, { as: settings, body: { version: 0, rules } })).body,
    ).toEqual({
      version: 1,
      rules,
    })
    const { status, body } = await hub.call('PUT', path, {
      as: settings,
      body: { version: 0, rules: [] },
    })
    expect([status, body.code, body.current]).toEqual([
      409,
      'VERSION_CONFLICT',
      { version: 1, rules },
    ])
    expect((await hub.call('GET', path, { as: settings })).body).toEqual({ version: 1, rules })
  })

  it.each([
    [
      'a provider that the site lacks',
      [{ name: 'A', providerId: 'nobody' }],
      /\/rules\/0\/providerId is not a provider/,
    ],
    [
      'a name twice',
      [
        { name: 'A', providerId: '' },
        { name: 'A', providerId: '' },
      ],
      /\/rules\/1\/name is the name of an/,
    ],
    [
      'an empty range',
      [{ name: 'A', when: { words: { min: 9, max: 3 } }, providerId: '' }],
      /a min of 9 above its max of 3/,
    ],
    [
      'an unknown band',
      [{ name: 'A', when: { band: { name: 'Best', min: 5 } }, providerId: '' }],
      /must be one of Repetition/,
    ],
    [
      'a share above 100',
      [{ name: 'A', when: { band: { name: 'New', min: 101 } }, providerId: '' }],
      /100/,
    ],
    ['no language', [{ name: 'A', when: { target: [] }, providerId: '' }], /target/],
    ['an unknown condition', [{ name: 'A', when: { weather: 'sun' }, providerId: '' }], /weather/],
    ['no name', [{ name: ' ', providerId: '' }], /name/],
    [
      'too many',
      Array.from({ length: 201 }, (_, at) => ({ name: `R${at}`, providerId: '' })),
      /200/,
    ],
  ])('refuses %s, and keeps the rules', async (_, rules, message) => {
    const before = (await hub.call('GET', path, { as: settings })).body
    const given = rules.map((rule) => ({ ...rule, providerId: rule.providerId || agency }))
    const [status, code, said] = await refused(given)
    expect([status, code]).toEqual([400, 'INVALID_REQUEST'])
    expect(said).toMatch(message)
    expect((await hub.call('GET', path, { as: settings })).body).toEqual(before)
  })

  it('the first rule that fits takes the job; all languages must fit; the job names the rule', async () => {
    const version = await put([
      {
        name: 'Contracts',
        when: { labels: ['legal', 'contract'], target: ['de', 'fr-fr'] },
        providerId: legal,
      },
      { name: 'Large', when: { words: { min: 10 } }, providerId: extra },
      { name: 'Rest', providerId: agency },
    ])
    const rows: [Wanted, string, string][] = [
      [{ labels: ['legal'], targets: ['de-at', 'fr_FR'] }, legal, 'Contracts'],
      [{ labels: { contract: true }, targets: ['de-de'] }, legal, 'Contracts'],
      [{ labels: ['legal'], targets: ['de-de', 'it-it'] }, agency, 'Rest'],
      [{ labels: ['legal'], targets: ['fr-ca'] }, agency, 'Rest'],
      // Twelve source words, whatever the number of languages; nine in three languages are nine.
      [{ texts: [words(7), words(5)] }, extra, 'Large'],
      [{ texts: [words(9)], targets: ['de-de', 'it-it', 'fr-fr'] }, agency, 'Rest'],
    ]
    for (const [wanted, providerId, rule] of rows) {
      const jobId = await job(wanted)
      const tried = await attempt({ jobId })
      expect([tried.providerId, tried.rule, tried.rejected.length]).toEqual([providerId, rule, 2])
      const { status, body } = await submit(jobId)
      expect([status, body.providerId, body.routedBy], JSON.stringify(wanted)).toEqual([
        200,
        providerId,
        { rule, version },
      ])
    }
  })

  it('a provider that is named, by the job or the submission, comes before every rule', async () => {
    await put([{ name: 'All', providerId: agency }])
    const named = await submit(await job({ providerId: legal }))
    expect([named.body.providerId, named.body.routedBy]).toEqual([legal, undefined])
    const given = await submit(await job(), { providerId: extra })
    expect([given.body.providerId, given.body.routedBy]).toEqual([extra, undefined])
  })

  it('says why each rule does not take a job, and refuses the submission', async () => {
    await put([
      { name: 'Source', when: { source: 'fr' }, providerId: legal },
      { name: 'Target', when: { target: ['it', 'es'] }, providerId: legal },
      { name: 'Label', when: { labels: 'urgent' }, providerId: legal },
      { name: 'Labels', when: { labels: ['a', 'tier=gold'] }, providerId: legal },
      {
        name: 'Metadata',
        when: { extendedMetadata: { department: { id: 7 } } },
        providerId: legal,
      },
      { name: 'Few', when: { words: { min: 5000 } }, providerId: legal },
      { name: 'Many', when: { words: { max: 2 } }, providerId: legal },
      { name: 'Band', when: { band: { name: 'Exact', min: 50 } }, providerId: legal },
    ])
    const jobId = await job({
      labels: { tier: 'silver' },
      extendedMetadata: { department: { id: 8 } },
    })
    const because = [
      ['Source', 'the source language en-us is not fr'],
      ['Target', 'the target language de-de is not one of it, es'],
      ['Label', 'the job does not have the label urgent'],
      ['Labels', 'the job has none of the labels a, tier=gold'],
      ['Metadata', 'extendedMetadata.department is not {"id":7}'],
      ['Few', 'the job has 3 words, fewer than 5,000'],
      ['Many', 'the job has 3 words, more than 2'],
      ['Band', '0% of the words into de-de are in the band Exact, less than 50%'],
    ]
    const { rejected, ...rest } = await attempt({ jobId })
    expect(rest).toEqual({ version: expect.any(Number) })
    expect(rejected.map(({ rule, because: why }) => [rule, why])).toEqual(because)
    const { status, body } = await submit(jobId)
    expect([status, body.code]).toEqual([400, 'PROVIDER_REQUIRED'])
    expect(body.message).toMatch(/none of the 8 routing rules of the site matches it/)
    expect((await hub.call('GET', `/v2/jobs/${jobId}`, { as: connector })).body.statusCode).toBe(
      'CREATED',
    )
  })

  it('a question without a job has languages, labels and words', async () => {
    await put([
      { name: 'Known', when: { band: { name: 'Exact', min: 0 } }, providerId: legal },
      {
        name: 'Small',
        when: { target: 'de', words: { max: 100 }, labels: 'shop' },
        providerId: agency,
      },
    ])
    const question = { source: 'en-us', targets: ['de-de', 'de-at'], labels: ['shop'], words: 100 }
    expect(await attempt(question)).toMatchObject({
      providerId: agency,
      rule: 'Small',
      rejected: [{ rule: 'Known', because: 'the words in the band are known only of a job' }],
    })
    expect((await attempt({ ...question, words: 101 })).providerId).toBeUndefined()
    const { words: _, ...unknown } = question
    expect((await attempt(unknown)).rejected[1]?.because).toBe('the number of words is not known')
    for (const body of [
      {},
      { source: 'en-us' },
      { jobId: 'AAAAAAAAAA', source: 'en-us' },
      { jobId: 'AAAAAAAAAA', words: 0 },
    ])
      expect(await attempt(body)).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await attempt({ jobId: 'AAAAAAAAAA' })).toMatchObject({ code: 'JOB_NOT_FOUND' })
  })

  it('a rule whose provider is disabled is passed over', async () => {
    await put([
      { name: 'First', providerId: extra },
      { name: 'Second', providerId: agency },
    ])
    const change = (status: string) =>
      hub.call('PATCH', `/v2/providers/${extra}`, { as: 'demo-admin', body: { status } })
    expect((await change('DISABLED')).status).toBe(200)
    const jobId = await job()
    expect((await attempt({ jobId })).rejected).toEqual([
      { rule: 'First', because: 'its provider Extra is disabled' },
    ])
    expect((await submit(jobId)).body.providerId).toBe(agency)
    await change('ENABLED')
  })

  it('words of a file in an unknown format fit no rule that counts words', async () => {
    await put([
      { name: 'Counted', when: { words: { min: 0 } }, providerId: legal },
      { name: 'Rest', providerId: agency },
    ])
    const { body } = await hub.call('POST', '/v2/jobs', {
      as: connector,
      body: { jobName: 'Binary' },
    })
    const jobId = String(body.jobId)
    const place = await hub.call<Record<string, string>>(
      'POST',
      `/v2/jobs/${jobId}/sourcefiles?fileName=drawing.xyz`,
      {
        as: connector,
      },
    )
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array([1, 2, 3])]), 'drawing.xyz')
    await fetch(place.body.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })
    const languages = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCodes: ['de-de'] }
    const file = { fmsFileId: place.body.fmsFileId }
    const requests = [{ requestName: 'Drawing', sourceNativeId: 'd', ...languages, ...file }]
    await hub.call('POST', `/v2/jobs/${jobId}/requests/add`, { as: connector, body: { requests } })
    const { rejected } = await attempt({ jobId })
    expect(rejected[0]?.because).toMatch(/^the words of drawing\.xyz cannot be counted/)
    expect((await submit(jobId)).body.routedBy).toMatchObject({ rule: 'Rest' })
  })

  it('is of one site, and asks for the scope of settings', async () => {
    expect((await hub.call('GET', path, { as: 'other-admin' })).body).toEqual({
      version: 0,
      rules: [],
    })
    expect((await hub.call('GET', path, { as: 'demo-provider' })).status).toBe(403)
    const jobId = await job()
    const foreign = await hub.call('POST', `${path}/try`, { as: 'other-admin', body: { jobId } })
    expect([foreign.status, foreign.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
    const body = { version: 0, rules: [{ name: 'Theirs', providerId: agency }] }
    const stolen = await hub.call('PUT', path, { as: 'other-admin', body })
    expect([stolen.status, stolen.body.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  it('try and submit agree', async () => {
    const language = fc.constantFrom('de-de', 'de-at', 'fr-fr', 'it-it')
    const when = fc.record(
      {
        source: fc.constantFrom('en', 'en-us', 'fr'),
        target: fc.uniqueArray(fc.constantFrom('de', 'de-at', 'fr', 'it'), {
          minLength: 1,
          maxLength: 3,
        }),
        labels: fc.uniqueArray(fc.constantFrom('a', 'b', 'n=1'), { minLength: 1, maxLength: 2 }),
        words: fc.record({ min: fc.nat(12) }),
        band: fc.record({
          name: fc.constantFrom('New', 'Repetition', 'Exact'),
          min: fc.constantFrom(0, 40, 100),
        }),
        extendedMetadata: fc.record({ kind: fc.constantFrom('x', 'y') }),
      },
      { requiredKeys: [] },
    )
    const ruleOf = fc.record({ when, provider: fc.nat(2) })
    const wanted = fc.record(
      {
        targets: fc.uniqueArray(language, { minLength: 1, maxLength: 3 }),
        labels: fc.constantFrom(['a'], ['b', 'c'], { n: 1 }, { n: 2 }),
        extendedMetadata: fc.record({ kind: fc.constantFrom('x', 'y') }),
        texts: fc.array(
          fc.nat(8).map((count) => words(count + 1)),
          { minLength: 1, maxLength: 3 },
        ),
      },
      { requiredKeys: ['targets', 'texts'] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(ruleOf, { minLength: 1, maxLength: 5 }),
        wanted,
        async (drawn, asked) => {
          const providers = [legal, agency, extra]
          const rules = drawn.map((rule, at) => ({
            name: `R${at}`,
            when: rule.when,
            providerId: String(providers[rule.provider]),
          }))
          const version = await put(rules)
          const jobId = await job(asked)
          const tried = await attempt({ jobId })
          const { status, body } = await submit(jobId)
          if (tried.rule === undefined)
            expect([status, body.code]).toEqual([400, 'PROVIDER_REQUIRED'])
          else
            expect([status, body.providerId, body.routedBy]).toEqual([
              200,
              tried.providerId,
              { rule: tried.rule, version },
            ])
          expect(tried.rejected.length).toBe(rules.length - (tried.rule === undefined ? 0 : 1))
        },
      ),
      { numRuns: draws(100) },
    )
  })
})
