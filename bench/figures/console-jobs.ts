/**
 * The list of jobs in the console with 100,000 jobs, in a real Chromium: how long a frame takes
 * while it scrolls.
 */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Bench, Figure } from '../figure.ts'
import { fillSite } from '../fill-jobs.ts'
import { high, idleFrames, openBrowser, rowsRow, scroll, timesRow } from '../in-browser.ts'
import { median } from '../pairs.ts'
import { startServer } from '../server.ts'

export const consoleJobs: Figure = {
  name: 'console-jobs',
  says: 'the console scrolls a list of 100,000 jobs, in Chromium',
  run: async (bench) => {
    const { quick } = bench.options
    const browser = await openBrowser(bench)
    const url = await startSandbox(bench, quick ? 2_000 : 100_000)
    const paints: number[] = []
    for (let time = 0; time < (quick ? 1 : 5); time += 1)
      paints.push(await firstPaint(browser, url))
    const page = await openJobs(browser, url)
    const keys = await keyToPaint(page, quick ? 5 : 60)
    const { frames, rows } = await scroll(
      page,
      '[role=grid] [role=presentation]',
      quick ? 500 : 6_000,
    )
    const blank = await idleFrames(page)
    const idle = `an idle frame ${median(blank).toFixed(1)} ms`
    const counts = await countJobs(page)
    return [
      times('first contentful paint', paints, '', 0.6),
      times('j to the next paint, p95', [high(keys)], idle, 0.032),
      times('a frame while scrolling, p50', frames, idle, 0.025),
      times('the counts by state', counts, '', 0.3),
      rowsRow('Console, 100,000 jobs: rows in the document, at most', rows),
    ]
  },
}

const times = (what: string, ms: readonly number[], anchor: string, atMost: number) =>
  timesRow(`Console, 100,000 jobs: ${what}`, ms, anchor, atMost)

async function openJobs(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(url)
  await page.locator('[role=grid] [role=gridcell]').first().waitFor()
  return page
}

/** In a context of its own, so that nothing is cached. */
async function firstPaint(browser: Browser, url: string): Promise<number> {
  const page = await openJobs(browser, url)
  const [paint] = await page.evaluate(() =>
    performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime),
  )
  await page.context().close()
  return paint ?? Number.NaN
}

/** From a key that moves to the next row until the frame after it is drawn. */
const keyToPaint = (page: Page, count: number): Promise<number[]> =>
  page.evaluate(async (many) => {
    const taken: number[] = []
    for (let time = 0; time < many; time += 1) {
      await new Promise(requestAnimationFrame)
      const from = performance.now()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
      await new Promise(requestAnimationFrame)
      // A message is handled after the frame is drawn.
      await new Promise<void>((done) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done()
        port2.postMessage(0)
      })
      taken.push(performance.now() - from)
    }
    return taken
  }, count)

const countJobs = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const taken: number[] = []
    for (let time = 0; time < 5; time += 1) {
      const from = performance.now()
      await (await fetch('/console/api/jobs/counts')).json()
      taken.push(performance.now() - from)
    }
    return taken
  })

async function startSandbox(bench: Bench, jobs: number): Promise<string> {
  const data = await bench.folder()
  const env = { DRAGOMAN_PROFILE: 'sandbox', DRAGOMAN_PORT: '0', DRAGOMAN_DATA: data }
  const first = await startServer(bench, env)
  await first.stop()
  bench.say(`filling ${jobs.toLocaleString('en')} jobs`)
  await fillSite(`sqlite:${join(data, 'dragoman.db')}`, 'demo', jobs)
  const server = await startServer(bench, env)
  bench.atEnd(() => server.stop())
  return `http://127.0.0.1:${server.port}/`
}
