/**
 * The console in a real Chromium, on a real hub. Every page that a test opens is watched: a violation of the content security
 * policy, an error on the browser's console or an uncaught one fails the test.
 */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { type EngineName, type Env, startHub, type TestHub } from '../hub.ts'

export { hasBrowser } from '../chromium.ts'

const axeSource = () => readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

export type View = { readonly theme?: 'light' | 'dark'; readonly language?: string; readonly width?: 1280 | 390 }

export type ConsoleTest = {
  hub: TestHub
  /** A new page at this path of the console, in this view. */
  open(path: string, view?: View): Promise<Page>
}

/** For the top of a describe: starts hub and browser once, and judges each page after its test. */
export function useConsole(options: { engine?: EngineName; profile?: string; env?: Env } = {}): ConsoleTest {
  let browser: Browser
  const opened: { page: Page; troubles: string[] }[] = []
  const test: ConsoleTest = {
    hub: undefined as unknown as TestHub,
    async open(path, { theme = 'light', language = 'en', width = 1280 } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: width === 390 ? 844 : 800 },
        colorScheme: theme,
        locale: language === 'en-XA' ? 'en' : language,
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      const page = await context.newPage()
      // Shorter than a test may take, so that a failure names its step.
      page.setDefaultTimeout(60_000)
      const troubles: string[] = []
      opened.push({ page, troubles })
      page.on('pageerror', (error) => troubles.push(`uncaught: ${error.message}`))
      page.on('console', (said) => {
        // A refused call is said by the browser itself; the test looks at what the page makes of it.
        if (said.type() === 'error' && !/^Failed to load resource/.test(said.text())) troubles.push(said.text())
      })
      await page.addInitScript((chosen) => {
        localStorage.setItem('dragoman:language', chosen)
        document.addEventListener('securitypolicyviolation', (event) =>
          console.error(
            `policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
          ),
        )
      }, language)
      await page.goto(test.hub.url + path)
      await page.locator('main').waitFor()
      return page
    },
  }
  beforeAll(async () => {
    test.hub = await startHub(options)
    browser = await launchChromium()
  })
  afterEach(async () => {
    const all = opened.splice(0)
    for (const { page } of all) await page.context().close()
    expect(all.flatMap(({ troubles }) => troubles)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await test.hub?.close()
  })
  return test
}

/** Everything that axe finds by WCAG 2.2 AA, one line each. */
export async function axe(page: Page): Promise<string[]> {
  await page.evaluate(axeSource())
  return page.evaluate(async () => {
    type Found = { id: string; nodes: { html: string; failureSummary?: string }[] }
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Found[] }> } }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags } })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = '' }) =>
          `${id}: ${html.slice(0, 160)} (${failureSummary.replace(/\s+/g, ' ').slice(0, 200)})`,
      ),
    )
  })
}

const eight = (['light', 'dark'] as const).flatMap((theme) =>
  ['en', 'ar'].flatMap((language) => ([1280, 390] as const).map((width) => ({ theme, language, width }))),
)
const unlikeFirst = ({ theme, language, width }: Required<View>): number =>
  [theme === 'dark', language === 'ar', width === 390].filter(Boolean).length

/**
 * The views of a page: light and dark, left to right and right to left, wide and narrow. Three of the eight, in which each of
 * these appears; all of them with VIEWS=all.
 */
export const views: readonly Required<View>[] =
  process.env.VIEWS === 'all' ? eight : eight.filter((view) => unlikeFirst(view) === 2)

/** Waits until nothing on the page loads. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
}

/** Fails if the page can be scrolled sideways. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
