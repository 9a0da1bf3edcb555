/**
 * Work: the lists of a translator, a reviewer and a provider manager, by keys, live, and in each
 * view.
 */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  axe,
  hasBrowser,
  inViews,
  overflow,
  pressPair,
  settled,
  useConsole,
  type View,
} from './console.ts'
import { type Desk, type DeskJob, type DeskPerson, openDesk } from './desk-people.ts'

const later = 'Later, the texts of the shop'
const fields = { fields: { title: 'Your basket', pay: 'Pay {amount} now' } }

describe.skipIf(!hasBrowser)('the page Work', () => {
  // Nobody answers at this port, and nothing is sent: no job changes while someone wants mail.
  const mail = { DRAGOMAN_SMTP_URL: 'smtp://127.0.0.1:9', DRAGOMAN_MAIL_FROM: 'hub@example.org' }
  const test = useConsole({
    database: 'sqlite',
    env: { ...mail, DRAGOMAN_PUBLIC_URL: 'http://127.0.0.1:1' },
  })
  let desk: Desk
  let ana: DeskPerson
  let boss: DeskPerson
  let rita: DeskPerson
  let spring: DeskJob
  beforeAll(async () => {
    desk = await openDesk(test.hub)
    ana = await desk.person('translator', 'Ana Kim', { languages: ['de-de'] })
    boss = await desk.person('provider-manager', 'Bo Manager')
    rita = await desk.person('reviewer', 'Rita Review')
    await desk.job(later, { Footer: fields })
    spring = await desk.job(
      'Spring',
      { Checkout: fields, Basket: fields },
      { dueDate: soon(), languages: ['de-de', 'fr-fr'] },
    )
  })
  const soon = () => new Date(test.hub.inner.clock.now() + 3 * 86_400_000).toISOString()
  const openAs = async (who: DeskPerson, path = '/work', view?: View): Promise<Page> => {
    const page = await test.open(path, { ...view, cookies: who.cookies })
    await page.locator('h1').waitFor()
    await settled(page)
    return page
  }
  const row = (page: Page, text: string) =>
    page.locator('[role=row][data-index]', { hasText: text }).first()
  const deliver = async (jobId: string, id: string) => {
    const at = `/v2/providers/${desk.manual}/jobs/${jobId}/assetTasks/${id}`
    const as = 'demo-provider'
    const { body } = await test.hub.call<{ segments: Record<string, unknown>[] }>(
      'GET',
      `${at}/segments`,
      { as },
    )
    const segments = body.segments.map(({ segmentId, version, source }) => ({
      segmentId,
      version,
      target: source,
      state: 'TRANSLATED',
    }))
    expect((await test.hub.call('PUT', `${at}/segments`, { as, body: { segments } })).status).toBe(
      200,
    )
    expect((await test.hub.call('POST', `${at}/segments/deliver`, { as })).status).toBe(200)
  }

  it('claims by keys what is due first, counts it in the navigation, and gives it back', async () => {
    const page = await openAs(ana)
    await page.getByText('Spring', { exact: true }).first().waitFor()
    const names = await page.locator('[role=row][data-index] a').allTextContents()
    expect(names).toEqual(['Checkout', 'Basket', 'Footer'])
    const isCut = (part: Element) => part.scrollWidth > part.clientWidth
    expect(await page.getByText(later, { exact: true }).first().evaluate(isCut)).toBe(false)
    expect(await row(page, 'Checkout').textContent()).toMatch(
      /German.*At provider.*in 3 days.*\d words/s,
    )
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    await page.getByRole('link', { name: /^Work.*1 texts wait/ }).waitFor()
    await pressPair(page, 'gw')
    await page.keyboard.press('1')
    await row(page, 'Checkout').waitFor()
    expect(await row(page, 'Checkout').textContent()).toContain('In translation')
    expect(await page.locator('[role=row][data-index]').count()).toBe(1)
    expect(await axe(page)).toEqual([])
    await row(page, 'Checkout').focus()
    await page.keyboard.press('r')
    await page.getByText('You have claimed nothing').waitFor()
  })

  it('tells a translator without providers who can help', async () => {
    const page = await openAs(await desk.person('translator', 'Nobody Yet', { providers: [] }))
    await page.getByText('You have no providers yet').waitFor()
    await page.getByText('An admin of site demo can assign some').waitFor()
  })

  it('shares out by language, with what everyone has open', async () => {
    const page = await openAs(boss, '/work?view=open')
    await page.keyboard.press('a')
    await page.getByText('5 texts marked').first().waitFor()
    await page.keyboard.press('s')
    const german = page.getByRole('group', { name: /German/ })
    await german.getByLabel(/Ana Kim: nothing open/).check()
    await page
      .getByRole('group', { name: /French/ })
      .getByText(/Nobody at this provider|Leave open/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction(
      () => document.querySelectorAll('[role=row][data-index]').length === 2,
    )
    const { body } = await boss.call<{ people: { name: string; tasks: number }[] }>(
      'GET',
      `/work/people?providerId=${desk.manual}`,
    )
    expect(body.people.find(({ name }) => name === 'Ana Kim')?.tasks).toBe(3)
  })

  it('shows a reviewer what arrives, and approves many', async () => {
    const page = await openAs(rita)
    await page.getByText('Nothing to review').waitFor()
    for (const id of spring.ids.slice(0, 2)) await deliver(spring.jobId, id)
    await row(page, 'Checkout').waitFor()
    await page.waitForFunction(
      () =>
        document.querySelectorAll('[role=row][data-index]').length > 1 ||
        document.querySelector('button kbd'),
    )
    await page.reload()
    await row(page, 'Checkout').waitFor()
    await page.keyboard.press('a')
    await page.keyboard.press('y')
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 2 texts' }).click()
    await page.getByText('Nothing to review').waitFor()
    const { body } = await test.hub.call<{ requests: { statusCode: string }[] }>(
      'GET',
      `/v2/jobs/${spring.jobId}/requests`,
      { as: 'demo-connector' },
    )
    expect(
      body.requests.filter(({ statusCode }) => statusCode === 'TRANSLATION_APPROVED'),
    ).toHaveLength(2)
  })

  it('lets people choose in their settings what mail they get', async () => {
    const page = await openAs(ana, '/me')
    const mail = () =>
      ana
        .call<{ preferences: { mail?: unknown } }>('GET', '/me')
        .then(({ body }) => body.preferences.mail)
    expect(await mail()).toBeUndefined()
    await page.getByLabel('New work').check()
    await page.getByLabel('Daily digest').check()
    expect(await axe(page)).toEqual([])
    await page.reload()
    await page.getByText(`To ${ana.email}.`).waitFor()
    expect(await page.getByLabel('New work').isChecked()).toBe(true)
    expect(await page.getByLabel('Due tomorrow').isChecked()).toBe(false)
    expect(await mail()).toEqual({ newWork: true, digest: true })
    for (const name of ['New work', 'Daily digest']) await page.getByLabel(name).uncheck()
    await expect.poll(mail).toEqual({ newWork: false, digest: false })
  })

  inViews('fits and reads in $theme $language $width', async (view) => {
    const page = await openAs(boss, '/work?view=open', view)
    await row(page, 'Basket').waitFor()
    expect(await overflow(page)).toBe(0)
    expect(await row(page, 'Basket').getByText('Spring').isVisible()).toBe(true)
    await row(page, 'Basket').getByRole('checkbox').check({ timeout: 5_000 })
    // Zoom 200 %: rows can be reached, and nothing lies over them.
    await page.setViewportSize({ width: view.width / 2, height: 400 })
    await row(page, 'Basket').click({ position: { x: 4, y: 4 }, trial: true, timeout: 5_000 })
    await page.setViewportSize({ width: view.width, height: 800 })
    expect(await axe(page)).toEqual([])
  })
})
