/**
 * The page Prices in a real browser: current prices, missing ones, the difference of versions, and
 * a new version, checked while typing.
 */
import type { PriceList } from '@dragoman/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { priceList } from '../price-list.ts'
import { everything } from '../scenario.ts'
import { axe, hasBrowser, inViews, overflow, useConsole } from './console.ts'
import { hostileNames, ranNothing, watchCalls } from './hostile-names.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

const [first] = priceList.lines
const onlyGerman = { ...priceList, lines: first ? [first] : [] }

describe.skipIf(!hasBrowser)('the page Prices', () => {
  const test = useConsole()
  const call = async <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const got = await test.hub.call<T>(method, `/v2${path}`, {
      as: 'demo-admin',
      ...(body !== undefined && { body }),
    })
    expect(got.status, JSON.stringify(got.body)).toBeLessThan(300)
    return got.body
  }
  const save = (list: object) => call<PriceList>('POST', '/settings/pricelists', list)
  let jobId = ''
  let old: PriceList
  beforeAll(async () => {
    old = await save(onlyGerman)
    await save({
      ...onlyGerman,
      name: 'Dearer',
      validFrom: '2025-01-01',
      lines: [{ ...first, unitPrice: '0.150' }],
    })
    await save({ ...onlyGerman, name: 'Next year', validFrom: '2090-01-01' })
    jobId = String((await call('POST', '/jobs', { jobName: 'Priced' })).jobId)
    await call('POST', `/jobs/${jobId}/requests/add`, {
      requestName: 'kv',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de', 'fr-fr'],
      fields: [{ key: 'a', value: 'The whole text has seven different words.' }],
    })
  })

  inViews(
    'has no finding of axe and does not scroll sideways: $theme, $language, $width',
    async (view) => {
      const page = await test.open('/prices?cell=en-us%3Ede-de', view)
      await page.getByRole('table').first().waitFor()
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      if (view.width === 390)
        expect(await page.getByRole('button', { name: 'New version' }).count()).toBe(0)
      if (view.width === 1280) {
        await page.goto(`${test.hub.url}/prices?edit=1`)
        await page.getByRole('table').first().waitFor()
        expect(await axe(page)).toEqual([])
        expect(await overflow(page)).toBe(0)
      }
    },
  )

  it('shows the current version, the next one, and what has no price', async () => {
    const page = await test.open('/prices')
    await page.getByText('Version 2, since 1 Jan 2025').waitFor()
    await page.getByText('Version 3, from 1 Jan 2090').waitFor()
    await page.getByText('1 pair without a price').waitFor()
    await page.getByRole('button', { name: 'en-us to fr-fr' }).click()
    await page.getByText('This pair has no price.').waitFor()
    await page.getByRole('button', { name: 'en-us to de-de' }).click()
    // 0.150 times 0.5, as decimal text.
    await page.getByRole('cell', { name: '0.075', exact: true }).waitFor()
  })

  it('shows the difference between two versions', async () => {
    const page = await test.open(`/prices?with=${old.priceListId}`)
    await page.getByText('1 price changes, 0 are added, 0 are removed.').waitFor()
    expect(await page.locator('del').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('0.145')]),
    )
    expect(await page.locator('ins').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('0.15')]),
    )
  })

  it('marks mistakes and overlaps at their cell while typing, and saves nothing', async () => {
    const page = await test.open('/prices')
    await page.getByRole('table').first().waitFor()
    const before = await everything(test.hub)
    await page.keyboard.press('n')
    const cell = page.getByLabel('en-us to de-de')
    await cell.fill('0,2')
    await page.locator('input[aria-label="en-us to de-de"][aria-invalid]').waitFor()
    await page.getByText('1 error to fix').waitFor()
    await cell.fill('0.2')
    await page.getByText('Nothing is saved yet.', { exact: false }).waitFor()
    await page.getByLabel('Language', { exact: true }).fill('en_US')
    await page.getByRole('button', { name: 'Add as source' }).click()
    await page.getByLabel('en_US to de-de').fill('0.3')
    await page.getByText('It overlaps lines[', { exact: false }).first().waitFor()
    await page.getByLabel('en_US to de-de').fill('')
    await page.getByLabel('Factor 4').fill('x')
    await page.locator('input[aria-label="Factor 4"][aria-invalid]').waitFor()
    expect(await everything(test.hub)).toBe(before)
  })

  it("compares the price of a job by a draft with today's, and saves the draft as a version from a date", async () => {
    const page = await test.open('/prices')
    await page.getByRole('table').first().waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('en-us to de-de').fill('99.999')
    await page.getByLabel('Job id').fill(jobId)
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    // Seven words: 7 times 99.999 is 699.993, and 10 % management; today the minimum fee of 25.
    await page.getByText('769.99 EUR with this draft, 25.00 EUR today').waitFor()
    expect(
      (await call<{ pricelists: unknown[] }>('GET', '/settings/pricelists')).pricelists,
    ).toHaveLength(3)
    await page.getByLabel('Valid from').fill('2091-02-03')
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 price changes').waitFor()
    await dialog.getByRole('button', { name: 'Save as a new version' }).click()
    await page.waitForURL(/\/prices\/[\w-]{22}$/)
    const { pricelists } = await call<{ pricelists: PriceList[] }>('GET', '/settings/pricelists')
    expect(pricelists[0]).toMatchObject({
      version: 4,
      validFrom: '2091-02-03',
      lines: [{ unitPrice: '99.999' }],
    })
  })

  it('keeps a draft over a reload until it is discarded', async () => {
    const page = await test.open(`/prices/${old.priceListId}?edit=1`)
    await page.getByLabel('en-us to de-de').fill('0.777')
    await page.getByText('Nothing is saved yet.', { exact: false }).waitFor()
    await page.waitForFunction(() => JSON.stringify(sessionStorage).includes('0.777'))
    await page.reload()
    await page.locator('input[aria-label="en-us to de-de"][value="0.777"]').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.goto(`${test.hub.url}/prices/${old.priceListId}?edit=1`)
    await page.locator('input[aria-label="en-us to de-de"][value="0.145"]').waitFor()
  })

  it('shows hostile names of lists, services and bands and runs none of them', async () => {
    const name = hostileNames.slice(0, 3).join(' ')
    const services = hostileNames.map((service) => ({ ...first, service }))
    const bands = priceList.bands.map((band, at) => ({
      ...band,
      name: hostileNames[at] ?? band.name,
    }))
    const saved = await save({
      ...priceList,
      name,
      bands,
      lines: [...onlyGerman.lines, ...services],
    })
    const page = await test.open(`/prices/${saved.priceListId}`)
    const strange = watchCalls(page, test.hub.url)
    await page.reload()
    await page
      .getByRole('button', { name: hostileNames[7] ?? '' })
      .first()
      .waitFor()
    await ranNothing(page, strange)
    await page.goto(`${test.hub.url}/prices/${saved.priceListId}?with=${old.priceListId}`)
    await page.locator('ins').first().waitFor()
    await page.goto(`${test.hub.url}/prices/${saved.priceListId}?edit=1`)
    await page.getByLabel('Band 1', { exact: true }).waitFor()
    await ranNothing(page, strange)
  })
})
