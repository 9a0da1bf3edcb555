import { limits } from '@dragoman/contract'
import { expect, it } from 'vitest'
import { countFitting, fit, markedText } from './bounded-answer.ts'

const max = limits.assistantCharacters

it('leaves what fits as it is', () => {
  const value = { name: 'A', items: [1, 'two', null] }
  expect(fit(value)).toEqual({ json: JSON.stringify(value), isCut: false })
})

it.each([
  ['a long text', { text: 'a'.repeat(100_000) }],
  ['many texts', Array.from({ length: 900 }, (_, at) => ({ at, text: 'word '.repeat(40) }))],
  [
    'lists in lists',
    Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => ({ text: 'x'.repeat(60) }))),
  ],
  ['an emoji at the cut', { text: `${'a'.repeat(3_999)}😀`.repeat(20) }],
  ['many names', Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`name${at}`, at]))],
])('cuts %s', (_, value) => {
  const { json, isCut } = fit(value)
  expect(isCut).toBe(true)
  expect(json.length).toBeLessThanOrEqual(max + 1)
  expect(json.isWellFormed()).toBe(true)
})

it('says how much of a text and of a list is missing', () => {
  const { json } = fit({ text: 'a'.repeat(30_000), list: Array.from({ length: 300 }, () => 'b') })
  expect(JSON.parse(json)).toEqual({
    text: `${'a'.repeat(4_000)}… (26000 more characters)`,
    list: [...Array.from({ length: 200 }, () => 'b'), '… (100 more)'],
  })
})

it('counts the items of a page that fit, at least one', () => {
  const item = { text: 'a'.repeat(4_000) }
  expect(countFitting(Array.from({ length: 20 }, () => item))).toBe(5)
  expect(countFitting([{ text: 'a'.repeat(90_000) }, item])).toBe(1)
  expect(countFitting([])).toBe(0)
})

it('marks data with marks that no text can know', () => {
  const [one, other] = [markedText('{}', undefined), markedText('{}', 'The rest.')]
  const marks = [one, other].map((text) => /<(hub-data-[0-9a-f]{16})>/.exec(text)?.[1])
  expect(new Set(marks).size).toBe(2)
  expect(other).toMatch(/\n\{\}\n<\/hub-data-[0-9a-f]{16}>\nThe rest\.$/)
})
