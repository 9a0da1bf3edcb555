/**
 * The chip editor in a real Chromium, under the console's own policy: by key, mouse, clipboard, drag and input method there is
 * never half a chip, and the value is what a model says.
 */
import type { TextParts, TextTag } from '@dragoman/contract/wire'
import type { CDPSession, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { axe, clipboard, hasBrowser, useConsole } from './console.ts'
import { serveStage } from './desk-stage/desk-stage.ts'
import type { Shown, Stage } from './desk-stage/stage.ts'

const shows = ['<b>', '</b>', '{amount}', '{date}']
const tags: TextTag[] = shows.map((one, at) => ({ tag: at + 1, kind: 'PLACEHOLDER', shows: one }))
const [one, two, three, four] = [{ tag: 1 }, { tag: 2 }, { tag: 3 }, { tag: 4 }]
const german: Shown = { value: ['Pay ', one, 'now', two, ' ', three, '.'], tags, language: 'de-de' }
type OnPage = { readonly stage: Stage }

describe.skipIf(!hasBrowser)('the chip editor', () => {
  const test = useConsole()
  let page: Page
  let cdp: CDPSession
  beforeEach(async () => {
    page = await test.open('/signin', { own: true })
    await serveStage(page.context(), test.hub.url)
    await page.goto(`${test.hub.url}/stage/`)
    cdp = await page.context().newCDPSession(page)
  })
  const box = () => page.getByRole('textbox', { name: 'Translation' })
  const show = async (shown: Shown) => {
    await page.waitForFunction(() => 'stage' in globalThis)
    await page.evaluate((next) => (globalThis as unknown as OnPage).stage.show(next), shown)
    await box().waitFor()
    await expect.poll(value).toEqual(shown.value)
    await page.evaluate(() => (globalThis as unknown as OnPage).stage.editor?.focus())
  }
  const value = () => page.evaluate(() => (globalThis as unknown as OnPage).stage.value)
  const ask = (act: 'insertTag' | 'insertText' | 'replace', given: unknown) =>
    page.evaluate(
      ([name, value]) =>
        (globalThis as unknown as { stage: { editor: Record<string, (x: unknown) => void> } }).stage.editor[
          name as string
        ]?.(value),
      [act, given] as const,
    )
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  /** The chips as the page draws them, and whether a private character shows anywhere. */
  const drawn = () =>
    box().evaluate((element) => ({
      chips: [...element.querySelectorAll<HTMLElement>('[data-chip]')].map((chip) => Number(chip.dataset.chip)),
      raw: /[\ue000-\uf8ff]/.test(element.textContent ?? ''),
    }))
  const tagsOf = (text: TextParts) => text.flatMap((part) => (typeof part === 'string' ? [] : [part.tag]))

  it('deletes a chip whole, from either side, and undo brings it back', async () => {
    await show({ ...german, value: ['a', one, two, 'b'] })
    await press('Control+End', 'ArrowLeft', 'Backspace')
    expect(await value()).toEqual(['a', one, 'b'])
    await press('Control+Home', 'ArrowRight', 'Delete')
    expect(await value()).toEqual(['ab'])
    await press('Control+z', 'Control+z')
    expect([await value(), await drawn()]).toEqual([['a', one, two, 'b'], { chips: [1, 2], raw: false }])
    await press('Control+y')
    expect(tagsOf(await value())).toHaveLength(1)
  })

  it('is a text box with a name, chips with names, and keys that leave it', async () => {
    await show(german)
    expect(await box().getAttribute('aria-multiline')).toBe('true')
    expect(await box().getAttribute('aria-describedby')).toBe('about')
    expect([await box().getAttribute('lang'), await box().getAttribute('dir')]).toEqual(['de-de', 'ltr'])
    await box().getByRole('img', { name: 'tag 1, <b>' }).waitFor()
    await page.locator('#read').getByRole('img', { name: 'tag 3, {amount}' }).waitFor()
    expect(await axe(page)).toEqual([])
    await press('F9', 'Tab')
    const { keys, leaves } = await page.evaluate(() => {
      const { keys, leaves } = (globalThis as unknown as OnPage).stage
      return { keys, leaves }
    })
    expect([keys, leaves]).toEqual([['F9', 'Tab'], 1])
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Elsewhere')
    await page.emulateMedia({ forcedColors: 'active' })
    expect(await axe(page)).toEqual([])
  })

  it('places a tag at the caret, moves one that stands, and replaces all in one step', async () => {
    await show(german)
    await press('Control+End')
    await ask('insertTag', 4)
    await ask('insertTag', 1)
    await ask('insertTag', 9)
    expect(await value()).toEqual(['Pay now', two, ' ', three, '.', four, one])
    await ask('insertText', '\u00a0!')
    await ask('replace', [three, ' zahlen ', one])
    expect(await value()).toEqual([three, ' zahlen ', one])
    await press('Control+z')
    expect(await value()).toEqual(['Pay now', two, ' ', three, '.', four, one, '\u00a0!'])
  })

  it('copies plain text, and pastes tags back in the same segment only, each once', async () => {
    await show(german)
    await press('Control+a', 'Control+c')
    expect(await clipboard(page)).toBe('Pay <b>now</b> {amount}.')
    await press('Control+End', 'Control+v')
    expect(await value()).toEqual(['Pay now .Pay ', one, 'now', two, ' ', three, '.'])
    await press('Control+a', 'Control+x')
    expect(await value()).toEqual([])
    await press('Control+v', 'Control+v')
    expect(await value()).toEqual(['Pay now .Pay now .Pay now .Pay ', one, 'now', two, ' ', three, '.'])
    await show({ tags: tags.slice(0, 1), value: ['x', one], language: 'de-de' })
    await press('Control+End', 'Control+v')
    expect(tagsOf(await value())).toEqual([1])
  })

  it('takes HTML and private characters from elsewhere as text', async () => {
    await show({ ...german, value: ['a', one] })
    await page.evaluate(async () => {
      const items = { 'text/html': '<p>bold <b>x</b> {1}</p>', 'text/plain': 'bold x {1} \ue000\ue001\r\nnext' }
      const blobs = Object.entries(items).map(([type, text]) => [type, new Blob([text], { type })])
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
    })
    await press('Control+End', 'Control+v')
    expect(await value()).toEqual(['a', one, 'bold x {1} \nnext'])
    await page.keyboard.insertText('\ue000\ue003y')
    expect(await value()).toEqual(['a', one, 'bold x {1} \nnexty'])
  })

  it('moves a chip that is dragged', async () => {
    await show({ ...german, value: ['Pay now and save ', one, ' today'] })
    const chip = box().locator('[data-chip]')
    const line = await box().locator('.cm-line').boundingBox()
    await chip.dragTo(box(), { targetPosition: { x: 1, y: (line?.height ?? 20) / 2 } })
    expect(await value()).toEqual([one, 'Pay now and save  today'])
    expect(await drawn()).toEqual({ chips: [1], raw: false })
  })

  it('takes a click on a chip for the nearer side of it', async () => {
    await show({ ...german, value: ['a', three, 'b'] })
    const chip = box().locator('[data-chip]')
    const width = (await chip.boundingBox())?.width ?? 0
    await chip.click({ position: { x: 2, y: 8 } })
    await page.keyboard.insertText('<')
    await chip.click({ position: { x: width - 3, y: 8 } })
    await page.keyboard.insertText('>')
    expect(await value()).toEqual(['a<', three, '>b'])
  })

  it.each([
    ['Japanese', ['に', 'にほ', 'にほん', '日本'], '日本'],
    ['Korean', ['ㅎ', '하', '한'], '한'],
  ])('takes %s from an input method, between two chips and at the ends', async (_, steps, result) => {
    const text = [one, two, 'x', three]
    for (const [moves, expected] of [
      [0, [result, one, two, 'x', three]],
      [1, [one, result, two, 'x', three]],
      [2, [one, two, `${result}x`, three]],
      [4, [one, two, 'x', three, result]],
    ] as const) {
      await show({ ...german, value: [] })
      await show({ ...german, value: text })
      await press('Control+Home', ...Array.from({ length: moves }, () => 'ArrowRight'))
      const compose = (step: string) =>
        cdp.send('Input.imeSetComposition', { text: step, selectionStart: step.length, selectionEnd: step.length })
      await box().evaluate((element) => {
        const seen: string[] = []
        Object.assign(globalThis, { seen })
        for (const type of ['compositionstart', 'compositionend']) element.addEventListener(type, () => seen.push(type))
      })
      for (const step of steps) await compose(step)
      // A redrawn text would have ended the composition.
      const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)
      expect([moves, seen]).toEqual([moves, ['compositionstart']])
      await cdp.send('Input.insertText', { text: result })
      await expect.poll(value).toEqual(expected)
      expect(await drawn()).toEqual({ chips: [1, 2, 3], raw: false })
      await press('Backspace')
      expect(tagsOf(await value())).toEqual([1, 2, 3])
    }
  })

  it('is not disturbed by a value from outside while it composes: what is typed wins', async () => {
    await show({ ...german, value: ['a', one] })
    await press('Control+End')
    await cdp.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
    const outside: Shown = { ...german, value: ['from outside'] }
    await page.evaluate((next) => (globalThis as unknown as OnPage).stage.show(next), outside)
    await cdp.send('Input.insertText', { text: '日' })
    await expect.poll(value).toEqual(['a', one, '日'])
  })

  it.each([
    ['Arabic', 'ar-sa', 'ادفع', 'ArrowLeft', 'ArrowRight'],
    ['Hebrew', 'he-il', 'שלם', 'ArrowLeft', 'ArrowRight'],
    ['German', 'de-de', 'Zahl', 'ArrowRight', 'ArrowLeft'],
  ])('%s: the caret reaches both sides of two chips in a row, in the middle and at both ends', async (...given) => {
    const [, language, word, forth, back] = given
    const text: TextParts = [one, two, word, three, four]
    const places: TextParts[] = [
      ['.', one, two, word, three, four],
      [one, '.', two, word, three, four],
      [one, two, `.${word}`, three, four],
      [one, two, `${word}.`, three, four],
      [one, two, word, three, '.', four],
      [one, two, word, three, four, '.'],
    ]
    const steps = [0, 1, 2, 2 + word.length, 3 + word.length, 4 + word.length]
    for (const [at, expected] of places.entries()) {
      for (const isBack of [false, true]) {
        await show({ value: [], tags, language })
        await show({ value: text, tags, language })
        const count = isBack ? 4 + word.length - (steps[at] ?? 0) : (steps[at] ?? 0)
        await press(
          isBack ? 'Control+End' : 'Control+Home',
          ...Array.from({ length: count }, () => (isBack ? back : forth)),
        )
        await page.keyboard.insertText('.')
        expect([language, at, isBack, await value()]).toEqual([language, at, isBack, expected])
      }
    }
    expect((await drawn()).chips).toEqual([1, 2, 3, 4])
  })

  it('in plain mode writes tags as numbers, and reads back whole ones only', async () => {
    await show({ ...german, isPlain: true })
    expect(await box().inputValue()).toBe('Pay {1}now{2} {3}.')
    await press('Control+End', 'ArrowLeft', 'Backspace')
    expect([await value(), await box().inputValue()]).toEqual([['Pay ', one, 'now', two, ' .'], 'Pay {1}now{2} .'])
    await ask('insertTag', 1)
    await page.keyboard.type('{4}')
    expect(await value()).toEqual(['Pay now', two, ' ', one, four, '.'])
    expect(await axe(page)).toEqual([])
  })

  it.each(['light', 'dark'] as const)('is readable in %s, at 200 % and from right to left', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await show({ value: ['ادفع ', one, two, ' الآن'], tags, language: 'ar-sa' })
    await page.setViewportSize({ width: 640, height: 400 })
    expect(await axe(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })
})
