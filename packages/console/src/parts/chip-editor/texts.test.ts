/** Texts of the desk. */
import type { TextParts, TextTag } from '@dragoman/contract/wire'
import { describe, expect, it } from 'vitest'
import { joined, lengthOf, missingTags, plainOf, sameText } from './texts.ts'

const one = { tag: 1 }
const two = { tag: 2 }
const tags: TextTag[] = [
  { tag: 1, kind: 'OPEN', pair: 2, shows: '<b>' },
  { tag: 2, kind: 'CLOSE', pair: 1, shows: '</b>' },
]

describe('a text', () => {
  it.each<[TextParts, TextParts, boolean]>([
    [['ab'], ['a', '', 'b'], true],
    [[], [''], true],
    [['a', one], ['a', { tag: 1 }, ''], true],
    [['a', one], ['a', two], false],
    [['a', one], ['a'], false],
    [['1'], [one], false],
  ])('%j and %j are the same: %s', (a, b, isSame) => {
    expect([sameText(a, b), sameText(b, a)]).toEqual([isSame, isSame])
  })

  it('is joined without empty strings and neighbours', () => {
    expect(joined(['', 'a', 'b', one, '', two, ''])).toEqual(['ab', one, two])
  })

  it.each<[TextParts, TextParts, number[]]>([
    [['a', one, two], ['x'], [1, 2]],
    [['a', one, two], [two, 'x'], [1]],
    [[one, one], [one], [1]],
    [['a'], [one], []],
  ])('%j lacks in %j the tags %j', (source, target, missing) => {
    expect(missingTags(source, target)).toEqual(missing)
  })

  it.each([
    [['Ä', one, '😀'], 'CHARACTERS', 2],
    [['Ä', one, '😀'], 'BYTES', 6],
    [[one], 'BYTES', 0],
  ] as const)('the length of %j in %s is %i', (text, unit, length) => {
    expect(lengthOf([...text], tags, unit)).toBe(length)
  })

  it('is plain with what the file has', () => {
    expect(plainOf([one, 'now', two, { tag: 9 }], tags)).toBe('<b>now</b>')
  })
})
