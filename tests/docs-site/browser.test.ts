/**
 * The site at /docs in a real Chromium: search, tabs, trying a call, themes, narrow screens, and
 * what axe finds. Every page is watched: a violation of the content security policy or an error
 * fails the test.
 */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axe, clipboard, hasBrowser, overflow, useConsole } from '../console/console.ts'

const kinds = [
  '/docs',
  '/docs/calls/createJob',
  '/docs/errors',
  '/docs/changes',
  '/docs/schemas/Job',
  '/docs/guides/config',
  '/docs/nowhere',
]

describe.skipIf(!hasBrowser)('the docs in a browser', () => {
  const test = useConsole()
  const search = async (page: Page, typed: string) => {
    const loaded = page.waitForResponse(/search\.json/)
    await page.keyboard.press('/')
    await loaded
    await page.getByRole('combobox').fill(typed)
  }

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'axe finds nothing, and nothing scrolls sideways: %s, %i px',
    async (theme, width) => {
      const page = await test.open('/docs', { theme, width })
      if (width === 390) await page.setViewportSize({ width: 360, height: 780 })
      for (const path of kinds) {
        await page.goto(test.hub.url + path)
        await page.locator('main').waitFor()
        expect([path, await axe(page), await overflow(page)]).toEqual([path, [], 0])
      }
    },
  )

  it('search finds calls, fields, errors, states, settings and guides with keys alone', async () => {
    const page = await test.open('/docs')
    await search(page, 'createJob')
    const options = page.getByRole('option')
    await expect.poll(() => options.first().textContent()).toContain('Create a job')
    for (const [typed, title, kind] of [
      ['creat job', 'Create a job', 'Calls'],
      ['JOB_EMPT', 'JOB_EMPTY', 'Errors'],
      ['job_emtpy', 'JOB_EMPTY', 'Errors'],
      ['targetNativeLang', 'targetNativeLanguageCodes', 'Fields'],
      ['review_tr', 'REVIEW_TRANSLATION', 'States'],
      ['DRAGOMAN_PUB', 'DRAGOMAN_PUBLIC_URL', 'Settings'],
      ['listeners', 'Listeners', 'Guides'],
    ] as const) {
      await page.getByRole('combobox').fill(typed)
      const group = page.getByRole('group', { name: kind })
      await expect
        .poll(() => group.getByRole('option').allTextContents())
        .toEqual(expect.arrayContaining([expect.stringContaining(title)]))
    }
    expect(await axe(page)).toEqual([])
    await page.getByRole('combobox').fill('JOB_EMPTY')
    await expect.poll(() => options.first().textContent()).toContain('JOB_EMPTY')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/errors#JOB_EMPTY')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('combobox').count()).toBe(0)
  })

  it('search reads the whole text of the guides, marks the words in the sentence, and opens the section', async () => {
    const page = await test.open('/docs?q=signature')
    const options = page.getByRole('option')
    for (const [typed, title, marks] of [
      ['signature', 'Verify a delivery', ['signature']],
      ['WEBHOOK', 'Verify a delivery', ['Webhooks', 'webhook', 'webhook']],
      ['vérify', 'Verify a delivery', ['Verify', 'verifies']],
      ['retry', 'Retries and failures', ['Retries', 'Retry']],
    ] as const) {
      if (typed !== 'signature') await page.getByRole('combobox').fill(typed)
      await expect.poll(() => options.first().locator('strong').textContent()).toBe(title)
      expect(await page.locator('#kind-0').textContent()).toBe('Guides')
      expect(await options.first().locator('em').textContent()).toBe('Listeners')
      expect(await options.first().locator('mark').allTextContents()).toEqual(marks)
    }
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/guides/listeners#retries-and-failures')
    await page.locator('h2:target').waitFor()
  })

  it('hostile search text stays text', async () => {
    const page = await test.open('/docs')
    await search(page, '<img src=x onerror=alert(1)>')
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Nothing found.')
    await page.getByRole('combobox').fill('((((((((((((a+)+)+$ [\\')
    await page.getByRole('combobox').fill('x'.repeat(20_000))
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Nothing found.')
    expect(await page.locator('img').count()).toBe(0)
  })

  it('old anchors of the single page lead to the pages of today', async () => {
    const page = await test.open('/docs')
    for (const [old, now] of [
      ['/docs#error-JOB_EMPTY', '/docs/errors#JOB_EMPTY'],
      ['/docs#JOB_EMPTY', '/docs/errors#JOB_EMPTY'],
      ['/docs#schema-Job', '/docs/schemas/Job'],
      ['/docs#createJob', '/docs/calls/createJob'],
      ['/docs#conventions', '/docs#conventions'],
      ['/docs#tag-jobs', '/docs#tag-jobs'],
    ] as const) {
      // A new document each time: another anchor alone would not load the page.
      await page.goto(`${test.hub.url}/healthz`)
      await page.goto(test.hub.url + old)
      await page.waitForURL(test.hub.url + now)
      await expect.poll(() => page.locator('h1').count()).toBe(1)
    }
  })

  it('a link to a nested field unfolds it', async () => {
    const page = await test.open('/docs/calls/listJobs#answer.jobs.jobName')
    await expect.poll(() => page.locator('[id="answer.jobs.jobName"]').isVisible()).toBe(true)
  })

  it('the language of samples is chosen once, with mouse or keys', async () => {
    const page = await test.open('/docs/calls/createJob')
    const shown = () => page.locator('.code[data-code]:visible').getAttribute('data-code')
    expect(await shown()).toBe('curl')
    await page.getByRole('tab', { name: 'curl' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await shown()).toBe('sdk')
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.goto(`${test.hub.url}/docs/calls/findJob`)
    expect(await shown()).toBe('python')
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Python')
    await page.locator('.code[data-code="python"]').hover()
    await page.locator('.code[data-code="python"] .copy').click()
    const sample = await page.locator('.code[data-code="python"] code').textContent()
    await expect.poll(() => clipboard(page)).toBe(sample)
  })

  it('a call is tried as the demo client, and leads to its entry in the console', async () => {
    const page = await test.open('/docs/calls/createJob')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByLabel('Body').fill('{ "jobName": "<b>From the docs</b>" }')
    await page.getByRole('button', { name: 'Send' }).click()
    const result = page.locator('.result')
    await expect.poll(() => result.textContent()).toContain('"jobName": "<b>From the docs</b>"')
    expect(await result.locator('.status').textContent()).toBe('201')
    expect(await result.textContent()).toContain('content-type: application/json')
    expect(await axe(page)).toEqual([])
    const traceId = await result.locator('p code').textContent()
    const link = result.getByRole('link', { name: 'Show the call in the console' })
    expect(await link.getAttribute('href')).toBe(`/calls/${traceId}`)
    const jobId = /"jobId": "(\w+)"/.exec((await result.textContent()) ?? '')?.[1]
    // The id of the answer fills the next call.
    await page.goto(`${test.hub.url}/docs/calls/findJob`)
    await page.getByRole('button', { name: 'Try it' }).click()
    expect(await page.locator('[name="path.jobId"]').inputValue()).toBe(jobId)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => result.locator('.status').textContent()).toBe('200')
    await page.locator('[name="path.jobId"]').fill('../../sites')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => result.locator('.status').textContent()).toBe('400')
    await page.locator('[name="token"]').fill('Bearer no-token')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => result.locator('.status').textContent()).toBe('401')
    await page.keyboard.press('Escape')
    expect(await page.locator('dialog.tryit').isVisible()).toBe(false)
  })

  it('fields and values of a body are completed by keys, and the values of parameters by their list', async () => {
    const page = await test.open('/docs/calls/createListener')
    await page.getByRole('button', { name: 'Try it' }).click()
    const body = page.getByLabel('Body')
    const options = page.getByRole('option')
    const marked = page.locator('.choices [aria-selected="true"] code')
    await body.fill('')
    await body.pressSequentially('{ "ty')
    await expect.poll(() => marked.textContent()).toBe('type')
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Enter')
    expect(await body.inputValue()).toBe('{ "type": ""')
    await page.keyboard.press('Control+Space')
    expect(await options.allTextContents()).toEqual([
      'JOB_STATUS_UPDATED ',
      'REQUEST_STATUS_UPDATED ',
    ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    expect(await body.inputValue()).toBe('{ "type": "REQUEST_STATUS_UPDATED"')
    await body.pressSequentially(', "')
    await expect.poll(() => options.allTextContents()).toContain('uri string, required')
    expect(await options.allTextContents()).not.toContain('type string, required')
    await page.keyboard.press('Escape')
    expect(await options.count()).toBe(0)
    expect(await page.locator('dialog.tryit').isVisible()).toBe(true)
    await body.pressSequentially('disab')
    await options.first().click()
    expect(await body.inputValue()).toBe('{ "type": "REQUEST_STATUS_UPDATED", "disabled": ')
    await page.goto(`${test.hub.url}/docs/calls/listSiteDeliveries`)
    expect(await page.locator('#list-state option[value="PARKED"]').count()).toBe(1)
  })

  it('an error shows its body, and the samples stay in view while the page scrolls', async () => {
    const page = await test.open('/docs/calls/submitJob#error-JOB_EMPTY')
    const error = page.locator('#error-JOB_EMPTY')
    await expect.poll(() => error.locator('pre').isVisible()).toBe(true)
    expect(await error.locator('pre').textContent()).toContain(
      '"message": "Job k7Qm2xT9bW has no requests',
    )
    const sample = page.locator('.side .sample').first()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect.poll(async () => (await sample.boundingBox())?.y).toBe(88)
    expect(await axe(page)).toEqual([])
  })

  it("the theme is the system's, or the one chosen here or in the console", async () => {
    const page = await test.open('/docs', { theme: 'dark' })
    const theme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)
    expect(await theme()).toBe('dark')
    await page.getByRole('button', { name: 'Light or dark' }).click()
    expect(await theme()).toBe('light')
    await page.reload()
    expect(await theme()).toBe('light')
    await page.evaluate(() => localStorage.setItem('mantine-color-scheme-value', 'auto'))
    await page.reload()
    expect(await theme()).toBe('dark')
  })

  it('on a narrow screen the menu opens the navigation, and the samples come before the fields', async () => {
    const page = await test.open('/docs/calls/createJob', { width: 390 })
    const contents = page.getByRole('navigation', { name: 'Documentation' })
    expect(await contents.isVisible()).toBe(false)
    await page.getByText('Menu', { exact: true }).click()
    expect(await contents.isVisible()).toBe(true)
    const top = async (of: string) => (await page.locator(of).boundingBox())?.y ?? 0
    expect(await top('.side')).toBeLessThan(await top('.rest'))
  })

  it('a guide marks the section on the screen', async () => {
    const page = await test.open('/docs/guides/operating')
    const marked = page.locator('.sections [aria-current]')
    const first = await marked.textContent()
    await page.locator('.guide h2').last().scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 50_000)
    await expect.poll(() => marked.textContent()).not.toBe(first)
  })
})
