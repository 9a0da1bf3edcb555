/** The page Deliveries in a real browser, with a real receiver. */
import type { Job, Listener } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { announce } from '../../packages/server/src/domain/listeners/announce.ts'
import type { JobRow } from '../../packages/server/src/store/tables.ts'
import type { TestHub } from '../hub.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { atConsole } from './at-console.ts'
import { axe, clipboard, hasBrowser, overflow, pressPair, useConsole } from './console.ts'

const hostile = `<img src=x onerror="document.title='run'">\u202e"'</script>`

/** The part of a connector: listeners, jobs, and updates of them. */
function stageOf(test: { hub: TestHub }, url: () => string) {
  const makeJob = async (): Promise<JobRow> => {
    const { body } = await test.hub.call<Job>('POST', '/v2/jobs', {
      as: 'demo-connector',
      body: { jobName: hostile.replace('\u202e', '') },
    })
    return test.hub.inner.db.read
      .selectFrom('jobs')
      .selectAll()
      .where('job_id', '=', body.jobId)
      .executeTakeFirstOrThrow()
  }
  return {
    makeJob,
    listen: async (more: object = {}) => {
      const body = { uri: `${url()}/hooks/dragoman`, type: 'REQUEST_STATUS_UPDATED', ...more }
      return (
        await test.hub.call<Listener>('POST', '/v2/statusupdates/listeners', {
          as: 'demo-connector',
          body,
        })
      ).body
    },
    update: (job: JobRow, sequence?: number) =>
      test.hub.inner.db.transact((tx) =>
        announce({ hub: test.hub.inner, tx, causeId: 'a-cause' }, [
          {
            kind: 'requests',
            job,
            requestIds: [],
            status: 'REVIEW_TRANSLATION',
            isError: true,
            message: hostile,
            ...(sequence !== undefined && { sequence }),
          },
        ]),
      ),
    clear: () =>
      test.hub.inner.db.transact(async (tx) => {
        await tx.deleteFrom('listeners').execute()
        await tx.deleteFrom('tasks').where('site_id', 'is not', null).execute()
      }),
  }
}

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

describe.skipIf(!hasBrowser)('a listener that was down for two days', () => {
  const test = useConsole()
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  it('gets everything, in order, on four keys', async () => {
    const { listen, makeJob, update } = stageOf(test, () => receiver.url)
    await listen()
    receiver.behave({ status: 503, body: '{"error":"maintenance"}' })
    const jobs = [await makeJob(), await makeJob(), await makeJob()]
    let sequence = 0
    for (let round = 0; round < 3; round += 1) for (const job of jobs) await update(job, ++sequence)
    await test.hub.advance('2d')
    receiver.behave(204)
    receiver.calls.length = 0
    const page = await test.open('/')
    await page.locator('h1', { hasText: 'Jobs' }).waitFor()
    let keys = 0
    const press = async (key: string) => {
      keys += 1
      await page.keyboard.press(key)
    }
    keys += 2
    await pressPair(page, 'gd')
    await page
      .getByText(/^503 from 127\.0\.0\.1/)
      .first()
      .waitFor()
    const causes = page.getByRole('region', { name: 'Failing, by cause' })
    await causes.getByText(/^Listener 127\.0\.0\.1:\d+\S*, demo-connector$/).waitFor()
    await press('1')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('3 would be sent. 6 newer ones wait for them.').waitFor()
    await press('Enter')
    await page.getByText('All 3 arrived, in order.').waitFor()
    await page.getByText('Everything arrives').waitFor()
    expect(keys).toBeLessThanOrEqual(4)
    for (const { job_id } of jobs) {
      const got = receiver.calls
        .filter(({ body }) => body.jobId === job_id)
        .map(({ body }) => Number(body.sequence))
      expect(got).toEqual([...got].sort((one, other) => one - other))
      expect(got).toHaveLength(3)
    }
  })
})

describe.skipIf(!hasBrowser)('the page Deliveries', () => {
  const test = useConsole()
  let receiver: Receiver
  const { listen, makeJob, update, clear } = stageOf(test, () => receiver.url)
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  /** One that arrived, one that fails twice with different answers, one that waits behind it. */
  const stage = async () => {
    await clear()
    const listener = await listen()
    receiver.behave(204)
    await update(await makeJob(), 1)
    await test.hub.advance('1s')
    receiver.behave({ status: 503, headers: { 'retry-after': '10' }, body: 'first\nsame' })
    const job = await makeJob()
    await update(job, 2)
    await update(job, 3)
    await test.hub.advance('1s')
    receiver.behave({ status: 500, headers: { 'retry-after': '3600' }, body: 'second\nsame' })
    await test.hub.advance('20s')
    const row = await test.hub.inner.db.read
      .selectFrom('deliveries')
      .select('delivery_id')
      .where('sequence', '=', 2)
      .executeTakeFirstOrThrow()
    return { listener, job, deliveryId: row.delivery_id }
  }

  it('says what fails and what to do, and shows how attempts differ', async () => {
    const { deliveryId } = await stage()
    const page = await test.open('/deliveries')
    await page
      .getByText(/^500 from 127\.0\.0\.1/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'What to do' }).click()
    await page
      .getByText('The receiver is broken or overloaded.', { exact: false })
      .first()
      .waitFor()
    const grid = page.getByRole('grid')
    await grid.getByText('Retrying').click()
    await page.waitForURL(`**/deliveries/${deliveryId}`)
    const inspector = page.getByRole('complementary', { name: 'Delivery 2' })
    await inspector.getByRole('tab', { name: '1' }).click()
    await page.waitForURL('**?attempt=1')
    await inspector.getByText('first', { exact: false }).first().waitFor()
    await inspector.getByRole('tab', { name: '2' }).click()
    await inspector.getByText('Differences from attempt 1').click()
    const differences = await inspector.locator('del, ins').allTextContents()
    expect(differences).toEqual(expect.arrayContaining(['503', '500', 'first', 'second']))
    expect(differences.join()).not.toContain('same')
    expect(await page.title()).toBe('Deliveries · Dragoman')
    // It has an address of its own.
    await page.reload()
    await inspector.getByText('500 from', { exact: false }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/deliveries')
  })

  it('explains the signature and names a mistake in it', async () => {
    const { listener, deliveryId } = await stage()
    const page = await test.open(`/deliveries/${deliveryId}?attempt=1`)
    const inspector = page.getByRole('complementary')
    await inspector.getByText('Secret 1 of 1').waitFor()
    const sent = receiver.calls.find(({ headers }) => headers['webhook-id'] === deliveryId)
    const text = `${deliveryId}.${sent?.headers['webhook-timestamp']}.${sent?.text}`
    const bytes = new Intl.NumberFormat('en-GB').format(Buffer.byteLength(text))
    await inspector.getByText(`${bytes} bytes are signed`, { exact: false }).waitFor()
    const field = inspector.getByRole('textbox', { name: 'Paste what your side computed' })
    await field.fill(sent?.headers['webhook-signature'] ?? '')
    await field.press('Enter')
    await inspector.getByText('It matches. Your side computes it correctly.').waitFor()
    const { createHmac } = await import('node:crypto')
    const key = Buffer.from((listener.secret ?? '').slice(6), 'base64')
    const again = JSON.stringify(JSON.parse(sent?.text ?? ''), null, 2)
    const wrong = createHmac('sha256', key)
      .update(text.replace(sent?.text ?? '', () => again))
      .digest('base64')
    await field.fill(`v1,${wrong}`)
    await field.press('Enter')
    await inspector
      .getByText('The JSON was parsed and written again, with different spaces.', { exact: false })
      .waitFor()
    await inspector.getByRole('button', { name: 'Copy as curl' }).click()
    await expect.poll(() => clipboard(page)).toContain(deliveryId)
    for (const language of ['Node', 'PHP', 'C#', 'Python']) {
      await inspector.getByRole('button', { name: language, exact: true }).click()
      await inspector.getByRole('region', { name: language }).waitFor()
    }
    expect(await page.content()).not.toContain(listener.secret)
  })

  it('filters by the address, and replays what matches', async () => {
    const { job, deliveryId } = await stage()
    const page = await test.open('/deliveries')
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(job.job_id)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**?job=${job.job_id}`)
    await page.getByText('2 match the filter').waitFor()
    receiver.behave(204)
    await page.locator('h1').click()
    await page.keyboard.press('r')
    await page
      .getByRole('dialog')
      .getByText('1 would be sent. 1 newer one waits for them.')
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('It arrived.').first().waitFor()
    const shown = await atConsole<{ state: string }>(test.hub, 'GET', `/deliveries/${deliveryId}`)
    expect(shown.body.state).toBe('DELIVERED')
    await page.getByRole('button', { name: 'Replay all' }).click()
    await page.getByRole('dialog').getByText('2 would be sent.').waitFor()
  })

  it('sends an edited body as a delivery of its own, while the original waits for its next attempt', async () => {
    const { deliveryId } = await stage()
    receiver.behave(204)
    const page = await test.open(`/deliveries/${deliveryId}`)
    await page.getByRole('button', { name: 'Replay edited' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send an edited body' })
    const field = dialog.getByRole('textbox', { name: 'Body' })
    expect(JSON.parse(await field.inputValue())).toMatchObject({ sequence: 2 })
    await field.fill('{"edited":')
    await dialog.getByText('This is not JSON.', { exact: false }).waitFor()
    expect([await axe(page), await overflow(page)]).toEqual([[], 0])
    await field.fill('{"edited": true}')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('link', { name: 'Open it' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(deliveryId))
    const details = page.getByRole('complementary', { name: 'Delivery', exact: true })
    await details.getByText('It arrived.').waitFor()
    const edited = new URL(page.url()).pathname.split('/').at(-1)
    const { body: sent } = await atConsole<{ jobId: string }>(
      test.hub,
      'GET',
      `/deliveries/${edited}`,
    )
    await details.getByText(sent.jobId).waitFor()
    expect(
      await page.locator(`a[href="/jobs/${sent.jobId}"]`).count(),
      'links to a job that does not exist',
    ).toBe(0)
    expect(receiver.calls.at(-1)?.text).toBe('{"edited": true}')
    const original = await atConsole<{ state: string }>(
      test.hub,
      'GET',
      `/deliveries/${deliveryId}`,
    )
    expect(original.body.state).toBe('PENDING')
  })

  it('offers to enable a listener that the hub disabled, then sends', async () => {
    await clear()
    await listen()
    receiver.behave(410)
    await update(await makeJob(), 1)
    await test.hub.advance('1s')
    const page = await test.open('/deliveries')
    await page.getByText('listener disabled').waitFor()
    await page.getByRole('button', { name: '1 parked' }).waitFor()
    receiver.behave(204)
    await page.keyboard.press('1')
    await page
      .getByRole('dialog')
      .getByText('The listener is disabled.', { exact: false })
      .waitFor()
    await page.getByRole('dialog').getByText('1 would be sent.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Everything arrives').waitFor()
  })
})
