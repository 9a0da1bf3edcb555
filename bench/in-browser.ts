/**
 * What the figures of the console share: a real Chromium, a sandbox, frames and keys. Times are
 * milliseconds.
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { Bench, FigureRow } from './figure.ts'
import { measuredOf, median } from './pairs.ts'

const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
]

export async function openBrowser(bench: Bench): Promise<Browser> {
  const executablePath = browsers.find((path) => existsSync(path))
  if (!executablePath) throw new Error(`This figure needs ${browsers.join(' or ')}.`)
  const browser = await chromium.launch({ executablePath, args })
  bench.atEnd(() => browser.close())
  return browser
}

export const timesRow = (
  figure: string,
  ms: readonly number[],
  anchor: string,
  atMost: number,
): FigureRow => ({
  figure,
  ours: `${median(ms).toFixed(1)} ms`,
  anchor,
  measured: measuredOf(ms.map((each) => each / 1_000)),
  unit: 's',
  target: { atMost },
})

export const rowsRow = (figure: string, rows: number): FigureRow => ({
  figure,
  ours: String(rows),
  anchor: '',
  measured: measuredOf([rows]),
  unit: 'x',
  target: { atMost: 60 },
})

/** The 95th percentile. */
export const high = (ms: readonly number[]): number =>
  ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.95)] ?? Number.NaN

/** Turns the wheel by ten rows a frame until this row is drawn. */
export const scroll = (
  page: Page,
  list: string,
  until: number,
): Promise<{ frames: number[]; rows: number }> =>
  page.evaluate(
    async ([selector, wanted]) => {
      const frame = document.querySelector(selector) as HTMLElement
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
    },
    [list, until] as const,
  )

export const idleFrames = (page: Page): Promise<number[]> =>
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
