import { limits } from '@dragoman/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson } from './json-body.ts'
import { readLargeJson } from './large-json.ts'

const most = limits.requestsJsonValues
const read = (text: string, slice?: number): Promise<unknown> =>
  readLargeJson(Buffer.from(text), most, slice)
const outcome = async (work: () => unknown): Promise<unknown> => {
  try {
    return { value: await work() }
  } catch (error) {
    return (error as { code?: string }).code
  }
}
const inOneGo = (text: string) => outcome(() => readJson(Buffer.from(text), most))
const inSlices = (text: string, slice: number) => outcome(() => read(text, slice))

describe('a body that is read in slices', () => {
  const texts = fc.oneof(
    fc.json({ maxDepth: 5 }),
    fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value, null, 3)),
  )

  it('is what JSON.parse makes of it, whatever the size of a slice', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), async (text, slice) => {
        expect(await inSlices(text, slice)).toEqual(await inOneGo(text))
      }),
      { numRuns: 500 },
    )
  })

  it('is refused exactly where JSON.parse refuses it', async () => {
    const marks = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      ' ',
      '1',
      'null',
      '"a":',
      '\u0000',
      'é',
    )
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.nat(),
        fc.nat(3),
        marks,
        fc.integer({ min: 1, max: 40 }),
        async (...given) => {
          const [text, where, cut, mark, slice] = given
          const at = where % (text.length + 1)
          const spoilt = text.slice(0, at) + mark + text.slice(at + cut)
          expect(await inSlices(spoilt, slice), spoilt).toEqual(await inOneGo(spoilt))
        },
      ),
      { numRuns: 1_500 },
    )
  })

  it.each([
    [
      '[1,2,]',
      '[[1,1,1,1],]',
      '[,[1,1,1,1]]',
      '[[1,1,1,1] [2]]',
      '[[1,1,1,1}]',
      '{"a":[1,1,1,1]]',
      '[1,1,1,1]]',
    ],
    [
      '{"a":[1,1,1,1],}',
      '{[1,1,1,1]}',
      '{"a" [1,1,1,1]}',
      '[1,1,1,1] x',
      '[n[1,1,1,1]]',
      '["a"[1,1,1,1]]',
      '[[1,1,1,1],',
    ],
    [
      '{"a":1,"b":2,"a":[1,1,1,1]}',
      '{"a":[1,1,1,1],"a":[1,1,1,1]}',
      '{"__proto__":[1,1,1,1]}',
      '["\\ud800",1,1,1,1]',
    ],
  ])('is refused where a slice ends: %s …', async (...all) => {
    for (const text of all) expect(await inSlices(text, 4), text).toBe('INVALID_REQUEST')
  })

  it('lets other calls run in between', async () => {
    const text = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => `value number ${at}`))
    let turns = 0
    let over = false
    const others = (async () => {
      while (!over) {
        await new Promise((resolve) => setImmediate(resolve))
        turns += 1
      }
    })()
    expect(await read(text)).toHaveLength(40_000)
    over = true
    await others
    expect(turns).toBeGreaterThan(text.length / (64 * 1024) - 1)
  })
})

describe('a body is refused before anything is built of it', () => {
  const { jsonItems, jsonTextBytes, jsonDepth } = limits
  it.each([
    ['a list of too many', `[${'{},'.repeat(jsonItems)}1]`, /more than 50000 members/],
    ['an object of too many', `{${'"":1,'.repeat(jsonItems)}"":1}`, /more than 50000 members/],
    [
      'too many values in all',
      `[${`[${'1,'.repeat(49_000)}1],`.repeat(6)}1]`,
      /more than 250000 values/,
    ],
    [
      'too many objects in all',
      `[${`[${'{"a":1},'.repeat(49_000)}1],`.repeat(6)}1]`,
      /more than 250000 values/,
    ],
    [
      'one text that is too long',
      `["${'a'.repeat(jsonTextBytes + 1)}"]`,
      /more than 6291456 bytes/,
    ],
    ['too deep', '['.repeat(jsonDepth + 1).padEnd(100_000), /more than 64 levels/],
    ['cut in a text', `["${'a'.repeat(100_000)}`, /ends too early/],
    ['closed too often', `${']'.repeat(100_000)}`, /closes a bracket/],
  ])('%s', async (_, text, because) => {
    const original = JSON.parse
    let parsed = 0
    JSON.parse = (...given: Parameters<typeof JSON.parse>) => {
      parsed += 1
      return original(...given)
    }
    try {
      await expect(read(text)).rejects.toThrow(because)
      expect(parsed).toBe(0)
    } finally {
      JSON.parse = original
    }
  })

  it('but not what is just within the limits', async () => {
    expect(await read(`[${'1,'.repeat(jsonItems - 1)}1]`)).toHaveLength(jsonItems)
    expect(await read(`["${'a'.repeat(jsonTextBytes - 1)}"]`)).toHaveLength(1)
    const rows = `[${'1,'.repeat(49_999)}1]`
    expect(await read(`[${Array.from({ length: 4 }, () => rows).join(',')}]`)).toHaveLength(4)
  })
})
