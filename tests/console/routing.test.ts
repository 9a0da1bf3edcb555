/**
 * The page Routing in a real browser: rules in order, moved by key, button and dragging, a draft, a
 * conflict, and the try-out.
 */
import type { Routing } from '@dragoman/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { axe, hasBrowser, inViews, overflow, useConsole } from './console.ts'
import { hostileNames, ranNothing } from './hostile-names.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

describe.skipIf(!hasBrowser)('the page Routing', () => {
  const test = useConsole()
  const call = async <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const got = await test.hub.call<T>(method, `/v2${path}`, {
      as: 'demo-admin',
      ...(body !== undefined && { body }),
    })
    expect(got.status, JSON.stringify(got.body)).toBeLessThan(300)
    return got.body
  }
  const routing = () => call<Routing>('GET', '/settings/routing')
  const put = async (rules: Routing['rules']) =>
    call<Routing>('PUT', '/settings/routing', { version: (await routing()).version, rules })
  let [legal, agency, jobId] = ['', '', '']
  const usual = (): Routing['rules'] => [
    { name: 'Contracts', when: { labels: 'legal', target: ['de', 'fr'] }, providerId: legal },
    {
      name: 'Short',
      when: { words: { max: 500 }, band: { name: 'New', min: 50 } },
      providerId: agency,
    },
    { name: 'Everything else', providerId: agency },
  ]
  beforeAll(async () => {
    legal = String((await call('POST', '/providers', { name: 'Legal', typeId: 'manual' })).id)
    agency = String((await call('POST', '/providers', { name: 'Agency', typeId: 'manual' })).id)
    jobId = String((await call('POST', '/jobs', { jobName: 'Routed' })).jobId)
    await call('POST', `/jobs/${jobId}/requests/add`, {
      requestName: 'kv',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields: [{ key: 'a', value: 'One two three.' }],
    })
    await put(usual())
  })

  inViews(
    'has no finding of axe and does not scroll sideways: $theme, $language, $width',
    async (view) => {
      const page = await test.open('/routing', view)
      await page.getByText('Contracts').first().waitFor()
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.goto(`${test.hub.url}/routing?form=change&rule=1`)
      await page.getByRole('dialog').waitFor()
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    },
  )

  it('moves rules by key, button and dragging, keeps the draft over a reload, and saves it', async () => {
    const page = await test.open('/routing')
    const names = () => page.locator('ol > li > span:nth-child(2)').allInnerTexts()
    await page.getByRole('button', { name: 'Move Short up' }).click()
    await page.getByText('Changed since version').waitFor()
    expect(await names()).toEqual(['Short', 'Contracts', 'Everything else'])
    await page.getByRole('button', { name: 'Change Short' }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('Short is rule 3 now').waitFor({ state: 'attached' })
    const rules = page.locator('ol > li')
    await rules.nth(1).dragTo(rules.nth(0))
    await page.getByText('Everything else is rule 1 now').waitFor({ state: 'attached' })
    expect(await names()).toEqual(['Everything else', 'Contracts', 'Short'])
    await page.reload()
    await page.getByText('Changed since version').waitFor()
    expect(await names()).toEqual(['Everything else', 'Contracts', 'Short'])
    await page.keyboard.press('Control+s')
    await page.getByText('Changed since version').waitFor({ state: 'detached' })
    expect((await routing()).rules.map(({ name }) => name)).toEqual([
      'Everything else',
      'Contracts',
      'Short',
    ])
    await put(usual())
  })

  it('adds a rule with its conditions, changes and removes one', async () => {
    const page = await test.open('/routing')
    await page.getByText('Contracts').first().waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Gold')
    await dialog.getByLabel('Provider').selectOption({ label: 'Legal' })
    await dialog.getByLabel('Source language').fill('en')
    await dialog.getByLabel('Target language').fill('de, fr-ca')
    await dialog.getByLabel('Words, at least').fill('10')
    await dialog.getByLabel('Metadata').fill('tier = gold')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Remove Everything else' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changed since version').waitFor({ state: 'detached' })
    expect((await routing()).rules.slice(1)).toEqual([
      usual()[1],
      {
        name: 'Gold',
        when: {
          source: 'en',
          target: ['de', 'fr-ca'],
          words: { min: 10 },
          extendedMetadata: { tier: 'gold' },
        },
        providerId: legal,
      },
    ])
    await put(usual())
  })

  it('shows what somebody else saved first, and replaces it only when asked', async () => {
    const page = await test.open('/routing')
    await page.getByRole('button', { name: 'Remove Short' }).click()
    await put([{ name: 'Theirs', providerId: agency }])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else saved first').waitFor()
    expect((await routing()).rules.map(({ name }) => name)).toEqual(['Theirs'])
    await page.getByRole('button', { name: 'Replace theirs with mine' }).click()
    await page.getByText('Changed since version').waitFor({ state: 'detached' })
    expect((await routing()).rules.map(({ name }) => name)).toEqual([
      'Contracts',
      'Everything else',
    ])
    await put(usual())
  })

  it('says which rule takes a job and why the others do not', async () => {
    const page = await test.open('/routing')
    await page.getByLabel('Job id').fill(jobId)
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByText('Short takes it: Agency.').waitFor()
    await page.getByText('the job does not have the label legal').waitFor()
    await page.locator('li[data-taken]', { hasText: 'Short' }).waitFor()
    await page.getByRole('button', { name: 'An invented job' }).click()
    await page.getByLabel('Source language').fill('en-us')
    await page.getByLabel('Target languages').fill('de-de')
    await page.getByLabel('Labels').fill('legal')
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByText('Contracts takes it: Legal.').waitFor()
  })

  it('names that look like markup stay text', async () => {
    await put(
      hostileNames
        .slice(0, 20)
        .map((name) => ({ name, when: { labels: 'x' }, providerId: agency })),
    )
    const page = await test.open('/routing')
    await page.locator('ol > li').first().waitFor()
    await ranNothing(page)
    await put(usual())
  })
})
