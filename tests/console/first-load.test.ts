/**
 * The first visit to a hub in production, with its usual limit of calls and nothing cached, behind
 * an nginx that serves it under a path: few files, none of them counted or refused, and few calls.
 * A file that does not arrive, or a call that is refused, leaves a sentence and a way on, not an
 * empty page.
 */
import type { BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sharedChromium } from '../chromium.ts'
import { sampled } from '../draws.ts'
import { freePort } from '../free-port.ts'
import { startHub, type TestHub } from '../hub.ts'
import { hasNginx, type Nginx, startNginx } from '../nginx.ts'
import { enter, goodPassword } from '../visitor.ts'
import { hasBrowser, settled } from './console.ts'

if (!hasNginx)
  process.stderr.write(
    'SKIPPED: the first load, because nginx is not installed (Debian: nginx-light)\n',
  )

/** The browser takes nothing but the page, its files and the calls of the page. */
const mostFiles = 12
/** Calls to the hub, with that of the stream. */
const mostCalls = 12

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
    const context = await (await sharedChromium()).newContext({
      locale: 'en',
      ...(kept && { storageState: kept }),
    })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(300_000)
    const answers: {
      readonly path: string
      readonly status: number
      readonly limit: string | undefined
    }[] = []
    page.on('response', (answer) => {
      const path = new URL(answer.url()).pathname.slice('/hub'.length)
      answers.push({ path, status: answer.status(), limit: answer.headers()['ratelimit-policy'] })
    })
    return {
      context,
      page,
      answers,
      files: () => answers.filter(({ path }) => path.startsWith('/console/assets/')),
    }
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
    const isStatic = ({ path }: { path: string }) =>
      path === '/' || /^\/(console\/assets|docs)\b/.test(path)
    expect(all.filter(isStatic).filter(({ limit }) => limit !== undefined)).toEqual([])
  })

  it('opens each page with at most twelve calls, and reads nothing twice', async () => {
    const { context, page: first } = await newWindow()
    await signIn(first)
    const made = await first.evaluate(async (base) => {
      const { csrf } = (await (await fetch(`${base}/session`)).json()) as { csrf: string }
      const headers = {
        'content-type': 'application/json',
        'x-dragoman-csrf': csrf,
        'idempotency-key': 'a-first-job',
      }
      const body =
        '{"jobName":"A job","sourceNativeLanguageCode":"en-us","targetNativeLanguageCodes":["de-de"]}'
      return (await (await fetch(`${base}/jobs`, { method: 'POST', headers, body })).json()) as {
        jobId: string
      }
    }, `${url}/console/api`)
    await first.close()
    // Past the time that a stream looks back, so that it tells of nothing.
    await expect.poll(() => lookedBack(hub)).toBe(true)
    const { jobId } = made
    const paths = [
      '/',
      '/?as=board',
      `/jobs/${jobId}`,
      `/jobs/${jobId}/requests`,
      '/jobs/new',
      '/work',
      '/reports',
    ]
    const others = [
      '/deliveries',
      '/listeners',
      '/calls',
      '/health',
      '/providers',
      '/routing',
      '/prices',
      '/codes',
      '/access',
      '/me',
    ]
    for (const path of sampled([...paths, ...others], 4)) {
      const page = await context.newPage()
      const calls: string[] = []
      page.on('request', (call) => {
        const at = call.url().slice(url.length)
        if (/^\/console\/(api|stream)/.test(at)) calls.push(at.replace(/(begin|after)=.*/, ''))
      })
      const live = page.waitForResponse(/\/console\/stream/)
      await page.goto(url + path)
      await page.locator('h1').first().waitFor()
      await live
      await settled(page)
      expect(calls.length, `${path}: ${calls.join(' ')}`).toBeLessThanOrEqual(mostCalls)
      expect(new Set(calls).size, `${path}: ${calls.join(' ')}`).toBe(calls.length)
      await page.close()
    }
  })

  it('a call over the limit is made again; a longer refusal is told, with its time, and ends by itself', async () => {
    const { page, answers } = await newWindow()
    await signIn(page)
    // From the same address, until the limit is reached: the page of the console still comes, and
    // its calls with it.
    const burst = () =>
      Promise.all(
        Array.from({ length: 50 }, async () => (await fetch(`${url}/openapi.json`)).status),
      )
    await expect.poll(burst).toContain(429)
    await page.goto(`${url}/`)
    await page.locator('h1', { hasText: 'Jobs' }).waitFor()
    expect(answers.filter(({ path, status }) => path === '/' && status !== 200)).toEqual([])
    const refuse = (path: RegExp) =>
      page.route(path, (route) =>
        route.fulfill({ status: 429, headers: { 'retry-after': '4' }, body: 'slow down' }),
      )
    const told = page.getByRole('alert')
    let refusals = 0
    await page.route(/\/console\/api\/me\b/, (route) => {
      refusals += 1
      return refusals > 2
        ? route.continue()
        : route.fulfill({ status: 429, headers: { 'retry-after': '1' } })
    })
    await page.goto(`${url}/me`)
    await page.getByLabel('Language').first().waitFor()
    expect(refusals).toBe(3)
    // A part of a page, then the session, without which there is no page.
    for (const path of [/\/console\/api\/clients\b/, /\/console\/api\/session\b/]) {
      await refuse(path)
      await page.goto(`${url}/access`)
      await told.getByText('Too many calls in a short time').waitFor()
      await told.getByText(/^Trying again in [1-4] seconds?\.$/).waitFor()
      await page.unroute(path)
      await page.locator('h1', { hasText: 'Access' }).waitFor()
      await told.waitFor({ state: 'detached' })
    }
  })

  it('a file of a page that does not arrive is told on the page, and Try again shows the page', async () => {
    const { page } = await newWindow()
    await signIn(page)
    const files = /\/console\/assets\/health-[^/]+\.js$/
    const told = page.getByRole('alert')
    // After an upgrade the file is gone; then the network fails.
    const gone = { status: 404, body: '{}' }
    for (const act of [(route: Route) => route.fulfill(gone), (route: Route) => route.abort()]) {
      await page.route(files, act)
      await page.goto(`${url}/`)
      await page.getByRole('link', { name: 'Health' }).click()
      await told.getByText('A file of the console could not be loaded').waitFor()
      await page.unroute(files)
      await told.getByRole('button', { name: 'Try again' }).click()
      await page.locator('h1', { hasText: 'Health' }).waitFor()
    }
  })

  it('without the hub, a page that was not loaded yet says so, and comes by itself', async () => {
    const { page } = await newWindow()
    await signIn(page)
    await page.route(/\/hub\//, (route) => route.abort())
    await page.getByRole('link', { name: 'Prices' }).click()
    const told = page.getByRole('alert')
    await told
      .getByText('The hub does not respond. The page reloads automatically when it does.')
      .waitFor()
    await told.getByRole('button', { name: 'Try again' }).click()
    await told.getByText('A file of the console could not be loaded').waitFor()
    await page.unroute(/\/hub\//)
    await page.locator('h1', { hasText: 'Prices' }).waitFor()
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
    const told = page.getByText('A file of the console could not be loaded')
    await told.waitFor()
    expect(await told.evaluate((sentence) => getComputedStyle(sentence).visibility)).toBe('visible')
    await page.unroute(files)
    await page
      .getByRole('button', { name: 'Try again' })
      .or(page.getByRole('link', { name: 'try again' }))
      .click()
    await page.getByLabel('E-mail address').waitFor()
  })
})

/** Whether the hub's clock is past the ten seconds that a stream looks back from the newest job. */
async function lookedBack({ inner }: TestHub): Promise<boolean> {
  const newest = await inner.db.read
    .selectFrom('jobs')
    .select('modified_at')
    .orderBy('modified_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return inner.clock.now() - (newest?.modified_at ?? 0) > 10_500
}
