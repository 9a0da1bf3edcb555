/**
 * The desk with a file of each format, in a real browser: claimed, translated by keys alone, fixed,
 * delivered, rejected with a note on a segment, corrected, approved. The connector downloads a
 * sound file, and the memory has the texts.
 */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findFormat } from '../../packages/text/src/formats/find-format.ts'
import type { Part } from '../../packages/text/src/placeholders/part.ts'
import { sampled } from '../draws.ts'
import { judges } from '../formats/real-judges.ts'
import { unsoundFiles } from '../formats/sound-files.ts'
import { hasBrowser, useConsole } from './console.ts'
import { deskFiles } from './desk-files.ts'
import { type Desk, type DeskPerson, openDesk } from './desk-people.ts'

const connector = 'demo-connector'
const bilingual = ['po', 'qt-ts', 'xcstrings', 'xliff-1.2', 'xliff-2']
/** Judges that unsoundFiles does not have. */
const others = {
  po: judges.msgfmt,
  'php-array': judges.php,
  'apple-strings': judges.msgcat,
  srt: judges.srt,
} as const
const plain = (parts: readonly Part[] = []) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

describe.skipIf(!hasBrowser)('the desk, format by format', () => {
  const test = useConsole({ database: 'sqlite' })
  let desk: Desk
  let ana: DeskPerson
  let rita: DeskPerson
  beforeAll(async () => {
    desk = await openDesk(test.hub)
    ana = await desk.person('translator', 'Ana Kim')
    rita = await desk.person('reviewer', 'Rita Review')
  })
  const openAs = (who: DeskPerson, path: string) => test.open(path, { cookies: who.cookies })
  const isAt = (page: Page, position: number) =>
    page.waitForFunction(
      (name) => document.activeElement?.getAttribute('aria-label') === name,
      `Translation of segment ${position}`,
    )
  const deliver = async (page: Page) => {
    await page.keyboard.press('Control+Shift+Enter')
    await page.waitForURL(/\/work$/)
  }
  const judge = async (page: Page, keys: string) => {
    await page.keyboard.press(keys)
    await page.getByRole('button', { name: 'Send now' }).press('Enter')
    await page.waitForURL(/view=review/)
  }
  const read = async <T>(path: string, as = connector) =>
    (await test.hub.call<T>('GET', `/v2${path}`, { as })).body
  const translationOf = async (request: string) => {
    const { headers } = await test.hub.call('GET', `/v2${request}/retrievefile`, { as: connector })
    return new Uint8Array(await (await fetch(String(headers.get('location')))).arrayBuffer())
  }

  it.each(sampled(deskFiles, 3))('$id', async ({ id, name, file }) => {
    const { jobId, ids } = await desk.job(id, { [name]: { file, name } })
    const [requestId = ''] = ids
    const request = `/jobs/${jobId}/requests/${requestId}`
    const path = `/work/${desk.manual}/${jobId}/${requestId}`
    const page = await openAs(ana, path)
    await page.getByRole('button', { name: 'Claim' }).press('Enter')
    await isAt(page, 1)
    await page.keyboard.press('Control+i')
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Also  ')
    await page.getByRole('button', { name: 'Fix', exact: true }).waitFor()
    await page.keyboard.press('Alt+x')
    await page.getByRole('button', { name: 'Fix', exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await isAt(page, 2)
    await page.keyboard.type('Guten Tag ')
    await page.keyboard.press('Alt+Shift+t')
    await page.keyboard.press('Control+Enter')
    await isAt(page, 3)
    await page.keyboard.press('Control+i')
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Nun ')
    await page.keyboard.press('Control+Enter')
    await deliver(page)

    const reviews = await openAs(rita, `${path}?as=review`)
    await reviews.locator('[data-segment="1"][aria-current]').waitFor()
    await reviews.keyboard.press('Alt+w')
    await reviews.getByLabel('Note for the translator').waitFor()
    await reviews.waitForFunction(
      () => (document.activeElement as HTMLElement | null)?.dataset.note !== undefined,
    )
    await reviews.keyboard.type('Say: Nun')
    await judge(reviews, 'Control+Shift+Backspace')
    expect((await read<{ rejectNote: string }>(request)).rejectNote).toContain('Say: Nun')

    await page.goto(test.hub.url + path)
    await isAt(page, 1)
    await page.getByText('Say: Nun').first().waitFor()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Nun ')
    await page.keyboard.press('Control+Enter')
    await deliver(page)
    await reviews.goto(`${test.hub.url}${path}?as=review`)
    await reviews.getByRole('button', { name: 'Changed 1' }).waitFor()
    await judge(reviews, 'Control+Shift+Enter')
    expect((await read<{ statusCode: string }>(request)).statusCode).toBe('TRANSLATION_APPROVED')

    const written = await translationOf(request)
    const source = typeof file === 'string' ? new TextEncoder().encode(file) : file
    const segments = findFormat(name, source)?.read(written, { targetLanguage: 'de-DE' }) ?? []
    const texts = segments.map((one) => plain(bilingual.includes(id) ? one.target : one.parts))
    expect(texts.map((text) => text.split(' ').slice(0, 3))).toEqual([
      ['Nun', 'Also', 'Welcome'],
      ['Guten', 'Tag', ''],
      ['Nun', 'Thank', 'you'],
    ])
    expect(unsoundFiles([{ id, name, bytes: written }])).toEqual([])
    expect(others[id as keyof typeof others]?.([{ path: name, source, written }]) ?? []).toEqual([])
    await test.hub.advance('1s')
    const { units } = await read<{ units: { origin: string; target: string }[] }>(
      '/settings/memory/units?text=Also%20Welcome',
      'demo-admin',
    )
    expect(
      units.filter(({ origin }) => origin === requestId).map(({ target }) => target),
    ).toHaveLength(1)
  })
})
