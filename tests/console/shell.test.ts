/** The frame around every page of the console. */
import { describe, expect, it } from 'vitest'
import { axe, hasBrowser, inViews, overflow, pressPair, useConsole } from './console.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

describe.skipIf(!hasBrowser)('the shell of the console', () => {
  const test = useConsole()

  inViews(
    'has no finding of axe and does not scroll sideways: $theme, $language, $width',
    async (view) => {
      const page = await test.open('/', view)
      await page.locator('h1').waitFor()
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    },
  )

  inViews('what does not arrive is told in words: $theme, $language, $width', async (view) => {
    const page = await test.open('/', view)
    await page.locator('h1').waitFor()
    const told = page.locator('main').getByRole('alert')
    const look = async (path: string) => {
      await page.goto(test.hub.url + path)
      await told.first().waitFor()
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    }
    await page.route(/\/console\/api\/clients\b/, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '90' },
        body: '{"code":"RATE_LIMITED"}',
      }),
    )
    await look('/access')
    await page.route(/\/console\/api\/providers\b/, (route) => route.abort())
    await look('/providers')
    await page.route(/\/console\/assets\/listeners-[^/]+\.js$/, (route) => route.abort())
    await look('/listeners')
  })

  it('opens pages with keys, and lists the keys', async () => {
    const page = await test.open('/')
    await page.locator('h1', { hasText: 'Jobs' }).waitFor()
    await pressPair(page, 'gd')
    await page.locator('h1', { hasText: 'Deliveries' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Open Jobs').waitFor()
  })

  it('finds a page with Ctrl K', async () => {
    const page = await test.open('/')
    await page.locator('h1').waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('dialog [role=combobox]:focus').waitFor()
    await page.keyboard.type('listen')
    await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Listeners')
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: 'Listeners' }).waitFor()
  })

  it('links every page to the page of the documentation that explains it', async () => {
    const page = await test.open('/')
    for (const [path, docs] of [
      ['/', 'guides/console#jobs'],
      ['/jobs/new', 'guides/console#new-job'],
      ['/deliveries', 'guides/listeners#retries-and-failures'],
      ['/listeners', 'guides/listeners'],
      ['/health', 'guides/findings'],
      ['/codes', 'guides/settings'],
      ['/me', 'guides/console#my-settings'],
    ] as const) {
      await page.goto(test.hub.url + path)
      const link = page.getByRole('banner').getByRole('link', { name: 'Docs' })
      await expect.poll(() => link.getAttribute('href')).toBe(`/docs/${docs}`)
    }
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Docs' }).click()
    await (await opened).getByRole('heading', { name: 'My settings' }).waitFor()
  })

  it('answers an unknown path with an error for a program and with a page for a person', async () => {
    const page = await test.open('/nowhere')
    await page.getByText('There is no such page').waitFor()
    expect((await test.hub.call('GET', '/nowhere')).status).toBe(404)
    const typed = await fetch(`${test.hub.url}/v2/nowhere`, { headers: { accept: 'text/html' } })
    expect([typed.status, typed.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ])
  })
})
