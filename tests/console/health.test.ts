/** The page Health: findings and their remedies; tasks, nodes, storage, audit, backups. */
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { parkTask } from '../parked-task.ts'
import { axe, hasBrowser, inViews, overflow, pressPair, settled, useConsole } from './console.ts'
import { makeJob } from './some-jobs.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

const hostile = `"><img src=x onerror=alert(1)><script>alert(2)</script>\u202e${'x'.repeat(300)}`
const day = 86_400_000
const parts = ['/tasks', '/storage', '/audit', '/nodes', '/backups']

describe.skipIf(!hasBrowser)('the page Health', () => {
  const test = useConsole()
  const clear = () =>
    test.hub.inner.db.transact((tx) => tx.deleteFrom('tasks').where('parked', '=', 1).execute())
  afterEach(clear)
  const park = (more: Parameters<typeof parkTask>[1] = {}) =>
    parkTask(test.hub, { site_id: 'demo', ...more })
  const change = (jobId: string, row: Readonly<Record<string, string | number | null>>) =>
    test.hub.inner.db.transact((tx) =>
      tx.updateTable('jobs').set(row).where('job_id', '=', jobId).execute(),
    )
  const isParked = async (taskId: string) => {
    const tasks = test.hub.inner.db.read
      .selectFrom('tasks')
      .select('parked')
      .where('task_id', '=', Number(taskId))
    return (await tasks.executeTakeFirst())?.parked === 1
  }

  it('says in one sentence that all is well', async () => {
    const page = await test.open('/health')
    await page.getByRole('heading', { name: 'All is well' }).waitFor()
    await page.getByText(/No task is parked, .* Checked at \d\d:\d\d\./).waitFor()
    // The demo admin is an operator too.
    await page.getByText(/all nodes, the disk and the backup are in order/).waitFor()
  })

  it('shows the versions of the nodes also after the list of the nodes', async () => {
    const [node] = await test.hub.inner.db.read.selectFrom('nodes').selectAll().execute()
    const page = await test.open('/health/nodes')
    await page
      .getByRole('grid')
      .getByText(node?.host ?? '')
      .waitFor()
    await page.getByRole('link', { name: 'Backups and versions' }).click()
    await page
      .locator('dt')
      .getByText(node?.host ?? '')
      .waitFor()
    await page.getByRole('link', { name: 'Nodes', exact: true }).click()
    await page
      .getByRole('grid')
      .getByText(node?.host ?? '')
      .waitFor()
  })

  it('lists the worst finding first; four keys from any page apply its remedy', async () => {
    const taskId = await park({ last_error: 'The receiver is away.' })
    await test.hub.inner.db.transact((tx) =>
      tx
        .updateTable('client_secrets')
        .set({ expires_at: test.hub.inner.clock.now() + 86_400_000 })
        .where('client_id', '=', 'demo-connector')
        .execute(),
    )
    const page = await test.open('/')
    await page.locator('h1').waitFor()
    await pressPair(page, 'gh')
    await page.getByRole('heading', { name: '2 findings' }).waitFor()
    await page.getByText('1 error and 1 warning. Worst first.').waitFor()
    expect(await page.locator('main h3').allInnerTexts()).toEqual([
      expect.stringMatching(/^Parked tasks\s*1 finding$/),
      expect.stringMatching(/^Secrets that expire soon\s*1 finding$/),
    ])
    await page
      .getByText(
        `deliver, task ${taskId}, is parked after 8 failed attempts: The receiver is away.`,
      )
      .waitFor()
    await page.keyboard.press('r')
    await page.getByRole('dialog').getByText('recorded in the audit log').waitFor()
    expect(await isParked(taskId)).toBe(true)
    const act = page.getByRole('dialog').getByRole('button', { name: 'Retry the task' })
    await expect.poll(() => act.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor()
    expect(await isParked(taskId)).toBe(false)
    await page.getByRole('heading', { name: '1 finding', exact: true }).waitFor()
    await page.getByText('1 warning. Worst first.').waitFor()
    await test.hub.inner.db.transact((tx) =>
      tx.updateTable('client_secrets').set({ expires_at: null }).execute(),
    )
  })

  it('is advice in the language of the reader: a card for each rule, names and dates, and one count everywhere', async () => {
    for (let at = 0; at < 120; at += 1) await park({ last_error: 'The receiver is away.' })
    const { jobId } = await makeJob(test.hub, { jobName: 'Spring campaign' })
    const at = test.hub.inner.clock.now() - 30 * day
    await change(jobId, { status: 'SENT_TO_PROVIDER', due_at: at, activity_at: at })
    const page = await test.open('/health')
    const overdue = page.getByRole('region', { name: /^Overdue jobs/ })
    const due = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(at)
    await overdue
      .getByText(
        new RegExp(`^Spring campaign was due on ${due}, .* It is At provider, and nothing`),
      )
      .waitFor()
    expect(await overdue.innerText()).not.toContain(jobId)
    const parked = page.getByRole('region', { name: /^Parked tasks/ })
    expect(await parked.getByRole('listitem').count()).toBe(5)
    const tab = page.getByRole('link', { name: /^Findings/ })
    const nav = page.getByRole('navigation').getByRole('link', { name: /^Health/ })
    expect([
      await parked.getByRole('heading').innerText(),
      await page.getByRole('heading', { level: 2 }).first().innerText(),
      (await tab.innerText()).match(/\d+\S*/)?.[0],
      (await nav.locator('em').innerText()).trim(),
    ]).toEqual([expect.stringMatching(/120 findings$/), '121 findings', '121', '121'])
    await parked.getByRole('button', { name: 'Show all 120' }).click()
    await parked.getByRole('listitem').nth(49).waitFor()
    const arabic = await test.open('/health', { language: 'ar' })
    const card = arabic.getByRole('region', { name: /^مهام تجاوزت موعدها/ })
    await card.getByText(/^كان موعد Spring campaign في/).waitFor()
    expect(await arabic.locator('main [lang=en]').count()).toBe(0)
    await change(jobId, { status: 'CREATED', due_at: null })
  })

  it('says that a remedy no longer applies, and does nothing', async () => {
    const taskId = await park()
    const page = await test.open('/health')
    await page.getByRole('button', { name: 'Retry the task' }).click()
    await page.getByRole('dialog').waitFor()
    await clear()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry the task' }).click()
    await page.getByText('This no longer applies, so nothing was done.').waitFor()
    await page.getByRole('heading', { name: 'All is well' }).waitFor()
    expect(await isParked(taskId)).toBe(false)
  })

  it('links a finding to its task, which can be retried', async () => {
    const taskId = await park({ name: 'quote-job', last_error: 'No price list.' })
    const page = await test.open('/health')
    await page.getByRole('link', { name: 'Open the task' }).click()
    const inspector = page.getByRole('complementary', { name: `Task ${taskId}` })
    await inspector.getByText('No price list.').waitFor()
    await inspector.getByRole('button', { name: 'Retry now' }).click()
    await page.getByText('1 task is due now.').waitFor()
    expect(await isParked(taskId)).toBe(false)
  })

  it('retries all tasks of the filter, even those that are not on the screen', async () => {
    for (let at = 0; at < 120; at += 1) await park({ name: at % 2 === 0 ? 'quote-job' : 'deliver' })
    const page = await test.open('/health/tasks?state=parked&name=deliver')
    await page.getByRole('grid', { name: 'Tasks' }).waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'quote-job' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Retry all parked “deliver”' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Retry all parked “deliver”' })
      .click()
    await page.getByText('60 tasks are due now.').waitFor()
    const left = await test.hub.inner.db.read
      .selectFrom('tasks')
      .select('name')
      .where('parked', '=', 1)
      .execute()
    expect([left.length, ...new Set(left.map(({ name }) => name))]).toEqual([60, 'quote-job'])
    await page.getByText('No task matches the filter').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByRole('row').filter({ hasText: 'quote-job' }).first().waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('shows quotas as bars with their figures, and to an operator the nodes, sites and backups', async () => {
    const page = await test.open('/health/storage')
    await page.getByText('Unacknowledged updates').waitFor()
    await page.getByText(/^\d+ of 10,000 \(\d+%\)$/).waitFor()
    await page.getByText('Only operators see').waitFor({ state: 'detached' })
    await page.goto(`${test.hub.url}/health/nodes`)
    await page.getByRole('row').nth(1).waitFor()
    await page.goto(`${test.hub.url}/health/backups`)
    await page.getByText('sandbox', { exact: true }).waitFor()
  })

  it('filters the audit log by the address, and exports it as JSON lines and as CSV', async () => {
    const page = await test.open('/health/audit?thing=client&thingId=demo-connector')
    const row = page.getByRole('row').filter({ hasText: 'demo-connector' })
    await row.waitFor()
    await row.click()
    await page.getByRole('complementary').getByText('"scopes"').waitFor()
    const [lines] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON lines' }).click(),
    ])
    const text = readFileSync(await lines.path(), 'utf8')
    expect([lines.suggestedFilename(), text.trim().split('\n').length]).toEqual(['audit.jsonl', 1])
    expect(JSON.parse(text)).toMatchObject({
      thing: 'client',
      thingId: 'demo-connector',
      verb: 'added',
    })
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    expect(readFileSync(await csv.path(), 'utf8')).toMatch(
      /^auditId,time,actor,clientId,personId,siteId,.*\r\n\d+,.*,added,client,demo-connector,/,
    )
    await page.getByLabel('Action', { exact: true }).fill('removed')
    await page.getByText('No action matches').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByLabel('From').fill('2001-01-01')
    await page.getByLabel('To', { exact: true }).fill('2001-01-02')
    await page.getByText('No action matches').waitFor()
    expect(new URL(page.url()).search).toContain('since=2001-01-01&until=2001-01-02')
  })

  it('shows hostile names and runs none of them', async () => {
    await park({ name: hostile.slice(0, 90), last_error: hostile })
    const page = await test.open('/health', { width: 390 })
    await page.getByText('onerror=alert(1)').first().waitFor()
    expect(await overflow(page)).toBe(0)
    await page.goto(`${test.hub.url}/health/tasks?state=parked`)
    await page.getByText('onerror=alert(1)').first().waitFor()
    expect(await page.locator('main img, main script').count()).toBe(0)
  })

  inViews(
    'has no finding of axe and does not scroll sideways: $theme, $language, $width',
    async ({ at, ...view }) => {
      await park({ last_error: 'The receiver is away.' })
      const page = await test.open('/health', view)
      // Another part in each view.
      for (const part of ['', parts[at % 5] ?? '']) {
        if (part) await page.goto(`${test.hub.url}/health${part}`)
        await page.locator('h1').waitFor()
        await settled(page)
        expect([part, await axe(page), await overflow(page)]).toEqual([part, [], 0])
      }
    },
  )
})
