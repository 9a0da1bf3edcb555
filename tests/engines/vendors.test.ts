/** Every dialect against a strict server of its vendor: what is asked, what it costs, and what a connector sees when it fails. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../hub.ts'
import { everyVendor, type VendorCase, vendorNames } from './every-vendor.ts'
import { admin, connector, startVendorHub, type VendorHub } from './vendor-hub.ts'

type Schema = {
  readonly properties?: Readonly<Record<string, { readonly writeOnly?: boolean }>>
  readonly additionalProperties?: boolean
}

describe.each(engines)('vendors on %s', (engine) => {
  let place: VendorHub
  beforeAll(async () => {
    place = await startVendorHub(engine)
  })
  afterAll(() => place.close())
  beforeEach(() => {
    for (const name of vendorNames) place.vendors[name].be()
  })

  it.each(vendorNames)('%s translates, and accepts every call of the hub', async (name) => {
    const jobId = await place.submit(place.providers[name])
    await place.hub.advance('1s')
    expect(await place.seen(jobId)).toBe('delivered')
  })

  it.each(vendorNames)(
    '%s: its languages are listed, and a pair that it lacks is refused at submission',
    async (name) => {
      const { vendors, providers, call, submit } = place
      const { body } = await call<{ capabilities: { supportedLanguages: { sources: string[]; targets: string[] }[] } }>(
        connector,
        'GET',
        `/providers/${providers[name]}`,
      )
      const [all] = body.capabilities.supportedLanguages
      expect(all?.sources).toEqual(expect.arrayContaining(['de', 'en', 'fr']))
      expect(all?.targets).toEqual(expect.arrayContaining(['de', 'fr']))
      await expect(submit(providers[name], ['Hello'], 'ka-ge')).rejects.toThrow(/LANGUAGES_UNSUPPORTED.*en-us.*ka-ge/)
      expect(vendors[name].asked).toEqual([])
    },
  )

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
      expect(Object.keys(properties ?? {}), name).toEqual(expect.arrayContaining(Object.keys(config)))
      for (const secret of ['apiKey', 'serviceAccount', 'sessionToken'])
        if (properties?.[secret]) expect(properties[secret].writeOnly, `${name} ${secret}`).toBe(true)
    }
  })

  const bad: [string, Record<string, unknown>, RegExp][] = [
    ['DeepL without a key', { dialect: 'deepl' }, /config\/apiKey/],
    ['a setting of another dialect', { dialect: 'deepl', apiKey: 'k', region: 'x' }, /additional/],
    ['Google v2 without a key', { dialect: 'google' }, /config\/apiKey.*v2 needs/],
    ['Google v3 with a key that is none', { dialect: 'google', version: 'v3', serviceAccount: '{}' }, /serviceAccount/],
    ['Amazon without a region', { dialect: 'amazon', accessKeyId: 'A', apiKey: 'k' }, /config\/region/],
    [
      'a region that is a host',
      { dialect: 'amazon', accessKeyId: 'A', apiKey: 'k', region: 'x.evil/' },
      /config\/region/,
    ],
    ['a version that there is not', { dialect: 'azure', apiKey: 'k', version: '4.0' }, /config\/version/],
    ['an address inside', { dialect: 'azure', apiKey: 'k', url: 'http://169.254.169.254/' }, /link-local/],
  ]
  it.each(bad)('a config is refused: %s', async (_, config, says) => {
    const body = { name: 'V', typeId: 'machine-translation', config }
    const made = await place.call<{ code: string; message: string }>(admin, 'POST', '/providers', body)
    expect([made.status, made.body.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(made.body.message).toMatch(says)
    expect(made.body.message).not.toContain('secret-key')
  })

  it('a vendor needs no address, and a key is not kept for another vendor', async () => {
    const config = { dialect: 'deepl', apiKey: 'secret-key:fx' }
    const made = await place.call(admin, 'POST', '/providers', { name: 'V', typeId: 'machine-translation', config })
    expect(made.status).toBe(201)
    const change = (to: object) =>
      place.call(admin, 'PATCH', `/providers/${made.body.id}`, { config: to, keepSecrets: true })
    expect((await change({ dialect: 'deepl', formality: 'formal' })).status).toBe(200)
    const moved = await change({ dialect: 'modernmt' })
    expect([moved.status, moved.body.message]).toEqual([400, expect.stringMatching(/apiKey.*send it again/)])
  })
})
