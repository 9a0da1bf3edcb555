/**
 * The workbench, in a real browser: a text is claimed, translated by keys alone, fixed, delivered,
 * rejected with a note on a segment, corrected and approved; twenty segments without the mouse,
 * with the keys counted; the views.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { goodPassword } from '../visitor.ts'
import { axe, hasBrowser, inViews, overflow, settled, useConsole, type View } from './console.ts'
import { type Desk, type DeskPerson, openDesk } from './desk-people.ts'

const checkout = {
  fields: {
    title: 'Your basket',
    pay: 'Pay {amount} before {date}',
    days: 'Free returns within 30 days',
    again: 'Your basket',
  },
}
const twenty = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`k${at}`, `Text number ${at + 1} of this page`]),
)

describe.skipIf(!hasBrowser)('the workbench', () => {
  const test = useConsole({ database: 'sqlite' })
  let desk: Desk
  let ana: DeskPerson
  let rita: DeskPerson
  beforeAll(async () => {
    desk = await openDesk(test.hub)
    ana = await desk.person('translator', 'Ana Kim')
    rita = await desk.person('reviewer', 'Rita Review')
  })
  const openAs = async (who: DeskPerson, path: string, view?: View): Promise<Page> => {
    const page = await test.open(path, { ...view, cookies: who.cookies })
    await page.locator('h1').waitFor()
    await settled(page)
    return page
  }
  const editor = (page: Page, position: number) =>
    page.getByRole('textbox', { name: `Translation of segment ${position}` })
  const isAt = async (page: Page, position: number) => {
    await editor(page, position).waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'textbox')
  }
  const saved = (page: Page) => page.getByText(/^Saved \d/).waitFor()
  /** Every segment, as its source. */
  const confirmed = async (task: string) => {
    type Row = { segmentId: string; version: number; source: unknown[] }
    const { body } = await ana.call<{ segments: Row[] }>('GET', `${task}/segments`)
    return body.segments.map(({ source, ...at }) => ({
      segmentId: at.segmentId,
      version: at.version,
      target: source,
      state: 'TRANSLATED',
    }))
  }
  const statusOf = async (jobId: string, id: string) =>
    (
      await test.hub.call<{ statusCode: string; rejectNote?: string }>(
        'GET',
        `/v2/jobs/${jobId}/requests/${id}`,
        {
          as: 'demo-connector',
        },
      )
    ).body

  it('takes a text from claim to approval by keys, with a rejection on the way', async () => {
    const { jobId, ids } = await desk.job('Spring', { Checkout: checkout })
    const id = ids[0] ?? ''
    const path = `/work/${desk.manual}/${jobId}/${id}`
    const page = await openAs(ana, path)
    await page.getByText('At provider', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Claim' }).click()
    await page.getByText('In translation', { exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Spring', exact: true }).getAttribute('href')).toBe(
      `/jobs/${jobId}`,
    )
    await isAt(page, 1)
    await page.keyboard.type('Ihr Warenkorb')
    await page.keyboard.press('Control+Enter')
    await isAt(page, 2)
    await page.getByText('Filled in').waitFor()
    await page.keyboard.type('Zahlen Sie ')
    await page.keyboard.press('Alt+1')
    await page.keyboard.type(' vor ')
    await page.getByText('Still to place').waitFor()
    await page.keyboard.press('Control+,')
    await page.keyboard.press('2')
    await page.getByText('Still to place').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await isAt(page, 3)
    await page.keyboard.type('Kostenlose Rückgabe innerhalb von 14 Tagen')
    await page.getByText('30 in the source, 14 here.').first().waitFor()
    await page.getByRole('button', { name: 'Use 30' }).first().waitFor()
    await page.keyboard.press('Alt+x')
    await page.getByRole('button', { name: 'Use 30' }).first().waitFor({ state: 'detached' })
    expect(await editor(page, 3).textContent()).toBe('Kostenlose Rückgabe innerhalb von 30 Tagen')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Kostenlose Rückgabe innerhalb von 14 Tagen')
    await page.getByRole('button', { name: 'Keep' }).first().waitFor()
    await page.keyboard.press('Control+Alt+1')
    await page
      .getByRole('dialog')
      .getByLabel(/Reason/)
      .fill('Agreed with the customer')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await editor(page, 3).focus()
    // The fourth repeats the first: it was translated with it, without another key.
    await page.keyboard.press('Control+Enter')
    await saved(page)
    await page.keyboard.press('Control+Shift+Enter')
    await page.waitForURL(/\/work$/)
    expect((await statusOf(jobId, id)).statusCode).toBe('REVIEW_TRANSLATION')

    const reviews = await openAs(rita, `${path}?as=review`)
    await reviews.getByText('Zahlen Sie').waitFor()
    await reviews.getByText('Agreed with the customer').waitFor()
    await reviews.keyboard.press('Control+Enter')
    await reviews.locator('[data-segment="2"][aria-current]').waitFor()
    await reviews.keyboard.press('Alt+w')
    await reviews.getByLabel('Note for the translator').fill('Say: bis')
    await reviews.getByLabel('Severity').selectOption('MAJOR')
    await reviews.getByText(/points per 1,000 words, 1 wrong/).waitFor()
    await reviews.keyboard.press('Control+Shift+Backspace')
    await reviews.getByRole('button', { name: 'Undo' }).click()
    expect((await statusOf(jobId, id)).statusCode).toBe('REVIEW_TRANSLATION')
    // A rejection waits for a note that is still on its way.
    const held: (() => Promise<void>)[] = []
    await reviews.route('**/segments/*/review', (route) => {
      held.push(() => route.continue())
    })
    await reviews.getByLabel('Note for the translator').fill('Say: bis 14')
    await reviews.keyboard.press('Control+Shift+Backspace')
    await reviews.getByRole('button', { name: 'Send now' }).click()
    await expect.poll(() => held.length).toBe(1)
    await held[0]?.()
    await reviews.waitForURL(/view=review/)
    const rejected = await statusOf(jobId, id)
    expect(rejected.rejectNote).toContain('Say: bis 14')

    await page.goto(`${test.hub.url}${path}?seg=1`)
    await isAt(page, 1)
    await page.locator('[data-segment="2"]').getByText('Say: bis').waitFor()
    await page.locator('[data-segment="2"]').getByLabel('Rejected by the reviewer').waitFor()
    await page.getByText('1 open before delivery').waitFor()
    await page.keyboard.press('Control+Shift+Enter')
    await page.getByRole('button', { name: 'Go to the first' }).click()
    await page.getByText('Say: bis').first().waitFor()
    await isAt(page, 2)
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Changed by Ana Kim').waitFor()
    await editor(page, 2).focus()
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await page.keyboard.press('Control+Enter')
    await saved(page)
    await page.keyboard.press('Control+Shift+Enter')
    await page.waitForURL(/\/work$/)

    await reviews.goto(`${test.hub.url}${path}?as=review`)
    await reviews.getByRole('columnheader', { name: 'Since the previous delivery' }).waitFor()
    await reviews.getByRole('button', { name: 'Changed 1' }).waitFor()
    expect(await reviews.locator('[data-segment="2"] ins').textContent()).toContain('!')
    await reviews.keyboard.press('Control+Shift+Enter')
    await reviews.getByRole('button', { name: 'Send now' }).click()
    await reviews.waitForURL(/view=review/)
    expect((await statusOf(jobId, id)).statusCode).toBe('TRANSLATION_APPROVED')
  })

  it('translates twenty segments without the mouse: three keys each besides the text', async () => {
    const { jobId, ids } = await desk.job('Twenty', { Page: { fields: twenty } })
    const task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
    expect(await ana.call('POST', `${task}/claim`)).toMatchObject({ status: 200 })
    const page = await openAs(ana, `/work/${desk.manual}/${jobId}/${ids[0]}`)
    let keys = 0
    const press = async (key: string) => {
      keys += 1
      await page.keyboard.press(key)
    }
    for (let at = 1; at <= 20; at += 1) {
      await isAt(page, at)
      // The digits stay as they are.
      await press('Control+i')
      await press('Home')
      await page.keyboard.insertText('Der ')
      await press('Control+Enter')
    }
    await saved(page)
    await press('Control+Shift+Enter')
    await page.waitForURL(/\/work$/)
    expect(keys).toBe(61)
    expect((await statusOf(jobId, ids[0] ?? '')).statusCode).toBe('REVIEW_TRANSLATION')
  })

  it('keeps every letter that is typed fast on a slow machine', async () => {
    const { jobId, ids } = await desk.job('Fast', {
      Page: { fields: { a: 'A long text', b: 'Another one' } },
    })
    const task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
    expect((await ana.call('POST', `${task}/claim`)).status).toBe(200)
    const page = await openAs(ana, `/work/${desk.manual}/${jobId}/${ids[0]}`)
    await isAt(page, 1)
    const browser = await page.context().newCDPSession(page)
    await browser.send('Emulation.setCPUThrottlingRate', { rate: 8 })
    const text = 'Der schnelle braune Fuchs springt über den faulen Hund und wieder zurück.'
    await page.keyboard.type(text)
    await page.keyboard.press('Control+Enter')
    await isAt(page, 2)
    await saved(page)
    // Later tests get the same page.
    await browser.detach()
    const { body } = await ana.call<{ segments: { target?: string[] }[] }>(
      'GET',
      `${task}/segments`,
    )
    expect(body.segments[0]?.target).toEqual([text])
  })

  it('keeps what is typed before the file of the editor has arrived, and the place of the caret', async () => {
    const { jobId, ids } = await desk.job('Early', { Page: checkout })
    const task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
    expect((await ana.call('POST', `${task}/claim`)).status).toBe(200)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const page = await openAs(ana, '/work')
    await page.route(/live-editor[^/]*\.js/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${test.hub.url}/work/${desk.manual}/${jobId}/${ids[0]}?seg=2`)
    const field = page.locator('textarea[aria-label="Translation of segment 2"]:focus')
    await field.waitFor()
    await page.keyboard.type('Zahlen ')
    await page.keyboard.press('Alt+1')
    await page.keyboard.type(' bis heute')
    expect(await field.inputValue()).toBe('Zahlen {1} bis heute')
    for (const _ of 'heute') await page.keyboard.press('ArrowLeft')
    const browser = await page.context().newCDPSession(page)
    await browser.send('Input.imeSetComposition', {
      text: 'に',
      selectionStart: 1,
      selectionEnd: 1,
    })
    const arrived = page.waitForResponse(/live-editor[^/]*\.js/)
    release()
    await (await arrived).finished()
    // The editor waits for the input method.
    expect(await field.inputValue()).toBe('Zahlen {1} bis にheute')
    await browser.send('Input.insertText', { text: '日' })
    await isAt(page, 2)
    await page.keyboard.type('!')
    expect(await editor(page, 2).locator('[data-chip]').count()).toBe(1)
    expect(await editor(page, 2).textContent()).toMatch(/^Zahlen .*\{amount\}.* bis 日!heute$/)
    await saved(page)
    const { body } = await ana.call<{ segments: { target?: unknown[] }[] }>(
      'GET',
      `${task}/segments`,
    )
    expect(body.segments[1]?.target).toEqual(['Zahlen ', { tag: 1 }, ' bis 日!heute'])
  })

  it('keeps the segment at hand while one looks at more segments than are kept in memory', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 5_400 }, (_, at) => [`k${at}`, `Text ${at + 1}`]),
    )
    const { jobId, ids } = await desk.job('Long', { Page: { fields } })
    const task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
    expect((await ana.call('POST', `${task}/claim`)).status).toBe(200)
    const page = await openAs(ana, `/work/${desk.manual}/${jobId}/${ids[0]}`)
    await isAt(page, 1)
    await page.keyboard.type('Hier bin ich')
    await saved(page)
    const scrollTo = (position: number, by: number) =>
      page.waitForFunction(
        ([wanted, step]) => {
          const list = document.querySelector('[role=table] [role=rowgroup]')
          if (list) list.scrollTop += step
          return document.querySelector(`[data-segment="${wanted}"]`) !== null
        },
        [position, by] as const,
        { polling: 'raf' },
      )
    await scrollTo(5_300, 4_000)
    expect(await page.locator('[data-segment][aria-current]').count()).toBe(0)
    await scrollTo(1, -4_000)
    expect(await editor(page, 1).textContent()).toBe('Hier bin ich')
    await scrollTo(5_300, 4_000)
    expect(await page.locator('[data-segment][aria-current]').count()).toBe(0)
    await page.keyboard.press('Control+ArrowDown')
    await isAt(page, 2)
  })

  it('says what blocks a delivery, filters, replaces with a preview, and shows every key', async () => {
    const { jobId, ids } = await desk.job('Blocked', { Page: checkout })
    const path = `/work/${desk.manual}/${jobId}/${ids[0]}`
    expect(
      (await ana.call('POST', `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}/claim`))
        .status,
    ).toBe(200)
    const page = await openAs(ana, path)
    await isAt(page, 1)
    await page.keyboard.press('Control+Shift+Enter')
    await page.getByRole('alert').filter({ hasText: /4/ }).waitFor()
    await page.keyboard.type('Ihr Korb')
    await page.keyboard.press('Control+Enter')
    await isAt(page, 2)
    await page.keyboard.press('Control+h')
    await page.getByLabel('Find in translations').fill('Korb')
    await page.getByLabel('Replace with').fill('Warenkorb')
    await page.getByRole('button', { name: 'Replace in 2 segments' }).click()
    await page.getByText('Ihr Warenkorb').first().waitFor()
    await page.getByRole('button', { name: /^Open 2/ }).click()
    await page.getByRole('button', { name: /^Repetitions/ }).waitFor()
    await page.keyboard.press('F1')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Place the next missing tag').waitFor()
    await dialog.getByRole('button', { name: 'Change the keys: Next segment', exact: true }).click()
    await page.keyboard.press('Alt+j')
    await dialog.locator('li', { hasText: 'Next segment' }).getByText('Alt J').waitFor()
    expect(await axe(page)).toEqual([])
  })

  it('fills open segments in, after it has told what it will do', async () => {
    const unit = {
      ...{ sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' },
      ...{ source: 'Pack 3 boxes today', target: 'Heute 3 Kisten packen' },
    }
    const made = await test.hub.call('POST', '/v2/settings/memory/units', {
      ...{ as: 'demo-admin', body: unit },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { jobId, ids } = await desk.job('Filled', {
      Page: { fields: { a: 'Pack 3 boxes today', b: 'Pack 7 boxes today', c: 'Nobody knows' } },
    })
    const task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
    expect((await ana.call('POST', `${task}/claim`)).status).toBe(200)
    const page = await openAs(ana, `/work/${desk.manual}/${jobId}/${ids[0]}`)
    await isAt(page, 1)
    await page.getByRole('button', { name: 'Fill in …' }).click()
    await page.getByText('2 from the memory, 0 repetitions').waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Fill in', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Heute 7 Kisten packen').first().waitFor()
    await page.getByText('adapted').first().waitFor()
    type Row = { state: string; target?: unknown[] }
    const { body } = await ana.call<{ segments: Row[] }>('GET', `${task}/segments`)
    expect(body.segments.map(({ state, target }) => [state, target])).toEqual([
      ['TRANSLATED', ['Heute 3 Kisten packen']],
      ['DRAFT', ['Heute 7 Kisten packen']],
      ['NEW', undefined],
    ])
  })

  it('says what the checks find in the language of the reader', async () => {
    const { jobId, ids } = await desk.job('Days', {
      Page: { fields: { days: 'Free returns within 30 days' } },
    })
    const task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
    expect((await ana.call('POST', `${task}/claim`)).status).toBe(200)
    const segments = (await confirmed(task)).map((one) => ({
      ...one,
      target: ['Kostenlose Rückgabe'],
    }))
    expect((await ana.call('PUT', `${task}/segments`, { body: { segments } })).status).toBe(200)
    const page = await openAs(ana, `/work/${desk.manual}/${jobId}/${ids[0]}`, { language: 'de' })
    await page.getByText('Die Zahl 30 der Quelle fehlt.').first().waitFor()
  })

  it('opens from Work by Enter, and shows how well the memory knows each segment', async () => {
    const pair = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
    for (const [source, target] of [
      ['Change your delivery address here.', 'Hier ändern Sie Ihre Lieferadresse.'],
      ['Close the window', 'Fenster schließen'],
    ])
      expect(
        await test.hub.call('POST', '/v2/settings/memory/units', {
          as: 'demo-admin',
          body: { ...pair, source, target },
        }),
      ).toMatchObject({ status: 201 })
    const fields = {
      a: 'Change your billing address here.',
      b: 'Close the window',
      c: 'Nothing like it is known.',
      d: 'Nothing like it is known.',
    }
    const { jobId, ids } = await desk.job('Known', { 'Known text': { fields } })
    const task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
    expect(await ana.call('POST', `${task}/claim`)).toMatchObject({ status: 200 })
    const page = await openAs(ana, '/work?view=mine')
    await page.locator('[role=row][data-index]', { hasText: 'Known text' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/work/${desk.manual}/${jobId}/${ids[0]}`)
    await isAt(page, 1)
    const match = (at: number, text: string) =>
      page.locator(`[data-segment="${at}"]`).getByText(text, { exact: true }).waitFor()
    await match(1, '83%')
    await match(2, '100%')
    await match(3, 'New')
    await match(4, 'Rep.')
    await page.getByText('Entered manually').first().waitFor()
    await page.keyboard.press('Control+1')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await page.keyboard.press('Alt+k')
    await page.getByText('Change your delivery address here.', { exact: true }).waitFor()
    expect(await page.getByLabel('Look up in the memory').inputValue()).toBe('Lieferadresse.')
    await page.keyboard.press('Control+Enter')
    await isAt(page, 2)
    await saved(page)
    for (const name of ['All 4', 'Open 3', 'Warnings 1', 'Fuzzy 1', 'Repetitions 1', 'Changed 1'])
      await page.getByRole('button', { name, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Fuzzy 1' }).click()
    await page.locator('[data-segment="2"]').waitFor({ state: 'detached' })
  })

  it('loses nothing in two tabs, without a connection, and when the session ends', async () => {
    const { jobId, ids } = await desk.job('Kept', { Page: { fields: { a: 'One', b: 'Two' } } })
    const task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
    const path = `/work/${desk.manual}/${jobId}/${ids[0]}?seg=1`
    expect(await ana.call('POST', `${task}/claim`)).toMatchObject({ status: 200 })
    const targets = async () => {
      const { body } = await ana.call<{ segments: { target?: string[] }[] }>(
        'GET',
        `${task}/segments`,
      )
      return body.segments.map(({ target }) => target?.join(''))
    }
    const page = await openAs(ana, path)
    await isAt(page, 1)
    const other = await page.context().newPage()
    await other.goto(test.hub.url + path)
    await isAt(other, 1)
    await other.keyboard.type('Einzig')
    await saved(other)
    await page.keyboard.type('Eins')
    const both = page.getByRole('alert')
    await both.getByText('Einzig').waitFor()
    await both.getByText('Eins', { exact: true }).waitFor()
    expect(await targets()).toEqual(['Einzig', undefined])
    await both.getByRole('button', { name: 'Keep mine' }).click()
    await both.waitFor({ state: 'detached' })
    await saved(page)
    expect(await targets()).toEqual(['Eins', undefined])
    await other.close()

    await page.context().setOffline(true)
    await page.keyboard.press('Control+ArrowDown')
    await isAt(page, 2)
    await page.keyboard.type('Zwei')
    await page.getByText('1 text kept in this browser').waitFor()
    await page.context().setOffline(false)
    await saved(page)
    expect(await targets()).toEqual(['Eins', 'Zwei'])

    await page.route('**/segments/*', (route) =>
      route.fulfill({
        status: 401,
        json: { code: 'SIGN_IN_NEEDED', message: 'Your session has ended.' },
      }),
    )
    await page.keyboard.type(' mal')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Your session has ended').waitFor()
    await page.unroute('**/segments/*')
    await dialog.getByLabel('E-mail address').fill(ana.email)
    await dialog.getByLabel('Password').fill(goodPassword)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(targets).toEqual(['Eins', 'Zwei mal'])
    await saved(page)
    expect(await editor(page, 2).textContent()).toBe('Zwei mal')
  })

  it('takes a format without segments as a file: rejected with a note, corrected, approved', async () => {
    const { jobId, ids } = await desk.job('Pictures', {
      Logo: { file: 'PNG of the source', name: 'logo.png' },
    })
    const page = await openAs(ana, `/work/${desk.manual}/${jobId}/${ids[0]}`)
    await page.getByRole('button', { name: 'Claim' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download logo.png' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('logo.png')
    const given = page.getByLabel('Translated file')
    const deliver = page.getByRole('button', { name: 'Deliver' })
    const send = async (text: string) => {
      await given.setInputFiles({
        name: 'logo.png',
        mimeType: 'image/png',
        buffer: Buffer.from(text),
      })
      await deliver.click()
    }
    await send('PNG of the translation')
    await page.getByText('In review').waitFor()
    const id = ids[0] ?? ''
    expect((await statusOf(jobId, id)).statusCode).toBe('REVIEW_TRANSLATION')

    const path = `/work/${desk.manual}/${jobId}/${id}`
    const reviews = await openAs(rita, `${path}?as=review`)
    const bytesOf = async (label: string) => {
      const [got] = await Promise.all([
        reviews.waitForEvent('download'),
        reviews.getByRole('link', { name: label, exact: true }).click(),
      ])
      return readFileSync(await got.path(), 'utf8')
    }
    expect(await bytesOf('Download logo.png')).toBe('PNG of the source')
    expect(await bytesOf('Download the translation of logo.png')).toBe('PNG of the translation')
    await reviews.getByLabel('Note for the translator').fill('The shadow is too dark')
    expect(await axe(reviews)).toEqual([])
    await reviews.keyboard.press('Control+Shift+Backspace')
    await reviews.getByRole('button', { name: 'Send now' }).press('Enter')
    await reviews.waitForURL(/view=review/)
    expect(await statusOf(jobId, id)).toMatchObject({
      statusCode: 'TRANSLATION_REJECTED',
      rejectNote: 'The shadow is too dark',
    })

    await page.goto(test.hub.url + path)
    await page.getByText('The shadow is too dark').waitFor()
    await send('PNG with a lighter shadow')
    await page.getByText('In review').waitFor()
    await reviews.goto(`${test.hub.url}${path}?as=review`)
    expect(await bytesOf('Download the translation of logo.png')).toBe('PNG with a lighter shadow')
    await reviews.keyboard.press('Control+Shift+Enter')
    await reviews.getByRole('button', { name: 'Send now' }).press('Enter')
    await reviews.waitForURL(/view=review/)
    expect((await statusOf(jobId, id)).statusCode).toBe('TRANSLATION_APPROVED')
    const { headers } = await test.hub.call(
      'GET',
      `/v2/jobs/${jobId}/requests/${id}/retrievefile`,
      {
        as: 'demo-connector',
      },
    )
    expect(await (await fetch(String(headers.get('location')))).text()).toBe(
      'PNG with a lighter shadow',
    )
  })

  inViews('fits and reads in $theme $language $width', async (view) => {
    const { jobId, ids } = await desk.job(`View ${view.at}`, { Page: checkout })
    const path = `/work/${desk.manual}/${jobId}/${ids[0]}`
    const task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
    expect(await ana.call('POST', `${task}/claim`)).toMatchObject({ status: 200 })
    const page = await openAs(ana, path, view)
    await page.locator('[data-segment="1"]').waitFor()
    expect(await overflow(page)).toBe(0)
    expect(await axe(page)).toEqual([])
    await ana.call('PUT', `${task}/segments`, { body: { segments: await confirmed(task) } })
    expect(await ana.call('POST', `${task}/segments/deliver`)).toMatchObject({ status: 200 })
    const reviews = await openAs(rita, `${path}?as=review`, view)
    await reviews.locator('[data-segment="2"] button').first().click()
    await reviews.locator('[data-segment="2"][aria-current]').getByRole('button').last().click()
    await reviews.locator('textarea').fill('x')
    expect(await overflow(reviews)).toBe(0)
    expect(await axe(reviews)).toEqual([])
  })
})
