/**
 * Names that try to run a script, to become an element or to break the page. Tests put
 * `hostileNames` into every field for a name; `ranNothing` then checks the page: no script ran, no
 * name became an element, and the page called only the hub.
 */

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Every payload that runs counts this up. */
const mark = 'dragomanRan'
const run = `window.${mark}=(window.${mark}||0)+1`

export const hostileNames: readonly string[] = [
  `<script>${run}</script>`,
  `</script><script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `"><svg onload=${run}>`,
  `<svg><script href="data:text/javascript,${run}"/></svg>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<b id="hostile-element">bold</b>`,
  `<style>*{display:none}</style>`,
  `<base href="https://evil.example/">`,
  `javascript:${run}//`,
  `data:text/html,<script>${run}</script>`,
  `' onmouseover='${run}' x='`,
  '{{constructor.constructor("alert(1)")()}} #{7*7} {count, plural, other {#}}',
  `'; DROP TABLE jobs; --`,
  '../../../../etc/passwd',
  '=HYPERLINK("https://evil.example";"x")',
  '__proto__',
  'constructor',
  'toString',
  '\u202Egnp.exe\u202C and \u2066isolated',
  '\u0627\u0644\u0639\u0631\u0628\u064A\u0629 <b>mixed</b> (1)',
  '\u200B\u200D\uFEFFinvisible',
  'e\u0301'.repeat(40),
  `${'W'.repeat(60)} wide`,
  '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466} family',
]

/** Ids that a client or a site may have: names that every JavaScript object has. */
export const hostileIds: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'then',
]

/** Collects calls to other addresses than the hub's; start before the names are shown. */
export function watchCalls(page: Page, ownUrl: string): readonly string[] {
  const strange: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(ownUrl) && !url.startsWith('data:') && !url.startsWith('blob:'))
      strange.push(url)
  })
  return strange
}

/** Call it when the names are on the screen. */
/** Those that a name of a job or a person may be: none turns the direction of text. */
export const hostileLines = hostileNames.filter(
  (name) => !/[\u202a-\u202e\u2066-\u2069]/.test(name),
)

export async function ranNothing(page: Page, strange: readonly string[] = []): Promise<void> {
  const found = await page.evaluate((name) => {
    const made = [
      '#hostile-element',
      'main script',
      'main iframe',
      'main base',
      'main style',
      'main math',
      'main img[src="x"]',
      'main a[href^="javascript:" i]',
      'main a[href^="data:" i]',
      'main [onerror], main [onload], main [onmouseover]',
    ]
    return {
      ran: (window as unknown as Record<string, unknown>)[name] ?? 0,
      made: made.filter((selector) => document.querySelector(selector) !== null),
      bases: document.querySelectorAll('base').length,
    }
  }, mark)
  expect(found).toEqual({ ran: 0, made: [], bases: 0 })
  expect(strange).toEqual([])
}
