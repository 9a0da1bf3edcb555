/**
 * What a connector sees when a vendor does something wrong: the table of faults and dialects, in
 * docs/engine-faults.md. Vendors fail together, each with a job of its own, and all jobs are
 * delivered once the vendors work again.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampled } from '../draws.ts'
import { databases } from '../hub.ts'
import { everyVendor, type VendorCase, vendorNames } from './every-vendor.ts'
import { expectedOf, faultsPage, isRight } from './fault-table.ts'
import { faultNames, faults } from './faults.ts'
import { admin, connector, startVendorHub, type VendorHub } from './vendor-hub.ts'

describe.each(databases)('faults of vendors on %s', (database) => {
  let place: VendorHub
  beforeAll(async () => {
    place = await startVendorHub(database, { timeoutSeconds: 2 })
  })
  afterAll(() => place.close())

  it.each(sampled(faultNames, 7))('a vendor that %s', async (fault) => {
    const { hub, vendors, providers, submit, seen, call } = place
    const jobs = await Promise.all(
      vendorNames.map(async (name) => {
        vendors[name].be(faults[fault])
        return { name, jobId: await submit(providers[name]) }
      }),
    )
    await hub.advance('1s')
    const shown = await Promise.all(
      jobs.map(async ({ name, jobId }) => [name, await seen(jobId)] as const),
    )
    const wrong = shown.filter(([name, line]) => !isRight(expectedOf(fault, name), line))
    expect(
      Object.fromEntries(wrong),
      JSON.stringify(vendorNames.map((name) => expectedOf(fault, name))),
    ).toEqual({})
    expect(secretsIn(JSON.stringify(shown))).toEqual([])
    for (const name of vendorNames) vendors[name].be()
    const failed = jobs.filter((_, at) => shown[at]?.[1].startsWith('error'))
    for (const { name, jobId } of failed)
      expect(
        (await call(admin, 'POST', `/providers/${providers[name]}/invocations`, { jobId })).status,
      ).toBe(202)
    await hub.advance(fault === 'has a quota that is used up' ? '1d' : '10m')
    const after = await Promise.all(
      jobs.map(async ({ name, jobId }) => [name, await seen(jobId)] as const),
    )
    const open = after.filter(
      ([, line], at) => line !== 'delivered' && !shown[at]?.[1].startsWith('delivered'),
    )
    expect(Object.fromEntries(open), 'delivered when the vendor works again').toEqual({})
  })

  it('no secret is in an answer, a log line or a row', async () => {
    const { hub, providers, call } = place
    const answers = await Promise.all(
      vendorNames.flatMap((name) => [
        call(admin, 'GET', `/providers/${providers[name]}`),
        call(admin, 'GET', `/providers/${providers[name]}/config`),
        call(connector, 'GET', '/providers'),
      ]),
    )
    expect(secretsIn(JSON.stringify(answers.map(({ body }) => body)))).toEqual([])
    await hub.restart()
    expect(secretsIn(hub.logged())).toEqual([])
    for (const table of ['providers', 'calls', 'tasks', 'requests', 'status_updates'] as const) {
      const rows = JSON.stringify(await hub.inner.db.read.selectFrom(table).selectAll().execute())
      expect(secretsIn(rows), table).toEqual([])
    }
  })
})

it('the page of the documentation is this table', async () => {
  await expect(faultsPage()).toMatchFileSnapshot(
    join(import.meta.dirname, '../../docs/engine-faults.md'),
  )
})

it('every fault is in the table', () => expect(faultNames.length).toBeGreaterThanOrEqual(20))

const secrets = vendorNames.flatMap((name) => (everyVendor[name] as VendorCase).secrets)
const secretsIn = (text: string): string[] =>
  secrets.filter(
    (secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)),
  )
