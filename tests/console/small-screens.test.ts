/**
 * The console on a phone, upright and on its side, and on a laptop at 200 %: lists keep their room,
 * and the page scrolls to the rest.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axe, hasBrowser, overflow, settled, useConsole } from './console.ts'
import { type SpringCampaign, seedSpringCampaign } from './spring-campaign.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

const sizes = [
  { width: 390, height: 844 },
  { width: 390, height: 500 },
  { width: 640, height: 400 },
]
/** With the last control of the page, below the list. */
const lists = [
  { path: '/?view=all', last: 'footer select' },
  { path: '/deliveries', last: 'button:text("Replay all")' },
  { path: '/jobs/JOB/requests' },
  { path: '/jobs/JOB/deliveries' },
  { path: '/jobs/JOB' },
  { path: '/work?view=review' },
  { path: '/health/audit' },
]

/** Whether a finger can reach it: after scrolling to it, nothing else is over its middle. */
async function isReached(target: Locator): Promise<boolean> {
  await target.scrollIntoViewIfNeeded()
  return target.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const there = document.elementFromPoint(x + width / 2, y + height / 2)
    return there !== null && element.contains(there)
  })
}

/** Rows whose content is higher than they are. */
const cutRows = (page: Page): Promise<number> =>
  page
    .locator('[role=row][data-index]')
    .evaluateAll((rows) => rows.filter((row) => row.scrollHeight > row.clientHeight + 1).length)

describe.skipIf(!hasBrowser)('the console on small screens', () => {
  const test = useConsole({ database: 'sqlite' })
  let job: SpringCampaign
  beforeAll(async () => {
    job = await seedSpringCampaign(test.hub)
  })
  afterAll(() => job?.close())
  const go = async (page: Page, path: string) => {
    await page.goto(test.hub.url + path.replace('JOB', job.jobId))
    await page.locator('[role=row][data-index]').first().waitFor()
    await settled(page)
  }

  it('keeps room for rows in every list, and reaches rows and what is below them', async () => {
    const page = await test.open('/')
    const found: string[] = []
    for (const { path, last } of lists) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await go(page, path)
      for (const size of sizes) {
        await page.setViewportSize(size)
        await settled(page)
        const at = `${size.width} x ${size.height}, ${path}`
        const room = await page.getByRole('grid').evaluate((grid) => {
          // The timeline scrolls with its lanes; the other lists by themselves.
          const frame = grid.querySelector('[role=presentation]')?.closest('[class*=frame]') ?? grid
          return frame.clientHeight
        })
        if (room < Math.min(240, size.height / 2)) found.push(`${at}: ${room} px for the list`)
        if (!(await isReached(page.locator('[role=row][data-index]').first())))
          found.push(`${at}: the first row`)
        if (last && !(await isReached(page.locator(last)))) found.push(`${at}: ${last}`)
        if ((await overflow(page)) > 0) found.push(`${at}: scrolls sideways`)
        if ((await cutRows(page)) > 0) found.push(`${at}: rows are cut off`)
      }
    }
    expect(found).toEqual([])
  })

  it('shows in the navigation that there is more, and opens it', async () => {
    const page = await test.open('/', { width: 390, theme: 'dark' })
    const nav = page.getByRole('navigation', { name: 'Main' })
    const outside = () =>
      nav.evaluate((bar) =>
        [...bar.querySelectorAll(':scope > *')]
          .filter((one) => one.clientWidth > 0 && one.getBoundingClientRect().right > innerWidth)
          .map((one) => one.textContent),
      )
    expect(await outside()).toEqual([])
    const more = nav.getByRole('button', { name: 'More' })
    await more.click()
    await nav.getByRole('link', { name: 'Calls' }).waitFor()
    expect(await axe(page)).toEqual([])
    await nav.getByRole('link', { name: 'Calls' }).click()
    await page.locator('h1', { hasText: 'Calls' }).waitFor()
    await nav.getByRole('link', { name: 'Calls' }).waitFor({ state: 'hidden' })
    expect(await more.getAttribute('data-current')).toBe('true')
    await more.press('Enter')
    await nav.getByRole('link', { name: 'Prices' }).press('Enter')
    await page.locator('h1', { hasText: 'Prices' }).waitFor()
  })

  it('lets a finger choose requests and judge them', async () => {
    const page = await test.open('/', { width: 390 })
    await go(page, '/jobs/JOB/requests?state=REVIEW_TRANSLATION')
    const boxes = page.getByRole('grid').getByRole('checkbox')
    const { width = 0, height = 0 } = (await boxes.first().boundingBox()) ?? {}
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    const approve = page.getByRole('button', { name: 'Approve 2' })
    expect(await isReached(approve)).toBe(true)
    await approve.click()
    await page.locator('b', { hasText: 'Approving 2 requests' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => boxes.count()).toBe(5)
  })

  it('shows the names and counts of the navigation whole, in Arabic too', async () => {
    const page = await test.open('/', { language: 'ar', width: 390 })
    const nav = page.getByRole('navigation').first()
    await nav.locator('em').first().waitFor()
    const cut = await nav.evaluate((bar) => {
      const { top, bottom } = bar.getBoundingClientRect()
      const isCut = (box: DOMRect) => box.top < top || box.bottom > bottom
      return [...bar.querySelectorAll(':scope > :is(a, button) > :not(.unseen)')]
        .filter((part) => isCut(part.getBoundingClientRect()))
        .map((part) => part.textContent)
    })
    expect(cut).toEqual([])
  })

  it('has no finding of axe in Arabic', async () => {
    const page = await test.open('/', { width: 390, language: 'ar' })
    await go(page, '/jobs/JOB/requests')
    expect(await axe(page)).toEqual([])
  })
})
