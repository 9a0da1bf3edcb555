import { describe, expect, it } from 'vitest'
import { acceptedEncodings } from './accepted-encodings.ts'

describe('the encodings that a caller accepts', () => {
  it.each([
    ['gzip, deflate, br, zstd', ['br', 'gzip']],
    ['gzip', ['gzip']],
    ['br;q=0, gzip', ['gzip']],
    ['br; q=0.000 , GZIP;q=0.5', ['gzip']],
    ['gzip;q=0,br;q=0', []],
    ['BR ; Q = 0, gzip', ['gzip']],
    ['br;q=0.01', ['br']],
    ['*', ['br', 'gzip']],
    ['*;q=0', []],
    ['*;q=0, gzip', ['gzip']],
    ['br;q=0, *', ['gzip']],
    // Names that hold ours inside them are others.
    ['brotli, x-gzip', []],
    ['identity', []],
    [',,;q=0,', []],
    ['', []],
    [undefined, []],
  ] as const)('of %j are %j', (header, expected) => {
    expect(acceptedEncodings(header, ['br', 'gzip'])).toEqual(expected)
  })

  it('are read fast from a header of any length', () => {
    const header = `${';q=0, '.repeat(20_000)}gzip`
    expect(acceptedEncodings(header, ['br', 'gzip'])).toEqual(['gzip'])
  })
})
