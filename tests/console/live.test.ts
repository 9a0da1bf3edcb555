/**
 * The console follows the hub: one stream per browser, on any node; and it says when it is not
 * live.
 */
import { randomUUID } from 'node:crypto'
import { readConfig, startServer } from '@dragoman/server'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { openLog } from '../../packages/server/src/process/log.ts'
import { openStream } from '../event-stream.ts'
import { startFaultyProxy } from '../faulty-proxy.ts'
import { databases } from '../hub.ts'
import { parkTask } from '../parked-task.ts'
import { startNodes } from '../two-nodes.ts'
import { axe, hasBrowser, useConsole } from './console.ts'

describe.skipIf(!hasBrowser)('the console, live', () => {
  const test = useConsole()
  const closers: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })
  const makeJob = async (url = test.hub.url) => {
    const client = { client_id: 'demo-connector', client_secret: 'demo-connector-secret' }
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...client })
    const token = (await (
      await fetch(`${url}/connect/token`, { method: 'POST', body: form })
    ).json()) as object
    const { access_token: bearer } = token as { access_token: string }
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const made = await fetch(`${url}/v2/jobs`, {
      method: 'POST',
      headers,
      body: '{"jobName":"A job"}',
    })
    expect(made.status).toBe(201)
    return ((await made.json()) as { jobId: string }).jobId
  }
  const streams = async (url = test.hub.url) =>
    Number(
      /^dragoman_console_streams (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1],
    )
  /** The number of open jobs beside Jobs in the navigation. */
  const open = async (page: Page) =>
    Number((await page.locator('nav a[href="/"] em').textContent()) ?? 0)
  const isLive = (page: Page) => expect.poll(() => page.getByText(/^Not live/).count()).toBe(0)

  it('opens one stream for six tabs; another tab takes over when the first is closed', async () => {
    await makeJob()
    const first = await test.open('/')
    const tabs = [first]
    for (let at = 0; at < 5; at++) {
      const tab = await first.context().newPage()
      await tab.goto(`${test.hub.url}/`)
      tabs.push(tab)
    }
    for (const tab of tabs) await tab.locator('nav a[href="/"] em').waitFor()
    const before = await open(first)
    await expect.poll(() => streams()).toBe(1)
    await makeJob()
    for (const tab of tabs) await expect.poll(() => open(tab)).toBe(before + 1)
    await expect.poll(() => streams()).toBe(1)
    await first.close()
    await makeJob()
    for (const tab of tabs.slice(1)) await expect.poll(() => open(tab)).toBe(before + 2)
    await expect.poll(() => streams()).toBe(1)
  })

  it('says that the hub stopped, keeps what it shows, and catches up when the hub is back', async () => {
    const env = { ...test.hub.env, DRAGOMAN_DATA: `${test.hub.folder}/stopped` }
    const log = openLog('silent')
    let server = await startServer(readConfig(env), { log })
    closers.push(() => server.close())
    const { port } = new URL(server.url)
    const { url } = server
    await makeJob(url)
    const page = await test.open('/')
    await page.goto(`${url}/`)
    await page.locator('nav a[href="/"] em').waitFor()
    const before = await open(page)
    await server.close()
    const said = page.getByText(/^Not live since \d\d:\d\d, reconnecting/)
    await said.waitFor()
    expect(await open(page)).toBe(before)
    server = await startServer(readConfig({ ...env, DRAGOMAN_PORT: port }), { log })
    await makeJob(url)
    await expect.poll(() => open(page)).toBe(before + 1)
    await isLive(page)
  })

  it('loads a view that failed once the hub is back, in the same page', async () => {
    const proxy = await startFaultyProxy(test.hub.url)
    closers.push(() => proxy.stop())
    const page = await test.open('/', { own: true })
    await page.goto(`${proxy.endpoint}/`)
    await page.locator('h1', { hasText: 'Jobs' }).waitFor()
    await page.evaluate(() => document.body.setAttribute('data-same', 'page'))
    for (const spoil of ['reset', 'refuse'] as const) {
      proxy.spoil = ({ path }) =>
        /^\/(console\/(api|stream)|healthz)/.test(path) ? spoil : undefined
      await page.getByRole('link', { name: spoil === 'reset' ? 'Providers' : 'Access' }).click()
      const told = page.locator('main').getByRole('alert')
      await told.getByText('The hub does not respond').first().waitFor()
      await told
        .getByText('This reloads automatically when the hub responds again.')
        .first()
        .waitFor()
      proxy.spoil = () => undefined
      await told.first().waitFor({ state: 'detached' })
      await page.locator('main [role=row][data-index]').first().waitFor()
    }
    expect(await page.locator('body[data-same=page]').count()).toBe(1)
  })

  it('reads every few seconds while the stream is blocked', async () => {
    await makeJob()
    const page = await test.open('/')
    await page.route('**/console/stream*', (route) => route.abort())
    await page.reload()
    await page.locator('nav a[href="/"] em').waitFor()
    await page.getByText(/^Not live since/).waitFor()
    const before = await open(page)
    await makeJob()
    await expect.poll(() => open(page)).toBe(before + 1)
    await page.unroute('**/console/stream*')
    await isLive(page)
  })

  it('counts new rows and shows them on a key; changes a row in place', async () => {
    const make = (jobName: string, dueDate: string) =>
      test.hub.call<{ jobId: string }>('POST', '/v2/jobs', {
        as: 'demo-connector',
        body: { jobName, dueDate },
      })
    const { jobId } = (await make('Stays here', '2031-01-02T00:00:00Z')).body
    const page = await test.open('/')
    const rows = page.locator('[role=row][data-index]')
    await rows.filter({ hasText: 'Stays here' }).waitFor()
    const before = await rows.allTextContents()
    await make('Comes before it', '2031-01-01T00:00:00Z')
    await page.getByRole('button', { name: /^1 newer, press/ }).waitFor()
    expect((await rows.allTextContents()).length).toBe(before.length)
    expect(await axe(page)).toEqual([])
    await test.hub.call('PATCH', `/v2/jobs/${jobId}`, {
      as: 'demo-connector',
      body: { jobName: 'Has a new name' },
    })
    await rows.filter({ hasText: 'Has a new name' }).waitFor()
    expect((await rows.allTextContents()).length).toBe(before.length)
    expect(await rows.filter({ hasText: 'Comes before it' }).count()).toBe(0)
    await page.keyboard.press('.')
    await rows.filter({ hasText: 'Comes before it' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /newer, press/ }).count()).toBe(0)
  })

  it('counts new rows by the newest answer, and asks again when one fails', async () => {
    await makeJob()
    const page = await test.open('/')
    const newer = (count: number) =>
      page.getByRole('button', { name: new RegExp(`^${count} newer, press`) })
    await page.locator('[role=row][data-index]').first().waitFor()
    await makeJob()
    await newer(1).waitFor()
    await page.keyboard.press('.')
    const openJobs = async () =>
      (
        (await (await page.request.get(`${test.hub.url}/console/api/counts`)).json()) as {
          openJobs: number
        }
      ).openJobs
    const answered: number[] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let asked = 0
    await page.route(/\/console\/api\/jobs\?/, async (route) => {
      asked += 1
      const mine = asked
      if (mine === 1) return route.abort()
      const answer = await route.fetch()
      if (mine === 2) await released
      await route.fulfill({ response: answer })
      answered.push(mine)
    })
    await makeJob()
    await expect.poll(() => asked).toBe(2)
    await makeJob()
    // The page has heard of both when it counts both.
    await expect.poll(async () => (await open(page)) === (await openJobs())).toBe(true)
    release()
    await expect.poll(() => answered).toEqual(expect.arrayContaining([2, 3]))
    await newer(2).waitFor()
    await page.keyboard.press('.')
    await expect.poll(() => newer(1).or(newer(2)).count()).toBe(0)
  })

  it('drops a look at new rows that was under way when the filter changed', async () => {
    await makeJob()
    const page = await test.open('/')
    await page.locator('[role=row][data-index]').first().waitFor()
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let [asked, isAnswered] = [0, false]
    await page.route(/\/console\/api\/jobs\?/, async (route) => {
      asked += 1
      if (asked > 1) return route.continue()
      const answer = await route.fetch()
      await released
      await route.fulfill({ response: answer })
      isAnswered = true
    })
    const before = await open(page)
    await makeJob()
    await expect.poll(() => asked).toBe(1)
    await page.keyboard.press('e')
    await page.getByText('No job matches the filter').waitFor()
    release()
    await expect.poll(() => isAnswered).toBe(true)
    await makeJob()
    await expect.poll(() => open(page)).toBe(before + 2)
    expect(await page.getByRole('button', { name: /newer, press/ }).count()).toBe(0)
    await page.keyboard.press('.')
    await page.getByText('No job matches the filter').waitFor()
  })

  /** Opens another page, and waits until it hears of changes. */
  const follow = async (page: Page, path: string) => {
    const stream = page.waitForResponse((answer) => answer.url().includes('/console/stream'))
    await page.goto(test.hub.url + path)
    await stream
  }

  it('counts new cards of the board, new tasks and new acts, and shows them on a key', async () => {
    // The board draws ten cards of a column: those of this run alone.
    const labels = [`board-${randomUUID()}`]
    const make = (jobName: string) =>
      test.hub.call<{ jobId: string }>('POST', '/v2/jobs', {
        as: 'demo-connector',
        body: { jobName, labels },
      })
    await make('On the board')
    const page = await test.open(`/?as=board&filter=labels eq '${labels}'`)
    const card = (text: string) => page.locator('[data-card]').filter({ hasText: text })
    await card('On the board').first().waitFor()
    await make('Waits for a key')
    const newer = page.getByRole('button', { name: /^1 newer, press/ })
    await newer.waitFor()
    expect(await card('Waits for a key').count()).toBe(0)
    await page.keyboard.press('.')
    await card('Waits for a key').waitFor()
    await expect.poll(() => newer.count()).toBe(0)

    const { db } = test.hub.inner
    await db.transact((tx) => tx.deleteFrom('tasks').where('parked', '=', 1).execute())
    await parkTask(test.hub, { site_id: 'demo', name: 'quote-job' })
    await follow(page, '/health/tasks?state=parked')
    await page.getByRole('row').filter({ hasText: 'quote-job' }).first().waitFor()
    await parkTask(test.hub, { site_id: 'demo', name: 'band-requests' })
    await newer.waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'band-requests' }).count()).toBe(0)
    await page.keyboard.press('.')
    await page.getByRole('row').filter({ hasText: 'band-requests' }).waitFor()
    // Revived by itself: its row goes, without a reload.
    await db.transact((tx) => tx.deleteFrom('tasks').where('name', '=', 'quote-job').execute())
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'quote-job' }).count()).toBe(0)
    await db.transact((tx) => tx.deleteFrom('tasks').where('parked', '=', 1).execute())

    const change = (pageFormat: string) =>
      test.hub.call('PATCH', '/v2/clients/demo-connector', {
        as: 'demo-admin',
        body: { pageFormat },
      })
    await follow(page, '/health/audit?thing=client&thingId=demo-connector')
    await page.getByRole('row').filter({ hasText: 'demo-connector' }).first().waitFor()
    expect((await change('plain')).status).toBe(200)
    await newer.waitFor()
    await page.keyboard.press('.')
    await page.getByRole('row').filter({ hasText: 'changed' }).first().waitFor()
    expect((await change('full')).status).toBe(200)
  })

  it('counts new deliveries and listeners, and shows them on a key', async () => {
    const as = 'demo-connector'
    const listen = async (type: string) => {
      const body = { uri: 'http://127.0.0.1:9/hook', type }
      const made = await test.hub.call<{ listenerId: string }>(
        'POST',
        '/v2/statusupdates/listeners',
        { as, body },
      )
      expect(made.status).toBe(201)
      return made.body.listenerId
    }
    const listenerId = await listen('JOB_STATUS_UPDATED')
    const send = () =>
      test.hub.call('POST', `/v2/statusupdates/listeners/${listenerId}/test`, { as })
    await send()
    const page = await test.open('/deliveries')
    const rows = page.locator('[role=row][data-index]')
    const newer = page.getByRole('button', { name: /newer, press/ })
    const comes = async (act: () => Promise<unknown>) => {
      await rows.first().waitFor()
      const before = await rows.count()
      await act()
      await newer.waitFor()
      expect(await rows.count()).toBe(before)
      await page.keyboard.press('.')
      await expect.poll(() => rows.count()).toBeGreaterThan(before)
      await expect.poll(() => newer.count()).toBe(0)
    }
    await comes(send)
    await follow(page, '/listeners')
    await comes(() => listen('REQUEST_STATUS_UPDATED'))
  })

  it('shows a change of the moment when the stream opens, which the reads under way do not have', async () => {
    await makeJob()
    const page = await test.open('/me', { own: true })
    await page.locator('h1').waitFor()
    const late = new Set(['/console/api/counts', '/console/api/jobs'])
    await page.addInitScript(() => {
      const Real = EventSource
      Object.assign(window, {
        EventSource: class extends Real {
          constructor(url: string) {
            super(url)
            this.addEventListener('message', () => Object.assign(window, { hasHeard: true }))
          }
        },
      })
    })
    let counted = 0
    let held = 0
    await page.route('**/console/api/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      if (!late.delete(pathname)) return route.continue()
      // The browser would add this header.
      const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
      const old = await route.fetch({ headers })
      expect(old.status()).toBe(200)
      if (pathname.endsWith('counts'))
        counted = ((await old.json()) as { openJobs: number }).openJobs
      held += 1
      await page.waitForFunction(() => 'hasHeard' in window)
      await route.fulfill({ response: old })
    })
    // Somebody else is told of it, so that the stream of the page begins behind it.
    const other = await openStream(test.hub.url)
    closers.push(async () => other.close())
    await page.route('**/console/stream*', async (route) => {
      await expect.poll(() => held).toBe(2)
      await other.until('job', await makeJob())
      await route.continue()
    })
    await page.goto(`${test.hub.url}/`)
    await expect.poll(async () => (await open(page)) - counted).toBe(1)
    await page.getByRole('button', { name: /^1 newer, press/ }).waitFor()
  })

  it.skipIf(!databases.includes('postgres'))('shows on one node what another changed', async () => {
    const nodes = await startNodes('postgres')
    closers.push(() => nodes.close())
    await makeJob(nodes.urls[0])
    const page = await test.open('/')
    await page.goto(`${nodes.urls[1]}/`)
    await page.locator('nav a[href="/"] em').waitFor()
    const before = await open(page)
    await makeJob(nodes.urls[0])
    await expect.poll(() => open(page)).toBe(before + 1)
  })

  it('has no finding of axe while it is not live', async () => {
    await makeJob()
    const page = await test.open('/', { theme: 'dark', width: 390 })
    await page.route('**/console/stream*', (route) => route.abort())
    await page.reload()
    await page.locator('main [role=status] p').waitFor()
    expect(await axe(page)).toEqual([])
  })
})
