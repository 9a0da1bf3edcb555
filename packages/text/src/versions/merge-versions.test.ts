import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MergeUnit, mergeVersions } from './merge-versions.ts'

const units = (texts: Readonly<Record<string, string>>): MergeUnit[] =>
  Object.entries(texts).map(([id, text]) => ({ id, text }))
const plain = (merged: readonly MergeUnit[]) =>
  Object.fromEntries(merged.map(({ id, text }) => [id, text]))

type Texts = Readonly<Record<string, string>>
type Case = [name: string, base: Texts, ours: Texts, theirs: Texts, merged: Texts, met?: object[]]
const cases: Case[] = [
  ['nothing', {}, {}, {}, {}],
  ['one side changes', { a: '1' }, { a: '2' }, { a: '1' }, { a: '2' }],
  ['the other side changes', { a: '1' }, { a: '1' }, { a: '2' }, { a: '2' }],
  ['both change the same', { a: '1' }, { a: '2' }, { a: '2' }, { a: '2' }],
  [
    'both change',
    ...([
      { a: '1', b: '1' },
      { a: '2', b: '1' },
      { a: '3', b: '4' },
    ] as const),
    { a: '2', b: '4' },
    [{ id: 'a', base: '1', ours: '2', theirs: '3' }],
  ],
  [
    'both add',
    ...([{}, { a: '2' }, { a: '3' }] as const),
    { a: '2' },
    [{ id: 'a', ours: '2', theirs: '3' }],
  ],
  [
    'each adds another one',
    { a: '1' },
    { a: '1', b: '2' },
    { c: '3', a: '1' },
    { c: '3', a: '1', b: '2' },
  ],
  ['one side removes', { a: '1', b: '2' }, { b: '2' }, { a: '1', b: '2' }, { b: '2' }],
  ['both remove', { a: '1' }, {}, {}, {}],
  [
    'one side removes what the other changes',
    ...([{ a: '1' }, {}, { a: '2' }] as const),
    { a: '2' },
    [{ id: 'a', base: '1', theirs: '2' }],
  ],
  ['a key is renamed', { a: '1' }, { b: '1' }, { a: '2' }, { b: '2' }],
  ['the other side renames', { a: '1' }, { a: '2' }, { b: '1' }, { b: '2' }],
  ['both rename alike', { a: '1' }, { b: '1' }, { b: '1' }, { b: '1' }],
  ['each renames in its own way', { a: '1' }, { b: '1' }, { c: '1' }, { c: '1', b: '1' }],
  [
    'a key is renamed and its text changed',
    ...([{ a: '1' }, { b: '3' }, { a: '2' }] as const),
    { a: '2', b: '3' },
    [{ id: 'a', base: '1', theirs: '2' }],
  ],
  [
    'a key takes the name of another one',
    ...([{ a: '1', b: '2' }, { b: '1' }, { a: '3', b: '2' }] as const),
    { a: '3', b: '1' },
    [{ id: 'a', base: '1', theirs: '3' }],
  ],
  ['a history is rewritten to nothing', { a: '1', b: '2' }, {}, { a: '1', b: '2' }, {}],
  [
    'a name is that of a prototype',
    { __proto__: '1' },
    { constructor: '2' },
    {},
    { constructor: '2' },
  ],
]

describe('merging two versions', () => {
  it.each(cases)('%s', (_name, base, ours, theirs, merged, collisions = []) => {
    const done = mergeVersions(units(base), units(ours), units(theirs))
    expect(plain(done.merged)).toEqual(merged)
    expect(done.collisions).toEqual(collisions)
  })

  it('keeps the side that the caller prefers', () => {
    const sides = [units({ a: '1' }), units({ a: '2' }), units({ a: '3' })] as const
    expect(plain(mergeVersions(...sides, () => 'theirs').merged)).toEqual({ a: '3' })
    expect(plain(mergeVersions(...sides, () => 'ours').merged)).toEqual({ a: '2' })
  })

  const drawn = fc
    .uniqueArray(
      fc.record({
        id: fc.constantFrom(...'abcdefgh'),
        text: fc.constantFrom('1', '2', '3', '4', '5'),
      }),
      { selector: ({ id }) => id, maxLength: 8 },
    )
    .map((all): MergeUnit[] => all)
  const textsIn = (all: readonly MergeUnit[]) => new Set(all.map(({ text }) => text))

  it('takes a side that alone changed something as it is', () => {
    fc.assert(
      fc.property(drawn, drawn, (base, side) => {
        for (const [ours, theirs] of [
          [side, base],
          [base, side],
          [side, side],
        ] as const) {
          const { merged, collisions } = mergeVersions(base, ours, theirs)
          expect(plain(merged)).toEqual(plain(side))
          expect(collisions).toEqual([])
        }
      }),
    )
  })

  it('loses no text that a side wrote, and lists each collision once', () => {
    fc.assert(
      fc.property(drawn, drawn, drawn, (base, ours, theirs) => {
        const { merged, collisions } = mergeVersions(base, ours, theirs)
        const there = textsIn(merged)
        for (const { ours: one, theirs: two } of collisions)
          for (const text of [one, two]) if (text !== undefined) there.add(text)
        const before = textsIn(base)
        for (const text of [...textsIn(ours), ...textsIn(theirs)])
          if (!before.has(text)) expect(there).toContain(text)
        const ids = collisions.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(new Set(merged.map(({ id }) => id)).size).toBe(merged.length)
      }),
    )
  })

  it('finds the same from either side', () => {
    fc.assert(
      fc.property(drawn, drawn, drawn, (base, ours, theirs) => {
        const one = mergeVersions(base, ours, theirs, () => 'ours')
        const two = mergeVersions(base, theirs, ours, () => 'theirs')
        expect(plain(one.merged)).toEqual(plain(two.merged))
        const swapped = two.collisions.map(({ ours: mine, theirs: other, ...rest }) => ({
          ...rest,
          ...(other !== undefined && { ours: other }),
          ...(mine !== undefined && { theirs: mine }),
        }))
        const byId = (all: readonly { id: string }[]) =>
          [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
        expect(byId(swapped)).toEqual(byId(one.collisions))
      }),
    )
  })

  it('has nothing left to do when what it made is merged again', () => {
    fc.assert(
      fc.property(drawn, drawn, drawn, (base, ours, theirs) => {
        const { merged } = mergeVersions(base, ours, theirs)
        expect(mergeVersions(merged, merged, merged)).toEqual({ merged, collisions: [] })
      }),
    )
  })
})
