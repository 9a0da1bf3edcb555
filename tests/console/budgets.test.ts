/**
 * How much a browser loads before it shows the jobs, and what other pages add, in bytes compressed
 * with gzip.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { hasBrowser, useConsole } from './console.ts'

const folder = new URL('../../packages/server/dist/console/assets/', import.meta.url)
const kilobyte = 1024

describe.skipIf(!hasBrowser)('the budgets of the console', () => {
  const test = useConsole()

  it('the first load of Jobs takes at most 170 KB of scripts, 20 KB of styles and 50 KB of font', async () => {
    const sizes = sizesOf(await filesOf(await test.open('/')))
    expect(sizes.js).toBeLessThan(170 * kilobyte)
    expect(sizes.css).toBeLessThan(20 * kilobyte)
    expect(sizes.woff2).toBeLessThan(50 * kilobyte)
  })

  it('Reports adds at most 125 KB of scripts', async () => {
    const first = await filesOf(await test.open('/'))
    const all = await filesOf(await test.open('/reports'))
    expect(sizesOf(all.filter((name) => !first.includes(name))).js).toBeLessThan(125 * kilobyte)
  })

  it('the editor of segments adds at most 95 KB of scripts', async () => {
    expect(await editorBytes()).toBeLessThan(95 * kilobyte)
  })

  it('every file is sent compressed, and may be cached for ever under its name', async () => {
    const page = await test.open('/')
    for (const name of await filesOf(page)) {
      const answer = await fetch(`${test.hub.url}/console/assets/${name}`, {
        headers: { 'accept-encoding': 'br' },
      })
      await answer.arrayBuffer()
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('content-encoding')).toBe(name.endsWith('.woff2') ? null : 'br')
    }
  })

  it.each([
    ['br;q=0, gzip', 'gzip'],
    ['brotli, gzip; q=0.0', null],
    ['*;q=0', null],
  ])('a caller that accepts %j gets %s', async (accepted, expected) => {
    const [script = ''] = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const headers = { 'accept-encoding': accepted }
    const answer = await fetch(`${test.hub.url}/console/assets/${script}`, { headers })
    expect([await answer.text(), answer.headers.get('content-encoding')]).toEqual([
      readFileSync(new URL(script, folder), 'utf8'),
      expected,
    ])
  })
})

/** The names of the files that the page has loaded. */
async function filesOf(page: Page): Promise<string[]> {
  await page.locator('h1').waitFor()
  await page.evaluate(() => document.fonts.ready)
  const urls = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  return [
    ...new Set(
      urls
        .filter((url) => url.includes('/console/assets/'))
        .map((url) => basename(new URL(url).pathname)),
    ),
  ]
}

/** The file with the editor, without the libraries that every page has. */
async function editorBytes(): Promise<number> {
  const entry = new URL(
    '../../packages/console/src/parts/chip-editor/live-editor.tsx',
    import.meta.url,
  )
  const { output } = (await build({
    configFile: false,
    mode: 'production',
    logLevel: 'error',
    resolve: { conditions: ['source', 'module', 'browser', 'import', 'default'] },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: fileURLToPath(entry),
        external: /^react/,
        preserveEntrySignatures: 'strict',
      },
    },
  })) as Rolldown.RolldownOutput
  const chunk = output.find((one) => one.type === 'chunk' && one.isEntry)
  return chunk?.type === 'chunk'
    ? gzipSync(chunk.code, { level: 9 }).length
    : Number.POSITIVE_INFINITY
}

function sizesOf(names: readonly string[]) {
  const sum = (end: string) =>
    names.filter((name) => name.endsWith(end)).reduce((total, name) => total + sizeOf(name), 0)
  return { js: sum('.js'), css: sum('.css'), woff2: sum('.woff2') }
}

const sizeOf = (name: string): number =>
  name.endsWith('.woff2')
    ? statSync(new URL(name, folder)).size
    : readFileSync(new URL(`${name}.gz`, folder)).length
