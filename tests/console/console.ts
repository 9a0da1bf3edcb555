/**
 * The console in a real Chromium, on a real hub. Every page that a test opens is watched: a
 * violation of the content security policy, an error on the browser's console or an uncaught
 * exception fails the test. Tests share the browser. A test gets an emptied page of the test before
 * it, in the same view, because a new page costs more than most tests do in it.
 */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import * as vitest from 'vitest'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { sharedChromium } from '../chromium.ts'
import { sized } from '../draws.ts'
import { type DatabaseKind, type Env, startHub, type TestHub } from '../hub.ts'

export { hasBrowser } from '../chromium.ts'

const axeSource = readFileSync(
  new URL('../../node_modules/axe-core/axe.min.js', import.meta.url),
  'utf8',
)

/** Only for a page that hangs; shorter than a test may take, so that the failure names its step. */
const hangs = 300_000

export type View = {
  readonly theme?: 'light' | 'dark'
  readonly language?: string
  readonly width?: 1280 | 390
}
type Opening = View & {
  /** Set before the page loads. */
  readonly cookies?: ReadonlyMap<string, string>
  /** A page that no other test gets, for a test that changes more than `empty` can undo. */
  readonly own?: boolean
}

export type ConsoleTest = {
  hub: TestHub
  /** A page at this path of the console, in this view, without cookies or storage. */
  open(path: string, opening?: Opening): Promise<Page>
}

type ViewRow = Required<View> & { readonly at: number }
type Opened = {
  readonly page: Page
  readonly view: Required<View>
  readonly own: boolean
  readonly troubles: string[]
}

/** For the top of a describe: starts a hub, and judges each page after its test. */
export function useConsole(
  options: { database?: DatabaseKind; profile?: string; env?: Env } = {},
): ConsoleTest {
  let browser: Browser
  const opened: Opened[] = []
  const spare: Opened[] = []
  const test: ConsoleTest = {
    hub: undefined as unknown as TestHub,
    async open(
      path,
      { theme = 'light', language = 'en', width = 1280, cookies, own = false } = {},
    ) {
      const view = { theme, language, width }
      const at = own ? -1 : spare.findIndex((one) => isSame(one.view, view))
      const one = at < 0 ? { ...(await newPage(browser, view)), view, own } : spare.splice(at, 1)[0]
      if (!one) throw new Error('No page.')
      opened.push(one)
      const { page } = one
      const { url } = test.hub
      if (cookies)
        await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
      await page.goto(url + path)
      await page.locator('main').waitFor()
      return page
    },
  }
  beforeAll(async () => {
    test.hub = await startHub(options)
    browser = await sharedChromium()
  })
  afterEach(async ({ task }) => {
    const all = opened.splice(0)
    const troubles = all.flatMap((one) => one.troubles)
    for (const one of all) {
      const isAtHub = !one.page.isClosed() && one.page.url().startsWith(`${test.hub.url}/`)
      const isKept =
        isAtHub && !one.own && task.result?.state === 'pass' && (await isEmptied(one, test.hub.url))
      if (isKept) spare.push(one)
      else await one.page.context().close()
    }
    expect(troubles).toEqual([])
  })
  afterAll(async () => {
    for (const { page } of spare) await page.context().close()
    await test.hub?.close()
  })
  return test
}

const isSame = (one: Required<View>, other: Required<View>): boolean =>
  one.theme === other.theme && one.language === other.language && one.width === other.width

const sizeOf = (width: 1280 | 390) => ({ width, height: width === 390 ? 844 : 800 })

async function newPage(
  browser: Browser,
  { theme, language, width }: Required<View>,
): Promise<Pick<Opened, 'page' | 'troubles'>> {
  const context = await browser.newContext({
    viewport: sizeOf(width),
    colorScheme: theme,
    locale: language === 'en-XA' ? 'en' : language,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(hangs)
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.message}`))
  page.on('console', (said) => {
    // The browser itself reports a refused call; the test looks at what the page makes of it.
    if (said.type() === 'error' && !/^Failed to load resource/.test(said.text()))
      troubles.push(said.text())
  })
  await page.addInitScript((chosen) => {
    localStorage.setItem('dragoman:language', chosen)
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(
        `policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      ),
    )
  }, language)
  return { page, troubles }
}

/**
 * Whether it succeeded; if not, such as while the page loads another one, the next test gets a new
 * page.
 */
const isEmptied = (one: Opened, url: string): Promise<boolean> =>
  empty(one, url).then(
    () => true,
    () => false,
  )

/** Leaves the console first, so that it writes nothing more, then removes all that it kept. */
async function empty({ page, view, troubles }: Opened, url: string): Promise<void> {
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(`${url}/healthz`)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await context.clearCookies()
  await page.emulateMedia({
    media: null,
    forcedColors: null,
    colorScheme: view.theme,
    reducedMotion: 'reduce',
  })
  await page.setViewportSize(sizeOf(view.width))
  await page.mouse.move(0, 0)
  troubles.length = 0
}

/** Everything that axe finds by WCAG 2.2 AA, one line each. */
export async function axe(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    type Found = { id: string; nodes: { html: string; failureSummary?: string }[] }
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: Found[] }> }
    }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    const { violations } = await axe.run({
      runOnly: { type: 'tag', values: tags },
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = '' }) =>
          `${id}: ${html.slice(0, 160)} (${failureSummary.replace(/\s+/g, ' ').slice(0, 200)})`,
      ),
    )
  })
}

/**
 * Light and dark, left to right and right to left, wide and narrow: each of these, and each pair of
 * the unusual ones.
 */
const threeViews: readonly Required<View>[] = [
  { theme: 'light', language: 'ar', width: 390 },
  { theme: 'dark', language: 'en', width: 390 },
  { theme: 'dark', language: 'ar', width: 1280 },
]

type InView = (name: string, test: (view: ViewRow) => Promise<void>) => void
/**
 * Each test in one view, drawn by its text, so that the pages together are seen in all three. `npm
 * run test:all` tests all in each.
 */
const eachView: InView = (name, test) => {
  const rows = threeViews.map((view, at) => ({ ...view, at }))
  const sum = [...test.toString()].reduce((all, one) => all + one.charCodeAt(0), 0)
  const drawn = rows.filter(({ at }) => at === sum % rows.length)
  vitest.it.each(sized(drawn, rows))(name, test)
}

/** Whether pages are tested in such views: not in `npm test`. */
export const hasViews = process.env.DRAGOMAN_TEST_PART !== 'gate'
export const inViews: InView = hasViews ? eachView : () => {}

/**
 * Two keys that are one command, such as g d. Both are sent at once: the console waits 1.5 seconds
 * for the second, and a busy machine may take longer between two steps of a test.
 */
export async function pressPair(page: Page, [first = '', second = '']: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)])
}

export const clipboard = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText())

/**
 * Waits until nothing on the page loads. Looking at every frame, as is usual, costs more than the
 * page itself.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'), undefined, {
    polling: 50,
  })
}

/** By how many pixels the page can be scrolled sideways. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}
