/**
 * The page Sandbox: the clock, faults, certification, demo jobs and the reset; each control shows
 * its command.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { axe, clipboard, hasBrowser, inViews, overflow, pressPair, useConsole } from './console.ts'

const demo = 'demo-connector'
const hostile = '<img src=x onerror=alert(1)>"\'`'
const day = 86_400_000

describe.skipIf(!hasBrowser)('the page Sandbox', () => {
  const test = useConsole()
  const now = () => test.hub.inner.clock.now()
  /** With a new token: earlier ones may have expired when the clock was advanced. */
  const call = async <T = Record<string, string>>(method: string, path: string, body?: unknown) =>
    test.hub.call<T>(method, path, {
      headers: { authorization: `Bearer ${await test.hub.token(demo)}` },
      ...(body !== undefined && { body }),
    })
  const submit = async (jobName: string, dueDate: string) => {
    const { jobId } = (await call('POST', '/v2/jobs', { jobName, dueDate })).body
    await call('POST', `/v2/jobs/${jobId}/requests/add`, {
      requestName: 'page',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields: [{ key: 'title', value: 'Good morning' }],
    })
    const { body } = await call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
    )
    const providerId = body.providers.find(({ name }) => name === 'Manual')?.id
    expect((await call('PUT', `/v2/jobs/${jobId}/submit`, { providerId })).status).toBe(200)
  }
  beforeAll(async () => {
    await submit(hostile, new Date(now() + day / 2).toISOString())
  })

  it('opens on g s, says what falls due, and advances the clock to it', async () => {
    const page = await test.open('/')
    await page.locator('h1', { hasText: 'Jobs' }).waitFor()
    await pressPair(page, 'gs')
    await page.getByText('The same time as this machine').waitFor()
    const due = page.getByRole('region', { name: 'Falls due next' })
    await due.getByText('The token of demo-connector expires').waitFor()
    await due.getByRole('link', { name: 'onerror=alert(1)' }).first().waitFor()
    const before = now()
    await page.getByRole('button', { name: /^To the next/ }).click()
    await page.getByText(/ahead of this machine/).waitFor()
    expect(now() - before).toBeGreaterThan(50 * 60_000)
    await page.getByText(/passed; one thing happened/).waitFor()
  })

  it('saves the armed faults as a scenario, and arms them again', async () => {
    const armed = async () => {
      const { body } = await test.hub.call<{
        active: { scenario: string; times: number; client?: string }[]
      }>('GET', '/sandbox/faults')
      return body.active.map(({ scenario, times, client }) => ({ scenario, times, client }))
    }
    const { body } = await test.hub.call<{ scenarios: { name: string }[] }>(
      'GET',
      '/sandbox/faults',
    )
    const scenario = body.scenarios[0]?.name
    await test.hub.call('POST', '/sandbox/faults', { body: { scenario, times: 3, client: demo } })
    const before = await armed()
    const page = await test.open('/sandbox')
    await page.getByRole('button', { name: 'Save as scenario' }).click()
    await page.getByLabel('Name of the scenario').fill(hostile)
    await page.keyboard.press('Enter')
    const saved = page.getByRole('list', { name: 'Saved scenarios' })
    await saved.getByText('1 fault').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await expect.poll(armed).toEqual([])
    await page.reload()
    await saved.getByRole('button', { name: 'Arm all' }).click()
    await expect.poll(armed).toEqual(before)
    await saved.getByRole('button', { name: /^Remove the scenario/ }).click()
    await saved.waitFor({ state: 'detached' })
    await test.hub.call('DELETE', '/sandbox/faults')
    const frame = await page.evaluate(() => {
      const { borderTopWidth, position } = getComputedStyle(
        document.querySelector('#console > div') as Element,
        '::after',
      )
      return [borderTopWidth, position]
    })
    expect(frame).toEqual(['2px', 'fixed'])
  })

  it('advances the clock by a duration, shows what happened, and the new time at the top', async () => {
    const page = await test.open('/sandbox')
    const custom = page.getByLabel('Duration to advance')
    await custom.fill('never')
    await expect
      .poll(() => page.getByRole('button', { name: 'Advance' }).getAttribute('aria-disabled'))
      .toBe('true')
    await custom.fill('2d')
    await page.getByRole('button', { name: 'Copy the command' }).first().click()
    await expect
      .poll(() => clipboard(page))
      .toBe(`curl ${test.hub.url}/sandbox/clock/advance --json '{"by":"2d"}'`)
    await custom.press('Enter')
    await page.getByText(/^2\s*d\w* passed; .* happened/).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const last = page.getByRole('region', { name: 'Last advance' })
    await last.getByText('is due').first().waitFor()
    await last.getByText(/Periodic maintenance ran \d+ times/).waitFor()
    const date = new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
    await page
      .getByRole('link', { name: new RegExp(`Sandbox clock ${date.format(now())}`) })
      .waitFor()
  })

  it('arms a fault, shows it among the live calls, and clears it', async () => {
    const page = await test.open('/sandbox')
    await page.getByLabel('Scenario').selectOption('rate-limit-storm')
    await page.getByText('Waits for Retry-After, then retries the same call.').waitFor()
    await page.getByLabel('Times').fill('2')
    await page.getByRole('button', { name: 'Arm', exact: true }).click()
    await page.getByText('2 of 2 left').waitFor()
    expect((await call('GET', '/v2/jobs')).status).toBe(429)
    await page.getByText('1 of 2 left').waitFor()
    const calls = page.getByRole('list', { name: 'Live calls' })
    await calls.getByText('RATE_LIMITED').first().waitFor()
    await calls.getByText('rate-limit-storm').first().waitFor()
    await page.getByRole('button', { name: 'Remove the fault rate-limit-storm' }).click()
    await page.getByText('No fault is armed: the hub behaves normally.', { exact: true }).waitFor()
    expect((await call('GET', '/v2/jobs')).status).toBe(200)
  })

  it('says why it refuses a fault', async () => {
    const page = await test.open('/sandbox')
    await page.getByLabel('Times').fill('0')
    await page.getByRole('button', { name: 'Arm', exact: true }).click()
    await page.getByText('times: must be a whole number from 1 to 100000.').waitFor()
  })

  it('judges the calls so far, and links each failure to the calls that prove it', async () => {
    const made = await call('POST', '/v2/jobs', { jobName: 'without the name of a connector' })
    const page = await test.open('/sandbox')
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByText(/Not certified: \d+ of \d+ broken/).waitFor()
    const proof = page.getByRole('link', { name: 'POST /v2/jobs 201' })
    expect(await proof.count()).toBeGreaterThan(0)
    const links = await proof.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(links).toContain(`/calls/${made.headers.get('x-request-id')}`)
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'JUnit' }).click()
    expect((await waiting).suggestedFilename()).toBe('certification.xml')
  })

  it('loads demo jobs, and resets everything only after a confirmation', async () => {
    const page = await test.open('/sandbox')
    await page.getByRole('button', { name: 'Load 24 jobs' }).click()
    await page.getByText('24 jobs loaded.').waitFor()
    await page.getByRole('button', { name: 'Reset everything …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This cannot be undone.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    const before = await call<{ jobs: unknown[] }>('GET', '/v2/jobs')
    expect(before.body.jobs.length).toBeGreaterThan(20)
    await page.getByRole('button', { name: 'Reset everything …' }).click()
    await page.getByRole('button', { name: 'Reset everything', exact: true }).click()
    await page.getByText('The same time as this machine').waitFor()
    expect((await call<{ jobs: unknown[] }>('GET', '/v2/jobs')).body.jobs).toEqual([])
    await page.getByRole('link', { name: /Sandbox clock/ }).waitFor()
  })

  inViews(
    'has no finding of axe and does not scroll sideways: $theme, $language, $width',
    async (view) => {
      const page = await test.open('/sandbox', view)
      await page.locator('select').waitFor()
      await page.locator('ol li').first().waitFor()
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    },
  )
})
