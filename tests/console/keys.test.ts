/**
 * The keyboard: pairs of keys, the list of keys, fields, and the switch for single-letter keys
 * (WCAG 2.1.4).
 */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axe, hasBrowser, pressPair, useConsole } from './console.ts'

describe.skipIf(!hasBrowser)('keys', () => {
  const test = useConsole()
  const heading = (page: Page, text: string) => page.locator('h1', { hasText: text })

  it('open pages in pairs; an unfinished pair is forgotten', async () => {
    const page = await test.open('/')
    await pressPair(page, 'gd')
    await heading(page, 'Deliveries').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('Tab')
    await page.keyboard.press('j')
    await pressPair(page, 'gh')
    await heading(page, 'Health').waitFor()
  })

  it('do nothing while a field has the focus, except those with Ctrl', async () => {
    const page = await test.open('/')
    await page.keyboard.press('Control+k')
    await page.locator('dialog [role=combobox]:focus').waitFor()
    await page.keyboard.type('gd?')
    expect(await page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('gd?')
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await page.getByRole('dialog').count()).toBe(1)
  })

  it('are listed on ?, and single letters can be switched off for good', async () => {
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
    await pressPair(page, 'gd')
    expect(new URL(page.url()).pathname).toBe('/')
    await page.keyboard.press('Control+k')
    await page.locator('dialog [role=combobox]:focus').waitFor()
    await page.keyboard.type('keyboard')
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual(['Keyboard shortcuts?'])
    await page.keyboard.press('Enter')
    await page.getByRole('switch').press('Space')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await pressPair(page, 'gd')
    await heading(page, 'Deliveries').waitFor()
  })

  it('work by their position on a keyboard of another script', async () => {
    const page = await test.open('/')
    await heading(page, 'Jobs').waitFor()
    for (const pressed of [
      { key: 'п', code: 'KeyG' },
      { key: 'в', code: 'KeyD' },
    ])
      await page.evaluate(
        (one) =>
          document.body.dispatchEvent(new KeyboardEvent('keydown', { ...one, bubbles: true })),
        pressed,
      )
    await heading(page, 'Deliveries').waitFor()
  })
})
