import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSeenTexts } from './seen-texts.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

describe('texts that a job has had', () => {
  it('are new once in each pair of languages', () => {
    const pairs = 70
    const seen = openSeenTexts(pairs)
    const known = new Set<string>()
    // A third of them come back, in an order of their own.
    for (let at = 0; at < 6_000; at += 1) {
      const [text, pair] = [`text ${(at * 7_919) % 2_000}`, (at * 31) % pairs]
      const key = `${text} ${pair}`
      expect(seen.add(hashOf(text), pair)).toBe(!known.has(key))
      known.add(key)
    }
  })

  it('take the room of one text in a hundred languages', () => {
    const seen = openSeenTexts(100)
    for (let at = 0; at < 10_000; at += 1)
      for (const pair of [0, 31, 32, 99]) seen.add(hashOf(`text ${at}`), pair)
    expect(seen.bytes()).toBeLessThan(10_000 * 100)
  })
})
