/**
 * Plurals in JSON get the forms of the target language, as i18next and an independent reading of
 * the file see them.
 */
import { describe, expect, test } from 'vitest'
import { judgeFile } from '../../packages/text/src/formats/whole-files.ts'
import { bytesOf, type Case, holdCases, shout, textOf } from './cases.ts'
import { formatOf } from './laws.ts'

const json = formatOf('json')
const plural = (...forms: string[]): string =>
  `{${forms.map((form) => `"item_${form}": "${form}"`).join(', ')}}`

describe('plurals in JSON', () => {
  const cases: readonly Case[] = [
    {
      name: 'i18next in Polish, a line for each form',
      source:
        '{\n  "item_one": "{{count}} item",\n  "item_other": "{{count}} items",\n  "z": "end"\n}\n',
      texts: ['«{{count}}» item', '«{{count}}» items', 'end'],
      target: 'pl-PL',
      written:
        '{\n  "item_one": "{{count}} ITEM",\n  "item_few": "{{count}} ITEMS",\n  "item_many": "{{count}} ITEMS",\n  "item_other": "{{count}} ITEMS",\n  "z": "END"\n}\n',
    },
    {
      name: 'an object of forms in Arabic, on one line',
      source: '{"days": {"one": "a day", "other": " days\\n"}}',
      texts: ['a day', 'days'],
      target: 'ar',
      written:
        '{"days": {"one": "A DAY", "zero": " DAYS\\n", "two": " DAYS\\n", "few": " DAYS\\n", "many": " DAYS\\n", "other": " DAYS\\n"}}',
    },
    {
      name: 'ordinal numbers have forms of their own',
      source:
        '{"p_ordinal_one": "st", "p_ordinal_two": "nd", "p_ordinal_few": "rd", "p_ordinal_other": "th"}',
      texts: ['st', 'nd', 'rd', 'th'],
      target: 'it',
      written:
        '{"p_ordinal_one": "ST", "p_ordinal_two": "ND", "p_ordinal_few": "RD", "p_ordinal_many": "TH", "p_ordinal_other": "TH"}',
    },
    ...[
      [
        'a language with the same forms',
        '{"a_one": "x", "a_other": "y"}',
        '{"a_one": "X", "a_other": "Y"}',
      ],
      [
        'a key that only ends like a form',
        '{"gender_other": "x", "b": "y"}',
        '{"gender_other": "X", "b": "Y"}',
      ],
      [
        'an object with other keys',
        '{"a": {"one": "x", "other": "y", "href": 1}}',
        '{"a": {"one": "X", "other": "Y", "href": 1}}',
      ],
      ['an array', '[["one", "other"]]', '[["ONE", "OTHER"]]'],
      [
        'an escaped key',
        '{"a_one": "x", "a_\\u006fther": "y"}',
        '{"a_one": "X", "a_\\u006fther": "Y"}',
      ],
    ].map(([name = '', source = '', written = ''], at) => ({
      name,
      source,
      texts: [...source.matchAll(/(?<=: |\[\[|", )"([^"]+)"(?![:\w])/g)].map(
        ([, text = '']) => text,
      ),
      target: at === 0 ? 'de' : 'pl',
      written,
    })),
  ]
  holdCases(json, cases)

  test.each([
    ['pl', 'few many one other'],
    ['ar', 'few many one other two zero'],
    ['fr', 'many one other'],
    ['ja', 'one other'],
  ])('in %s the file has %s', (language, forms) => {
    const written = JSON.parse(
      textOf(shout(json, bytesOf(plural('one', 'other')), language)),
    ) as object
    const names = Object.keys(written).map((key) => key.slice('item_'.length))
    expect(names.sort().join(' ')).toBe(forms)
    for (const category of new Intl.PluralRules(language).resolvedOptions().pluralCategories)
      expect(names).toContain(category)
  })

  test('a delivery with the forms of its language differs in nothing; one without a text does', () => {
    const source = bytesOf(plural('one', 'other'))
    expect(
      judgeFile('a.json', source, bytesOf(plural('one', 'few', 'many', 'other'))).warnings,
    ).toEqual([])
    expect(judgeFile('a.json', source, bytesOf(plural('one'))).warnings).toEqual([
      expect.stringMatching(/^Lost units/),
    ])
  })
})
