/**
 * Every dialect against a strict server of its vendor: what is asked, what it costs, and what a
 * connector sees when it fails.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../hub.ts'
import { everyVendor, type VendorCase, type VendorName, vendorNames } from './every-vendor.ts'
import { admin, connector, startVendorHub, type VendorHub } from './vendor-hub.ts'

type Schema = {
  readonly properties?: Readonly<Record<string, { readonly writeOnly?: boolean }>>
  readonly additionalProperties?: boolean
}

describe.each(databases)('vendors on %s', (database) => {
  let place: VendorHub
  beforeAll(async () => {
    place = await startVendorHub(database)
  })
  afterAll(() => place.close())
  beforeEach(() => {
    for (const name of vendorNames) place.vendors[name].be()
  })

  it.each(vendorNames)('%s translates, and accepts every call of the hub', async (name) => {
    const jobId = await place.submit(place.providers[name])
    await place.hub.advance('1s')
    expect(await place.seen(jobId)).toBe('delivered')
    const path = `/providers/${place.providers[name]}/usage`
    const { body } = await place.call<{ unit: string; estimated: number; billed?: number }>(
      admin,
      'GET',
      path,
    )
    expect(body.unit).toBe(name === 'chat' ? 'TOKENS' : 'CHARACTERS')
    expect(body.estimated, 'never below what the vendor bills').toBeGreaterThanOrEqual(
      place.vendors[name].meter(),
    )
    const says = ['deepl', 'azure 3.0', 'azure', 'modernmt', 'chat'].includes(name)
    if (says) expect(body.billed, 'as the vendor says').toBe(place.vendors[name].meter())
  })

  it.each(vendorNames)(
    '%s: a test translates a sentence, and says in words what is wrong',
    async (name) => {
      const path = `/providers/${place.providers[name]}/test`
      const body = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
      const test = async (more = {}) =>
        (
          await place.call<{ works: boolean; error?: string }>(admin, 'POST', path, {
            ...body,
            ...more,
          })
        ).body
      expect(await test()).toMatchObject({
        works: true,
        translation: 'Der schnelle braune Fuchs springt über den faulen Hund.',
      })
      place.vendors[name].be({ reply: ({ errors }) => errors.key })
      const refused = await test()
      expect(refused).toMatchObject({
        works: false,
        error: expect.stringMatching(/^The translation engine returned 40\d/),
      })
      expect(JSON.stringify(refused)).not.toMatch(/key-for-tests|secret-key/)
      // A wrong answer with status 200 is no success.
      place.vendors[name].be({ texts: (all) => all.map(() => 'Der schnelle braune Fuchs.') })
      const text = 'The quick brown fox {name} jumps over 12 lazy dogs.'
      expect(await test({ text })).toMatchObject({
        works: false,
        error: expect.stringMatching(/cannot be used: /),
      })
    },
  )

  it.each(vendorNames.filter((name) => name !== 'chat'))(
    '%s: its languages are listed, and a pair that it lacks is refused at submission',
    async (name) => {
      const { vendors, providers, call, submit } = place
      const { body } = await call<{
        capabilities: { supportedLanguages: { sources: string[]; targets: string[] }[] }
      }>(connector, 'GET', `/providers/${providers[name]}`)
      const [all] = body.capabilities.supportedLanguages
      expect(all?.sources).toEqual(expect.arrayContaining(['de', 'en', 'fr']))
      expect(all?.targets).toEqual(expect.arrayContaining(['de', 'fr']))
      await expect(submit(providers[name], ['Hello'], 'ka-ge')).rejects.toThrow(
        /LANGUAGES_UNSUPPORTED.*en-us.*ka-ge/,
      )
      expect(vendors[name].asked).toEqual([])
    },
  )

  it('a model lists no languages: supportedLanguages is absent, and no pair is refused', async () => {
    const { body } = await place.call<{ capabilities: object }>(
      connector,
      'GET',
      `/providers/${place.providers.chat}`,
    )
    expect(body.capabilities).not.toHaveProperty('supportedLanguages')
    const jobId = await place.submit(place.providers.chat, ['Hello'], 'ka-ge')
    await place.hub.advance('1s')
    expect(await place.valuesOf(jobId)).toEqual(['HELLO'])
  })

  it('what belongs to a vendor goes along: formality, models, glossaries', async () => {
    const { vendors, call, submit, hub } = place
    const given: [VendorName, object, object][] = [
      [
        'deepl',
        { formality: 'formal', model: 'latency_optimized' },
        { formality: 'prefer_more', model_type: 'latency_optimized' },
      ],
      [
        'google v3',
        { glossary: 'projects/p/g', model: 'm' },
        { glossaryConfig: { glossary: 'projects/p/g' }, model: 'm' },
      ],
      [
        'amazon',
        { formality: 'informal', glossary: 'Shop' },
        { Settings: { Formality: 'INFORMAL' }, TerminologyNames: ['Shop'] },
      ],
      ['modernmt', { memories: '1,2', glossary: '3' }, { hints: '1,2', glossaries: '3' }],
      ['azure', { formality: 'formal', deployment: 'shop' }, {}],
    ]
    const jobs = await Promise.all(
      given.map(async ([name, settings]) => {
        const config = { ...everyVendor[name].config, url: vendors[name].url, ...settings }
        const made = await call(admin, 'POST', '/providers', {
          name,
          typeId: 'machine-translation',
          config,
        })
        return submit(String(made.body.id))
      }),
    )
    await hub.advance('1s')
    expect(await Promise.all(jobs.map(place.seen))).toEqual(jobs.map(() => 'delivered'))
    for (const [name, , sent] of given)
      expect(vendors[name].received.at(-1)?.json, name).toMatchObject(sent)
    const wanted = { tone: 'formal', deploymentName: 'shop', allowFallback: false }
    expect(vendors.azure.received.at(-1)?.json).toMatchObject({
      inputs: [{ targets: [wanted] }, {}, {}, {}],
    })
  })

  it('many texts go in as few calls as the vendor allows, and never more than its limits', async () => {
    const values = Array.from({ length: 130 }, (_, at) => `Word ${at} of many`)
    const names = vendorNames.filter((name) => name !== 'amazon')
    const jobs = await Promise.all(names.map((name) => place.submit(place.providers[name], values)))
    await place.hub.advance('1s')
    for (const jobId of jobs)
      expect(await place.valuesOf(jobId)).toEqual(values.map((value) => value.toUpperCase()))
    for (const name of names)
      expect(place.vendors[name].asked.length, name).toBeLessThanOrEqual(name === 'chat' ? 6 : 3)
  })

  it('the type lists each dialect with the schema of its config, secrets marked', async () => {
    const { body } = await place.call<{ dialects: { dialect: string; configSchema: Schema }[] }>(
      connector,
      'GET',
      '/providers/types/machine-translation',
    )
    for (const name of vendorNames) {
      const { config }: VendorCase = everyVendor[name]
      const { properties, additionalProperties } =
        body.dialects.find((one) => one.dialect === config.dialect)?.configSchema ?? {}
      expect(additionalProperties, name).toBe(false)
      expect(Object.keys(properties ?? {}), name).toEqual(
        expect.arrayContaining(Object.keys(config)),
      )
      for (const secret of ['apiKey', 'serviceAccount', 'sessionToken'])
        if (properties?.[secret])
          expect(properties[secret].writeOnly, `${name} ${secret}`).toBe(true)
    }
  })

  const bad: [string, Record<string, unknown>, RegExp][] = [
    ['DeepL without a key', { dialect: 'deepl' }, /config\/apiKey/],
    ['a setting of another dialect', { dialect: 'deepl', apiKey: 'k', region: 'x' }, /additional/],
    ['Google v2 without a key', { dialect: 'google' }, /config\/apiKey.*v2 needs/],
    [
      'Google v3 with a key that is none',
      { dialect: 'google', version: 'v3', serviceAccount: '{}' },
      /serviceAccount/,
    ],
    [
      'Amazon without a region',
      { dialect: 'amazon', accessKeyId: 'A', apiKey: 'k' },
      /config\/region/,
    ],
    [
      'a region that is a host',
      { dialect: 'amazon', accessKeyId: 'A', apiKey: 'k', region: 'x.evil/' },
      /config\/region/,
    ],
    [
      'a version that there is not',
      { dialect: 'azure', apiKey: 'k', version: '4.0' },
      /config\/version/,
    ],
    [
      'an address inside',
      { dialect: 'azure', apiKey: 'k', url: 'http://169.254.169.254/' },
      /link-local/,
    ],
  ]
  it.each(bad)('a config is refused: %s', async (_, config, says) => {
    const body = { name: 'V', typeId: 'machine-translation', config }
    const made = await place.call<{ code: string; message: string }>(
      admin,
      'POST',
      '/providers',
      body,
    )
    expect([made.status, made.body.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(made.body.message).toMatch(says)
    expect(made.body.message).not.toContain('secret-key')
  })

  it('a vendor needs no address, and a key is not kept for another vendor', async () => {
    const config = { dialect: 'deepl', apiKey: 'secret-key:fx' }
    const made = await place.call(admin, 'POST', '/providers', {
      name: 'V',
      typeId: 'machine-translation',
      config,
    })
    expect(made.status).toBe(201)
    const change = (to: object) =>
      place.call(admin, 'PATCH', `/providers/${made.body.id}`, { config: to, keepSecrets: true })
    expect((await change({ dialect: 'deepl', formality: 'formal' })).status).toBe(200)
    const moved = await change({ dialect: 'modernmt' })
    expect([moved.status, moved.body.message]).toEqual([
      400,
      expect.stringMatching(/apiKey.*send it again/),
    ])
  })
})
