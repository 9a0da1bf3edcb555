/**
 * Lists on a laptop: names have room and keep their start in either direction, headings do not
 * overlap, numbers are those of the reader.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atConsole } from './at-console.ts'
import { axe, hasBrowser, settled, useConsole } from './console.ts'
import { makeJob, providersOf } from './some-jobs.ts'
import { type SpringCampaign, seedSpringCampaign } from './spring-campaign.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

const latin = 'Quarterly report of the northern region, with annexes, figures and tables'
const arabic = 'حملة الربيع: صفحات المنتجات وصفحات الدفع وكل ما يقرأه العملاء في الطريق إلى الدفع'

describe.skipIf(!hasBrowser)('lists on a laptop', () => {
  const test = useConsole({ database: 'sqlite' })
  let spring: SpringCampaign
  let jobId = ''
  beforeAll(async () => {
    spring = await seedSpringCampaign(test.hub)
    const { Manual = '' } = await providersOf(test.hub)
    for (const jobName of [latin, arabic])
      ({ jobId } = await makeJob(test.hub, { jobName, due: -3, submit: Manual, poReference: '' }))
    await makeJob(test.hub, { jobName: 'Help centre, March and April', due: -2, submit: Manual })
  })
  afterAll(() => spring?.close())
  const go = async (page: Page, path: string) => {
    await page.goto(test.hub.url + path)
    await page.locator('[role=row][data-index]').first().waitFor()
    await settled(page)
  }

  it('gives the name of a job the room at 1,280 px', async () => {
    const page = await test.open('/')
    await go(page, '/?view=all')
    const name = page.getByRole('link', { name: 'Help centre, March and April' })
    expect(await name.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true)
    // No other column lies over the next one.
    expect(await page.evaluate(overlaps, '[role=row][data-index="0"] [role=gridcell]')).toEqual([])
  })

  for (const [language, name] of [
    ['en', arabic],
    ['ar', latin],
  ] as const)
    it(`keeps the start of a name in the other direction: ${language}`, async () => {
      const page = await test.open('/', { language })
      const found: string[] = []
      for (const path of ['/?view=all', '/work?view=open', '/?view=all&as=board']) {
        await page.goto(test.hub.url + path)
        await page.getByText(name.slice(0, 12)).first().waitFor()
        await settled(page)
        found.push(
          ...(await page.evaluate(headless, name.slice(0, 12))).map((one) => `${path}: ${one}`),
        )
      }
      await page.keyboard.press('Control+k')
      await page.locator('dialog [role=combobox]:focus').waitFor()
      await page.keyboard.insertText(name.slice(0, 12))
      await page.getByRole('option').getByText(name.slice(0, 12)).first().waitFor()
      found.push(
        ...(await page.evaluate(headless, name.slice(0, 12))).map((one) => `Ctrl K: ${one}`),
      )
      expect(found).toEqual([])
    })

  for (const language of ['en', 'de', 'ar'] as const)
    it(`has headings that do not overlap at 1,300 px beside a panel: ${language}`, async () => {
      const page = await test.open('/', { language })
      await page.setViewportSize({ width: 1300, height: 800 })
      const found: string[] = []
      for (const path of [
        '/deliveries',
        '/listeners',
        '/providers',
        '/access',
        '/health/tasks',
        '/health/audit',
        `/jobs/${spring.jobId}/deliveries`,
      ]) {
        await go(page, path)
        await page.locator('[role=row][data-index]').first().click()
        await page.getByRole('complementary').waitFor()
        await settled(page)
        const cut = await page.evaluate(overlaps, '[role=columnheader]')
        const least = await page.evaluate(() => {
          const names = [...document.querySelectorAll('[role=row][data-index="0"] [role=gridcell]')]
          return Math.min(
            ...names.filter(({ textContent }) => textContent).map(({ clientWidth }) => clientWidth),
          )
        })
        found.push(
          ...cut.map((one) => `${path}: ${one}`),
          ...(least < 40 ? [`${path}: a column of ${least} px`] : []),
        )
      }
      expect(found).toEqual([])
    })

  it('names languages, jobs and roles, and has no label without a value', async () => {
    const page = await test.open('/')
    await go(page, '/work?view=open')
    const row = page.locator('[role=row][data-index]', { hasText: 'Help centre' })
    expect(await row.textContent()).toContain('American English')
    expect(await row.textContent()).not.toContain('en-us')
    expect(await axe(page)).toEqual([])
    await go(page, `/jobs/${jobId}`)
    expect(await page.locator('dt', { hasText: 'Purchase order' }).count()).toBe(0)
    await go(page, `/jobs/${spring.jobId}`)
    expect(await page.locator('dt', { hasText: 'Purchase order' }).count()).toBe(1)
    await page.locator('[role=row][data-index]', { hasText: 'delivered 2' }).click()
    await page
      .getByRole('complementary')
      .getByText(/^\d+ bytes \/ /)
      .waitFor()
    const claimed = spring.idOf('es-es', 'Checkout')
    const path = `/providers/${spring.manualId}/jobs/${spring.jobId}/assetTasks/${claimed}/claim`
    expect((await atConsole(test.hub, 'POST', path)).status).toBe(200)
    await go(page, '/health/audit?thing=request')
    await page.locator('[role=row][data-index]', { hasText: 'Checkout' }).waitFor()
  })
})

/** The elements whose text lies over the next one. */
function overlaps(selector: string): string[] {
  const shown = [...document.querySelectorAll(selector)].filter(({ textContent }) =>
    textContent?.trim(),
  )
  const boxes = shown.map((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const box = element.getBoundingClientRect()
    const isCut = getComputedStyle(element).overflowX !== 'visible'
    const text = isCut ? box : range.getBoundingClientRect()
    return {
      text: element.textContent,
      from: text.left,
      to: text.right,
      high: text.height,
      line: box.height,
    }
  })
  const inOrder = boxes.toSorted((one, other) => one.from - other.from)
  return inOrder.flatMap(({ text, to }, at) => {
    const next = inOrder[at + 1]
    return next && to > next.from + 1 ? [`${text} over ${next.text}`] : []
  })
}

/** Texts that begin so and whose first letter is cut off. */
function headless(start: string): string[] {
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  while (nodes.nextNode()) {
    const node = nodes.currentNode
    if (!node.textContent?.startsWith(start) || !node.parentElement?.checkVisibility()) continue
    const range = document.createRange()
    range.setStart(node, 0)
    range.setEnd(node, 1)
    const letter = range.getBoundingClientRect()
    let frame: HTMLElement | null = node.parentElement
    while (frame && getComputedStyle(frame).overflowX === 'visible') frame = frame.parentElement
    const box = frame?.getBoundingClientRect()
    if (box && letter.width > 0 && (letter.left < box.left - 1 || letter.right > box.right + 1))
      found.push(`${frame?.className}: ${node.textContent.slice(0, 30)}`)
  }
  return found
}
