/**
 * One page with one chip editor, for all tests of a file: what it shows, what it says, and keys for
 * it.
 */
import type { TextParts } from '@dragoman/contract/wire'
import type { BrowserContext, CDPSession, Locator, Page } from 'playwright-core'
import { beforeEach } from 'vitest'
import { useConsole, type View } from '../console.ts'
import { serveStage } from './desk-stage.ts'
import type { Shown, Stage } from './stage.ts'

type OnPage = { readonly stage: Stage }

export type EditorPage = {
  page: Page
  cdp: CDPSession
  /** Instead of the page that each test begins with. */
  open(view: View): Promise<void>
  box(): Locator
  /** With the caret at the end. */
  show(shown: Shown): Promise<void>
  value(): Promise<TextParts>
  ask(act: 'insertTag' | 'insertText' | 'replace', given: unknown): Promise<void>
  press(...keys: string[]): Promise<void>
  /**
   * The chips as the page draws them, those of them that are selected, and whether a private
   * character shows anywhere.
   */
  drawn(): Promise<{ chips: number[]; selected: number[]; raw: boolean }>
}

export function useEditorPage(): EditorPage {
  const test = useConsole()
  const served = new WeakMap<BrowserContext, CDPSession>()
  const editor: EditorPage = {
    page: undefined as unknown as Page,
    cdp: undefined as unknown as CDPSession,
    async open(view) {
      // Without the stage, the hub answers with the console itself.
      const page = await test.open('/stage/', view)
      const context = page.context()
      const known = served.get(context)
      editor.page = page
      editor.cdp = known ?? (await context.newCDPSession(page))
      if (known) return
      served.set(context, editor.cdp)
      await serveStage(context, test.hub.url)
      await page.reload()
    },
    box: () => editor.page.getByRole('textbox', { name: 'Translation' }),
    async show(shown) {
      const { page } = editor
      await page.waitForFunction(() => (globalThis as unknown as Partial<OnPage>).stage?.isReady)
      await page.evaluate((next) => (globalThis as unknown as OnPage).stage.show(next), shown)
      // Until the editor has loaded, a text field takes its place.
      await editor
        .box()
        .and(page.locator(shown.isPlain ? 'textarea' : 'div'))
        .waitFor()
      await page.evaluate(() => (globalThis as unknown as OnPage).stage.editor?.focus())
    },
    value: () => editor.page.evaluate(() => (globalThis as unknown as OnPage).stage.value),
    ask: (act, given) =>
      editor.page.evaluate(
        ([name, value]) => {
          const { stage } = globalThis as unknown as {
            stage: { editor: Record<string, (value: unknown) => void> }
          }
          stage.editor[name]?.(value)
        },
        [act, given] as const,
      ),
    async press(...keys) {
      for (const key of keys) await editor.page.keyboard.press(key)
    },
    drawn: () =>
      editor.box().evaluate((element) => {
        const chips = [...element.querySelectorAll<HTMLElement>('[data-chip]')]
        const range = getSelection()?.getRangeAt(0)
        const numberOf = (chip: HTMLElement) => Number(chip.dataset.chip)
        return {
          chips: chips.map(numberOf),
          selected: chips
            .filter((chip) => range && !range.collapsed && range.intersectsNode(chip))
            .map(numberOf),
          raw: /[\ue000-\uf8ff]/.test(element.textContent ?? ''),
        }
      }),
  }
  beforeEach(() => editor.open({}))
  return editor
}

export const tagsOf = (text: TextParts): number[] =>
  text.flatMap((part) => (typeof part === 'string' ? [] : [part.tag]))

type Point = { readonly x: number; readonly y: number }
const ctrl = 2

/** Drags by the browser's own protocol, which tells when the drag has begun. */
export async function drag(cdp: CDPSession, from: Point, to: Point, isCopy = false): Promise<void> {
  const mouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', { x, y }: Point) =>
    cdp.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 })
  await cdp.send('Input.setInterceptDrags', { enabled: true })
  const begun = new Promise<{ data: object }>((done) => cdp.once('Input.dragIntercepted', done))
  await mouse('mousePressed', from)
  await mouse('mouseMoved', { x: from.x + 6, y: from.y })
  await mouse('mouseMoved', { x: from.x + 12, y: from.y })
  const data = (await begun).data as { items: []; dragOperationsMask: number }
  await cdp.send('Input.setInterceptDrags', { enabled: false })
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', {
      type,
      ...to,
      data,
      ...(isCopy && { modifiers: ctrl }),
    })
  await mouse('mouseReleased', to)
}
