/**
 * The chip editor in a real Chromium, under the console's own policy: by key, mouse, clipboard,
 * drag and input method there is never half a chip, none twice, none lost, and the letters stand in
 * the order in which they were typed.
 */
import type { TextParts, TextTag } from '@dragoman/contract/wire'
import { describe, expect, it } from 'vitest'
import { sized } from '../draws.ts'
import { axe, clipboard, hasBrowser, overflow } from './console.ts'
import { drag, tagsOf, useEditorPage } from './desk-stage/editor-page.ts'
import type { Shown, Stage } from './desk-stage/stage.ts'
import { randomText, seeded } from './random-edits.ts'

const shows = ['<b>', '</b>', '{amount}', '{date}']
const tags: TextTag[] = shows.map((one, at) => ({ tag: at + 1, kind: 'PLACEHOLDER', shows: one }))
const [one, two, three, four] = [{ tag: 1 }, { tag: 2 }, { tag: 3 }, { tag: 4 }]
const german: Shown = { value: ['Pay ', one, 'now', two, ' ', three, '.'], tags, language: 'de-de' }
type OnPage = { readonly stage: Stage }
type Seen = { readonly seen: (string | Node | null)[] }

describe.skipIf(!hasBrowser)('the chip editor', () => {
  const editor = useEditorPage()
  const { box, show, value, ask, press, drawn } = editor
  const compose = (text: string) =>
    editor.cdp.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    })
  const commit = (text: string) => editor.cdp.send('Input.insertText', { text })
  const times = (count: number, key: string) => Array.from({ length: count }, () => key)

  it('deletes a chip whole, from either side, by letter, word and selection, and undo brings it back', async () => {
    for (const [keys, left] of [
      [
        ['Control+End', 'ArrowLeft', 'Backspace'],
        ['a', one, 'b'],
      ],
      [
        ['Control+Home', 'ArrowRight', 'Delete'],
        ['a', two, 'b'],
      ],
      [
        ['Control+Home', 'ArrowRight', 'Shift+ArrowRight', 'Backspace'],
        ['a', two, 'b'],
      ],
      [['Control+End', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Delete'], ['ab']],
      [
        ['Control+Home', 'ArrowRight', 'Shift+ArrowRight', 'x'],
        ['ax', two, 'b'],
      ],
    ] as const) {
      await show({ ...german, value: [] })
      await show({ ...german, value: ['a', one, two, 'b'] })
      await press(...keys)
      expect([keys, await value()]).toEqual([keys, left])
      await press('Control+z')
      expect([keys, await value()]).toEqual([keys, ['a', one, two, 'b']])
      await press('Control+y')
      expect([keys, await value()]).toEqual([keys, left])
    }
    await show({ ...german, value: ['see ', one, two] })
    await press('Control+Backspace', 'Control+Backspace')
    expect([tagsOf(await value()), (await drawn()).chips]).toEqual([[], []])
    await press('Control+z', 'Control+z')
    expect([await value(), (await drawn()).chips]).toEqual([
      ['see ', one, two],
      [1, 2],
    ])
  })

  it('is a text box with a name, chips with names, and keys that leave it', async () => {
    await show(german)
    expect(await box().getAttribute('aria-multiline')).toBe('true')
    expect(await box().getAttribute('aria-describedby')).toBe('about')
    expect([await box().getAttribute('lang'), await box().getAttribute('dir')]).toEqual([
      'de-de',
      'ltr',
    ])
    await box().getByRole('img', { name: 'tag 1, <b>' }).waitFor()
    await editor.page.locator('#read').getByRole('img', { name: 'tag 3, {amount}' }).waitFor()
    expect(await axe(editor.page)).toEqual([])
    await press('F9', 'Tab')
    const { keys, leaves } = await editor.page.evaluate(() => {
      const { keys, leaves } = (globalThis as unknown as OnPage).stage
      return { keys, leaves }
    })
    expect([keys, leaves]).toEqual([['F9', 'Tab'], 1])
    expect(await editor.page.evaluate(() => document.activeElement?.textContent)).toBe('Elsewhere')
    await editor.page.emulateMedia({ forcedColors: 'active' })
    expect(await axe(editor.page)).toEqual([])
  })

  it('places a tag at the caret, moves one that stands, and replaces all in one step', async () => {
    await show(german)
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
    expect(await clipboard(editor.page)).toBe('Pay <b>now</b> {amount}.')
    await press('Control+End', 'Control+v')
    expect(await value()).toEqual(['Pay now .Pay ', one, 'now', two, ' ', three, '.'])
    await press('Control+a', 'Control+x')
    expect(await value()).toEqual([])
    await press('Control+v', 'Control+v')
    expect(await value()).toEqual([
      'Pay now .Pay now .Pay now .Pay ',
      one,
      'now',
      two,
      ' ',
      three,
      '.',
    ])
    await show({ tags: tags.slice(0, 1), value: ['x', one], language: 'de-de' })
    await press('Control+v')
    expect(tagsOf(await value())).toEqual([1])
  })

  it('takes HTML and private characters from elsewhere as text', async () => {
    await show({ ...german, value: ['a', one] })
    await editor.page.evaluate(async () => {
      const items = {
        'text/html': '<p>bold <b>x</b> {1}</p>',
        'text/plain': 'bold x {1} \ue000\ue001\r\nnext',
      }
      const blobs = Object.entries(items).map(([type, text]) => [type, new Blob([text], { type })])
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
    })
    await press('Control+v')
    expect(await value()).toEqual(['a', one, 'bold x {1} \nnext'])
    await editor.page.keyboard.insertText('\ue000\ue003y')
    expect(await value()).toEqual(['a', one, 'bold x {1} \nnexty'])
  })

  it('moves a chip that is dragged, also when the drag would copy it', async () => {
    await show({ ...german, value: ['Pay now and save ', one, ' today'] })
    const spot = async () => {
      const chip = await box().locator('[data-chip]').boundingBox()
      const line = await box().locator('.cm-line').boundingBox()
      if (!chip || !line) throw new Error('Nothing is drawn.')
      const y = chip.y + chip.height / 2
      return { chip: { x: chip.x + chip.width / 2, y }, start: { x: line.x + 1, y } }
    }
    const first = await spot()
    await drag(editor.cdp, first.chip, first.start)
    await expect.poll(value).toEqual([one, 'Pay now and save  today'])
    const next = await spot()
    await drag(editor.cdp, next.chip, { x: next.chip.x + 400, y: next.chip.y }, true)
    await expect.poll(value).toEqual(['Pay now and save  today', one])
    expect(await drawn()).toMatchObject({ chips: [1], raw: false })
  })

  it('takes a click on a chip for the nearer side of it', async () => {
    await show({ ...german, value: ['a', three, 'b'] })
    const chip = box().locator('[data-chip]')
    const width = (await chip.boundingBox())?.width ?? 0
    await chip.click({ position: { x: 2, y: 8 } })
    await editor.page.keyboard.insertText('<')
    await chip.click({ position: { x: width - 3, y: 8 } })
    await editor.page.keyboard.insertText('>')
    expect(await value()).toEqual(['a<', three, '>b'])
  })

  it('takes what is typed over lines and chips, without a style of its own', async () => {
    await show({ ...german, value: ['ab\n', one, 'cd\n', two, 'ef'] })
    await press('Control+Home', 'ArrowRight', ...times(4, 'Shift+ArrowRight'), 'x')
    expect(await value()).toEqual(['axd\n', two, 'ef'])
    await press('Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight')
    await compose('に')
    await commit('日')
    expect(await value()).toEqual(['ax日ef'])
    await press('y')
    expect(await value()).toEqual(['ax日yef'])
  })

  it.each([
    ['Japanese', ['に', 'にほ', 'にほん', '日本'], '日本'],
    ['Korean', ['ㅎ', '하', '한'], '한'],
  ])(
    'takes %s from an input method, between two chips and at the ends, and does not draw its text anew',
    async (...given) => {
      const [, steps, result] = given
      const text = [one, two, 'x', three]
      for (const [moves, expected] of [
        [0, [result, one, two, 'x', three]],
        [1, [one, result, two, 'x', three]],
        [2, [one, two, `${result}x`, three]],
        [4, [one, two, 'x', three, result]],
      ] as const) {
        await show({ ...german, value: [] })
        await show({ ...german, value: text })
        await press('Control+Home', ...times(moves, 'ArrowRight'))
        await box().evaluate((element) => {
          const seen: (string | Node | null)[] = []
          Object.assign(globalThis, { seen })
          for (const type of ['compositionstart', 'compositionend'])
            element.addEventListener(type, () => seen.push(type))
        })
        await compose(steps[0] ?? '')
        await editor.page.evaluate(() => {
          ;(globalThis as unknown as Seen).seen.push(getSelection()?.focusNode ?? null)
        })
        for (const step of steps.slice(1)) await compose(step)
        // A text that is drawn anew is another node, and ends the composition.
        const seen = await editor.page.evaluate(() =>
          (globalThis as unknown as Seen).seen.map((one) =>
            one === getSelection()?.focusNode ? 'same text' : one,
          ),
        )
        expect([moves, seen]).toEqual([moves, ['compositionstart', 'same text']])
        await commit(result)
        await expect.poll(value).toEqual(expected)
        expect(await drawn()).toMatchObject({ chips: [1, 2, 3], raw: false })
        await press('Backspace')
        expect(tagsOf(await value())).toEqual([1, 2, 3])
      }
    },
  )

  it.each([false, true])(
    'is not disturbed by a value from outside while it composes: what is typed wins (plain mode: %s)',
    async (isPlain) => {
      const outside: Shown = { ...german, value: ['from outside'], isPlain }
      const come = () =>
        editor.page.evaluate((next) => (globalThis as unknown as OnPage).stage.show(next), outside)
      await show({ ...german, value: ['a', one], isPlain })
      await compose('に')
      await come()
      await commit('日')
      await expect.poll(value).toEqual(['a', one, '日'])
      if (!isPlain) return
      // Nothing was typed: the value is taken as the input method ends.
      await show({ ...german, value: ['b'], isPlain })
      await compose('に')
      await come()
      expect(await box().inputValue()).toBe('bに')
      await compose('')
      await expect.poll(() => box().inputValue()).toBe('from outside')
    },
  )

  it.each([
    ['Arabic', 'ar-sa', 'ادفع', 'ArrowLeft', 'ArrowRight'],
    ['Hebrew', 'he-il', 'שלם', 'ArrowLeft', 'ArrowRight'],
    ['German', 'de-de', 'Zahl', 'ArrowRight', 'ArrowLeft'],
  ])(
    '%s: the caret reaches every place beside and between two chips in a row, and deletes the right one',
    async (...given) => {
      const [, language, word, forth, back] = given
      const text: TextParts = [one, two, word, three, four]
      const units: TextParts = [one, two, ...word, three, four]
      const place = (at: number) => [...units.slice(0, at), '.', ...units.slice(at)]
      const unitsOf = (parts: TextParts) =>
        parts.flatMap((part): TextParts => (typeof part === 'string' ? [...part] : [part]))
      for (const isBack of [false, true]) {
        await show({ value: [], tags, language })
        await show({ value: text, tags, language })
        await press(isBack ? 'Control+End' : 'Control+Home')
        for (let step = 0; step <= units.length; step += 1) {
          if (step > 0) await press(isBack ? back : forth)
          const at = isBack ? units.length - step : step
          await editor.page.keyboard.insertText('.')
          expect([at, isBack, unitsOf(await value())]).toEqual([at, isBack, place(at)])
          await press('Backspace')
        }
      }
      // A key that comes before the row is drawn.
      await editor.page.evaluate(
        ([next, key]) => {
          const { stage } = globalThis as unknown as OnPage
          stage.show(next)
          stage.editor?.focus()
          const init = {
            key,
            keyCode: key === 'ArrowLeft' ? 37 : 39,
            bubbles: true,
            cancelable: true,
          }
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init))
          stage.editor?.insertText('.')
        },
        [{ value: text, tags, language, editor: 1 }, back] as const,
      )
      expect(await value()).toEqual([one, two, word, three, '.', four])
      for (const [key, left] of [
        ['Backspace', [two, word, three, four]],
        ['Delete', [one, word, three, four]],
      ] as const) {
        await show({ value: [], tags, language })
        await show({ value: text, tags, language })
        await press('Control+Home', forth, key)
        expect([key, await value()]).toEqual([key, left])
      }
    },
  )

  it('keeps the order of letters that are typed as the row opens, on a slow machine, while the page repeats itself', async () => {
    await show({ ...german, value: ['before'], editor: 0 })
    await editor.cdp.send('Emulation.setCPUThrottlingRate', { rate: 8 })
    for (const [at, isPlain] of [false, false, true].entries()) {
      const opened: Shown = { ...german, value: [], isLate: true, isPlain, editor: at + 1 }
      await editor.page.evaluate((next) => {
        const { stage } = globalThis as unknown as OnPage
        stage.show(next)
        stage.editor?.focus()
      }, opened)
      await Promise.all([...'korb'].map((letter) => editor.page.keyboard.press(letter)))
      await editor.page.evaluate((next) => {
        const { stage } = globalThis as unknown as OnPage
        stage.show({ ...next, value: stage.value, editor: 9 })
        stage.editor?.focus()
      }, opened)
      await Promise.all([...' und'].map((letter) => editor.page.keyboard.press(letter)))
      expect([
        at,
        await value(),
        await box().evaluate(
          (element) => (element as HTMLTextAreaElement).value ?? element.textContent,
        ),
      ]).toEqual([at, ['korb und'], 'korb und'])
    }
    await editor.cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  })

  it('in plain mode writes tags as numbers, and reads back whole ones only', async () => {
    await show({ ...german, isPlain: true })
    expect(await box().inputValue()).toBe('Pay {1}now{2} {3}.')
    await press('Control+End', 'ArrowLeft', 'Backspace')
    expect([await value(), await box().inputValue()]).toEqual([
      ['Pay ', one, 'now', two, ' .'],
      'Pay {1}now{2} .',
    ])
    await ask('insertTag', 1)
    await editor.page.keyboard.type('{4}')
    expect(await value()).toEqual(['Pay now', two, ' ', one, four, '.'])
    expect(await axe(editor.page)).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'is readable in %s, at 200 % and from right to left',
    async (theme) => {
      if (theme === 'dark') await editor.open({ theme })
      await show({ value: ['ادفع ', one, two, ' الآن'], tags, language: 'ar-sa' })
      await editor.page.setViewportSize({ width: 640, height: 400 })
      expect(
        await editor.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme),
      ).toBe(theme)
      expect(await axe(editor.page)).toEqual([])
      expect(await overflow(editor.page)).toBe(0)
    },
  )

  it('has no half chip, none twice and none lost over random edits', async () => {
    // EDITS=10000 in the environment takes as many.
    const rounds = Number(process.env.EDITS ?? sized(200, 2_000))
    const random = seeded(5)
    const keys = [
      ...[
        'ArrowLeft',
        'ArrowRight',
        'Shift+ArrowLeft',
        'Shift+ArrowRight',
        'Control+ArrowLeft',
        'Home',
        'End',
      ],
      ...[
        'Control+Shift+ArrowRight',
        'Backspace',
        'Delete',
        'Control+Backspace',
        'Control+Delete',
        'Enter',
      ],
      ...[
        'Control+z',
        'Control+y',
        'Control+c',
        'Control+x',
        'Control+v',
        'Control+v',
        'a',
        'b',
        'Space',
        'x',
      ],
    ]
    const free = ['Control+z', 'Control+y']
    await show(german)
    let before = { now: await value(), ...(await drawn()) }
    for (let round = 0; round < rounds; round += 1) {
      const act = random(14)
      const key = keys[random(keys.length)] ?? 'a'
      if (act === 0) await ask('insertTag', 1 + random(5))
      else if (act === 1)
        await editor.page.keyboard.insertText(randomText(random) + ['\ue001', '{1}'][random(2)])
      else if (act === 2) {
        await compose('に')
        await commit('日')
      } else await press(key)
      const { selected } = before
      const { now, chips, raw, ...after } = { now: await value(), ...(await drawn()) }
      const found = tagsOf(now)
      const isWhole =
        !raw && !now.some((part) => typeof part === 'string' && /[\ue000-\uf8ff]/.test(part))
      const isOnce = new Set(found).size === found.length
      const lost = tagsOf(before.now).filter(
        (tag) => !found.includes(tag) && !selected.includes(tag),
      )
      const isDeletion = act > 2 && /Backspace|Delete/.test(key) && selected.length === 0
      const mayLose =
        act > 2 && free.includes(key) ? 9 : !isDeletion ? 0 : key.startsWith('Control') ? 4 : 1
      const did = [round, act, key, before.now]
      expect([did, isWhole, isOnce, chips, lost.length <= mayLose]).toEqual([
        did,
        true,
        true,
        found,
        true,
      ])
      before = { now, chips, raw, ...after }
      if (now.join('').length < 300 && (found.length > 0 || round % 5 > 0)) continue
      await show({ ...german, value: [one, `${round}`, two, three, ' ', four] })
      before = { now: await value(), ...(await drawn()) }
    }
  })
})
