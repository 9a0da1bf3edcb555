/**
 * Back returns to what a person left: the place in a list, the row that had the focus, the rows
 * that were marked.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { announce } from '../../packages/server/src/domain/listeners/announce.ts'
import {
  type RecordedCall,
  recordCalls,
} from '../../packages/server/src/domain/views/history/record-calls.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { hasBrowser, useConsole } from './console.ts'
import { openDesk } from './desk-people.ts'
import { fillJobs, makeJob } from './some-jobs.ts'

describe.skipIf(!hasBrowser)('Back in the console', () => {
  const test = useConsole()
  let receiver: Receiver
  let jobId: string
  beforeAll(async () => {
    receiver = await startReceiver()
    jobId = (await makeJob(test.hub, { jobName: 'The first job', due: 1 })).jobId
    await fillJobs(test.hub, jobId, 900)
    // The stream looks back ten seconds.
    await test.hub.advance('1m')
  })
  afterAll(() => receiver.close())

  const frameOf = (page: Page) => page.locator('[role=grid] > [role=presentation]')
  const row = (page: Page, index: number) => page.locator(`[role=row][data-index="${index}"]`)
  /** Scrolls until this row is the first one, and a part of it is hidden. */
  const scrollTo = async (page: Page, index: number) => {
    await row(page, 0).waitFor()
    await expect
      .poll(async () => {
        // While the rows are being read, the list ends before it.
        const isThere = await frameOf(page).evaluate((list, at) => {
          const { offsetHeight } = list.querySelector('[data-index]') as HTMLElement
          const wanted = at * offsetHeight + 7
          list.scrollTop = wanted
          return list.scrollTop === wanted
        }, index)
        return isThere ? row(page, index + 3).count() : 0
      })
      .toBe(1)
    await expect.poll(() => row(page, index + 3).textContent()).not.toBe('')
  }
  const placeOf = (page: Page) => frameOf(page).evaluate((list) => list.scrollTop)
  const focusOf = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('data-index'))

  it('finds row 700 of the jobs, its focus and the marks, by click, by key and after a reload', async () => {
    const page = await test.open('/')
    await scrollTo(page, 700)
    for (const index of [701, 704]) await row(page, index).getByRole('checkbox').check()
    const place = await placeOf(page)
    const name = (await row(page, 703).getByRole('link').textContent()) ?? ''
    const isBack = async () => {
      await row(page, 703).waitFor()
      expect(await row(page, 703).getByRole('link').textContent()).toBe(name)
      await expect.poll(() => focusOf(page)).toBe('703')
      expect(await placeOf(page)).toBe(place)
      for (const index of [701, 704])
        expect(await row(page, index).getByRole('checkbox').isChecked()).toBe(true)
      await page.getByText('2 jobs marked', { exact: true }).first().waitFor()
    }
    const calls: string[] = []
    page.on(
      'request',
      (call) => void (/\/console\/api\/jobs\?/.test(call.url()) && calls.push(call.url())),
    )
    await row(page, 703).getByRole('link').click()
    await page.locator('h1', { hasText: name }).waitFor()
    await page.goBack()
    await isBack()
    // The rows were kept: they are not read again, page by page.
    expect(calls.length).toBeLessThan(3)
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: name }).waitFor()
    await page.reload()
    await page.locator('h1', { hasText: name }).waitFor()
    await page.goBack()
    await isBack()
    await page.keyboard.press('ArrowDown')
    expect(await focusOf(page)).toBe('704')
  })

  it.each([
    ['one job', 1],
    ['more jobs than the stream can name', 900],
  ])('shows what changed meanwhile in a long list, where it was: %s', async (_, many) => {
    const { inner } = test.hub
    const page = await test.open('/')
    await scrollTo(page, 300)
    const name = (await row(page, 303).getByRole('link').textContent()) ?? ''
    const place = await placeOf(page)
    await row(page, 303).getByRole('link').click()
    await page.locator('h1', { hasText: name }).waitFor()
    const changed = new URL(page.url()).pathname.split('/')[2] ?? ''
    const jobName = `Changed with ${many}`
    if (many > 1)
      await inner.db.transact((tx) =>
        tx.updateTable('jobs').set({ modified_at: inner.clock.now() }).execute(),
      )
    await test.hub.call('PATCH', `/v2/jobs/${changed}`, { as: 'demo-connector', body: { jobName } })
    await page.locator('h1', { hasText: jobName }).waitFor()
    await page.goBack()
    await expect.poll(() => row(page, 303).getByRole('link').textContent()).toBe(jobName)
    expect(await placeOf(page)).toBe(place)
  })

  it('finds the row of a delivery from which a job was opened', async () => {
    const body = { uri: `${receiver.url}/hooks`, type: 'REQUEST_STATUS_UPDATED' }
    await test.hub.call('POST', '/v2/statusupdates/listeners', { as: 'demo-connector', body })
    const { inner } = test.hub
    const jobs = await inner.db.read
      .selectFrom('jobs')
      .selectAll()
      .where('job_id', '=', jobId)
      .execute()
    const updates = jobs.flatMap((job) =>
      Array.from({ length: 180 }, () => ({
        kind: 'requests' as const,
        job,
        requestIds: [],
        status: 'REVIEW_TRANSLATION' as const,
        isError: false,
      })),
    )
    await inner.db.transact((tx) => announce({ hub: inner, tx, causeId: 'a-cause' }, updates))
    const page = await test.open('/deliveries')
    await scrollTo(page, 120)
    const place = await placeOf(page)
    await row(page, 123).click()
    await page.locator('aside').getByRole('link', { name: jobId }).click()
    await page.locator('h1', { hasText: 'The first job' }).waitFor()
    await page.goBack()
    await row(page, 123).waitFor()
    expect(await row(page, 123).getAttribute('aria-selected')).toBe('true')
    await expect.poll(() => placeOf(page)).toBe(place)
    await page.locator('aside a:focus', { hasText: jobId }).waitFor()
    await page.goBack()
    await page.locator('aside').waitFor({ state: 'detached' })
    await expect.poll(() => focusOf(page)).toBe('123')
    expect(await placeOf(page)).toBe(place)
  })

  it('finds the call from which a job was opened, below calls that came meanwhile', async () => {
    const calls = (from: string, many: number) =>
      Array.from(
        { length: many },
        (_, at): RecordedCall => ({
          traceId: `${from}${at}`,
          calledAt: test.hub.inner.clock.now() - many + at,
          method: 'GET',
          route: '/v2/jobs/:jobId',
          ids: { jobId },
          jobId,
          siteId: 'demo',
          clientId: 'demo-connector',
          address: '192.0.2.1',
          status: 200,
          durationUs: 1_500,
          bytesIn: 0,
          bytesOut: 10,
        }),
      )
    await recordCalls(test.hub.inner, calls('a', 180))
    const page = await test.open('/calls')
    await scrollTo(page, 120)
    const place = await placeOf(page)
    await row(page, 123).getByRole('link').click()
    await page.locator('h1', { hasText: 'The first job' }).waitFor()
    await recordCalls(test.hub.inner, calls('b', 10))
    await page.goBack()
    await expect.poll(() => focusOf(page)).toBe('123')
    expect(await placeOf(page)).toBe(place)
  })

  it('finds the row of Work from which a text was opened, and the marks', async () => {
    const desk = await openDesk(test.hub)
    const fields = { fields: { title: 'Your basket' } }
    const texts = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`Text ${at}`, fields]))
    await desk.job('Many texts', texts)
    const page = await test.open('/work?view=open')
    await scrollTo(page, 80)
    for (const index of [82, 83]) await row(page, index).getByRole('checkbox').check()
    const place = await placeOf(page)
    await row(page, 84).locator('a').first().click()
    await page.locator('h1', { hasText: 'Text' }).waitFor()
    await page.goBack()
    await row(page, 84).waitFor()
    await expect.poll(() => focusOf(page)).toBe('84')
    expect(await placeOf(page)).toBe(place)
    for (const index of [82, 83])
      expect(await row(page, index).getByRole('checkbox').isChecked()).toBe(true)
  })

  it('finds the card of the board and how far its column was scrolled', async () => {
    const page = await test.open('/?as=board')
    const column = page
      .locator('section')
      .filter({ has: page.locator('[data-card]') })
      .first()
    const list = column.locator('ul').locator('..')
    await column.locator('[data-card]').first().waitFor()
    await list.evaluate((part) => (part.scrollTop = 1_000))
    await expect
      .poll(() => column.locator('[data-card]').first().textContent())
      .not.toBe('The first job')
    const place = await list.evaluate((part) => part.scrollTop)
    const card = column.locator('a[data-card], [data-card] a').nth(3)
    const href = (await card.getAttribute('href')) ?? ''
    await card.focus()
    await list.evaluate((part, top) => (part.scrollTop = top), place)
    await page.keyboard.press('Enter')
    await page
      .getByRole('navigation', { name: 'Job' })
      .or(page.locator('h1', { hasText: 'Job' }))
      .first()
      .waitFor()
    await page.goBack()
    await page.locator(`a[href="${href}"]:focus`).waitFor()
    expect(await list.evaluate((part) => part.scrollTop)).toBe(place)
  })
})
