/** Chromium reads WebVTT before and after translation: the same cues, at the same times, with the same tags. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pseudoFile } from '../../packages/server/src/domain/providers/drivers/pseudo-text.ts'
import { hasBrowser, sharedChromium } from '../chromium.ts'
import { generators } from './generators.ts'
import { bytesOf, formatOf, textOf } from './laws.ts'

const sample = readFileSync(join(import.meta.dirname, '../samples/film.vtt'), 'utf8')

/** What the page of a player sees of a file. Runs in the browser. */
const cuesOf = async (text: string): Promise<string[]> => {
  const video = document.createElement('video')
  const element = document.createElement('track')
  element.src = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }))
  video.append(element)
  element.track.mode = 'hidden'
  await new Promise((resolve) => {
    element.onload = resolve
    element.onerror = resolve
  })
  return Array.from(element.track.cues ?? [], (cue) => {
    const { id, startTime, endTime } = cue
    const tags = Array.from((cue as VTTCue).getCueAsHTML().querySelectorAll('*'), (one) =>
      one.outerHTML.replace(/>.*/s, ''),
    )
    return [id, startTime, endTime, ...tags].join(' ')
  })
}

/** A sign that begins no tag hides the text behind it from a player; in a translation it is a reference. */
const hasNoStray = (text: string): boolean => !/<(?![^<>]{0,256}>)/.test(text)

if (!hasBrowser && process.env.CI !== 'true') test.skip('SKIPPED, chromium is missing', () => {})
else
  test('Chromium finds the same cues', async () => {
    const page = await (await sharedChromium()).newPage()
    try {
      const texts = [sample, ...fc.sample(generators.vtt.filter(hasNoStray), { numRuns: 20, seed: 5 })]
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
