/**
 * The difference of two texts: what stays and goes is the text before, what stays and comes is the
 * text after.
 */
import type { TextParts } from '@dragoman/contract/wire'
import { describe, expect, it } from 'vitest'
import { differencesOf } from './differences.ts'

const textOf = (parts: TextParts): string =>
  parts.map((part) => (typeof part === 'string' ? part : `<${part.tag}>`)).join('')

describe('differences of texts', () => {
  it.each<[TextParts, TextParts, string]>([
    [['Pay now'], ['Pay later'], 'Pay -now+later'],
    [['Same'], ['Same'], 'Same'],
    [['Hi ', { tag: 1 }, '.'], ['Hi ', { tag: 2 }, '.'], 'Hi -<1>+<2>.'],
    [[], ['All new'], '+All new'],
    [['Gone'], [], '-Gone'],
  ])('%j to %j', (before, after, shown) => {
    const pieces = differencesOf(before, after)
    const sign = { same: '', gone: '-', new: '+' }
    expect(pieces.map(({ part, kind }) => sign[kind] + textOf([part])).join('')).toBe(shown)
    const kept = (kind: 'gone' | 'new') =>
      textOf(pieces.filter((one) => one.kind !== kind).map(({ part }) => part))
    expect([kept('new'), kept('gone')]).toEqual([textOf(before), textOf(after)])
  })

  it('shows a very long text as replaced, at once', () => {
    const long = [Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(' ')]
    expect(new Set(differencesOf(long, [`${long[0]} end`]).map(({ kind }) => kind))).toEqual(
      new Set(['gone', 'new']),
    )
  })
})
