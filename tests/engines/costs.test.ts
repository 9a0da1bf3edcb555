/**
 * What the hub counts is the meter of each vendor, and a quota of a vendor holds the work as a
 * limit of ours does.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../hub.ts'
import { vendorNames } from './every-vendor.ts'
import { admin, connector, startVendorHub, type VendorHub } from './vendor-hub.ts'

type Usage = {
  readonly unit: string
  readonly estimated: number
  readonly billed?: number
  readonly requests: number
}

describe.each(databases)('costs at vendors on %s', (database) => {
  let place: VendorHub
  beforeAll(async () => {
    place = await startVendorHub(database)
  })
  afterAll(() => place.close())
  beforeEach(() => {
    for (const name of vendorNames) place.vendors[name].be()
  })
  const usage = async (providerId: string): Promise<Usage> =>
    (await place.call<Usage>(connector, 'GET', `/providers/${providerId}/usage`)).body
  const held = async (providerId: string): Promise<string[]> => {
    const { body } = await place.call<{
      findings: { rule: string; thingId: string; sentence: string }[]
    }>(admin, 'GET', '/findings')
    const found = body.findings.filter(
      ({ rule, thingId }) => rule === 'engine-held' && thingId === providerId,
    )
    return found.map(({ sentence }) => sentence)
  }

  it.each(vendorNames)(
    '%s: a broken call and its repetition are counted as the vendor counts',
    async (name) => {
      const [vendor, providerId] = [place.vendors[name], place.providers[name]]
      vendor.be({ reply: () => 'breaks' }, 1)
      const jobId = await place.submit(providerId)
      await place.hub.advance('1s')
      expect(await place.seen(jobId)).toBe('delivered')
      const { unit, estimated, billed, requests } = await usage(providerId)
      expect([requests, vendor.meter() > 0]).toEqual([vendor.asked.length, true])
      expect(unit).toMatch(/^(?:CHARACTERS|TOKENS)$/)
      // What broke off stays an estimate, which may be higher than what a vendor that tells its
      // meter has counted.
      expect(estimated).toBeGreaterThanOrEqual(vendor.meter())
      if (billed === undefined) expect(estimated).toBe(vendor.meter())
      else expect(billed).toBeLessThan(vendor.meter())
    },
  )

  const oddUsage: [string, unknown][] = [
    ['negative', -1e18],
    ['a text', 'NaN'],
    ['far too large', 1e300],
    ['a fraction', 0.5],
    ['an object', {}],
  ]
  it.each(oddUsage)('a usage that is %s is an error about the engine', async (_, total) => {
    const [vendor, providerId] = [place.vendors.chat, place.providers.chat]
    const before = await usage(providerId)
    vendor.be({
      reply: (_vendor, right) => ({
        ...right,
        body: { ...(right.body as object), usage: { total_tokens: total } },
      }),
    })
    const jobId = await place.submit(providerId)
    await place.hub.advance('1s')
    expect(await place.seen(jobId)).toMatch(
      /^error: .*returned a usage that is no number of tokens/,
    )
    const after = await usage(providerId)
    expect(after.estimated).toBeGreaterThanOrEqual(before.estimated)
    expect(Number.isSafeInteger(after.estimated)).toBe(true)
  })

  it('a quota that is used up holds the work until it is there again', async () => {
    const [vendor, providerId] = [place.vendors.deepl, place.providers.deepl]
    const before = await usage(providerId)
    vendor.be({ reply: ({ errors }) => errors.quota })
    const jobId = await place.submit(providerId)
    // Longer than the tries of a failing engine.
    await place.hub.advance('1d')
    expect(await place.seen(jobId)).toMatch(/^waits: /)
    expect(await held(providerId)).toEqual([
      expect.stringMatching(/^Work of provider .* has been waiting since /),
    ])
    expect((await usage(providerId)).estimated).toBe(before.estimated)
    vendor.be()
    await place.hub.advance('1h')
    expect(await place.seen(jobId)).toBe('delivered')
    expect(await held(providerId)).toEqual([])
  })
})
