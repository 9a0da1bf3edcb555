/**
 * Chromium reads WebVTT before and after translation: the same cues, at the same times, with the
 * same tags.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pseudoFile } from '../../packages/text/src/pseudo/pseudo-text.ts'
import { hasBrowser, sharedChromium } from '../chromium.ts'
import { generators } from './generators.ts'
import { bytesOf, formatOf, textOf } from './laws.ts'
import { cuesOf, hasNoStray } from './vtt-cues.ts'

const sample = readFileSync(join(import.meta.dirname, '../samples/film.vtt'), 'utf8')

if (!hasBrowser && process.env.CI !== 'true') test.skip('SKIPPED, chromium is missing', () => {})
else
  test('Chromium finds the same cues', async () => {
    const page = await (await sharedChromium()).newPage()
    try {
      const texts = [
        sample,
        ...fc.sample(generators.vtt.filter(hasNoStray), { numRuns: 20, seed: 5 }),
      ]
      for (const text of texts) {
        const source = textOf(bytesOf(text))
        const written = textOf(pseudoFile(formatOf('vtt'), bytesOf(text), 'de-DE'))
        expect(await page.evaluate(cuesOf, written)).toEqual(await page.evaluate(cuesOf, source))
      }
      expect((await page.evaluate(cuesOf, sample)).length).toBeGreaterThan(1)
    } finally {
      await page.context().close()
    }
  })
