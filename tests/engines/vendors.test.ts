/** Every dialect against a strict server of its vendor: what is asked, what it costs, and what a connector sees when it fails. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../hub.ts'
import { everyVendor, vendorNames } from './every-vendor.ts'
import { startVendorHub, type VendorHub } from './vendor-hub.ts'

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
    expect(everyVendor[name].vendor.name).not.toBe('')
  })
})
