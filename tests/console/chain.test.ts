/**
 * Machine drafts of a chain in the workbench, the riskiest first, and the report of what people
 * changed in them.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEngine, type TranslationEngine } from '../translation-engine.ts'
import { axe, hasBrowser, inViews, overflow, settled, useConsole, type View } from './console.ts'
import { type DeskPerson, openDesk } from './desk-people.ts'

const known: Record<string, string> = {
  'Your basket is empty.': 'Ihr Warenkorb ist leer.',
  'Free returns within 30 days': 'Kostenlose Rückgabe innerhalb von 30 Tagen',
}
const texts = {
  ...Object.fromEntries(Object.keys(known).map((text, at) => [`k${at}`, text])),
  city: 'Berlin',
  pay: 'Pay {amount} now',
}

describe.skipIf(!hasBrowser)('a chain in the console', () => {
  const test = useConsole({ database: 'sqlite' })
  let engine: TranslationEngine
  let ana: DeskPerson
  let task = ''
  let work = ''
  beforeAll(async () => {
    engine = await startEngine()
    engine.be(({ q }) => ({
      body: {
        translatedText: q.map((text) => known[text] ?? (text.includes('<x') ? 'Zahlen' : text)),
      },
    }))
    const { hub } = test
    const desk = await openDesk(hub)
    ana = await desk.person('translator', 'Ana Kim')
    const made = async (body: object) =>
      String((await hub.call('POST', '/v2/providers', { as: 'demo-admin', body })).body.id)
    const machine = await made({
      name: 'Libre',
      typeId: 'machine-translation',
      config: { url: engine.url },
    })
    const steps = [{ engines: [machine] }, { people: desk.manual }]
    const providerId = await made({
      name: 'Machine, then people',
      typeId: 'chain',
      config: { steps },
    })
    const as = 'demo-connector'
    const jobId = String(
      (await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Shop' } })).body.jobId,
    )
    const body = {
      ...{ requestName: 'texts', sourceNativeId: 't', sourceNativeLanguageCode: 'en-us' },
      targetNativeLanguageCodes: ['de-de'],
      fields: Object.entries(texts).map(([key, value]) => ({ key, value })),
    }
    const path = `/v2/jobs/${jobId}`
    const added = await hub.call<{ requests: { requestId: string }[] }>(
      'POST',
      `${path}/requests/add`,
      { as, body },
    )
    await hub.call('PUT', `${path}/submit`, { as, body: { providerId } })
    await hub.advance('1s')
    const id = added.body.requests[0]?.requestId ?? ''
    task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${id}`
    work = `/work/${desk.manual}/${jobId}/${id}`
  })
  afterAll(() => engine.close())

  const open = async (path: string, view?: View): Promise<Page> => {
    const page = await test.open(path, {
      ...view,
      ...(path.startsWith('/work') && { cookies: ana.cookies }),
    })
    await page.locator('h1').waitFor()
    await settled(page)
    return page
  }
  const positions = (page: Page) =>
    page
      .locator('[data-segment]')
      .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.segment)))

  it('shows where a draft comes from, its risk and why; the filter begins with what no engine could do', async () => {
    expect((await ana.call('POST', `${task}/claim`)).status).toBe(200)
    const page = await open(work)
    const row = (position: number) => page.locator(`[data-segment="${position}"]`)
    await row(2).getByText('LibreTranslate').waitFor()
    expect(await row(2).getByText('same as the source').count()).toBe(0)
    expect(await row(3).innerText()).toMatch(/LibreTranslate\s*Risk \d+\s*same as the source/)
    expect(await row(4).innerText()).toMatch(/cannot be used/)
    await page.getByRole('button', { name: /^Risky 2/ }).click()
    await expect.poll(() => positions(page)).toEqual([4, 3])
    await page.getByRole('button', { name: 'Open segment 3' }).click()
    await page.getByRole('textbox', { name: 'Translation of segment 3' }).waitFor()
    await expect.poll(() => row(3).getByText('same as the source').count()).toBe(1)
  })

  it('reports what people changed', async () => {
    type Row = { segmentId: string; version: number; key: string; target?: unknown[] }
    const { body } = await ana.call<{ segments: Row[] }>('GET', `${task}/segments`)
    const own: Record<string, unknown[]> = { city: ['Berlin.'], pay: [{ tag: 1 }, ' jetzt zahlen'] }
    for (const { segmentId, version, key, target } of body.segments) {
      await test.hub.advance('15s')
      const change = { target: own[key] ?? target, version, state: 'TRANSLATED' }
      const { status } = await ana.call('PUT', `${task}/segments/${segmentId}`, { body: change })
      expect(status).toBe(200)
    }
    expect((await ana.call('POST', `${task}/segments/deliver`, { body: {} })).status).toBe(200)
    const page = await open('/reports/effort')
    await page
      .getByText(/^3 machine drafts: 66\.7% delivered unedited, 1\.4% of the characters changed, /)
      .waitFor()
    await page.keyboard.press('t')
    const table = page.getByRole('table')
    await table.getByText('Libre, en-us → de-de').waitFor()
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      ...['Group', 'Segments', 'Unedited', 'Characters', 'Characters changed', 'Timed', 'Time'],
      ...['Share unedited', 'Share changed', 'Time per segment'],
    ])
  })

  inViews('fits and reads in $theme $language $width', async (view) => {
    for (const path of [work, '/reports/effort']) {
      const page = await open(path, view)
      expect(await overflow(page)).toBe(0)
      expect(await axe(page)).toEqual([])
    }
  })
})
