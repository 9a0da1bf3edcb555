/** The page Calls: why a connector got a 409, and what the log shows of a call. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type RecordedCall,
  recordCalls,
} from '../../packages/server/src/domain/views/history/record-calls.ts'
import { until } from '../hub-place.ts'
import { axe, clipboard, hasBrowser, pressPair, useConsole } from './console.ts'
import { makeJob } from './some-jobs.ts'

const hostile = '<img src=x onerror=alert(1)>"\'`${x}'
const demo = 'demo-connector'
type Logged = { readonly traceId: string; readonly statusCode: number }

describe.skipIf(!hasBrowser)('the page Calls', () => {
  const test = useConsole()
  let jobId = ''
  let number = 0
  const recorded = (more: Partial<RecordedCall> = {}): RecordedCall => {
    number += 1
    return {
      traceId: `t${number}`,
      calledAt: test.hub.inner.clock.now() - 1_000,
      method: 'GET',
      route: '/v2/jobs/:jobId',
      ids: { jobId: 'AAAAAAAAAA' },
      siteId: 'demo',
      clientId: demo,
      address: '192.0.2.1',
      status: 200,
      durationUs: 1_500,
      bytesIn: 0,
      bytesOut: 10,
      ...more,
    }
  }
  beforeAll(async () => {
    const made = await test.hub.call<{ jobId: string }>('POST', '/v2/jobs', {
      as: demo,
      body: { jobName: hostile },
    })
    jobId = made.body.jobId
    // A job without requests cannot be submitted: 409 JOB_EMPTY.
    const { body } = await test.hub.call<{ providers: { id: string }[] }>('GET', '/v2/providers', {
      as: demo,
    })
    const providerId = body.providers[0]?.id
    await test.hub.call('PUT', `/v2/jobs/${jobId}/submit`, { as: demo, body: { providerId } })
  })

  /** Waits until the tail has the call. */
  const seen = (page: Page, text: string) =>
    page.getByRole('row').filter({ hasText: text }).first().waitFor()

  it('shows with three keys why a connector got a 409', async () => {
    const page = await test.open('/')
    await page.locator('h1', { hasText: 'Jobs' }).waitFor()
    await pressPair(page, 'gc')
    await seen(page, 'JOB_EMPTY')
    await page.keyboard.press('e')
    const call = page.getByRole('complementary', { name: 'Call' })
    await call
      .getByText(`Job ${jobId} has no requests; add at least one before you submit it.`, {
        exact: true,
      })
      .waitFor()
    await call.getByText('The object is in another state than the call expects.').waitFor()
    expect(
      await call.getByRole('link', { name: 'JOB_EMPTY in the API reference' }).getAttribute('href'),
    ).toBe('/docs/errors#JOB_EMPTY')
    expect(await call.getByRole('link', { name: jobId }).getAttribute('href')).toBe(
      `/jobs/${jobId}`,
    )
    const reference = await fetch(`${test.hub.url}/docs/errors`, {
      headers: { accept: 'text/html' },
    })
    expect(await reference.text()).toContain('id="JOB_EMPTY"')
  })

  it('marks the mistakes in the body of a refused call, with their messages', async () => {
    const body = {
      requestName: hostile,
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de', 7],
      fields: [{ key: 'a' }],
    }
    const refused = await test.hub.call('POST', `/v2/jobs/${jobId}/requests/add`, {
      as: demo,
      body,
    })
    expect(refused.status).toBe(400)
    const { details } = refused.body as { details: { path: string; message: string }[] }
    const trace = refused.headers.get('x-request-id') ?? ''
    const page = await test.open('/calls')
    await seen(page, 'requests/add')
    await page.goto(`${test.hub.url}/calls/${trace}`)
    const shown = page.getByRole('region', { name: 'Body of the call' })
    await shown
      .getByText(details[0]?.message ?? '')
      .first()
      .waitFor()
    const marked = await shown.locator('[class*=marked]').allTextContents()
    expect(marked.some((text) => text.startsWith('7') && text.includes('must'))).toBe(true)
    expect(marked.some((text) => text.includes('value is missing'))).toBe(true)
    expect(await shown.textContent()).toContain('onerror=alert(1)')
  })

  it('copies a call as a command and as a call of the SDK', async () => {
    const page = await test.open('/calls?status=409')
    await seen(page, 'JOB_EMPTY')
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expect
      .poll(() => clipboard(page))
      .toContain(`curl -X PUT '${test.hub.url}/v2/jobs/${jobId}/submit'`)
    await page.getByRole('button', { name: 'Copy as SDK call' }).click()
    await expect
      .poll(() => clipboard(page))
      .toContain(`await hub.submitJob({ params: { jobId: "${jobId}" }, body: { providerId: "`)
  })

  it('keeps filters in the address and shows only the matching calls', async () => {
    await recordCalls(test.hub.inner, [
      recorded({ status: 503, errorCode: 'SERVICE_UNAVAILABLE', clientId: 'other' }),
      recorded({ status: 429, errorCode: 'RATE_LIMITED', count: 12, clientId: 'other' }),
      recorded({ clientId: 'other' }),
    ])
    const page = await test.open('/calls?client=other')
    await seen(page, 'SERVICE_UNAVAILABLE')
    const rows = page.getByRole('grid').locator('[data-index]')
    expect(await rows.count()).toBe(3)
    await page.getByText('throttled').waitFor()
    await page.getByRole('button', { name: 'Failed 13' }).click()
    await page.waitForURL('**/calls?client=other&status=failed')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole('button', { name: 'RATE_LIMITED 12' }).click()
    await page.waitForURL('**code=RATE_LIMITED*')
    await expect.poll(() => rows.count()).toBe(1)
    await page.keyboard.press('/')
    await page.keyboard.type('nonsense')
    await page.keyboard.press('Enter')
    await page.getByText('A parameter is not valid').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await seen(page, 'JOB_EMPTY')
  })

  it('counts new calls while a call is open, and shows them on "."', async () => {
    const page = await test.open('/calls?client=late')
    await page.getByText('No call matches these filters').waitFor()
    await recordCalls(test.hub.inner, [recorded({ clientId: 'late' })])
    const rows = page.getByRole('grid').locator('[data-index]')
    // At the top, with no call open, the list follows.
    await expect.poll(() => rows.count()).toBe(1)
    await recordCalls(test.hub.inner, [recorded({ clientId: 'late' })])
    await expect.poll(() => rows.count()).toBe(2)
    await page.keyboard.press('j')
    await page.locator('[role=row]:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Call' }).waitFor()
    await recordCalls(test.hub.inner, [
      recorded({ clientId: 'late' }),
      recorded({ clientId: 'late' }),
    ])
    await page.getByRole('button', { name: '2 newer, press .' }).waitFor()
    expect(await rows.count()).toBe(2)
    await page.keyboard.press('.')
    await expect.poll(() => rows.count()).toBe(4)
    await page.keyboard.press('Escape')
    await page.waitForURL('**/calls?client=late')
    await page.getByText(/Read at \d\d:\d\d:\d\d; a call appears within a second/).waitFor()
  })

  it('finds a failed call that is older than the loaded ones', async () => {
    const from = test.hub.inner.clock.now() - 600_000
    const rows = Array.from({ length: 80 }, (_, at) =>
      recorded({ clientId: 'many', calledAt: from + at * 1_000 }),
    )
    await recordCalls(test.hub.inner, [
      recorded({
        clientId: 'many',
        calledAt: from - 1_000,
        status: 404,
        errorCode: 'JOB_NOT_FOUND',
      }),
      ...rows,
    ])
    const page = await test.open('/calls?client=many')
    // All that match are counted, not only the 50 that are loaded.
    await page.getByRole('button', { name: 'All 81' }).waitFor()
    await page.getByRole('button', { name: 'Failed 1' }).waitFor()
    await page.getByText('81 calls match', { exact: true }).waitFor()
    await page.keyboard.press('e')
    await page.getByRole('link', { name: 'JOB_NOT_FOUND in the API reference' }).waitFor()
  })

  it('logs the refused calls of an open console, not its reads', async () => {
    const page = await test.open('/calls')
    await seen(page, 'JOB_EMPTY')
    await page.waitForResponse(/console\/api\/calls/)
    expect(
      await page.evaluate(async () => (await fetch('/console/api/jobs/no-such-job')).status),
    ).toBe(404)
    const later = await test.hub.call('GET', '/v2/quota', { as: demo })
    const logged = async (query: Record<string, string>): Promise<Logged[]> =>
      (await test.hub.call<{ calls: Logged[] }>('GET', '/v2/calls', { as: 'demo-admin', query }))
        .body.calls
    // Of this client only: the calls of this loop are logged too and soon fill a page.
    await until('the later call is in the log', async () =>
      (await logged({ client: demo })).some(
        ({ traceId }) => traceId === later.headers.get('x-request-id'),
      ),
    )
    // The log is written in order: an earlier call is in it by now, or never will be.
    const calls = await logged({ client: 'console' })
    const statuses = calls.map(({ statusCode }) => statusCode)
    expect(statuses).toContain(404)
    expect(statuses.filter((status) => status < 400)).toEqual([])
  })

  it('hides the calls that the console makes until they are asked for', async () => {
    const route = '/console/api/jobs/:jobId/complete'
    await recordCalls(test.hub.inner, [
      recorded({ clientId: 'console', method: 'PUT', route, ids: { jobId: 'CONSOLE000' } }),
      recorded({
        clientId: 'console',
        method: 'PUT',
        route,
        status: 409,
        errorCode: 'INVALID_TRANSITION',
      }),
      recorded({ clientId: 'mixed', ids: { jobId: 'CLIENT0000' } }),
    ])
    const page = await test.open('/calls')
    await seen(page, 'CLIENT0000')
    expect(await page.getByRole('row').filter({ hasText: 'CONSOLE000' }).count()).toBe(0)
    const shown = page.getByRole('button', { name: 'Calls of the console' })
    expect(await shown.getAttribute('aria-pressed')).toBe('false')
    await shown.click()
    await page.waitForURL('**/calls?console=shown')
    await seen(page, 'CONSOLE000')
    // A filter that names them asks for them.
    await page.goto(`${test.hub.url}/calls?client=console`)
    await seen(page, 'CONSOLE000')
    expect(await shown.getAttribute('aria-pressed')).toBe('true')
  })

  it('divides calls by days, and filters in the zone of the person, which it names', async () => {
    const day = 86_400_000
    const now = test.hub.inner.clock.now()
    // Half past midnight in Tokyo, on the evening before in UTC.
    const midnight = Math.floor((now + 9 * 3_600_000) / day) * day - 9 * 3_600_000
    const rows = Array.from({ length: 40 }, (_, at) =>
      recorded({ clientId: 'days', calledAt: midnight - 2 * day + 1_800_000 + at * 1_000 }),
    )
    const last = recorded({
      clientId: 'days',
      calledAt: midnight - day + 1_800_000,
      ids: { jobId: 'YESTERDAY0' },
    })
    await recordCalls(test.hub.inner, [
      ...rows,
      last,
      recorded({ clientId: 'days', calledAt: now - 500 }),
    ])
    const page = await test.open('/calls?client=days')
    await page.evaluate(() => localStorage.setItem('dragoman:zone', 'Asia/Tokyo'))
    await page.reload()
    const write = (at: number, options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', ...options }).format(at)
    const short = (at: number) => write(at, { day: 'numeric', month: 'short' })
    const long = write(midnight - 2 * day, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    })
    const grid = page.getByRole('grid', { name: 'Calls' })
    await grid.getByText(`Today, ${short(now)}`, { exact: true }).waitFor()
    await grid.getByText(long, { exact: true }).waitFor()
    const texts = (await grid.getByRole('row').allInnerTexts()).map((text) =>
      text.replace(/\s+/g, ' '),
    )
    const at = texts.indexOf(`Yesterday, ${short(midnight - day)}`)
    expect([at > 0, texts[at + 1]?.startsWith('00:30:00'), texts[at + 2]]).toEqual([
      true,
      true,
      long,
    ])
    // The day stays at the top of the list when its name has been scrolled away.
    const top = grid.getByRole('row').nth(1)
    expect(await top.innerText()).toBe(`Today, ${short(now)}`)
    await grid
      .locator('[role=presentation]')
      .first()
      .evaluate((frame) => frame.scrollTo({ top: 600 }))
    await expect.poll(() => top.innerText()).toBe(long)
    await page
      .getByLabel('From (Asia/Tokyo)')
      .fill(`${new Date(midnight - day + 9 * 3_600_000).toISOString().slice(0, 10)}T00:30`)
    await page.keyboard.press('Enter')
    await page.getByText('2 calls match', { exact: true }).waitFor()
    const since = new Date(midnight - day + 1_800_000).toISOString()
    expect(new URL(page.url()).searchParams.get('since')).toBe(since)
    expect(await axe(page)).toEqual([])
  })

  it('has one time on every page, also when the clock of the sandbox is moved', async () => {
    const page = await test.open('/')
    await page.evaluate(() => localStorage.setItem('dragoman:zone', 'Asia/Tokyo'))
    await page.reload()
    await page.locator('h1', { hasText: 'Jobs' }).waitFor()
    await test.hub.advance('3d')
    const { jobId: late } = await makeJob(test.hub, { jobName: 'After three days', due: -1 })
    const now = test.hub.inner.clock.now()
    const write = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone: 'Asia/Tokyo',
        hourCycle: 'h23',
        ...options,
      }).format(now)
    const date = write({ day: 'numeric', month: 'short' })
    const dateYear = write({ day: 'numeric', month: 'short', year: 'numeric' })
    const hour = write({ hour: '2-digit' })
    // The chip learns of it from the hub, on the page that is open.
    const chip = page.getByRole('link', {
      name: new RegExp(`^Sandbox clock ${dateYear}, ${hour}:\\d\\d GMT\\+9$`),
    })
    await chip.waitFor()
    await page.goto(`${test.hub.url}/`)
    await page
      .getByRole('row', { name: /After three days/ })
      .getByText('late', { exact: false })
      .first()
      .waitFor()
    await page.goto(`${test.hub.url}/jobs/${late}`)
    const timeline = page.getByRole('grid', { name: 'Timeline' })
    await timeline.getByText(`Today, ${date}`, { exact: true }).waitFor()
    await timeline
      .getByText(new RegExp(`^${hour}:\\d\\d:\\d\\d$`))
      .first()
      .waitFor()
    await chip.waitFor()
    await page.goto(`${test.hub.url}/calls?job=${late}`)
    const calls = page.getByRole('grid', { name: 'Calls' })
    await calls.getByText(`Today, ${date}`, { exact: true }).waitFor()
    await calls
      .getByText(new RegExp(`^${hour}:\\d\\d:\\d\\d$`))
      .first()
      .waitFor()
    await page.getByText(new RegExp(`^Read at ${hour}:\\d\\d:\\d\\d;`)).waitFor()
    await page.goto(`${test.hub.url}/sandbox`)
    await page.getByText(new RegExp(`^${dateYear}, ${hour}:\\d\\d:\\d\\d GMT\\+9$`)).waitFor()
    await chip.waitFor()
    await page.goto(`${test.hub.url}/deliveries?since=${new Date(now).toISOString()}`)
    expect(await page.getByLabel('From (Asia/Tokyo)').inputValue()).toContain(`T${hour}:`)
    await page.goto(`${test.hub.url}/jobs/new`)
    await page.getByText('Asia/Tokyo').first().waitFor()
  })

  it('says why a call is not there', async () => {
    const page = await test.open('/calls/unknown-trace')
    await page.getByText('There is no call unknown-trace in the call log').waitFor()
  })
})
