/**
 * The first visit to a hub in production, with its usual limit of calls and nothing cached, behind an nginx that serves it under a path:
 * few files, none of them counted or refused. A file that does not arrive leaves a sentence, not an empty page.
 */
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sharedChromium } from '../chromium.ts'
import { freePort } from '../free-port.ts'
import { startHub, type TestHub } from '../hub.ts'
import { hasNginx, type Nginx, startNginx } from '../nginx.ts'
import { enter, goodPassword } from '../visitor.ts'
import { hasBrowser } from './console.ts'

if (!hasNginx) process.stderr.write('SKIPPED: the first load, because nginx is not installed (Debian: nginx-light)\n')

/** The browser takes nothing but the page, its files and the calls of the page. */
const mostFiles = 12

describe.skipIf(!hasNginx || !hasBrowser)('the first load', () => {
  let hub: TestHub
  let nginx: Nginx
  let url: string
  let email: string
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}/hub`
    const env = { DRAGOMAN_PUBLIC_URL: url, DRAGOMAN_TRUST_PROXY: '127.0.0.1' }
    hub = await startHub({ profile: 'production', env })
    const to = hub.url.replace(/\/hub$/, '')
    nginx = await startNginx(
      port,
      () => `server { listen 127.0.0.1:${port};
        location /hub/ { proxy_pass ${to}/; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr; } }`,
    )
    email = (await enter(hub, ['admin', 'operator'])).email
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(async () => {
    await nginx?.stop()
    await hub?.close()
  })

  /** A window that has seen nothing yet. */
  const newWindow = async (kept?: Awaited<ReturnType<BrowserContext['storageState']>>) => {
    const context = await (await sharedChromium()).newContext({ locale: 'en', ...(kept && { storageState: kept }) })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(300_000)
    const answers: { readonly path: string; readonly status: number; readonly limit: string | undefined }[] = []
    page.on('response', (answer) => {
      const path = new URL(answer.url()).pathname.slice('/hub'.length)
      answers.push({ path, status: answer.status(), limit: answer.headers()['ratelimit-policy'] })
    })
    return { context, page, answers, files: () => answers.filter(({ path }) => path.startsWith('/console/assets/')) }
  }
  const signIn = async (page: Page) => {
    await page.goto(`${url}/`)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(goodPassword)
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: 'Jobs' }).waitFor()
  }

  it('shows the sign-in, the jobs and the docs with a dozen files, and no call is refused', async () => {
    const first = await newWindow()
    await first.page.goto(`${url}/`)
    await first.page.getByLabel('E-mail address').waitFor()
    expect(first.files().length).toBeLessThanOrEqual(mostFiles)
    await signIn(first.page)
    const second = await newWindow(await first.context.storageState())
    await second.page.goto(`${url}/`)
    await second.page.locator('h1', { hasText: 'Jobs' }).waitFor()
    await second.page.evaluate(() => document.fonts.ready)
    expect(second.files().length).toBeLessThanOrEqual(mostFiles)
    const docs = await newWindow()
    for (const path of ['/docs', '/docs/calls/createJob', '/docs/errors', '/docs/guides/config'])
      await docs.page.goto(url + path)
    const all = [first, second, docs].flatMap(({ answers }) => answers)
    expect(all.length).toBeGreaterThan(20)
    expect(all.filter(({ status }) => status === 429)).toEqual([])
    const isStatic = ({ path }: { path: string }) => /^\/(console\/assets|docs)\b/.test(path)
    expect(all.filter(isStatic).filter(({ limit }) => limit !== undefined)).toEqual([])
  })

  it('a file of a page that does not arrive is told on the page, and a reload shows the page', async () => {
    const { page } = await newWindow()
    await signIn(page)
    const files = /\/console\/assets\/health-[^/]+\.js$/
    await page.route(files, (route) => route.abort())
    await page.goto(`${url}/health`)
    const told = page.getByRole('alert')
    await told.getByText('A file of the console did not arrive').waitFor()
    await page.unroute(files)
    await told.getByRole('button', { name: 'Load the page again' }).click()
    await page.locator('h1', { hasText: 'Health' }).waitFor()
  })

  it.each([
    ['the sign-in page', /\/console\/assets\/signin-[^/]+\.js$/],
    ['the texts of every page', /\/console\/assets\/(en|every-page|shell)-[^/]+\.js$/],
    ['the program', /\/console\/assets\/index-[^/]+\.js$/],
  ])('a first visit without %s says so', async (_, files) => {
    const { page } = await newWindow()
    await page.route(files, (route) => route.abort())
    await page.goto(`${url}/`)
    // The sentence of a page without its program shows after some seconds.
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    await page.getByText('A file of the console did not arrive').waitFor()
    expect(
      await page
        .getByText('A file of the console did not arrive')
        .evaluate((told) => getComputedStyle(told).visibility),
    ).toBe('visible')
  })
})
