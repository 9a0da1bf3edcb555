/** Ctrl K: any id, name, page or command, with keys alone. */
import type { Job } from '@dragoman/contract'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axe, hasBrowser, inViews, overflow, useConsole } from './console.ts'

const hostile = '<img src=x onerror=alert(1)>" onfocus="alert(2) gnp.exe'

describe.skipIf(!hasBrowser)('the palette', () => {
  const test = useConsole()
  const makeJob = async (jobName: string) =>
    (await test.hub.call<Job>('POST', '/v2/jobs', { as: 'demo-connector', body: { jobName } })).body
      .jobId
  const type = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k')
    await page.locator('dialog [role=combobox]:focus').waitFor()
    await page.keyboard.insertText(text)
  }
  const options = (page: Page) => page.getByRole('dialog').getByRole('option')
  const commands = (page: Page) => page.getByRole('group', { name: 'Commands' }).getByRole('option')
  const path = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search

  it('opens a job or a request by its id with three keys: Ctrl K, paste, Enter', async () => {
    const jobId = await makeJob('By its id')
    const { body } = await test.hub.call<{ requests: { requestId: string }[] }>(
      'POST',
      `/v2/jobs/${jobId}/requests/add`,
      {
        as: 'demo-connector',
        body: {
          requestName: 'A page',
          sourceNativeId: 'page',
          sourceNativeLanguageCode: 'en-us',
          targetNativeLanguageCodes: ['de-de'],
          fields: [{ key: 'a', value: 'Hello' }],
        },
      },
    )
    const requestId = body.requests[0]?.requestId ?? ''
    const page = await test.open('/')
    await type(page, jobId)
    await options(page).filter({ hasText: 'By its id' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => path(page)).toBe(`/jobs/${jobId}`)
    await type(page, requestId)
    await options(page).filter({ hasText: 'A page de-de' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => path(page)).toBe(`/jobs/${jobId}/requests?request=${requestId}`)
  })

  it('finds jobs by name, pages and commands; moves with arrow keys; remembers what was opened', async () => {
    const jobId = await makeJob('Summer catalogue')
    const page = await test.open('/')
    await type(page, 'summer cat')
    await options(page).filter({ hasText: 'Summer catalogue' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => path(page)).toBe(`/jobs/${jobId}`)
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: 'Recent' }).getByText('Summer catalogue').waitFor()
    await page.keyboard.press('Escape')
    await type(page, 'keyboard')
    await expect.poll(() => commands(page).allTextContents()).toEqual(['Keyboard shortcuts?'])
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('Single-letter keys').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await options(page).first().waitFor()
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => options(page).last().getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => options(page).first().getAttribute('aria-selected')).toBe('true')
  })

  it('finds the newest job by a word inside its name or a label, says which, opens a guide, and searches their text', async () => {
    await makeJob('The older winterwear')
    const body = { jobName: 'Newer', labels: { season: 'Midwinter' } }
    const { jobId } = (await test.hub.call<Job>('POST', '/v2/jobs', { as: 'demo-connector', body }))
      .body
    const page = await test.open('/')
    await type(page, 'WINTER')
    await options(page).filter({ hasText: 'winterwear' }).waitFor()
    expect(await options(page).first().textContent()).toMatch(/Newer.*label season: Midwinter/)
    await page.keyboard.press('Enter')
    await expect.poll(() => path(page)).toBe(`/jobs/${jobId}`)
    await type(page, 'listeners')
    const guides = page.getByRole('group', { name: 'Documentation' }).getByRole('option')
    await guides.first().click()
    await page.waitForURL(/\/docs\/guides\//)
    await page.goto(test.hub.url)
    await page.locator('h1').waitFor()
    await type(page, 'hmac')
    await expect.poll(() => guides.first().textContent()).toMatch(/^Verify a delivery.*HMAC/)
    await guides.filter({ hasText: 'Search the documentation for “hmac”' }).click()
    await page.waitForURL(/\/docs\?q=hmac$/)
    await expect
      .poll(() => page.getByRole('option').first().textContent())
      .toMatch(/^Verify a deliveryListeners.*HMAC/)
  })

  it('lists a key of the page once, even if the shell has the same key', async () => {
    await makeJob('To be filtered')
    const page = await test.open('/')
    await page.locator('main form input').waitFor()
    await type(page, 'filter')
    await expect.poll(() => options(page).allTextContents()).toContain('Write a filter/')
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('keyboard')
    await expect.poll(() => commands(page).allTextContents()).toEqual(['Keyboard shortcuts?'])
  })

  it('finds people by part of their name, and every command of the page', async () => {
    const page = await test.open('/health/tasks')
    await page.locator('h1').waitFor()
    await type(page, 'mo admin')
    await options(page).filter({ hasText: 'Demo admin' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => path(page)).toMatch(/^\/access\/people\?person=/)
    await page.getByRole('complementary').getByText('Demo admin').first().waitFor()
    const pressable = await page
      .locator('main aside section button:not([aria-label], [aria-disabled=true])')
      .allTextContents()
    expect(pressable.length).toBeGreaterThan(1)
    await page.keyboard.press('Control+k')
    for (const name of pressable)
      await commands(page).getByText(name, { exact: true }).first().waitFor()
    await page.keyboard.insertText('invite a person')
    await options(page)
      .filter({ hasText: /^Invite a person/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Invite a person' }).waitFor()
  })

  it("runs the commands of a job's menu", async () => {
    const jobId = await makeJob('To archive')
    const page = await test.open(`/jobs/${jobId}`)
    await page.locator('h1', { hasText: 'To archive' }).waitFor()
    await type(page, 'delete')
    await page
      .getByRole('group', { name: 'Commands' })
      .getByRole('option')
      .filter({ hasText: /^Delete/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('To archive').first().waitFor()
  })

  it('says why it finds nothing', async () => {
    const page = await test.open('/')
    await type(page, 'nothing at all begins so')
    await page.getByText(/Nothing matches “nothing at all begins so”/).waitFor()
    expect(await axe(page)).toEqual([])
  })

  it('shows a hostile name as text', async () => {
    const jobId = await makeJob(hostile)
    const page = await test.open('/')
    await type(page, '<img')
    await options(page).filter({ hasText: '<img src=x' }).waitFor()
    expect(await page.locator('[role=option] img').count()).toBe(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => path(page)).toBe(`/jobs/${jobId}`)
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: 'Recent' }).getByText('<img src=x').waitFor()
  })

  inViews('has no finding of axe: $theme, $language, $width', async (view) => {
    await makeJob('Axe job')
    const page = await test.open('/', view)
    await type(page, 'a')
    await page.keyboard.insertText('xe')
    await options(page).filter({ hasText: 'Axe job' }).first().waitFor()
    expect(await axe(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
  })
})
