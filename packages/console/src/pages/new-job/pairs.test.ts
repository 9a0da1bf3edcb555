import { describe, expect, it } from 'vitest'
import { readPairs } from './pairs.ts'

const read = (text: string) => readPairs(text).pairs.map(({ key, value }) => `${key}|${value}`)

describe('pasted keys and values', () => {
  it('are read by line with =, : or a tab, whichever comes first; a tab wins', () => {
    expect(read('a = 1\nb: 2 = 3\r\n\n# remark\nc = d: e\nf:g\th')).toEqual([
      'a|1',
      'b|2 = 3',
      'c|d: e',
      'f:g|h',
    ])
  })

  it('are read as JSON, inner names joined by dots', () => {
    expect(read('{"a": {"b": "x", "c": [1, true]}, "d": null}')).toEqual([
      'a.b|x',
      'a.c.0|1',
      'a.c.1|true',
      'd|',
    ])
  })

  it('say what is wrong, and where', () => {
    expect(readPairs('a = 1\nnonsense').fault).toEqual({ line: 2, why: 'separator' })
    expect(readPairs('= 1').fault).toEqual({ line: 1, why: 'key' })
    expect(readPairs('a = 1\na = 2').fault).toEqual({ line: 2, why: 'twice' })
    expect(readPairs('{"a":').fault).toEqual({ line: 1, why: 'json' })
    expect(readPairs('  \n ')).toEqual({ pairs: [] })
  })

  it('stay quick and flat with hostile text', () => {
    expect(readPairs(`${'='.repeat(100_000)}`).fault?.why).toBe('key')
    expect(read('__proto__ = x')).toEqual(['__proto__|x'])
    expect(read('{"__proto__": "x"}')).toEqual(['__proto__|x'])
  })
})
