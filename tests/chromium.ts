/**
 * Chromium for tests and benchmarks, headless and without slow features: the headless shell takes a
 * third less time per page.
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
export const executablePath = browsers.find((path) => existsSync(path)) ?? ''
export const hasBrowser = executablePath !== ''

/**
 * The suggestions below the address bar are a separate page that every window loads. It takes
 * longer than one of our pages.
 */
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
  // A foreign host name for tests; it resolves to loopback.
  '--host-resolver-rules=MAP evil.example 127.0.0.1',
  `--disable-features=${[...others, ...suggestions].join(',')}`,
]

const shared = globalThis as { dragomanChromium?: Promise<Browser> }

/**
 * One browser for all test files of a process; it ends with the process. Close the contexts that
 * you open, not the browser.
 */
export function sharedChromium(): Promise<Browser> {
  // Minutes, only to end a browser that hangs.
  shared.dragomanChromium ??= chromium.launch({ executablePath, args, timeout: 300_000 })
  return shared.dragomanChromium
}
