/** Chromium for tests and figures, as quick as it can be without a window. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

export const executablePath = '/usr/bin/chromium'
export const hasBrowser = existsSync(executablePath)

/** Its suggestions below the address are a page of their own, loaded with every context: longer than a page of ours takes. */
const suggestions = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** Of Playwright's own list, which this option replaces. */
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
  `--disable-features=${[...others, ...suggestions].join(',')}`,
]

export const launchChromium = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...args, ...more], timeout: 120_000 })
