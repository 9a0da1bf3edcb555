/** Tags as `{1}` in a plain text field. */
import type { TextTag } from '@dragoman/contract/wire'
import { describe, expect, it } from 'vitest'
import { randomText, seeded } from '../../../../../tests/console/random-edits.ts'
import { openPlainForm } from './plain-text.ts'
import { countTags, type TextPart } from './texts.ts'

const tags: TextTag[] = [1, 2, 12].map((tag) => ({ tag, kind: 'PLACEHOLDER', shows: `%${tag}` }))
const form = openPlainForm(tags, [])

describe('a text field with tags', () => {
  it.each([
    ['a{1}b', 'a{1b', 'ab', 'Delete inside a tag takes all of it'],
    ['a{1}b', 'a{}b', 'ab', 'so does the number'],
    ['a{1}b', 'a{1x}b', 'axb', 'and a letter typed into it'],
    ['a{1}{2}', 'a{2}', 'a{2}', 'a tag beside another one is deleted alone'],
    ['{1}{2}', '{12}', '', 'two halves never make a third tag'],
    ['a{1}b', 'a{1}b{1}', 'ab{1}', 'a tag that is written again has moved'],
    ['a{1}b', '{1}a{1}b', '{1}ab', 'in either direction'],
    ['ab', 'a{2}b', 'a{2}b', 'a tag can be written'],
    ['ab', 'a{2}b{2}', 'a{2}b', 'but once'],
    ['ab', 'a{7}b', 'a{7}b', 'a number that is no tag is text'],
    ['a{1}b', 'x', 'x', 'everything can be replaced'],
  ])('%j changed into %j is %j: %s', (before, after, mended) => {
    expect(form.mend(before, after).text).toBe(mended)
  })

  it('knows by the selection what was pasted over half a tag', () => {
    expect(form.mend('a{1}', 'a{1}1}', { from: 1, to: 2 }).text).toBe('a{1}')
  })

  it('uses other brackets where a text has a number in braces, and reads what it writes', () => {
    const text: TextPart[] = ['{1} or ', { tag: 1 }]
    const other = openPlainForm(tags, [text])
    expect(other.write(text)).toBe('{1} or ⟦1⟧')
    expect(other.read(other.write(text))).toEqual(text)
  })

  it('lets a tag stand as often as the source has it', () => {
    const twice = openPlainForm(tags, [], [{ tag: 1 }, { tag: 1 }])
    expect(twice.mend('{1}', '{1}{1}').text).toBe('{1}{1}')
    expect(twice.mend('{1}{1}', '{1}{1}{1}').text).toBe('{1}{1}')
  })

  it('has no half tag and no tag twice after any edit', () => {
    const random = seeded(7)
    let plain = form.write(['Pay ', { tag: 1 }, { tag: 2 }, ' now ', { tag: 12 }])
    for (let round = 0; round < 10_000; round += 1) {
      const from = random(plain.length + 1)
      const to = Math.min(plain.length, from + random(5))
      const insert = random(3) === 0 ? form.tokenOf([1, 2, 12][random(3)] ?? 1) : randomText(random)
      const { text, caret } = form.mend(plain, plain.slice(0, from) + insert + plain.slice(to), {
        from,
        to,
      })
      const read = form.read(text)
      const words = read.filter((part) => typeof part === 'string').join('')
      expect([round, words.match(/[{}]/)]).toEqual([round, null])
      expect(Math.max(0, ...countTags(read).values())).toBeLessThanOrEqual(1)
      expect(caret).toBeLessThanOrEqual(text.length)
      plain = text.length > 60 ? form.write([{ tag: 1 }, 'x', { tag: 2 }, { tag: 12 }]) : text
    }
  })
})
