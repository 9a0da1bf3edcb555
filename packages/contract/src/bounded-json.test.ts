import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBounded } from './bounded-json.ts'

describe('JSON within bounds', () => {
  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(parseBounded(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each([
    ['too deep', '['.repeat(101) + ']'.repeat(101), /more than 100 levels/],
    ['too many lists', `[${'[],'.repeat(300_000)}1]`, /more than 500000 values/],
    ['too many numbers', `[${'0,'.repeat(500_000)}0]`, /more than 500000 values/],
    ['too many names', `{${'"a":0,'.repeat(500_000)}"b":0}`, /more than 500000 values/],
    ['no JSON', '{', /JSON/],
    ['a text without an end', '"\\"', /JSON/],
  ])('is refused if it is %s', (_, text, says) => {
    expect(() => parseBounded(text)).toThrow(says)
  })

  it('does not count what stands in a text', () => {
    const text = JSON.stringify({ a: '[{,"\\'.repeat(200_000) })
    expect(parseBounded(text)).toEqual(JSON.parse(text))
  })

  it('takes texts that are full of escapes in one pass', () => {
    expect(() => parseBounded(`"${'\\\\'.repeat(2_000_000)}`)).toThrow(/JSON/)
  })
})
