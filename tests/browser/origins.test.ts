/**
 * Who may call the sandbox from a real browser: a page on another loopback port may, with `fetch`.
 * A page of a foreign name may not, whether it calls across origins or its own name points at
 * loopback.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasBrowser, sharedChromium } from '../chromium.ts'
import { startHub, type TestHub } from '../hub.ts'

describe.skipIf(!hasBrowser)('a page in Chromium', () => {
  let server: Server
  let hub: TestHub
  let browser: Browser
  let page: Page
  let port: number
  beforeAll(async () => {
    server = createServer((_, answer) =>
      answer.setHeader('content-type', 'text/html').end('<!doctype html><p>A page'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
    hub = await startHub()
    browser = await sharedChromium()
  })
  beforeEach(async () => {
    page = await browser.newPage()
  })
  afterEach(() => page.context().close())
  afterAll(async () => {
    await hub?.close()
    server?.closeAllConnections()
    server?.close()
  })
  const clock = async () =>
    (await hub.call<{ offsetMs: number }>('GET', '/sandbox/clock')).body.offsetMs

  /**
   * What a page can try: get a token, and move the clock with a simple call and with a JSON one.
   */
  const tryAll = (hubUrl: string) =>
    page.evaluate(async (url) => {
      const told = (work: Promise<unknown>): Promise<unknown> =>
        work.catch((error: Error) => error.name)
      const form = {
        grant_type: 'client_credentials',
        client_id: 'demo-admin',
        client_secret: 'demo-admin-secret',
      }
      const advance = `${url}/sandbox/clock/advance`
      const body = '{"by":"1h"}'
      const status = (asked: Promise<Response>): Promise<unknown> =>
        told(asked.then((answer) => answer.status))
      return {
        token: await status(
          fetch(`${url}/connect/token`, { method: 'POST', body: new URLSearchParams(form) }),
        ),
        simple: await status(fetch(advance, { method: 'POST', mode: 'no-cors', body })),
        json: await status(
          fetch(advance, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
        ),
        jobs: await status(fetch(`${url}/v2/jobs`, { headers: { authorization: 'Bearer x' } })),
      }
    }, hubUrl)

  it.each(['127.0.0.1', 'localhost'])(
    'on another loopback port (%s) calls the hub by fetch',
    async (name) => {
      const before = await clock()
      await page.goto(`http://${name}:${port}/`)
      // The hub refuses a call without a content type from there too; the page sees only a status
      // of 0.
      expect(await tryAll(hub.url)).toEqual({ token: 200, simple: 0, json: 200, jobs: 401 })
      expect(
        Math.round(((await clock()) - before) / 3_600_000),
        'one of the two calls moved it',
      ).toBe(1)
    },
  )

  it('of a foreign name gets nothing and moves nothing', async () => {
    const before = await clock()
    await page.goto(`http://evil.example:${port}/`)
    const refused = { token: 'TypeError', simple: 0, json: 'TypeError', jobs: 'TypeError' }
    expect(await tryAll(hub.url)).toEqual(refused)
    await page.setContent(
      `<form method=post enctype=text/plain action="${hub.url}/sandbox/reset"><input name=x></form>`,
    )
    await Promise.all([
      page.waitForResponse(
        (answer) => answer.url().endsWith('/sandbox/reset') && answer.status() === 403,
      ),
      page.evaluate(() => document.querySelector('form')?.submit()),
    ])
    expect(await clock()).toBe(before)
  })

  it('whose foreign name points at the hub gets 421', async () => {
    const before = await clock()
    const url = `http://evil.example:${new URL(hub.url).port}`
    const answer = await page.goto(`${url}/docs`)
    expect(answer?.status()).toBe(421)
    expect(await tryAll(url)).toEqual({ token: 421, simple: 421, json: 421, jobs: 421 })
    expect(await clock()).toBe(before)
  })
})

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')
