/** The page Reports: each report as a sentence, a plot, a table and a file. */
import { readFileSync } from 'node:fs'
import type { Report } from '@dragoman/contract'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { axe, hasBrowser, inViews, overflow, pressPair, useConsole } from './console.ts'
import { fillReports, hostile } from './report-rows.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

const names = [
  'throughput',
  'latency',
  'time-in-state',
  'words',
  'money',
  'on-time',
  'rejects',
  'engines',
  'effort',
]

describe.skipIf(!hasBrowser)('the page Reports', () => {
  const test = useConsole()
  let known: { total: string; jobs: number }
  beforeAll(async () => {
    known = await fillReports(test.hub)
  })
  const drawn = (page: Page) => page.locator('main svg[role=img]').first().waitFor()

  it('shows all reports of a period on one page, each with its sentence', async () => {
    const page = await test.open('/')
    await page.locator('h1').waitFor()
    await pressPair(page, 'gr')
    await page
      .getByText(/requests submitted, \d+ delivered, \d+ approved; \d+ wait for a provider now\./)
      .waitFor()
    await page.getByText(/^Half of the requests stayed at the provider at most/).waitFor()
    await page
      .getByText(/words, \d+% of them matched\. Memory saved .* EUR and .* JPY, repetitions/)
      .waitFor()
    await page.getByText(`${known.total} and`).first().waitFor()
    await page
      .getByText(/% of \d+ requests were delivered on time; \d+ were late, \d+ are missing\./)
      .waitFor()
    await page.getByText(/requests were rejected, \d+\.\d\d per 1,000 words\./).waitFor()
    await page
      .getByText('Half of 20 attempts to deliver took at most 10 ms, 95% at most 19 ms')
      .waitFor()
    await expect.poll(() => page.locator('main svg[role=img]').count()).toBeGreaterThanOrEqual(7)
  })

  it('shows the exact sum of money in the sentence, in the table and in the file', async () => {
    const page = await test.open('/reports/money')
    await page.getByText(`for ${known.jobs} jobs`).waitFor()
    await page.getByText(/8 jobs have no quote and are not included here/).waitFor()
    await page.keyboard.press('t')
    const table = page.getByRole('table')
    await table.waitFor()
    expect(new URL(page.url()).search).toContain('view=table')
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      ...[
        'Week from',
        'Group',
        'Currency',
        'Jobs',
        'Amount',
        'Cancelled',
        'Previous period',
        'Change',
      ],
    ])
    await table.getByText(hostile).first().waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('e')])
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n')
    expect(file.suggestedFilename()).toMatch(/^money-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
    expect(lines[0]).toBe('day,group,currency,jobs,amount,cancelledAmount,amountBefore,change')
    expect(
      lines.some((line) => line.includes(`,"'=HYPERLINK(""x"")<img src=x onerror=alert(1)>",EUR,`)),
    ).toBe(true)
    const cents = lines
      .filter((line) => line.includes(',EUR,'))
      .map((line) => line.split(',EUR,')[1]?.split(',')[1] ?? '')
    const sum = cents.reduce((all, amount) => all + Number(amount.replace('.', '')), 0)
    expect(String(sum)).toBe(known.total.replace(/\D/g, ''))
    expect(await page.locator('main img').count()).toBe(0)
  })

  it('shows how long deliveries and calls take, and links to them', async () => {
    const page = await test.open('/reports/latency?view=table')
    const said =
      'Half of 20 attempts to deliver took at most 10 ms, 95% at most 19 ms, 99% at most 20 ms.'
    await page.getByText(said, { exact: true }).waitFor()
    const heads = page.getByRole('table').getByRole('columnheader')
    expect(await heads.allInnerTexts()).toEqual(['Group', 'Count', 'Median', '95%', '99%'])
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('e')])
    expect(
      readFileSync(await file.path(), 'utf8')
        .split('\r\n')
        .slice(0, 2),
    ).toEqual(['group,count,medianMs,p95Ms,p99Ms', '"cms.example, demo-connector",20,10,19,20'])
    await page.keyboard.press('t')
    await drawn(page)
    await page
      .getByRole('link', { name: /^cms\.example.*Count 20, Median 10.ms.*Open the deliveries$/ })
      .click()
    await page.waitForURL(/\/deliveries\?listener=latency&since=/)
    await page.goBack()
    await page.getByRole('combobox', { name: 'By' }).selectOption('route')
    await page.getByText(/^Half of \d+ calls to the hub took at most/).waitFor()
    await page.getByRole('link', { name: /^POST \/v2\/providers: .*Open the calls$/ }).click()
    await page.waitForURL(/\/calls\?route=%2Fv2%2Fproviders&since=/)
  })

  it('shows what engines cost by month, provider and job', async () => {
    const page = await test.open('/reports/engines?view=table')
    const said =
      '9,000 characters and 700 tokens in 33 calls to engines; the memory saved 1,200 characters.'
    await page.getByText(said, { exact: true }).waitFor()
    const table = page.getByRole('table')
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      ...[
        'Month from',
        'Group',
        'Counted in',
        'Estimated',
        'Billed by the vendor',
        'Saved by memory',
        'Calls',
      ],
    ])
    await table.getByText('Tokens').first().waitFor()
    await page.keyboard.press('t')
    await drawn(page)
    expect(
      await page.locator('main svg[role=img]').count(),
      'characters and tokens are never added up',
    ).toBe(2)
    await page.getByRole('combobox', { name: 'By' }).selectOption('job')
    await page.waitForURL(/by=job/)
    await page.getByRole('button', { name: 'Weeks', exact: true }).click()
    await page.waitForURL(/unit=week/)
    await page.getByText(said, { exact: true }).waitFor()
  })

  it('opens the jobs of a bar with keys, and keeps period, unit and group in the address', async () => {
    const page = await test.open('/reports/throughput?unit=week')
    await drawn(page)
    const bars = page
      .getByRole('list')
      .filter({ has: page.getByRole('link', { name: /Open the jobs/ }) })
    expect(await bars.getByRole('link').count()).toBeGreaterThanOrEqual(12)
    await bars.getByRole('link').first().focus()
    await page.keyboard.press('ArrowRight')
    const said = (await page.evaluate(() => document.activeElement?.textContent)) ?? ''
    expect(said).toMatch(
      /^\d+ \w+: Submitted \d+, Delivered \d+, Approved \d+, Backlog \d+\. Open the jobs$/,
    )
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: 'Jobs' }).waitFor()
    expect(new URL(page.url()).searchParams.get('filter')).toMatch(
      /^submittedDate ge '\d{4}-\d\d-\d\d' and submittedDate lt '\d{4}-\d\d-\d\d'$/,
    )
    await page.goBack()
    await page
      .getByRole('navigation', { name: 'Reports' })
      .getByRole('link', { name: 'On time' })
      .click()
    expect(new URL(page.url()).search).toBe('?unit=week')
    await page.getByRole('combobox', { name: 'By' }).selectOption('provider')
    await page.waitForURL(/by=provider/)
    await page.getByRole('button', { name: '4 weeks' }).click()
    await page.waitForURL(/from=\d{4}/)
  })

  it('says that a period is empty, and why it refuses one', async () => {
    const page = await test.open('/reports/words?from=2020-01-01&to=2020-02-01')
    await page.getByText('Choose a longer or a different period.').waitFor()
    await page.goto(`${test.hub.url}/reports/words?from=2018-01-01&to=2020-02-01`)
    await page.getByText(/the period has \d+ days; ask for at most 400/).waitFor()
  })

  it('prints the report without navigation and controls', async () => {
    const page = await test.open('/reports/on-time')
    await drawn(page)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
    expect(await page.getByRole('button', { name: '4 weeks' }).isVisible()).toBe(false)
    expect(await page.locator('main svg[role=img]').first().isVisible()).toBe(true)
  })

  inViews(
    'has no finding of axe and does not scroll sideways: $theme, $language, $width',
    async ({ at, ...view }) => {
      const page = await test.open('/reports', view)
      await drawn(page)
      const asTable = at % 2 === 0 ? '' : '?view=table'
      // Another report in each view; the overview shows the plots of all of them in every view.
      for (const part of ['', names[at % names.length] ?? '']) {
        if (part) await page.goto(`${test.hub.url}/reports/${part}${asTable}`)
        if (part && asTable) await page.getByRole('table').waitFor()
        else await drawn(page)
        expect([part, await axe(page), await overflow(page)]).toEqual([part, [], 0])
      }
    },
  )

  it('shows on the page Providers how much of each was on time and how much was rejected', async () => {
    const now = test.hub.inner.clock.now()
    const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
    const query = { from: dayOf(now - 83 * 86_400_000), to: dayOf(now), by: 'provider' }
    const read = async (report: string) =>
      (await test.hub.call<Report>('GET', `/v2/reports/${report}`, { as: 'demo-admin', query }))
        .body
    const [dates, rejects] = [(await read('on-time')).totals, (await read('rejects')).rows]
    expect(rejects.filter(({ rejected = 0 }) => rejected > 0).length).toBeGreaterThan(0)
    const written = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 })
    const percent = (some = 0, of = 0) => (of > 0 ? written.format(some / of) : '–')
    const page = await test.open('/providers')
    const rows = page.locator('[role=row][data-index]')
    await rows.first().waitFor()
    expect(dates.length).toBeGreaterThan(1)
    for (const { groupName = '', onTime, due } of dates) {
      const row = rows.filter({ hasText: groupName.slice(0, 12) }).first()
      await row.getByText(percent(onTime, due), { exact: true }).first().waitFor()
      const { rejected, delivered } = rejects.find((one) => one.groupName === groupName) ?? {}
      await row.getByText(percent(rejected, delivered), { exact: true }).first().waitFor()
    }
    await rows
      .filter({ hasText: dates[0]?.groupName?.slice(0, 12) ?? '' })
      .first()
      .click()
    await page.getByRole('complementary').getByText('In the last twelve weeks').waitFor()
  })

  it('has every text in a catalogue, and longer ones fit', async () => {
    const page = await test.open('/reports/money', { language: 'en-XA', width: 390 })
    await drawn(page)
    expect(await overflow(page)).toBe(0)
    const plain = await page.locator('main button').allInnerTexts()
    expect(plain.filter((text) => /^[A-Za-z ]{3,}$/.test(text))).toEqual([])
  })
})
