import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../../tests/draws.ts'
import {
  type Arrived,
  choose,
  digest,
  type Known,
  mayPublish,
  merge,
  stateOf,
  whatToSend,
  whyNotSendable,
} from './index.ts'

type Case = { name: string; rule: string; given: unknown; expected: unknown }
const cases = JSON.parse(
  readFileSync(new URL('./rules.cases.json', import.meta.url), 'utf8'),
) as Case[]

/** In the table a source is written as its text, `of`; a program knows its digest. */
type Written = { path: string; of: string; text: string; before?: string }
const known = ({ of, ...more }: Written): Known => ({ ...more, source: digest(of) })
const all = (list: unknown): Known[] => (list as Written[]).map(known)

const rules: Record<string, (given: never) => unknown> = {
  digest: ({ text }: { text: string }) => digest(text),
  whatToSend: (given: { source: Record<string, string>; known: Written[] }) =>
    whatToSend(given.source, all(given.known)),
  merge: ({ arrived, known: old, ...sides }: Parameters<typeof merge>[0] & { arrived: unknown }) =>
    merge({ ...sides, known: all(old) }, all(arrived)),
  stateOf: (given: Parameters<typeof stateOf>[0]) => stateOf({ ...given, known: all(given.known) }),
  choose: ({ conflicts, keep, path }: { conflicts: never[]; keep: 'MINE'; path?: string }) =>
    choose(conflicts, keep, path),
  mayPublish: ({ publish, merged }: { publish: boolean; merged: never }) =>
    mayPublish(publish, merged),
  whyNotSendable: ({ texts }: { texts: Record<string, string> }) => whyNotSendable(texts) ?? null,
}

test.each(cases.map((one) => [one.rule, one.name, one] as const))('%s: %s', (rule, _, one) => {
  const expected =
    rule === 'merge'
      ? { ...(one.expected as object), known: all((one.expected as { known: unknown }).known) }
      : one.expected
  expect(rules[rule]?.(one.given as never)).toEqual(expected)
})

test('texts that are too many, too large, too deep or no Unicode are refused with a sentence', () => {
  expect(whyNotSendable({ t: 'a\ud800b' })).toMatch(/cannot be sent/)
  expect(whyNotSendable({ t: 'a'.repeat(1_048_576) })).toMatch(/larger than 1 MiB/)
  expect(whyNotSendable({ t: 'a'.repeat(1_048_575) })).toBeUndefined()
  expect(whyNotSendable({ ['a.'.repeat(501)]: 'a' })).toMatch(/too deep/)
  const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`p.${n}`, 'a']))
  expect(whyNotSendable(many)).toMatch(/20,000/)
})

const path = fc.constantFrom('a', 'b', 'rows.0', 'rows.1', 'rows.2')
const word = fc.constantFrom('One', 'Two', 'Three', 'Four')
const texts = fc.dictionary(path, word)
const exchanged = (text: string) =>
  fc
    .uniqueArray(fc.record({ path, of: word, suffix: fc.constantFrom('', '!') }), {
      selector: (one) => one.path,
    })
    .map((list): Arrived[] =>
      list.map((one) => ({
        path: one.path,
        source: digest(one.of),
        text: `${one.of} ${text}${one.suffix}`,
      })),
    )
/** The target as it was written, with some texts that a person changed. */
const target = fc.dictionary(path, fc.constantFrom('One de', 'Two de', 'One de!', 'by hand'))

test('no delivery ever replaces what a person wrote, and none is lost without a word', () => {
  fc.assert(
    fc.property(texts, target, exchanged('de'), exchanged('new'), (source, now, old, arrived) => {
      const { write, conflicts, gone, known } = merge({ source, target: now, known: old }, arrived)
      const human = Object.values(now).filter((text) => text === 'by hand')
      const isKnown = old.some((one) => one.text === 'by hand')
      for (const [at, text] of Object.entries(now))
        if (text === 'by hand' && !isKnown && source[at] !== undefined && at in write)
          expect([...Object.values(write), ...human]).toContain('by hand')
      for (const { path: at, mine } of conflicts) expect(write[at]).toBe(mine)
      // Every translation is written, in conflict, of an older text, or told as gone.
      for (const one of arrived) {
        const isOlder = known.some(({ source: of }) =>
          Object.values(source).some((text) => digest(text) === of),
        )
        const isThere =
          Object.values(write).includes(one.text) ||
          conflicts.some(({ theirs }) => theirs === one.text) ||
          gone.includes(one.path)
        expect(isThere || isOlder).toBe(true)
      }
    }),
    { numRuns: draws(2_000), seed: 45 },
  )
})

test('after everything that was to send has come, nothing is out of date', () => {
  fc.assert(
    fc.property(texts, exchanged('de'), (source, old) => {
      const sent = whatToSend(source, old)
      const arrived = sent.map((at) => ({
        path: at,
        source: digest(source[at] ?? ''),
        text: `${source[at]} new`,
      }))
      const { known } = merge({ source, target: {}, known: old }, arrived)
      expect(whatToSend(source, known)).toEqual([])
      const standing = { phase: 'APPROVED' as const, source, known, conflicts: [] }
      if (Object.keys(source).length > 0) expect(stateOf(standing)).toBe('TRANSLATED')
    }),
    { numRuns: draws(2_000), seed: 45 },
  )
})
