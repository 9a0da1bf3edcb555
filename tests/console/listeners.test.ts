/** The page Listeners in a real browser, with a real receiver. */
import { createHmac } from 'node:crypto'
import type { Job, Listener } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { announce } from '../../packages/server/src/domain/listeners/announce.ts'
import type { JobRow } from '../../packages/server/src/store/tables.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { axe, hasBrowser, useConsole } from './console.ts'

const own = '/v2/statusupdates/listeners'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

describe.skipIf(!hasBrowser)('the page Listeners', () => {
  const test = useConsole()
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  const clear = () =>
    test.hub.inner.db.transact(async (tx) => {
      await tx.deleteFrom('listeners').execute()
      await tx.deleteFrom('tasks').where('site_id', 'is not', null).execute()
    })
  const listen = async (more: object = {}) => {
    const body = {
      uri: `${receiver.url}/hooks/"><script>alert(1)</script>`,
      type: 'REQUEST_STATUS_UPDATED',
      ...more,
    }
    return (await test.hub.call<Listener>('POST', own, { as: 'demo-connector', body })).body
  }
  const update = async () => {
    const { body } = await test.hub.call<Job>('POST', '/v2/jobs', {
      as: 'demo-connector',
      body: { jobName: 'A job' },
    })
    const { db } = test.hub.inner
    const job: JobRow = await db.read
      .selectFrom('jobs')
      .selectAll()
      .where('job_id', '=', body.jobId)
      .executeTakeFirstOrThrow()
    await db.transact((tx) =>
      announce({ hub: test.hub.inner, tx, causeId: 'a-cause' }, [
        { kind: 'requests', job, requestIds: [], status: 'REVIEW_TRANSLATION', isError: false },
      ]),
    )
    await test.hub.advance('1s')
  }
  /** One that fails sometimes, one for a single job, and a disabled one of a provider. */
  const stage = async () => {
    await clear()
    const { listenerId, secret } = await listen()
    const { body: job } = await test.hub.call<Job>('POST', '/v2/jobs', {
      as: 'demo-connector',
      body: { jobName: 'One' },
    })
    await listen({ type: 'JOB_STATUS_UPDATED', jobId: job.jobId, statusCodes: ['CANCELLED'] })
    const provider = { jobUri: 'https://agency.example/jobs', disabled: true }
    await test.hub.call('POST', '/v2/listeners', { as: 'demo-provider', body: provider })
    receiver.behave(204)
    for (let at = 0; at < 3; at += 1) await update()
    receiver.behave({ status: 503, headers: { 'retry-after': '7200' }, body: 'busy' })
    await update()
    receiver.behave(204)
    return { listenerId, secret, jobId: job.jobId }
  }

  it('shows what each listener hears of, its last 24 hours, and why it fails', async () => {
    const { listenerId, jobId } = await stage()
    const page = await test.open('/listeners')
    const grid = page.getByRole('grid')
    await grid.getByText('Failing').waitFor()
    const rows = await grid.getByRole('row').allInnerTexts()
    expect(rows.join('\n')).toMatch(/All jobs\s+Requests: any status/)
    expect(rows.join('\n')).toMatch(new RegExp(`Job ${jobId}\\s+Jobs: Cancelled`))
    expect(rows.join('\n')).toMatch(/All providers/)
    const wide = grid.getByText('All jobs')
    expect(await wide.evaluate((one) => getComputedStyle(one.closest('b') ?? one).color)).toBe(
      'rgb(138, 82, 0)',
    )
    await grid.getByText('75%').waitFor()
    await grid.getByRole('img', { name: '3 arrived, 1 failed in 24 hours.' }).waitFor()
    await grid.getByText('All jobs').click()
    await page.waitForURL(`**/listeners/${listenerId}`)
    const inspector = page.getByRole('complementary')
    await inspector.getByText('The receiver is broken or overloaded.', { exact: false }).waitFor()
    await inspector
      .getByText('It is notified of every job of its client demo-connector.', { exact: false })
      .waitFor()
    await inspector.getByRole('link', { name: 'Its deliveries' }).click()
    await page.waitForURL(`**/deliveries?listener=${listenerId}`)
  })

  it('never says that nothing failed beside a last error', async () => {
    await clear()
    const { listenerId } = await listen()
    receiver.behave({ status: 503, headers: { 'retry-after': '60' } })
    await update()
    receiver.behave(204)
    await test.hub.advance('5m')
    const page = await test.open(`/listeners/${listenerId}`)
    const inspector = page.getByRole('complementary')
    await inspector.getByText('1 arrived, 1 of them after failed attempts in 24 hours.').waitFor()
    await inspector.getByText('Last error: 503', { exact: false }).waitFor()
    // A day later nothing of that day is left, and what still fails is older.
    receiver.behave({ status: 503, headers: { 'retry-after': '7200' } })
    await update()
    await test.hub.advance('25h')
    await page.reload()
    await inspector.getByText('0 arrived in 24 hours. 1 older delivery still fails.').waitFor()
    receiver.behave(204)
  })

  it('creates one for a client, shows errors at their fields, and the secret once', async () => {
    await clear()
    const page = await test.open('/listeners')
    await page.getByText('No listeners yet').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'New listener' }).click()
    await dialog.getByText('Name the client that owns it', { exact: false }).waitFor()
    await dialog.getByText('Enter a full URL', { exact: false }).waitFor()
    expect(await axe(page)).toEqual([])
    await dialog.getByLabel('Client').fill('nobody')
    await dialog.getByLabel('URL').fill(`${receiver.url}/made`)
    await dialog.getByLabel('In review').check()
    await dialog.getByRole('button', { name: 'New listener' }).click()
    await dialog.getByText('There is no client nobody', { exact: false }).waitFor()
    expect(await dialog.getByLabel('Client').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Client').fill('demo-connector')
    await dialog.getByRole('button', { name: 'New listener' }).click()
    const shown = (await dialog.getByText(/^whsec_/).textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('complementary').getByText('Requests: In review').waitFor()
    await expect.poll(() => page.content()).not.toContain(shown)
    // The sample is signed with the secret that was shown.
    await page.getByRole('button', { name: 'Send a sample' }).click()
    await page.getByText(/It responded with 204 in/).waitFor()
    const call = receiver.calls.at(-1)
    const text = `${call?.headers['webhook-id']}.${call?.headers['webhook-timestamp']}.${call?.text}`
    const right = createHmac('sha256', Buffer.from(shown.slice(6), 'base64'))
      .update(text)
      .digest('base64')
    expect(call?.headers['webhook-signature']).toBe(`v1,${right}`)
  })

  it('replaces the secret with an overlap, disables and enables', async () => {
    const { listenerId } = await stage()
    const page = await test.open(`/listeners/${listenerId}`)
    const inspector = page.getByRole('complementary')
    await inspector.getByText('Secret 1 of 1').waitFor()
    await inspector.getByRole('button', { name: 'Replace the secret' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Replace the secret' }).click()
    await dialog.getByText(/^whsec_/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await inspector.getByText(/Secret 2 of 2, signs for (1.?d|2[34].?h).* more/).waitFor()
    await inspector.getByRole('button', { name: 'Disable' }).click()
    await inspector.getByText('It is disabled').waitFor()
    receiver.calls.length = 0
    await inspector.getByRole('button', { name: 'Enable', exact: true }).click()
    await inspector.getByText('It is disabled').waitFor({ state: 'detached' })
    await expect.poll(() => receiver.calls.length).toBe(1)
    expect(receiver.calls[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
  })

  it('changes one, and deletes it after a warning', async () => {
    const { listenerId } = await stage()
    const page = await test.open(`/listeners/${listenerId}`)
    const inspector = page.getByRole('complementary')
    const dialog = page.getByRole('dialog')
    await inspector.getByRole('button', { name: 'Change' }).click()
    await dialog.getByLabel('URL').fill(`${receiver.url}/moved`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await inspector.getByText(`${receiver.url}/moved`).waitFor()
    await inspector.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/listeners')
    await page.getByRole('grid').getByText('All providers').waitFor()
    expect(await page.getByRole('grid').getByText('/moved').count()).toBe(0)
  })

  it('shows why a sample did not arrive', async () => {
    const { listenerId } = await stage()
    receiver.behave(404)
    const page = await test.open(`/listeners/${listenerId}`)
    await page.getByRole('button', { name: 'Send a sample' }).click()
    await page.getByText(/^404 from/).waitFor()
    await page.getByText('Nothing responds at this path.', { exact: false }).waitFor()
  })
})
