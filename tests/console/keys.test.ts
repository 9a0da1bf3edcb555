/** The keyboard: pairs, lists of keys, fields, and the switch for keys of one letter (WCAG 2.1.4). */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axe, hasBrowser, useConsole } from './console.ts'

describe.skipIf(!hasBrowser)('keys', () => {
  const test = useConsole()
  const heading = (page: Page, text: string) => page.locator('h1', { hasText: text })

  it('open pages in pairs, and a pair that is not finished is forgotten', async () => {
    const page = await test.open('/')
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await heading(page, 'Deliveries').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('Tab')
    await page.keyboard.press('j')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await heading(page, 'Health').waitFor()
  })

  it('do nothing while a field has the focus, except those with Ctrl', async () => {
    const page = await test.open('/')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('gd?')
    expect(await page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('gd?')
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await page.getByRole('dialog').count()).toBe(1)
  })

  it('are listed by ?, those of the page first, and letters can be switched off for good', async () => {
    const page = await test.open('/')
    await heading(page, 'Jobs').waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Open Deliveries').waitFor()
    await dialog.getByText('Find a job, request, id, command').waitFor()
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('switch').press('Space')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.type('gd?')
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await dialog.count()).toBe(0)
    await page.reload()
    await heading(page, 'Jobs').waitFor()
    await page.keyboard.type('gd')
    expect(new URL(page.url()).pathname).toBe('/')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('keyboard')
    await page.keyboard.press('Enter')
    await page.getByRole('switch').press('Space')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.type('gd')
    await heading(page, 'Deliveries').waitFor()
  })

  it('work on a keyboard of another script by their place', async () => {
    const page = await test.open('/')
    await heading(page, 'Jobs').waitFor()
    for (const pressed of [
      { key: 'п', code: 'KeyG' },
      { key: 'в', code: 'KeyD' },
    ])
      await page.evaluate(
        (one) => document.body.dispatchEvent(new KeyboardEvent('keydown', { ...one, bubbles: true })),
        pressed,
      )
    await heading(page, 'Deliveries').waitFor()
  })
})
