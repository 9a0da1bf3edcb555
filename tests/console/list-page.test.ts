/**
 * What the pages that are one list have in common, from a table of them: keys, the row beside the
 * list, filters in the address, errors, and the form for a new row. One browser page walks through
 * all of them; the tests of each page have what only it does.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parkTask } from '../parked-task.ts'
import { enter } from '../visitor.ts'
import { axe, hasBrowser, inViews, overflow, settled, useConsole } from './console.ts'
import { type SpringCampaign, seedSpringCampaign } from './spring-campaign.ts'

type Row = {
  readonly name: string
  readonly path: string
  /** The call of the list, below /console/api. */
  readonly call: string
  /** A filter that nothing matches, what the list then says, and the button that removes it. */
  readonly filter?: readonly [query: string, says: string, clear: string]
  /** Opens a row beside the list, not on a page of its own. */
  readonly isBeside?: false
  /** The button for a new row. */
  readonly create?: string
}

const lists: readonly Row[] = [
  {
    name: 'Jobs',
    path: '/',
    call: '/jobs',
    filter: ['filter=nothing-like-it', 'No job matches the filter', 'Clear filter'],
    isBeside: false,
  },
  {
    name: 'Work',
    path: '/work?view=review',
    call: '/work',
    filter: ['language=sv-se', 'Nothing matches the filter', 'Clear the filter'],
    isBeside: false,
  },
  {
    name: 'Deliveries',
    path: '/deliveries',
    call: '/deliveries',
    filter: ['job=nothing', 'No delivery matches the filter', 'Clear the filter'],
  },
  {
    name: 'Listeners',
    path: '/listeners',
    call: '/statusupdates/listeners',
    create: 'New listener',
  },
  {
    name: 'Calls',
    path: '/calls',
    call: '/calls',
    filter: ['client=nobody', 'No call matches these filters', 'Clear filters'],
  },
  {
    name: 'Tasks',
    path: '/health/tasks',
    call: '/tasks',
    filter: ['name=nothing', 'No task matches the filter', 'Clear the filter'],
  },
  {
    name: 'Audit',
    path: '/access/audit',
    call: '/audit',
    filter: ['verb=nothing', 'No action matches', 'Clear the filter'],
  },
  { name: 'Providers', path: '/providers', call: '/providers', create: 'New provider' },
  { name: 'Clients', path: '/access/clients', call: '/clients', create: 'New client' },
  { name: 'People', path: '/access/people', call: '/people', create: 'Invite a person' },
]

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

describe.skipIf(!hasBrowser)('the pages that are one list', () => {
  const test = useConsole()
  let campaign: SpringCampaign
  beforeAll(async () => {
    campaign = await seedSpringCampaign(test.hub)
    await parkTask(test.hub, { site_id: 'demo' })
  })
  afterAll(() => campaign?.close())

  const rows = (page: Page) => page.locator('[role=row][data-index]')
  const go = async (page: Page, path: string) => {
    await page.goto(test.hub.url + path)
    await page.locator('h1').waitFor()
    await settled(page)
  }
  const withQuery = (path: string, query: string) => path + (path.includes('?') ? '&' : '?') + query

  it('show a row beside the list on j and Enter, name it in the address, and close it on Escape', async () => {
    const page = await test.open('/')
    for (const { path } of lists.filter(({ isBeside }) => isBeside !== false)) {
      await go(page, path)
      await rows(page).first().waitFor()
      const before = page.url()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('complementary').waitFor()
      await page.waitForURL((url) => url.href !== before)
      expect(await page.locator('[role=row][aria-selected=true]').count(), path).toBe(1)
      // A link opens the same row.
      await page.reload()
      await page.getByRole('complementary').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('complementary').waitFor({ state: 'detached' })
      expect(page.url(), path).toBe(before)
    }
  })

  it('open a row that has a page of its own', async () => {
    const page = await test.open('/')
    for (const { path } of lists.filter(({ isBeside }) => isBeside === false)) {
      await go(page, path)
      await rows(page).first().waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('o')
      await page.waitForURL(/\/(jobs|work)\/[^?]+/)
    }
  })

  it('take their filter from the address, say that no row matches, and show all rows again', async () => {
    const page = await test.open('/')
    for (const { path, filter } of lists) {
      if (!filter) continue
      const [query, says, clear] = filter
      await go(page, withQuery(path, query))
      await page.getByText(says).waitFor()
      expect(await rows(page).count(), path).toBe(0)
      await page.getByRole('button', { name: clear }).last().click()
      await rows(page).first().waitFor()
      expect(page.url(), path).not.toContain(query)
    }
  })

  it('say why they cannot be read, and read again on a click', async () => {
    const page = await test.open('/')
    for (const { path, call } of lists) {
      const url = (asked: URL) => asked.pathname === `/console/api${call}`
      await page.route(url, (route) =>
        route.fulfill({ status: 400, json: { code: 'INVALID_QUERY', message: 'It went wrong.' } }),
      )
      await go(page, path)
      const alert = page.getByRole('alert').filter({ hasText: 'It went wrong.' }).last()
      await alert.getByText('INVALID_QUERY').waitFor()
      await page.unroute(url)
      await alert.getByRole('button', { name: 'Try again' }).click()
      await rows(page).first().waitFor()
    }
  })

  it('open the form for a new row on n, and close it without a trace', async () => {
    const page = await test.open('/')
    for (const { path, create } of lists) {
      if (!create) continue
      await go(page, path)
      await rows(page).first().waitFor()
      const before = page.url()
      await page.keyboard.press('n')
      await page.getByRole('dialog').getByRole('heading', { name: create }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(page.url(), path).toBe(before)
    }
  })

  it('say who may make a new row to those who may not, and do nothing on n', async () => {
    const { cookies } = await enter(test.hub, ['viewer'], 'demo')
    const page = await test.open('/', { cookies })
    for (const { path, create } of lists) {
      if (!create) continue
      await go(page, path)
      const button = page.getByRole('button', { name: create })
      await button.waitFor()
      expect(await button.getAttribute('aria-disabled'), path).toBe('true')
      expect(await button.textContent(), path).toMatch(/admin of the site/)
      await page.keyboard.press('n')
      await button.click({ force: true })
      expect(await page.getByRole('dialog').count(), path).toBe(0)
    }
  })

  inViews(
    'have no finding of axe and do not scroll sideways, alone and beside a row: $theme, $language, $width',
    async (view) => {
      const page = await test.open('/', view)
      for (const { path, isBeside } of lists) {
        await go(page, path)
        await rows(page).first().waitFor()
        expect([path, await axe(page), await overflow(page)]).toEqual([path, [], 0])
        if (isBeside === false) continue
        await rows(page)
          .first()
          .click({ position: { x: 4, y: 4 } })
        await page.getByRole('complementary').waitFor()
        await settled(page)
        expect([path, await axe(page), await overflow(page)]).toEqual([path, [], 0])
      }
    },
  )
})
