/**
 * The page Jobs: what is going on, what is late, and acts on many jobs. The keys that a project
 * manager's tasks take are counted.
 */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { sized } from '../draws.ts'
import type { TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { priceList } from '../price-list.ts'
import { axe, hasBrowser, inViews, overflow, useConsole } from './console.ts'
import { hostileLines, hostileNames, ranNothing, watchCalls } from './hostile-names.ts'
import { fillJobs, makeJob, providersOf } from './some-jobs.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

const rowNames = (page: Page) => page.locator('[role=row] [role=gridcell] a').allTextContents()
const stateOf = async (hub: TestHub, jobId: string) => {
  const { body } = await hub.call<{ statusCode: string; archiveStatus: string }>(
    'GET',
    `/v2/jobs/${jobId}`,
    {
      as: 'demo-connector',
    },
  )
  return `${body.statusCode} ${body.archiveStatus}`
}

describe.skipIf(!hasBrowser)('the page Jobs', () => {
  const test = useConsole()
  const jobs: Record<string, string> = {}

  beforeAll(async () => {
    const { hub } = test
    await hub.call('POST', '/v2/settings/pricelists', { as: 'demo-admin', body: priceList })
    const { Manual = '', Pseudo = '' } = await providersOf(hub)
    const make = async (name: string, wanted: Parameters<typeof makeJob>[1]) => {
      jobs[name] = (await makeJob(hub, wanted)).jobId
    }
    await make('spring', {
      jobName: 'Spring campaign, product pages',
      due: 6,
      targets: ['de-de', 'fr-fr', 'ja-jp', 'es-es'],
      submit: Pseudo,
      shouldQuote: true,
      labels: ['web'],
    })
    await make('late', {
      jobName: 'Help centre, March',
      due: -2.5,
      targets: ['de-de', 'fr-fr'],
      submit: Manual,
    })
    await make('soon', { jobName: 'App 7.1 strings', due: 1, submit: Manual })
    await make('draft', { jobName: 'Newsletter 12' })
    await make('old', { jobName: 'Terms and conditions', due: -30, submit: Manual })
    await until('the old one is completed', async () => {
      const { status } = await hub.call('PUT', `/v2/jobs/${jobs.old}/complete`, {
        as: 'demo-connector',
      })
      return status === 200
    })
    await until('jobs are sent and quoted', async () => {
      const quotes = await hub.inner.db.read.selectFrom('job_quotes').select('job_id').execute()
      return (
        quotes.length === 1 && (await stateOf(hub, jobs.late ?? '')) === 'SENT_TO_PROVIDER ACTIVE'
      )
    })
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('jobs')
        .set({
          has_error: 1,
          error_message: 'The provider has no translator for French.',
          version: 90,
        })
        .where('job_id', '=', jobs.late ?? '')
        .execute(),
    )
  })

  const open = async (path: string, view?: Parameters<typeof test.open>[1]) => {
    const page = await test.open(path, view)
    await page.locator('[role=grid], [role=alert], section[aria-label]').first().waitFor()
    return page
  }

  it('shows open jobs by due date, late ones first, with words and cost where a quote is kept', async () => {
    const page = await open('/')
    await page.getByText('Spring campaign').waitFor()
    expect(await rowNames(page)).toEqual([
      'Help centre, March',
      'App 7.1 strings',
      'Spring campaign, product pages',
      'Newsletter 12',
    ])
    const first = page.locator('[role=row]', { hasText: 'Help centre' })
    expect(await first.textContent()).toMatch(/At provider.*2 days late.*Manual/s)
    await first.getByTitle('2 requests are waiting for the provider to start, since').waitFor()
    await first.getByRole('img', { name: 'The provider has no translator for French.' }).waitFor()
    const spring = page.locator('[role=row]', { hasText: 'Spring campaign' })
    await spring.getByText('EUR').waitFor()
    expect(await spring.locator('[role=gridcell]').nth(6).textContent()).toMatch(/^\d+\.\d\d EUR$/)
    await page.getByText('4 jobs', { exact: true }).waitFor()
  })

  it('shows how many jobs are late, due soon, with errors and in review; each number is a filter', async () => {
    const page = await open('/')
    await page.getByRole('button', { name: '1 late' }).waitFor()
    await page.getByRole('button', { name: '1 with errors' }).waitFor()
    await page.getByRole('button', { name: '1 waiting for review' }).waitFor()
    await page.getByRole('button', { name: '1 due in 3 days' }).click()
    await until(
      'only that one is listed',
      async () => (await rowNames(page)).join() === 'App 7.1 strings',
    )
  })

  it('announces a new job and shows it on a key; until then no row moves', async () => {
    await makeJob(test.hub, { jobName: 'There before', labels: ['fresh'] })
    const page = await open("/?view=all&order=createdDate+desc&filter=labels eq 'fresh'")
    await page.getByText('There before').waitFor()
    await makeJob(test.hub, { jobName: 'Fresh one', labels: ['fresh'] })
    await page.getByRole('button', { name: /1 newer/ }).waitFor()
    expect(await rowNames(page)).toEqual(['There before'])
    await page.keyboard.press('.')
    await until(
      'it is shown',
      async () => (await rowNames(page)).join() === 'Fresh one,There before',
    )
  })

  it('shows late jobs on one key, with the filter that it sends', async () => {
    const page = await open('/')
    await page.getByText('Spring campaign').waitFor()
    await page.keyboard.press('l')
    await until(
      'only the late job is listed',
      async () => (await rowNames(page)).join() === 'Help centre, March',
    )
    expect(new URL(page.url()).searchParams.get('is')).toBe('late')
    expect(await page.locator('code', { hasText: 'dueDate lt' }).textContent()).toMatch(
      /^statusCode ne 'COMPLETED' and statusCode ne 'CANCELLED' and dueDate lt '\d{4}-\d\d-\d\dT\d\d:\d\dZ'$/,
    )
    await page.reload()
    await until(
      'the address is the state',
      async () => (await rowNames(page)).join() === 'Help centre, March',
    )
  })

  it('takes a filter as the API does, and shows at the field where the hub found a mistake', async () => {
    const page = await open('/?is=errors')
    await page.keyboard.press('/')
    await page.keyboard.type("colour eq 'red'")
    await page.keyboard.press('Enter')
    const fault = page.getByRole('alert').filter({ hasText: '"colour" is not a field' })
    await fault.waitFor()
    expect(await fault.textContent()).toMatch(/position 1\b/)
    expect(await page.getByRole('combobox', { name: 'Filter' }).getAttribute('aria-invalid')).toBe(
      'true',
    )
    await page.getByRole('combobox', { name: 'Filter' }).fill("labels eq 'web'")
    await page.keyboard.press('Enter')
    await page.getByText('No job matches the filter').waitFor()
    await page.getByRole('button', { name: 'Errors', exact: true }).click()
    await until(
      'the filter matches',
      async () => (await rowNames(page)).join() === 'Spring campaign, product pages',
    )
  })

  it('finds jobs by plain words inside their names, and completes the filter language', async () => {
    const page = await open('/')
    const field = page.getByRole('combobox', { name: 'Filter' })
    await field.fill('PAIGN "product p"')
    await page.keyboard.press('Enter')
    await until(
      'the words match',
      async () => (await rowNames(page)).join() === 'Spring campaign, product pages',
    )
    expect(await page.getByRole('alert').count()).toBe(0)
    const offered = () =>
      page
        .locator('#filter-completions option')
        .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
    const cases: [string, string][] = [
      ['sta', 'statusCode'],
      ['statusCode e', 'statusCode eq'],
      ["statusCode eq 'com", "statusCode eq 'COMPLETED'"],
      ['hasError eq true a', 'hasError eq true and'],
      ['contains(jobN', 'contains(jobName'],
    ]
    for (const [typed, next] of cases) {
      await field.fill(typed)
      await expect.poll(offered, { message: typed }).toContain(next)
    }
    await field.fill('spring')
    await expect.poll(offered).toEqual([])
  })

  it('sorts by a column header', async () => {
    const page = await open('/')
    await page.getByText('Spring campaign').waitFor()
    await page.getByRole('button', { name: /^Due/ }).click()
    await until(
      'the last due comes first',
      async () => (await rowNames(page))[0] === 'Spring campaign, product pages',
    )
    expect(await page.getByRole('columnheader', { name: /^Due/ }).getAttribute('aria-sort')).toBe(
      'descending',
    )
  })

  it('saves a filter for the person and opens it again', async () => {
    const page = await open("/?filter=labels eq 'web'")
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await page.getByRole('menuitem', { name: 'Save this filter' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Web <b>only</b>')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Clear filter' }).click()
    await page.getByText('Help centre').waitFor()
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await page.getByRole('menuitem', { name: 'Web <b>only</b>' }).click()
    await until(
      'it is applied',
      async () => (await rowNames(page)).join() === 'Spring campaign, product pages',
    )
  })

  it('completes marked jobs with five keys, says which ones it leaves out, and archives and restores them', async () => {
    const { hub } = test
    const { Manual = '' } = await providersOf(hub)
    const one = await makeJob(hub, {
      jobName: 'Bulk one',
      due: 40,
      submit: Manual,
      labels: ['bulk'],
    })
    const two = await makeJob(hub, { jobName: 'Bulk two', due: 41, labels: ['bulk'] })
    await until(
      'it is sent',
      async () => (await stateOf(hub, one.jobId)) === 'SENT_TO_PROVIDER ACTIVE',
    )
    const page = await open("/?filter=labels eq 'bulk'")
    await page.getByText('Bulk two').waitFor()
    for (const key of ['j', 'x', 'j', 'x', 'c']) await page.keyboard.press(key)
    await page.getByRole('dialog').getByText('1 marked job is left out').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('1 of 1 done').waitFor()
    expect(await stateOf(hub, one.jobId)).toBe('COMPLETED ACTIVE')
    await page.keyboard.press('Escape')
    await page.goto(`${hub.url}/?view=all&filter=labels eq 'bulk'`)
    await page.getByText('Bulk two').waitFor()
    for (const key of ['j', 'x', 'j', 'x', 'a']) await page.keyboard.press(key)
    await page.getByRole('dialog').getByText('2 jobs will be archived').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2 of 2 done').waitFor()
    await until(
      'both are archived',
      async () =>
        (await stateOf(hub, two.jobId)) === 'COMPLETED ARCHIVED' ||
        (await stateOf(hub, two.jobId)) === 'CREATED ARCHIVED',
    )
    await page.goto(`${hub.url}/?view=archived`)
    await page.getByText('Bulk two').waitFor()
    for (const key of ['j', 'x', 'a']) await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('1 of 1 done').waitFor()
    await until('one is back', async () =>
      (await Promise.all([one, two].map(({ jobId }) => stateOf(hub, jobId)))).some((state) =>
        state.endsWith(' ACTIVE'),
      ),
    )
  })

  it('moves a card on the board with keys alone', async () => {
    const { hub } = test
    const { Manual = '' } = await providersOf(hub)
    const { jobId } = await makeJob(hub, {
      jobName: 'On the board',
      due: 50,
      submit: Manual,
      labels: ['board'],
    })
    await until('it is sent', async () => (await stateOf(hub, jobId)) === 'SENT_TO_PROVIDER ACTIVE')
    const page = await open("/?view=all&as=board&filter=labels eq 'board'")
    await page.getByText('On the board').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('m')
    await page.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('will be completed').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('section[aria-label="Jobs: Completed"]').getByText('On the board').waitFor()
    expect(await stateOf(hub, jobId)).toBe('COMPLETED ACTIVE')
  })

  it('shows hostile names as text, in the table, on the board, in menus and dialogs', async () => {
    const { hub } = test
    for (const jobName of hostileLines) await makeJob(hub, { jobName, labels: ['hostile'] })
    const page = await open("/?filter=labels eq 'hostile'")
    const strange = watchCalls(page, hub.url)
    await page.getByRole('row').nth(12).waitFor()
    const shown = await rowNames(page)
    expect(shown.length).toBeGreaterThan(10)
    expect(shown.filter((name) => !hostileNames.includes(name))).toEqual([])
    for (const key of ['j', 'x', 'j', 'x', 'j', 'x', 'a']) await page.keyboard.press(key)
    await page.getByRole('dialog').getByText('3 jobs will be archived').waitFor()
    await ranNothing(page, strange)
    await page.goto(`${hub.url}/?as=board&filter=labels eq 'hostile'`)
    await page.locator('[data-card]').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: 'Archive' }).waitFor()
    await ranNothing(page, strange)
  })
})

describe.skipIf(!hasBrowser)('the page Jobs in every view', () => {
  const test = useConsole()
  beforeAll(async () => {
    const { Manual = '', Pseudo = '' } = await providersOf(test.hub)
    await test.hub.call('POST', '/v2/settings/pricelists', { as: 'demo-admin', body: priceList })
    await makeJob(test.hub, {
      jobName: 'Help centre, March',
      due: -2.5,
      targets: ['de-de', 'fr-fr'],
      submit: Manual,
    })
    await makeJob(test.hub, {
      jobName: 'Spring campaign, product pages',
      due: 6,
      targets: ['de-de', 'fr-fr', 'ja-jp', 'es-es'],
      submit: Pseudo,
      shouldQuote: true,
    })
    await makeJob(test.hub, { jobName: 'حملة الربيع', due: 12, targets: ['ar-SA'], submit: Manual })
    await makeJob(test.hub, { jobName: 'Newsletter 12', due: 2 })
  })

  inViews(
    'has no finding of axe and does not scroll sideways: $theme, $language, $width',
    async (view) => {
      const page = await test.open('/', view)
      await page.getByText('Spring campaign').waitFor()
      await shoot(page, `jobs-${view.theme}-${view.language}-${view.width}`)
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.goto(`${test.hub.url}/?as=board&view=all`)
      await page.getByText('Spring campaign').waitFor()
      await shoot(page, `board-${view.theme}-${view.language}-${view.width}`)
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    },
  )

  it('fits a language with longer words', async () => {
    const page = await test.open('/', { language: 'en-XA' })
    await page.getByText('Spring campaign').waitFor()
    expect(await overflow(page)).toBe(0)
  })
})

/**
 * The page counts no further than 10,000, and keeps 5,000 rows: only the slow part scrolls past
 * those.
 */
const [many, far] = sized([12_000, 480], [100_000, 5_080])

describe.skipIf(!hasBrowser)('the page Jobs with very many jobs', () => {
  const test = useConsole()

  it('has at most 60 rows in the document however far it scrolls, and scrolls back', async () => {
    const { hub } = test
    const { jobId } = await makeJob(hub, { jobName: 'The first', due: 0.5 })
    await fillJobs(hub, jobId, many)
    const page = await test.open('/')
    await page.getByText('The first').waitFor()
    const rows = () => page.locator('[role=gridcell] a').count()
    expect(await rows()).toBeLessThanOrEqual(60)
    await page.getByText(/and 9,950\+ more/).waitFor()
    // Scroll to the end of what is loaded, again and again.
    const { most, last, top } = await page.evaluate(async (far) => {
      const frame = document.querySelector('[role=grid] [role=presentation]') as HTMLElement
      const seen = { most: 0, last: 0, top: 0 }
      while (seen.last < far) {
        frame.scrollTop = frame.scrollHeight
        await new Promise(requestAnimationFrame)
        const drawn = [...frame.querySelectorAll('[role=row]')]
        seen.most = Math.max(seen.most, drawn.length)
        seen.last = Math.max(
          seen.last,
          ...drawn.map((row) => Number(row.getAttribute('aria-rowindex'))),
        )
        seen.top = frame.scrollTop
      }
      return seen
    }, far)
    expect(most).toBeLessThanOrEqual(60)
    expect(last).toBeGreaterThanOrEqual(far)
    expect(top).toBeGreaterThan(40 * (far - 180))
    // Back by ten rows per frame: rows have only some of their cells until the list rests. The
    // observer sees every change of the document, so a slow frame hides nothing.
    const emptyCells = await page.evaluate(async () => {
      const frame = document.querySelector('[role=grid] [role=presentation]') as HTMLElement
      let most = 0
      const watching = new MutationObserver(() => {
        for (const row of frame.querySelectorAll('[role=row]'))
          most = Math.max(most, row.querySelectorAll('[role=gridcell]:empty').length)
      })
      watching.observe(frame, { childList: true, subtree: true })
      for (let step = 0; step < 40; step += 1) {
        frame.scrollTop -= 400
        await new Promise(requestAnimationFrame)
      }
      watching.disconnect()
      return most
    })
    expect(emptyCells).toBeGreaterThan(3)
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[role=row]')].every(
        (row) => row.querySelectorAll('[role=gridcell]:empty').length < 2,
      ),
    )
    await page.evaluate(() => {
      ;(document.querySelector('[role=grid] [role=presentation]') as HTMLElement).scrollTop = 0
    })
    await page.getByText('The first').waitFor()
    expect(await rows()).toBeLessThanOrEqual(60)
  })
})

/** Saves a picture if SHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
