/**
 * The page of a job in a real browser: a job in progress, a large one, and one with hostile names.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tables } from '../../packages/server/src/store/tables.ts'
import type { TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { startEngine } from '../translation-engine.ts'
import {
  axe,
  type ConsoleTest,
  hasBrowser,
  inViews,
  overflow,
  useConsole,
  type View,
} from './console.ts'
import { hostileNames, ranNothing, watchCalls } from './hostile-names.ts'
import { makeJob, providersOf } from './some-jobs.ts'
import { type SpringCampaign, seedSpringCampaign } from './spring-campaign.ts'

const hostile = `<img src=x onerror="document.title='run'">\u202e"'</script>{name}<b>`

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

const rowsOf = (page: Page) => page.getByRole('grid', { name: 'Timeline' }).getByRole('row')
const textOf = async (page: Page) =>
  (await rowsOf(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))

/** Scrolls the timeline down until the text is there: rows further down are not in the document. */
async function reveal(page: Page, text: string | RegExp): Promise<void> {
  const frame = page.getByRole('grid', { name: 'Timeline' }).locator('xpath=..')
  await expect
    .poll(async () => {
      if (await page.getByText(text).first().isVisible()) return true
      await frame.evaluate((element) => element.scrollBy({ top: 400 }))
      return false
    })
    .toBe(true)
}

/** As if a provider had sent the job on: what the hub called there, in two runs of its task. */
async function sendOn(hub: TestHub, jobId: string): Promise<void> {
  const upstream = JSON.stringify({ url: 'https://translations.example/hub', jobId: 'other' })
  const now = hub.inner.clock.now()
  const usual = {
    site_id: 'demo',
    job_id: jobId,
    duration_us: 40_000,
    tries: 1,
    trace_id: null,
    error: null,
  }
  const calls = [
    ['POST', '/v2/jobs', 201, 0],
    ['POST', '/fms/…', 201, 100],
    ['PUT', '/v2/jobs/other/submit', 200, 200],
    ['GET', '/v2/jobs/other', null, 300],
    ['GET', '/v2/jobs/other', 200, 60_000],
    ['PUT', '/v2/jobs/other/requests/approve', 200, 60_100],
  ] as const
  const rows = calls.map(([method, path, status, ms]) => ({
    ...usual,
    ...{ method, path, status, called_at: now + ms, cause_id: 'task:77' },
    ...(status === null && { error: 'connection refused', tries: 12 }),
  }))
  await hub.inner.db.transact(async (tx) => {
    await tx.updateTable('jobs').set({ upstream }).where('job_id', '=', jobId).execute()
    await tx.insertInto('upstream_calls').values(rows).execute()
  })
}

type JobPageStage = {
  campaign: SpringCampaign
  open(rest?: string, view?: View): Promise<Page>
  test: ConsoleTest
}

describe.skipIf(!hasBrowser)('the page of a job', () => {
  const test = useConsole()
  const place = { test } as JobPageStage
  place.open = (rest = 'timeline', view = {}) =>
    test.open(`/jobs/${place.campaign.jobId}/${rest}`, view)
  beforeAll(async () => {
    place.campaign = await seedSpringCampaign(test.hub, { note: hostile })
  })
  afterAll(() => place.campaign.close())

  it('shows the newest day first, the effects of a call below it, and one lane per language', async () => {
    const page = await place.open()
    await rowsOf(page).getByText('Manual delivered 2 translations').waitFor()
    const rows = await textOf(page)
    expect(rows[0]).toBe('Today, 14 Mar')
    const at = rows.findIndex((row) => row.includes('Manual delivered 2 translations'))
    expect(rows.slice(at, at + 4)).toEqual([
      expect.stringMatching(
        /^09:3\d:\d\d Manual delivered 2 translations PATCH assetTasks 200, .* m?s$/,
      ),
      expect.stringMatching(/^\+.* m?s de-de Checkout and Basket: In translation to In review$/),
      expect.stringMatching(/^\+.* m?s Update \d+, /),
      expect.stringMatching(
        /^\+.* m?s Delivery \d+ to 127\.0\.0\.1:\d+ 503, next attempt in \d minutes?$/,
      ),
    ])
    const lanes = page.getByRole('region', { name: 'State of each language over time' })
    await lanes.getByRole('img', { name: 'Japanese (Japan): Rejected now, 6 requests' }).waitFor()
    await lanes.getByRole('img', { name: 'French (France): Approved now, 6 requests' }).waitFor()
    expect(await lanes.getByRole('img').count()).toBe(4)
    expect(await lanes.getByText(/^16\sh\s\d+\smin$/).count()).toBe(1)
    await lanes.getByRole('button', { name: 'Table' }).focus()
    await page.keyboard.press('Enter')
    await lanes.getByRole('row', { name: /Rejected/ }).waitFor()
    await reveal(page, /^nothing for 16\sh/)
    await reveal(page, 'Yesterday, 13 Mar')
  })

  headTests(place)
  tabTests(place)
  waitTests(place)
  actTests(place)
})

function headTests(place: JobPageStage): void {
  it('shows state, due date, cost and failures at the top', async () => {
    const page = await place.open()
    await page.getByRole('heading', { level: 1, name: 'Spring campaign, product pages' }).waitFor()
    const header = page.locator('main header').first()
    await header.getByText('1 delivery failing').waitFor()
    await header.getByText(/^20 Mar, in 6 days$/).waitFor()
    for (const fact of [
      'In translation',
      'Manual',
      'MKT-210',
      '4500118',
      'Web CMS 4.2.0',
      place.campaign.jobId,
    ])
      await header.getByText(fact, { exact: true }).first().waitFor()
    await header.getByText('Cost centre').waitFor()
    await header.getByText(/^[\d,]+\.\d\d EUR$/).waitFor()
    const bar = page.getByRole('img', { name: /^Requests by state/ })
    expect(await bar.getAttribute('aria-label')).toBe(
      'Requests by state: 9 Approved, 5 In review, 6 In translation, 1 Rejected, 2 At provider, 1 Cancelled',
    )
  })

  it('shows two keys from the timeline why a delivery failed, and keeps it in the address', async () => {
    const page = await place.open('timeline?show=deliveries')
    await rowsOf(page).getByText('503, next attempt').waitFor()
    // Both at once: nobody waits for a frame between two keys.
    await Promise.all(['j', 'Enter'].map((key) => page.keyboard.press(key)))
    const inspector = page.getByRole('complementary')
    await inspector.getByText(/^503 from 127\.0\.0\.1/).waitFor()
    await inspector.getByText(/Nothing is lost/).waitFor()
    expect(page.url()).toMatch(/\?show=deliveries&at=delivery\.[\w-]{22}$/)
    await page.reload()
    await page
      .getByRole('complementary')
      .getByText(/^503 from/)
      .waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url()).toMatch(/\?show=deliveries$/)
  })

  it('shows hostile texts as text and runs none of them', async () => {
    const page = await place.open('timeline?show=moves')
    await page.locator('[role=grid]').getByText('onerror').first().waitFor()
    const strange = watchCalls(page, place.test.hub.url)
    const extendedMetadata = Object.fromEntries(
      hostileNames.map((name, at) => [`${at} ${hostile}`, name]),
    )
    const { status, body } = await place.test.hub.call<{ jobId: string }>('POST', '/v2/jobs', {
      as: 'demo-connector',
      body: {
        // A name of a job has no mark that turns the direction of text.
        jobName: hostile.replace('\u202e', ''),
        description: hostile,
        customData: hostile,
        labels: [hostile],
        extendedMetadata,
      },
    })
    expect(status, JSON.stringify(body)).toBe(201)
    for (const tab of ['metadata', 'raw', 'timeline']) {
      await page.goto(`${place.test.hub.url}/jobs/${body.jobId}/${tab}`)
      await page.locator('h1', { hasText: '<img src=x' }).waitFor()
      await page.locator('main').getByText('onerror').first().waitFor()
      await ranNothing(page, strange)
      expect(await page.title()).not.toBe('run')
    }
  })

  it('shows changes made elsewhere without a reload', async () => {
    const page = await place.open('timeline?show=moves')
    await rowsOf(page).first().waitFor()
    const { jobId, manualId, idOf } = place.campaign
    const task = `/v2/providers/${manualId}/jobs/${jobId}/assetTasks/${idOf('es-es', 'Checkout')}`
    const body = { statusCode: 'IN_TRANSLATION' }
    expect((await place.test.hub.call('PATCH', task, { as: 'demo-provider', body })).status).toBe(
      200,
    )
    await rowsOf(page).getByText('es-es Checkout: At provider to In translation').waitFor()
    await page.getByRole('img', { name: /7 In translation/ }).waitFor()
  })

  it('says that there is no such job', async () => {
    const page = await place.test.open('/jobs/AAAAAAAAAA')
    await page.getByText('There is no job AAAAAAAAAA in this site').waitFor()
  })
}

function tabTests(place: JobPageStage): void {
  inViews('the timeline has no finding of axe: $theme, $language, $width', async (view) => {
    const page = await place.open('timeline', view)
    await page.locator('[role=grid] [role=row]').first().waitFor()
    await page.locator('[role=img][aria-label*="6"]').first().waitFor()
    expect(await axe(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
  })

  inViews(
    'the panel of a request has no finding of axe: $theme, $language, $width',
    async (view) => {
      const { idOf } = place.campaign
      const page = await place.open(`requests?at=request.${idOf('de-de', 'Checkout')}`, view)
      await page.locator('aside [data-position="2"] mark').first().waitFor()
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    },
  )

  const narrow = { width: 390, theme: 'dark', language: 'ar' } as const
  it.each([
    ['requests', 'Returns policy', narrow],
    ['files', 'newsletter.txt', narrow],
    ['deliveries', 'REQUEST_UPDATE', {}],
    ['cost', 'Repetitions', narrow],
    ['metadata', 'audience', narrow],
    ['raw', 'jobName', {}],
  ] as const)('the tab %s has no finding of axe', async (tab, shown, view) => {
    const page = await place.open(tab, view)
    await page.locator('main').getByText(shown).first().waitFor()
    expect(await axe(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
  })

  it('downloads a source file, a translation, and the job with its timeline but nothing secret', async () => {
    const page = await place.open('files')
    const fetched = async (link: Locator) => {
      const waiting = page.waitForEvent('download')
      await link.click()
      return waiting
    }
    const source = page.getByRole('link', { name: 'Download newsletter.txt' }).last()
    expect((await fetched(source)).suggestedFilename()).toBe('newsletter.txt')
    await page.getByRole('link', { name: 'Requests' }).click()
    const translation = page
      .getByRole('link', { name: 'Download the translation of Product page' })
      .first()
    expect((await fetched(translation)).suggestedFilename()).toMatch(/^product-page/)
    await page.getByRole('button', { name: 'More actions' }).click()
    const cassette = await fetched(page.getByRole('menuitem', { name: 'Export cassette' }))
    const { jobId } = place.campaign
    expect(cassette.suggestedFilename()).toBe(`${jobId}.cassette.json`)
    const chunks: Buffer[] = []
    for await (const chunk of await cassette.createReadStream()) chunks.push(chunk as Buffer)
    const { job, timeline } = JSON.parse(Buffer.concat(chunks).toString())
    expect(job.jobId).toBe(jobId)
    expect(timeline.length).toBeGreaterThan(50)
    expect(JSON.stringify(timeline)).not.toMatch(/whsec_|Bearer|sastoken/)
  })
}

function waitTests(place: JobPageStage): void {
  const as = 'demo-connector'
  const waits = (page: Page) => page.getByRole('region', { name: 'What the job waits for' })

  it('says what a job in progress waits for and since when, with the button that helps', async () => {
    const page = await place.open()
    const said = waits(page)
    await said
      .getByText(
        /^9 requests are at the provider, in translation, since 13 Mar 14:0\d \(19\sh.*\)\.$/,
      )
      .waitFor()
    await said
      .getByText(/^5 translations wait for review, since 13 Mar 16:4\d \(17\sh.*\)\.$/)
      .waitFor()
    await said.getByRole('link', { name: 'Show them' }).waitFor()
    await said.getByRole('link', { name: 'Review 5' }).click()
    await page.waitForURL('**/requests?state=REVIEW_TRANSLATION')
    await page
      .getByRole('checkbox', { name: /^Mark / })
      .nth(4)
      .waitFor()
    expect(await page.getByRole('checkbox', { name: /^Mark / }).count()).toBe(5)
  })

  it('leads from a late job to its reason in one click, and says why it was never submitted', async () => {
    const { hub } = place.test
    const { jobId } = await makeJob(hub, { jobName: 'Forgotten leaflet', due: -2.5 })
    const page = await place.test.open('/?is=late')
    const mark = page.getByTitle(
      /^Never submitted: it has waited since 14 Mar 09:\d\d \(\d+\smin\)\.$/,
    )
    await mark.waitFor()
    await page.getByRole('link', { name: 'Forgotten leaflet' }).click()
    await waits(page).getByText('Late', { exact: true }).waitFor()
    // The same words as in the list.
    await page.getByText(/, 2 days late$/).waitFor()
    await waits(page)
      .getByText(/^Never submitted: it has waited since 14 Mar/)
      .waitFor()
    await page.getByRole('button', { name: 'Submit job' }).waitFor()

    // Several providers, none chosen.
    const submit = (body: object) => hub.call('PUT', `/v2/jobs/${jobId}/submit`, { as, body })
    expect((await submit({})).status).toBe(400)
    await waits(page)
      .getByText(
        /^Never submitted: the hub refused the last try, on 14 Mar .* with PROVIDER_REQUIRED\.$/,
      )
      .waitFor()
    await waits(page).getByRole('link', { name: 'Show the refusal' }).click()
    await page.getByRole('complementary').getByText('400 PROVIDER_REQUIRED').waitFor()

    const limit = async (quotas: string | null) => {
      await hub.inner.db.transact((tx) =>
        tx.updateTable('clients').set({ quotas }).where('client_id', '=', as).execute(),
      )
      await hub.advance('2m')
    }
    await limit('{"MaxStatusUpdatesPerSite":0}')
    const { Manual = '' } = await providersOf(hub)
    expect((await submit({ providerId: Manual })).status).toBe(409)
    await limit(null)
    await waits(page)
      .getByText(/^A limit holds it: .* with QUOTA_EXCEEDED\.$/)
      .waitFor()
    await waits(page).getByRole('link', { name: 'Show the limits' }).waitFor()
  })

  it('says that a provider has not begun, and that an engine refuses, with its words', async () => {
    const { hub } = place.test
    const { Manual = '' } = await providersOf(hub)
    const engine = await startEngine()
    engine.be(() => ({ status: 503, body: { error: 'The model is loading' } }))
    const body = { name: 'Engine', typeId: 'machine-translation', config: { url: engine.url } }
    const made = await hub.call<{ id: string }>('POST', '/v2/providers', { as: 'demo-admin', body })
    const { jobId: quiet } = await makeJob(hub, { jobName: 'Quiet', submit: Manual })
    const { jobId: refused } = await makeJob(hub, { jobName: 'Refused', submit: made.body.id })
    await hub.advance('1s')
    const page = await place.test.open(`/jobs/${quiet}`)
    await waits(page)
      .getByText(/^1 request is waiting for the provider to start, since 14 Mar/)
      .waitFor()
    await waits(page).getByRole('button', { name: 'Send to the provider again' }).click()
    await waits(page).getByText('Sent.').waitFor()
    await page.goto(`${hub.url}/jobs/${refused}`)
    await waits(page)
      .getByText(
        /^The engine refuses the work, since 14 Mar .*returned 503: The model is loading\. Next attempt in/,
      )
      .waitFor()
    await waits(page).getByRole('link', { name: 'Open the provider' }).click()
    await page.waitForURL(`**/providers/${made.body.id}`)
    await engine.close()
  })

  it('offers to complete a job once all is approved, and keeps its creation when the call log has forgotten it', async () => {
    const { hub } = place.test
    const { Pseudo = '' } = await providersOf(hub)
    const { jobId } = await makeJob(hub, { jobName: 'Short', submit: Pseudo })
    const calls = () =>
      hub.inner.db.read.selectFrom('calls').select('call_id').where('job_id', '=', jobId).execute()
    await until('its calls are logged', async () => (await calls()).length >= 3)
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('calls').where('job_id', '=', jobId).execute(),
    )
    await hub.advance('1m')
    const page = await place.test.open(`/jobs/${jobId}`)
    await waits(page).getByRole('link', { name: 'Review 1' }).waitFor()
    expect(await page.getByRole('button', { name: 'Complete job' }).count()).toBe(0)
    await reveal(page, /^demo-connector submitted the job$/)
    await reveal(page, /^demo-connector created the job$/)
    const list = await hub.call<{ requests: { requestId: string }[] }>(
      'GET',
      `/v2/jobs/${jobId}/requests`,
      { as },
    )
    const requestIds = list.body.requests.map(({ requestId }) => requestId)
    expect(
      (await hub.call('PUT', `/v2/jobs/${jobId}/requests/approve`, { as, body: { requestIds } }))
        .status,
    ).toBe(200)
    await waits(page)
      .getByText(/^Nothing is left to translate or review: the job waits to be completed, since/)
      .waitFor()
    await page.getByRole('button', { name: 'Complete job' }).click()
    expect(await page.getByRole('dialog').getByText('Not approved').count()).toBe(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Complete job' }).click()
    await page.getByRole('button', { name: 'Reopen job' }).waitFor()
    expect(await waits(page).count()).toBe(0)
  })
}

function actTests(place: JobPageStage): void {
  it('approves marked requests, and rejects one with a note', async () => {
    const page = await place.open('requests?state=REVIEW_TRANSLATION')
    await page.getByRole('button', { name: /^Approve\s*: First mark requests/ }).waitFor()
    await page.getByRole('checkbox', { name: 'Mark Newsletter' }).check()
    await page.getByRole('button', { name: 'Reject 1' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('too formal')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject 1' }).click()
    await page.getByText('Rejecting 1 request').first().waitFor()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('img', { name: /2 Rejected/ }).waitFor()
    await page.getByRole('button', { name: 'Mark all in review (4)' }).click()
    await page.getByRole('button', { name: 'Approve 4' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('4 requests approved').waitFor()
    await page.getByRole('img', { name: /13 Approved/ }).waitFor()
    const { jobId, idOf } = place.campaign
    const path = `/v2/jobs/${jobId}/requests/${idOf('ja-jp', 'Newsletter')}`
    const { body } = await place.test.hub.call<{ rejectNote: string }>('GET', path, {
      as: 'demo-connector',
    })
    expect(body.rejectNote).toBe('too formal')
  })

  it('links to the job that it was sent on to, and marks what this hub did there', async () => {
    const { hub } = place.test
    const { jobId } = await makeJob(hub, { jobName: 'Sent on' })
    await sendOn(hub, jobId)
    const page = await place.test.open(`/jobs/${jobId}/metadata`)
    const link = page.getByRole('link', { name: 'other · translations.example' })
    expect(await link.getAttribute('href')).toBe('https://translations.example/hub/jobs/other')
    await page.goto(`${hub.url}/jobs/${jobId}/timeline`)
    await rowsOf(page).getByText('The upstream did not answer').waitFor()
    const there = (await textOf(page)).filter((row) => row.includes('Upstream'))
    expect(there.map((row) => row.replace(/^.*?Upstream/, 'Upstream'))).toEqual([
      'Upstream This hub passed on an approval PUT requests/approve 200, 40 ms',
      'Upstream This hub created the job POST jobs 201, 40 ms',
      'Upstream This hub uploaded a file POST fms 201, 40 ms',
      'Upstream This hub submitted the job PUT submit 200, 40 ms',
      'Upstream The upstream did not answer GET jobs no response, 40 ms, 12 times',
    ])
    await page.getByRole('button', { name: 'Upstream', exact: true }).click()
    await rowsOf(page).getByText('This hub read').waitFor()
    await rowsOf(page).getByText('The upstream did not answer').click()
    const inspector = page.getByRole('complementary', { name: 'Upstream' })
    await inspector.getByText('connection refused').waitFor()
    expect(await axe(page)).toEqual([])
    const other = await place.open()
    await rowsOf(other).first().waitFor()
    expect(
      await other.getByRole('button', { name: 'Upstream' }).count(),
      'only where there is one',
    ).toBe(0)
  })

  it('offers the next step and says why others are refused', async () => {
    const page = await place.open('metadata')
    const { hub } = place.test
    await page.getByRole('button', { name: 'More actions' }).click()
    const items = page.getByRole('menuitem')
    await items
      .filter({ hasText: 'Delete job' })
      .getByText(
        'The job is “In translation”. Possible only while it is “Created”, “Completed” or “Cancelled”.',
      )
      .waitFor()
    await items
      .filter({ hasText: 'Submit job' })
      .getByText('Possible only while it is “Created”.')
      .waitFor()
    expect((await items.allInnerTexts()).join()).not.toMatch(
      /[A-Z]{2}_[A-Z]{2}|CREATED|ACTIVE|ARCHIVED/,
    )
    expect(await page.getByRole('button', { name: 'Complete job' }).count()).toBe(0)
    await items.filter({ hasText: 'Complete job' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Not approved yet: .*7 In translation.*2 Rejected.*\.$/).waitFor()
    await dialog.getByText('Product page, German (Germany): In translation').waitFor()
    await dialog.getByText('and 5 more').waitFor()
    await dialog.getByRole('button', { name: 'Complete job' }).click()
    await page.getByRole('button', { name: 'Reopen job' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Archive job', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive job' }).click()
    await page.getByRole('button', { name: 'Unarchive job' }).waitFor()
    await hub.advance('1s')
    await page.reload()
    await page.locator('main header').first().getByText('Archived', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Unarchive job' }).click()
    await page.getByRole('button', { name: 'Reopen job' }).waitFor()
  })
}

describe.skipIf(!hasBrowser)('a job with 2,000 requests and 20,000 events', () => {
  const test = useConsole()
  let jobId: string
  beforeAll(async () => {
    const { body } = await test.hub.call<{ jobId: string }>('POST', '/v2/jobs', {
      as: 'demo-connector',
      body: { jobName: 'Large', targetNativeLanguageCodes: ['de-de', 'fr-fr'] },
    })
    jobId = body.jobId
    await fill(test.hub, jobId)
  })

  it('approves 20 requests by 22 keys, each read side by side, and takes one back', async () => {
    const review = await seedReview(test.hub)
    const page = await test.open(`/jobs/${review}/requests?state=REVIEW_TRANSLATION`)
    await page.getByRole('checkbox', { name: 'Mark Page 10' }).waitFor()
    let keys = 0
    const press = (key: string) => {
      keys++
      return page.keyboard.press(key)
    }
    const panel = page.getByRole('complementary', { name: 'Request' })
    await press('j')
    await press('Enter')
    const changed = panel.locator('[data-position="2"]')
    await changed.locator('ins', { hasText: '14' }).waitFor()
    await changed.locator('del', { hasText: 'Rücksendung' }).waitFor()
    expect(await changed.locator('mark').allInnerTexts()).toEqual(['30', '14'])
    expect(await changed.textContent()).toContain('Free returns within 30 days')
    await panel.getByRole('button', { name: 'Changed 1' }).waitFor()
    await panel.getByRole('button', { name: 'Warnings 1' }).waitFor()
    expect(await axe(page)).toEqual([])
    // Taken back within ten seconds: nothing was sent, and the same request is open again.
    await page.keyboard.press('y')
    await panel.getByRole('heading', { name: /Page 02/ }).waitFor()
    await panel.getByText('Approving 1 request').first().waitFor()
    await page.keyboard.press('Control+z')
    await panel.getByRole('heading', { name: /Page 01/ }).waitFor()
    for (let at = 1; at <= 20; at++) {
      await panel.getByRole('heading', { name: `Page ${String(at).padStart(2, '0')}` }).waitFor()
      await panel.getByRole('button', { name: 'Approve y' }).waitFor()
      await press('y')
    }
    expect(keys).toBeLessThanOrEqual(25)
    await panel.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('img', { name: /20 Approved/ }).waitFor()
  })

  it('marks and approves all that match, not only those that were read, and rejects by key', async () => {
    const page = await test.open(`/jobs/${jobId}/requests`)
    await page.getByRole('button', { name: 'Mark all in review (2,000)' }).waitFor()
    await page.getByLabel('Language').selectOption('de-de')
    await page.getByRole('button', { name: 'Mark all in review', exact: true }).click()
    await page.getByRole('button', { name: 'Approve 1,000' }).click()
    await page.getByText('Approving 1,000 requests').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByLabel('Language').selectOption('')
    await page.getByRole('grid').getByRole('row').nth(1).focus()
    await page.keyboard.press('n')
    await page.keyboard.type('Too long')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Rejecting 1 request').first().waitFor()
    await page.getByRole('button', { name: 'Mark all in review (1,999)' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Approve 2,000' }).waitFor()
    await page.keyboard.press('y')
    await page.getByText('Approving 2,000 requests').first().waitFor()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('2,000 requests approved').waitFor()
    await page.getByRole('img', { name: /2,?000 Approved/ }).waitFor()
  })

  it('shows the words without a price list, and looking at a job writes nothing into its timeline', async () => {
    const { Manual } = await providersOf(test.hub)
    const wanted = {
      jobName: 'Unpriced',
      targets: ['de-de', 'fr-fr'],
      ...(Manual && { submit: Manual }),
    }
    const { jobId: unpriced } = await makeJob(test.hub, wanted)
    const page = await test.open(`/jobs/${unpriced}/cost`)
    await page.locator('main header').getByText('22', { exact: true }).waitFor()
    await page
      .getByText('No price list applies to this job, so only its words are shown.')
      .waitFor()
    const table = page.getByRole('table', { name: 'Words by language and band' })
    await table.getByRole('row', { name: /^German \(Germany\) de-de [\d ]+ 11$/ }).waitFor()
    await table.getByRole('row', { name: /^Total .* 22$/ }).waitFor()
    expect(await axe(page)).toEqual([])
    const later = await test.hub.call('GET', '/v2/quota', { as: 'demo-connector' })
    await until('the later call is in the log', async () => {
      const log = test.hub.inner.db.read.selectFrom('calls').select('call_id')
      return (
        (await log.where('trace_id', '=', later.headers.get('x-request-id') ?? '').execute())
          .length === 1
      )
    })
    await page.getByRole('link', { name: 'Timeline' }).click()
    await rowsOf(page)
      .filter({ hasText: /submitted/i })
      .first()
      .waitFor()
    expect((await textOf(page)).filter((row) => /quote|refused|404/i.test(row))).toEqual([])
    const { body } = await test.hub.call<{ timeline: unknown[] }>(
      'GET',
      `/v2/jobs/${unpriced}/timeline`,
      {
        as: 'demo-admin',
        query: { only: 'errors' },
      },
    )
    expect(body.timeline).toEqual([])
  })

  it('has few rows in the document and reads more on the way down', async () => {
    const page = await test.open(`/jobs/${jobId}`)
    const grid = page.getByRole('grid', { name: 'Timeline' })
    await grid.getByRole('row').first().waitFor()
    expect(await grid.getByRole('row').count()).toBeLessThanOrEqual(60)
    const first = Number(await grid.evaluate((element) => element.firstElementChild?.clientHeight))
    const frame = grid.locator('xpath=..')
    for (let step = 0; step < 3; step++) {
      const before = await grid.evaluate((element) => element.firstElementChild?.clientHeight ?? 0)
      await frame.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
      await expect
        .poll(() => grid.evaluate((element) => element.firstElementChild?.clientHeight ?? 0))
        .toBeGreaterThan(before)
    }
    expect(await grid.getByRole('row').count()).toBeLessThanOrEqual(60)
    expect(first).toBeGreaterThan(1_000)
    await page
      .getByRole('img', { name: /2,000 requests|1,000 requests/ })
      .first()
      .waitFor()
  })
})

/**
 * Requests in review: 20 short texts. The first was rejected, and came back with another text and a
 * wrong number.
 */
async function seedReview(hub: TestHub): Promise<string> {
  const must = async <T>(who: string, method: string, path: string, body?: unknown): Promise<T> => {
    const got = await hub.call<T>(method, `/v2${path}`, {
      as: who,
      ...(body !== undefined && { body }),
    })
    expect(got.status, `${method} ${path}: ${JSON.stringify(got.body).slice(0, 300)}`).toBeLessThan(
      300,
    )
    return got.body
  }
  const [connector, provider] = ['demo-connector', 'demo-provider']
  const { Manual: providerId = '' } = await providersOf(hub)
  const { jobId } = await must<{ jobId: string }>(connector, 'POST', '/jobs', {
    jobName: 'Review',
    providerId,
  })
  const texts = Array.from({ length: 20 }, (_, at) => ({
    requestName: `Page ${String(at + 1).padStart(2, '0')}`,
    sourceNativeId: `page-${at}`,
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: ['de-de'],
    fields: [
      { key: 'title', value: `Offer ${at}` },
      { key: 'text', value: 'Free returns within 30 days' },
    ],
  }))
  type Added = { requests: { requestId: string }[] }
  const { requests } = await must<Added>(connector, 'POST', `/jobs/${jobId}/requests/add`, {
    requests: texts,
  })
  const ids = requests.map(({ requestId }) => requestId)
  await must(connector, 'PUT', `/jobs/${jobId}/submit`, {})
  const tasks = `/providers/${providerId}/jobs/${jobId}/assetTasks`
  const move = (assetTaskIds: readonly string[], statusCode: string) =>
    must(provider, 'PATCH', tasks, { assetTaskIds, assetTasksUpdate: { statusCode } })
  const [first = '', ...others] = ids
  await move(ids, 'IN_TRANSLATION')
  for (const id of others) {
    const fields = [
      { key: 'title', value: 'Angebot' },
      { key: 'text', value: 'Kostenlose Rücksendung in 30 Tagen' },
    ]
    await must(provider, 'PUT', `${tasks}/${id}/translatedContent`, { fields })
  }
  await move(others, 'TRANSLATION_SUBMITTED')
  // The desk knows the delivery before.
  const deliver = async (text: string) => {
    type Listed = { segments: { segmentId: string; version: number }[] }
    const { segments } = await must<Listed>(provider, 'GET', `${tasks}/${first}/segments`)
    await must(provider, 'PUT', `${tasks}/${first}/segments`, {
      segments: segments.map(({ segmentId, version }, at) => ({
        segmentId,
        version,
        target: [at === 0 ? 'Angebot 0' : text],
        state: 'TRANSLATED',
      })),
    })
    await must(provider, 'POST', `${tasks}/${first}/segments/deliver`)
  }
  await deliver('Kostenlose Rücksendung in 30 Tagen')
  await must(connector, 'PUT', `/jobs/${jobId}/requests/reject`, { requestIds: [first] })
  await deliver('Kostenlose Rückgabe in 14 Tagen')
  return jobId
}

/** The rows of a job whose provider started and delivered each request in a call of its own. */
async function fill(hub: TestHub, jobId: string): Promise<void> {
  const begin = hub.inner.clock.now()
  const many = 2_000
  const id = (at: number) => `${jobId}${String(at).padStart(12, '0')}`
  const own = { site_id: 'demo', job_id: jobId }
  const times = (count: number) => Array.from({ length: count }, (_, at) => at)
  const requests = times(many).map((at) => ({
    ...own,
    request_id: id(at),
    position: at,
    request_name: `Text ${at}`,
    status: 'REVIEW_TRANSLATION',
    has_error: 0,
    source_native_id: 's',
    source_language: 'en-us',
    target_language: at % 2 ? 'de-de' : 'fr-fr',
    created_at: begin,
    modified_at: begin,
    cause_id: 'x',
  }))
  const moves = times(6 * many).map((at) => ({
    ...own,
    move_id: id(at),
    request_ids: JSON.stringify([id(at % many)]),
    move: 'start',
    from_status: 'SENT_TO_PROVIDER',
    to_status: at < 3 * many ? 'IN_TRANSLATION' : 'REVIEW_TRANSLATION',
    moved_at: begin + at * 100,
    cause_id: `cause-${at}`,
  }))
  const updates = times(4 * many).map((at) => ({
    ...own,
    ...{ update_id: id(at), client_id: `client-${jobId}`, sequence: at + 1, request_ids: '[]' },
    ...{
      status: 'REVIEW_TRANSLATION',
      has_error: 0,
      updated_at: begin + at * 150,
      acknowledged_at: begin,
    },
    cause_id: `cause-${at}`,
  }))
  await hub.inner.db.transact(async (tx) => {
    const insert = async (table: keyof Tables, rows: readonly object[]) => {
      for (let from = 0; from < rows.length; from += 200)
        await tx
          .insertInto(table as 'moves')
          .values(rows.slice(from, from + 200) as Tables['moves'][])
          .execute()
    }
    await insert('requests', requests)
    await insert('moves', moves)
    await insert('status_updates', updates)
  })
}
