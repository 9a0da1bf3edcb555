/** The list of jobs in the console with 100,000 jobs, in a real Chromium: how long a frame takes while it scrolls. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import type { Bench, Figure } from '../figure.ts'
import { fillSite } from '../fill-jobs.ts'
import { measuredOf, median } from '../pairs.ts'
import { startServer } from '../server.ts'

const executablePath = '/usr/bin/chromium'
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

export const consoleJobs: Figure = {
  name: 'console-jobs',
  says: 'the console scrolls a list of 100,000 jobs, in Chromium',
  run: async (bench) => {
    if (!existsSync(executablePath)) throw new Error(`This figure needs ${executablePath}.`)
    const { quick } = bench.options
    const url = await startSandbox(bench, quick ? 2_000 : 100_000)
    const browser = await chromium.launch({ executablePath, args })
    bench.atEnd(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(url)
    await page.locator('[role=grid] [role=gridcell]').first().waitFor()
    const { frames, rows } = await scroll(page, quick ? 500 : 6_000)
    const blank = await idleFrames(page)
    return [
      {
        figure: 'Console, 100,000 jobs: a frame while scrolling, p50',
        ours: `${median(frames).toFixed(1)} ms`,
        anchor: `an idle frame ${median(blank).toFixed(1)} ms`,
        measured: measuredOf(frames.map((ms) => ms / 1_000)),
        unit: 's',
        target: { atMost: 0.025 },
      },
      {
        figure: 'Console, 100,000 jobs: rows in the document, at most',
        ours: String(rows),
        anchor: '',
        measured: measuredOf([rows]),
        unit: 'x',
        target: { atMost: 60 },
      },
    ]
  },
}

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

/** Turns the wheel by ten rows a frame until this row is drawn. */
const scroll = (page: Page, until: number): Promise<{ frames: number[]; rows: number }> =>
  page.evaluate(async (wanted) => {
    const frame = document.querySelector('[role=grid] [role=presentation]') as HTMLElement
    const frames: number[] = []
    let rows = 0
    let last = 0
    let before = performance.now()
    while (last < wanted) {
      frame.scrollTop += 400
      const now = await new Promise<number>(requestAnimationFrame)
      frames.push(now - before)
      before = now
      const drawn = [...frame.querySelectorAll('[role=row]')]
      rows = Math.max(rows, drawn.length)
      last = Math.max(last, ...drawn.map((row) => Number(row.getAttribute('aria-rowindex'))))
    }
    return { frames, rows }
  }, until)

const idleFrames = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const frames: number[] = []
    let before = await new Promise<number>(requestAnimationFrame)
    for (let count = 0; count < 60; count += 1) {
      const now = await new Promise<number>(requestAnimationFrame)
      frames.push(now - before)
      before = now
    }
    return frames
  })
