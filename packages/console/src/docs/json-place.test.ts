import { expect, it } from 'vitest'
import { placeAt } from './json-place.ts'

/** The bar is the caret. */
const at = (marked: string) => placeAt(marked.replace('|', ''), marked.indexOf('|'))

it.each([
  ['{ "na|', 'key', [], 'na', []],
  ['{ na|', 'key', [], 'na', []],
  ['{ |', 'key', [], '', []],
  ['{ | "b": 1 }', 'key', [], '', ['b']],
  ['{ "a": 1, "|" }', 'key', [], '', ['a']],
  ['{ "a": 1, "b|c": 2, "d": 3 }', 'key', [], 'b', ['a', 'd']],
  ['{ "a": { "x": 1, "|', 'key', ['a'], '', ['x']],
  ['{ "a": [ { "x": 1 }, { "|', 'key', ['a'], '', []],
  ['{ "a": { "b": [ { "c": "}" }, { "|', 'key', ['a', 'b'], '', []],
  ['[ { "|', 'key', [], '', []],
])('finds the key at the caret in %s', (marked, kind, path, typed, used) => {
  expect(at(marked)).toMatchObject({ kind, path, typed, used })
})

it.each([
  ['{ "a": |', 'a', [], ''],
  ['{ "a": "x|"', 'a', [], 'x'],
  ['{ "a": tr|', 'a', [], 'tr'],
  ['{ "a": ["x", "|', 'a', [], ''],
  ['{ "o": { "a": "\\"|', 'a', ['o'], '\\"'],
])('finds the value at the caret in %s', (marked, key, path, typed) => {
  expect(at(marked)).toMatchObject({ kind: 'value', key, path, typed })
})

it.each(['|', '{ "a"|: 1 }', '{ "a": "x"| }', '{} |'])(
  'finds nothing to complete in %s',
  (marked) => {
    expect(at(marked)).toBeUndefined()
  },
)

it('replaces a whole string with its quotes', () => {
  expect(at('{ "a|b": 1 }')).toMatchObject({ from: 2, to: 6 })
  expect(at('{ "a|')).toMatchObject({ from: 2, to: 4 })
})
