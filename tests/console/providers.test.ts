/**
 * The page Providers in a real browser: a form from the type's schema, the test button, metadata,
 * and hostile names.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEngine, type TranslationEngine } from '../translation-engine.ts'
import { hasBrowser, useConsole } from './console.ts'
import { hostileNames, ranNothing, watchCalls } from './hostile-names.ts'
import { makeJob, providersOf } from './some-jobs.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

describe.skipIf(!hasBrowser)('the page Providers', () => {
  const test = useConsole()
  let engine: TranslationEngine
  let providerId = ''
  const create = async (name: string, typeId: string, more: object = {}) => {
    const { body } = await test.hub.call<{ id: string }>('POST', '/v2/providers', {
      as: 'demo-admin',
      body: { name, typeId, ...more },
    })
    return body.id
  }
  beforeAll(async () => {
    engine = await startEngine()
    providerId = await create('Libre', 'machine-translation', {
      config: { url: engine.url, apiKey: 'the-key' },
    })
  })
  afterAll(() => engine?.close())

  it('tests an engine on one key, and shows the translation or why it failed', async () => {
    const page = await test.open(`/providers/${providerId}`)
    await page.getByRole('complementary').getByText('Accepts new jobs').waitFor()
    await page.keyboard.press('t')
    await page.getByText('It works.').waitFor()
    await page.getByText('THE QUICK BROWN FOX').waitFor()
    engine.be(() => ({ status: 403, body: { error: 'wrong key the-key' } }))
    await page.keyboard.press('t')
    await page.getByText('It does not work.').waitFor()
    await page.getByText('The translation engine returned 403: wrong key ….').waitFor()
    engine.be()
  })

  it('makes the form from the schema of the type, and shows errors at their fields', async () => {
    const page = await test.open('/providers')
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type').selectOption('machine-translation')
    await dialog.getByLabel('Name').fill('Second')
    expect(await dialog.getByLabel('formality').count()).toBe(0)
    await dialog.getByLabel('dialect').selectOption('deepl')
    await dialog.getByLabel('formality').waitFor()
    expect(await dialog.getByLabel('region').count(), 'a setting of another dialect').toBe(0)
    await dialog.getByLabel('dialect').selectOption('')
    await dialog.getByLabel('batchSize').fill('many')
    await dialog.getByRole('button', { name: 'Create provider' }).click()
    await dialog.getByText("must have required property 'url'").waitFor()
    await dialog.getByText('must be integer').waitFor()
    expect(await dialog.getByLabel('batchSize').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('batchSize').fill('20')
    await dialog.getByLabel('url').fill(engine.url)
    await dialog.getByLabel('apiKey').fill('second-key')
    await dialog.getByRole('button', { name: 'Add a line' }).click()
    await dialog.getByLabel('Code in the hub, line 1').fill('de-ch')
    await dialog.getByLabel('Code of the engine, line 1').fill('de')
    await dialog.getByRole('button', { name: 'Create provider' }).click()
    await page.getByRole('complementary').getByText('set, never shown').waitFor()
    await expect.poll(() => page.content()).not.toContain('second-key')
    const { body } = await test.hub.call<{ providers: { name: string; id: string }[] }>(
      'GET',
      '/v2/providers',
      {
        as: 'demo-admin',
      },
    )
    const made = body.providers.find(({ name }) => name === 'Second')
    const stored = await test.hub.call(`GET`, `/v2/providers/${made?.id}/config`, {
      as: 'demo-admin',
    })
    expect(stored.body).toMatchObject({
      config: { url: engine.url, batchSize: 20, languages: { 'de-ch': 'de' } },
      secrets: ['apiKey'],
    })
  })

  it('changes a config, keeps the secret, and asks for it when the host changes', async () => {
    const page = await test.open(`/providers/${providerId}?form=change`)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('batchSize').fill('7')
    expect(await dialog.getByLabel('apiKey').inputValue()).toBe('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('complementary').getByText('batchSize').waitFor()
    const stored = await test.hub.call(`GET`, `/v2/providers/${providerId}/config`, {
      as: 'demo-admin',
    })
    expect(stored.body).toMatchObject({ config: { batchSize: 7 }, secrets: ['apiKey'] })
    await page.goto(`${test.hub.url}/providers/${providerId}?form=change`)
    await dialog.getByLabel('url').fill('http://127.0.0.1:9')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('send it again: a secret').waitFor()
  })

  it('limits an engine, and shows what it was asked against the limit', async () => {
    const page = await test.open(`/providers/${providerId}?form=change`)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Characters per day').fill('many')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => dialog.getByLabel('Characters per day').getAttribute('aria-invalid'))
      .toBe('true')
    await dialog.getByLabel('Characters per day').fill('90000')
    await dialog.getByLabel('Characters in one job').fill('1')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const inspector = page.getByRole('complementary')
    await inspector.getByText(/^[\d,]+ of 90,000 characters$/).waitFor()
    await inspector.getByText('1 character', { exact: true }).waitFor()
    await inspector.getByRole('link', { name: 'By job and month' }).waitFor()
    const read = async () =>
      (await test.hub.call('GET', `/v2/providers/${providerId}`, { as: 'demo-admin' })).body.limits
    expect(await read()).toEqual({ charactersPerDay: 90_000, charactersPerJob: 1 })
    await page.goto(`${test.hub.url}/providers/${providerId}?form=change`)
    expect(await dialog.getByLabel('Characters per day').inputValue()).toBe('90000')
    for (const name of ['Characters per day', 'Characters in one job'])
      await dialog.getByLabel(name).fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await read()).toBeUndefined()
  })

  it('checks a metadata sample while it is typed, and saves only on Save', async () => {
    const page = await test.open(`/providers/${providerId}?form=schema`)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The sample matches the schema.').waitFor()
    await dialog.getByLabel('Sample metadata').fill('{"department": ""}')
    await dialog.getByText('must NOT have fewer than 1 characters').waitFor()
    await dialog.getByLabel('JSON schema').fill('{"properties": {"a": {"pattern": "^(a+)+$"}}}')
    await dialog.getByText('the pattern can take for ever').first().waitFor()
    await dialog.getByLabel('JSON schema').fill('{"type": "object"}')
    await dialog.getByText('The sample matches the schema.').waitFor()
    const read = async () =>
      (await test.hub.call('GET', `/v2/providers/${providerId}`, { as: 'demo-admin' })).body
        .extendedMetadataSchema
    expect(await read()).toBeUndefined()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await read()).toEqual({ type: 'object' })
  })

  it('disables and enables, and says what is wrong with a job id', async () => {
    const page = await test.open(`/providers/${providerId}`)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Accepts no new jobs').waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Accepts new jobs').waitFor()
    await page.getByLabel('Job id').fill('nothing')
    await page.getByRole('button', { name: 'Send a job again' }).click()
    await page.getByText('nothing', { exact: false }).last().waitFor()
    await page
      .getByRole('complementary')
      .getByText(/job nothing/i)
      .waitFor()
  })

  it('says the same of rejected work as the reports, which claim no rate where nobody has counted words', async () => {
    const { Manual = '' } = await providersOf(test.hub)
    const { jobId } = await makeJob(test.hub, {
      jobName: 'Rejected',
      targets: ['de-de', 'fr-fr'],
      submit: Manual,
    })
    const tasks = `/v2/providers/${Manual}/jobs/${jobId}/assetTasks`
    const { body } = await test.hub.call<{ assetTasks: { assetTaskId: string }[] }>('GET', tasks, {
      as: 'demo-provider',
    })
    const ids = body.assetTasks.map(({ assetTaskId }) => assetTaskId)
    const turn = (statusCode: string) =>
      test.hub.call('PATCH', tasks, {
        as: 'demo-provider',
        body: { assetTaskIds: ids, assetTasksUpdate: { statusCode } },
      })
    await turn('IN_TRANSLATION')
    const fields = [0, 1, 2].map((at) => ({ key: `text.${at}`, value: `Text ${at}` }))
    for (const id of ids)
      await test.hub.call('PUT', `${tasks}/${id}/translatedContent`, {
        as: 'demo-provider',
        body: { fields },
      })
    expect((await turn('TRANSLATION_SUBMITTED')).status).toBe(200)
    const rejected = await test.hub.call('PUT', `/v2/jobs/${jobId}/requests/reject`, {
      as: 'demo-connector',
      body: { requestIds: ids.slice(0, 1), rejectNote: 'No.' },
    })
    expect(rejected.status).toBe(200)
    const page = await test.open('/providers')
    await page
      .getByRole('row', { name: /^Manual/ })
      .getByText('50%', { exact: true })
      .waitFor()
    await page.goto(`${test.hub.url}/reports/rejects?by=provider`)
    await page.getByText('1 request was rejected; the delivered words were not counted.').waitFor()
    await page.getByRole('button', { name: 'Table' }).click()
    const row = page.getByRole('row', { name: /^Manual/ })
    expect((await row.getByRole('cell').allInnerTexts()).join('|')).toBe('Manual|2|1|0|2|50%|')
  })

  it('shows hostile names and runs none of them', async () => {
    for (const name of hostileNames) await create(name, 'manual')
    const page = await test.open('/providers')
    const strange = watchCalls(page, test.hub.url)
    await page.reload()
    await page
      .getByText(hostileNames[0] ?? '')
      .first()
      .waitFor()
    await ranNothing(page, strange)
    await page.getByText('<b id="hostile-element">bold</b>').first().click()
    await page.getByRole('complementary').getByText('Accepts new jobs').waitFor()
    await ranNothing(page, strange)
    // The check itself can fail.
    await page.evaluate(() =>
      document.querySelector('main')?.append(document.createElement('iframe')),
    )
    await expect(ranNothing(page, strange)).rejects.toThrow(
      'to deeply equal { ran: +0, made: [], bases: +0 }',
    )
  })
})
