/**
 * The page New job: content typed by hand, uploads that survive a broken connection, a live quote;
 * and who owns such jobs.
 */
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../hub-place.ts'
import { priceList } from '../price-list.ts'
import { axe, hasBrowser, hasViews, inViews, overflow, useConsole } from './console.ts'
import { hostileNames, ranNothing, watchCalls } from './hostile-names.ts'
import { providersOf } from './some-jobs.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

type Job = {
  jobId: string
  jobName: string
  statusCode: string
  creatorId: string
  poReference?: string
}
type Request = {
  requestId: string
  fileName?: string
  targetNativeLanguageCode: string
  sourceNativeId: string
}
const as = 'demo-admin'

/** Types each language into the field with this label and takes the first match. */
async function choose(page: Page, label: string, ...names: string[]): Promise<void> {
  await page.getByRole('combobox', { name: label }).focus()
  for (const name of names) {
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
  }
}

const draftIn = (page: Page): string => new URL(page.url()).searchParams.get('job') ?? ''

describe.skipIf(!hasBrowser)('the page New job', () => {
  const test = useConsole()
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-console-'))
  const call = <T>(path: string) =>
    test.hub.call<T>('GET', `/v2${path}`, { as }).then(({ body }) => body)
  const requestsOf = (jobId: string) =>
    call<{ requests: Request[] }>(`/jobs/${jobId}/requests`).then(({ requests }) => requests)
  const file = (name: string, text: string | Buffer): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  beforeAll(async () => {
    await test.hub.call('POST', '/v2/settings/pricelists', { as, body: priceList })
    await test.hub.call('POST', '/v2/settings/analysiscodes', {
      as,
      body: { code: 'MKT-210', label: 'Marketing', level: 1 },
    })
    const { Manual = '' } = await providersOf(test.hub)
    await test.hub.call('PATCH', `/v2/providers/${Manual}`, {
      as,
      body: {
        extendedMetadataSchema: {
          type: 'object',
          required: ['tone'],
          properties: {
            tone: { type: 'string', title: 'Tone', enum: ['formal', 'warm'] },
            pages: { type: 'integer', title: 'Pages' },
          },
        },
      },
    })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('makes a job from pasted content with the keyboard alone: draft, requests, quote, submission', async () => {
    const page = await test.open('/jobs/new')
    await page.getByLabel('Or paste keys and values').focus()
    await page.keyboard.insertText('checkout.title = Pay now\ncheckout.save: Save 10 % today\n')
    await page.getByText('2 pairs').waitFor()
    await choose(page, 'Source language', 'en-us')
    await choose(page, 'Target languages', 'german (germany)', 'french (france)')
    await page.getByText('2 requests', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Quote' }).waitFor()
    expect(await page.locator('aside [role=status] b').first().textContent()).toMatch(
      /^[\d,]+\.\d\d EUR$/,
    )
    const jobId = draftIn(page)
    expect((await call<Job>(`/jobs/${jobId}`)).statusCode).toBe('CREATED')
    await page.getByLabel('Provider').selectOption({ label: 'Pseudo' })
    await page.getByLabel('Purchase order').fill('4500118')
    await page.getByLabel('Name').fill('Checkout texts')
    await page.getByText('2 requests', { exact: true }).waitFor()
    await until(
      'the hub has the name',
      async () => (await call<Job>(`/jobs/${jobId}`)).jobName === 'Checkout texts',
    )
    await page.locator('button:not([aria-disabled])', { hasText: 'Submit job' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(`**/jobs/${jobId}`)
    expect(await call<Job>(`/jobs/${jobId}`)).toMatchObject({
      jobName: 'Checkout texts',
      poReference: '4500118',
      creatorId: 'console',
    })
    await until('its updates are acknowledged at once', async () => {
      const { statusupdates } = await call<{ statusupdates: unknown[] }>(
        '/statusupdates?acknowledged=true&client=console',
      )
      return statusupdates.length > 0
    })
    expect((await call<{ statusupdates: unknown[] }>('/statusupdates')).statusupdates).toEqual([])
  })

  it('goes on after a lost answer to the create, with what was edited since, and makes one job', async () => {
    const page = await test.open('/jobs/new')
    const created: string[] = []
    let lost = 2
    // The hub creates the job each time it is asked; the page does not hear of the first two
    // answers.
    await page.route('**/console/api/jobs', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const answer = await route.fetch()
      created.push(((await answer.json()) as Job).jobId)
      if (lost-- > 0) return route.abort()
      await route.fulfill({ response: answer })
    })
    await page.getByLabel('Or paste keys and values').focus()
    await page.keyboard.insertText('a = Pay now\n')
    await until('the first answer is lost', () => lost === 1)
    await page.getByLabel('Name').fill('Edited since')
    await until('the second answer is lost', () => lost === 0)
    await choose(page, 'Source language', 'en-us')
    await until('the page knows its job', () => draftIn(page) !== '')
    const jobId = draftIn(page)
    await until(
      'the hub has the name',
      async () => (await call<Job>(`/jobs/${jobId}`)).jobName === 'Edited since',
    )
    expect([...new Set(created)]).toEqual([jobId])
  })

  it('uploads files, and keeps one request for each file and language', async () => {
    const page = await test.open('/jobs/new')
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('home.txt', 'Welcome to our shop.'),
        file('legal.txt', 'All prices include tax.'),
      ])
    await page.getByText('2 of 2 files uploaded').waitFor()
    await choose(page, 'Source language', 'en-us')
    await choose(page, 'Target languages', 'de-de', 'fr-fr')
    await page.getByText('4 requests', { exact: true }).waitFor()
    const jobId = draftIn(page)
    expect((await call<Job>(`/jobs/${jobId}`)).jobName).toBe('home')
    await page.getByRole('button', { name: 'Remove legal.txt' }).click()
    await page.getByText('2 requests', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Target languages' }).focus()
    await page.keyboard.press('Backspace')
    await page.getByText('1 request', { exact: true }).waitFor()
    expect(
      (await requestsOf(jobId)).map((one) => [one.fileName, one.targetNativeLanguageCode]),
    ).toEqual([['home.txt', 'de-de']])
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click()
    await page.waitForURL(`${test.hub.url}/`)
    expect((await test.hub.call('GET', `/v2/jobs/${jobId}`, { as })).status).toBe(404)
  })

  it('offers what the site uses and prices first, and gives its English for the word', async () => {
    const page = await test.open('/jobs/new')
    const source = page.getByRole('combobox', { name: 'Source language' })
    await page
      .getByText(
        /Up to 50 MB each \(Markdown 5 MB and YAML 20 MB\); files that the hub does not read, up to 1 GB/,
      )
      .waitFor()
    await source.focus()
    const options = page.getByRole('listbox', { name: 'Source language' }).getByRole('option')
    await expect
      .poll(async () => (await options.first().innerText()).replace(/\s+/g, ' '))
      .toMatch(/^English .*en-us$/)
    await page.keyboard.type('english')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove American English' }).waitFor()
    // The sizes are those of the formats.
    const [large, small] = [Buffer.alloc(6 * 1024 ** 2, 'x\n'), Buffer.from('Hello')]
    await page.locator('input[type=file]').setInputFiles([
      { name: 'large.md', mimeType: 'text/markdown', buffer: large },
      { name: 'small.txt', mimeType: 'text/plain', buffer: small },
    ])
    await page.getByText(/^Too large to be read: Markdown up to 5 MB\.$/).waitFor()
    expect(await page.getByText(/^Too large/).count()).toBe(1)
    await choose(page, 'Target languages', 'german', 'swedish')
    await page.getByRole('button', { name: 'Remove German (Germany)' }).waitFor()
    await page.getByRole('button', { name: 'Remove Swedish (Sweden)' }).waitFor()
  })

  it('says which language has no price, and asks before it submits', async () => {
    const { lines } = priceList
    const body = {
      ...priceList,
      lines: lines.filter(({ targetLanguage }) => targetLanguage === 'de-de'),
    }
    expect((await test.hub.call('POST', '/v2/settings/pricelists', { as, body })).status).toBe(201)
    try {
      const page = await test.open('/jobs/new')
      await page.getByLabel('Provider').selectOption({ label: 'Pseudo' })
      await page.getByLabel('Or paste keys and values').fill('key = Pay now')
      await choose(page, 'Source language', 'en-us')
      await choose(page, 'Target languages', 'de-de', 'sv-se')
      const said = 'Swedish (Sweden) has no price: it is not in the total.'
      await page.getByRole('complementary').getByText(said).waitFor()
      await page.keyboard.press('Control+Enter')
      const dialog = page.getByRole('dialog', { name: 'Submit with an incomplete quote?' })
      await dialog.getByText(said).waitFor()
      expect((await call<Job>(`/jobs/${draftIn(page)}`)).statusCode).toBe('CREATED')
      expect(await axe(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Submit job' }).click()
      await page.waitForURL(/\/jobs\/[A-Za-z0-9]{10}$/)
    } finally {
      await test.hub.call('POST', '/v2/settings/pricelists', { as, body: priceList })
    }
  })

  it('asks for the metadata of the provider, and shows at once why the hub refuses it', async () => {
    const page = await test.open('/jobs/new')
    await page.getByLabel('Or paste keys and values').fill('{"a": {"b": "Hello"}}')
    await choose(page, 'Source language', 'en-us')
    await choose(page, 'Target languages', 'de-de')
    await page.getByLabel('Provider').selectOption({ label: 'Manual' })
    await page.getByLabel('Pages').fill('3')
    await page.getByText('1 request', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Submit job/ }).click()
    await page.getByText('METADATA_INVALID').waitFor()
    expect((await call<Job>(`/jobs/${draftIn(page)}`)).statusCode).toBe('CREATED')
    await page.getByLabel('Tone (required)').selectOption('warm')
    await page.getByRole('button', { name: /^Submit job/ }).click()
    await page.waitForURL(/\/jobs\/[A-Za-z0-9]{10}$/)
  })

  it('submits what the form says, even if the hub does not have all of it yet', async () => {
    const page = await test.open('/jobs/new')
    await page.getByLabel('Provider').selectOption({ label: 'Pseudo' })
    await page.getByLabel('Or paste keys and values').fill('key = value')
    await choose(page, 'Source language', 'en-us')
    await choose(page, 'Target languages', 'de-de')
    await page.getByText('1 request', { exact: true }).waitFor()
    await choose(page, 'Target languages', 'fr-fr', 'es-es')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/jobs\/[A-Za-z0-9]{10}$/)
    const requests = await requestsOf(new URL(page.url()).pathname.slice('/jobs/'.length))
    expect(requests.map((one) => one.targetNativeLanguageCode).toSorted()).toEqual([
      'de-de',
      'es-es',
      'fr-fr',
    ])
  })

  it('resumes a draft after a reload, and says what is missing before it can be submitted', async () => {
    const page = await test.open('/jobs/new')
    expect(
      await page.getByRole('button', { name: /^Submit job/ }).getAttribute('aria-disabled'),
    ).toBe('true')
    await page.getByText('Add a file or paste content first.').first().waitFor()
    await page.getByLabel('Or paste keys and values').fill('key without value')
    await page.getByText('Line 1 has no =, : or tab').waitFor()
    await page.getByLabel('Or paste keys and values').fill('key = value')
    await until('a draft is there', () => Promise.resolve(draftIn(page)))
    const jobId = draftIn(page)
    await choose(page, 'Source language', 'en-us')
    await choose(page, 'Target languages', 'de-de')
    await page.getByText('1 request', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('1 request', { exact: true }).waitFor()
    expect(await page.getByLabel('Or paste keys and values').inputValue()).toBe('key = value')
    expect(await requestsOf(jobId)).toHaveLength(1)
    await page.goto(`${test.hub.url}/jobs/new`)
    await page.getByText('You have an unfinished draft.').waitFor()
  })

  it('shows hostile names of files, keys, codes and providers as text', async () => {
    const { hub } = test
    const [script = '', , evil = ''] = hostileNames
    await hub.call('POST', '/v2/settings/analysiscodes', {
      as,
      body: { code: 'X<b>', label: evil, level: 2 },
    })
    const types = await call<{ providertypes: { typeId: string }[] }>('/providers/types')
    const made = await hub.call('POST', '/v2/providers', {
      as,
      body: {
        name: script,
        typeId: types.providertypes[0]?.typeId,
        extendedMetadataSchema: {
          type: 'object',
          properties: { [evil]: { type: 'string', title: script }, __proto__: {} },
        },
      },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const page = await test.open('/jobs/new')
    const strange = watchCalls(page, hub.url)
    const names = hostileNames.filter((name) => !/[/\\]/.test(name))
    await page
      .locator('input[type=file]')
      .setInputFiles(
        names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('Hello') })),
      )
    await page.getByText(`${names.length} of ${names.length} files uploaded`).waitFor()
    await page.getByLabel('Provider').selectOption({ label: script })
    await page
      .getByLabel('Or paste keys and values')
      .fill(`${evil.replaceAll('=', '')} = ${script}`)
    await choose(page, 'Source language', 'en-us')
    await choose(page, 'Target languages', 'de-de')
    await page.getByText(`${names.length + 1} requests`, { exact: true }).waitFor()
    await ranNothing(page, strange)
    for (const name of names)
      expect(await page.getByText(name, { exact: true }).count()).toBeGreaterThan(0)
  })
})

describe.skipIf(!hasBrowser)('a large upload from the console', () => {
  const test = useConsole()
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-console-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('resumes where it stopped after the connection broke and after the page was left', async () => {
    // The console sends pieces of 16 MB.
    const path = join(folder, 'large.bin')
    // Each megabyte is different.
    const megabytes = Array.from({ length: 40 }, (_, at) =>
      Buffer.alloc(1024 ** 2, `Dragoman ${at} `),
    )
    writeFileSync(path, Buffer.concat(megabytes))
    const page = await test.open('/jobs/new', { own: true })
    const sent: string[] = []
    let heldFrom = 1
    const release: (() => void)[] = []
    // Pieces from here on wait, so that the connection breaks between two pieces however fast they
    // are sent.
    await page.route('**/fms/tus/**', async (route) => {
      const method = route.request().method()
      const offset = route.request().headers()['upload-offset'] ?? ''
      sent.push(`${method} ${offset}`)
      if (method === 'PATCH' && Number(offset) >= heldFrom)
        await new Promise<void>((resolve) => release.push(resolve))
      // A request of a page that was left is gone.
      await route.continue().catch(() => {})
    })
    await page.locator('input[type=file]').setInputFiles(path)
    const received = async () => {
      const rows = await test.hub.inner.db.read.selectFrom('uploads').select('received').execute()
      return rows[0]?.received ?? 0
    }
    await until('the second piece waits', () => release.length === 1)
    const before = await received()
    await page.context().setOffline(true)
    release.pop()?.()
    await page.getByText('The connection was lost').waitFor()
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(40 * 1024 ** 2)
    heldFrom = before + 1
    await page.context().setOffline(false)
    await until('it resumes by itself, and the third piece waits', () => release.length === 1)
    const left = await received()
    expect(left).toBeGreaterThan(before)
    // The page is left, and the file chosen again.
    heldFrom = Number.POSITIVE_INFINITY
    await page.reload()
    release.pop()?.()
    await page.getByText('Choose large.bin again to resume').waitFor()
    await page.locator('input[type=file]').setInputFiles(path)
    await page.getByText('1 of 1 files uploaded').waitFor()
    expect(
      sent.filter((one) => one.startsWith('POST')),
      'one upload was created',
    ).toHaveLength(1)
    expect(
      sent.filter((one) => one.startsWith('PATCH ') && Number(one.slice(6)) >= left).length,
    ).toBeGreaterThan(0)
    const { file_id: id } = await test.hub.inner.db.read
      .selectFrom('files')
      .select('file_id')
      .executeTakeFirstOrThrow()
    const link = await test.hub.call('GET', `/v2/jobs/${draftIn(page)}/sourcefiles/${id}`, { as })
    const got = createHash('sha256')
    for await (const chunk of (await fetch(link.headers.get('location') ?? '')).body ?? [])
      got.update(chunk)
    const wanted = createHash('sha256')
    for await (const chunk of createReadStream(path)) wanted.update(chunk)
    expect(got.digest('hex')).toBe(wanted.digest('hex'))
  })
})

describe.skipIf(!hasBrowser)('the page New job of a site without a provider', () => {
  const test = useConsole()

  it('says what to do, and leads to the form', async () => {
    for (const [name, id] of Object.entries(await providersOf(test.hub))) {
      const body = { name, status: 'DISABLED' }
      expect((await test.hub.call('PATCH', `/v2/providers/${id}`, { as, body })).status).toBe(200)
    }
    const page = await test.open('/jobs/new')
    await page.getByText('This site has no provider that accepts jobs.').waitFor()
    await page.getByRole('link', { name: 'Add one' }).click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
  })
})

describe.runIf(hasBrowser && hasViews)('the page New job in every view', () => {
  const test = useConsole()
  beforeAll(async () => {
    await test.hub.call('POST', '/v2/settings/pricelists', { as, body: priceList })
  })

  inViews(
    'has no finding of axe and does not scroll sideways: $theme, $language, $width',
    async (view) => {
      const page = await test.open('/jobs/new', view)
      await page
        .locator('textarea')
        .first()
        .fill('checkout.title = Pay now\ncheckout.save = Save 10 % today')
      const [source, targets] = await page
        .getByRole('combobox')
        .filter({ hasNot: page.locator('option') })
        .all()
      await source?.focus()
      await page.keyboard.type('en-us')
      await page.keyboard.press('Enter')
      await targets?.focus()
      for (const code of ['de-de', 'ja-jp', 'ar-SA']) {
        await page.keyboard.type(code)
        await page.keyboard.press('Enter')
      }
      await page.locator('aside table').waitFor()
      await page.keyboard.type('fr')
      await page.locator('[role=option]').first().waitFor()
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.keyboard.press('Escape')
      await page
        .locator('input[type=file]')
        .setInputFiles([{ name: 'home.txt', mimeType: 'text/plain', buffer: Buffer.from('Hi') }])
      await page.getByText('home.txt').waitFor()
      if (process.env.SHOTS)
        await page.screenshot({
          path: `${process.env.SHOTS}/new-job-${view.theme}-${view.language}-${view.width}.png`,
        })
      expect(await axe(page)).toEqual([])
    },
  )
})
