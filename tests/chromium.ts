/** Chromium for tests and benchmarks, without a window and without what costs time there: the headless shell takes a third less for a page. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
export const executablePath = browsers.find((path) => existsSync(path)) ?? ''
export const hasBrowser = executablePath !== ''

/** The suggestions below the address bar are a page of their own, loaded for every window. That takes longer than a page of ours. */
const suggestions = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** From Playwright's own list, which this option replaces. */
const others = [
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
]
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A foreign name for tests, which nothing answers but loopback.
  '--host-resolver-rules=MAP evil.example 127.0.0.1',
  `--disable-features=${[...others, ...suggestions].join(',')}`,
]

const shared = globalThis as { dragomanChromium?: Promise<Browser> }

/** One for all test files of a process; it ends with the process. Close the contexts that you open, not the browser. */
export function sharedChromium(): Promise<Browser> {
  // Minutes, as a guard against one that hangs.
  shared.dragomanChromium ??= chromium.launch({ executablePath, args, timeout: 300_000 })
  return shared.dragomanChromium
}
