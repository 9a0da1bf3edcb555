import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findLanguage,
  languageRefusal,
  languages,
  nearestLanguage,
  relatedLanguages,
} from './languages.ts'

describe('the list of languages', () => {
  it('has every code of the specification once', () => {
    expect(languages).toHaveLength(356)
    expect(new Set(languages.map((code) => code.toLowerCase())).size).toBe(356)
    expect(languages).toEqual(
      expect.arrayContaining(['ADH', 'TEO', 'zh(-Hans)-MY', 'fr-011', 'ca-ES-V', 'und-und']),
    )
    expect([languages[0], languages.at(-1)]).toEqual(['aa-ET', 'zu-ZA'])
  })
})

describe('finding a language', () => {
  it.each([
    ['en-US', 'en-us'],
    ['EN_us', 'en-us'],
    ['fr-FR', 'fr-fr'],
    ['adh', 'ADH'],
    ['AR-lb', 'AR-LB'],
    ['bs_Cyrl-BA', 'bs-Cyrl-BA'],
    ['zh-MY', 'zh(-Hans)-MY'],
    ['ZH_HANS_my', 'zh(-Hans)-MY'],
    ['zh(-Hans)-MY', 'zh(-Hans)-MY'],
  ])('reads %s as %s', (code, language) => {
    expect(findLanguage(code)).toBe(language)
  })

  it.each([
    '',
    'en',
    ' en-us',
    'en-us\n',
    'en--us',
    'xx-XX',
    '\u212Ao-kr',
    'constructor',
    '__proto__',
    'e'.repeat(1e6),
  ])('refuses %j', (code) => {
    expect(findLanguage(code)).toBeUndefined()
  })

  it('reads every code whatever its case and its dashes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...languages),
        fc.boolean(),
        fc.boolean(),
        (language, upper, under) => {
          const cased = upper ? language.toUpperCase() : language.toLowerCase()
          expect(findLanguage(under ? cased.replaceAll('-', '_') : cased)).toBe(language)
        },
      ),
    )
  })
})

describe('the nearest language', () => {
  it.each([
    ['en', 'en-us'],
    ['de', 'de-de'],
    ['de-DX', 'de-de'],
    ['pt', 'pt-PT'],
    ['pt-BX', 'pt-BR'],
    ['zh', 'zh-cn'],
    ['sr-RS', 'sr-Cyrl-RS'],
    ['ja-JA', 'ja-jp'],
    ['jp-JP', 'ja-jp'],
    ['eng-US', 'en-us'],
    ['ed-DE', 'de-de'],
    ['zh-Hant', 'zh-tw'],
    ['zh-Hant-HK', 'zh-hk'],
    ['zh_Hans_CN', 'zh-cn'],
    ['zh-Hans', 'zh-cn'],
    ['es-419', 'es-XL'],
    ['no', 'nb-NO'],
    ['iw', 'he-IL'],
    ['uz-Cyrl', 'uz-Cyrl-UZ'],
    ['xx', undefined],
    ['xx-xx', undefined],
    ['null', undefined],
    ['tlh-KX', undefined],
    ['', undefined],
  ])('of %j is %s', (code, nearest) => {
    expect(nearestLanguage(code)).toBe(nearest)
  })

  it('is an accepted code or none for any text, however long', () => {
    fc.assert(
      fc.property(fc.string(), (text) => [...languages, undefined].includes(nearestLanguage(text))),
    )
    expect(nearestLanguage('x'.repeat(10_000_000))).toBeUndefined()
  })

  it('is told in the sentence that refuses a code; without one the sentence names none, and null has its own', () => {
    expect(languageRefusal('pt')).toBe(
      '"pt" is not an accepted language code; the nearest is "pt-PT".',
    )
    expect(languageRefusal('xx')).toBe(
      '"xx" is not an accepted language code, and none is near it.',
    )
    expect(languageRefusal(null)).toBe('null is not a language code; send one, such as "en-us".')
  })

  it('has its relatives: every accepted code of the same language', () => {
    expect(relatedLanguages('zh_Hant')).toEqual([
      'zh(-Hans)-MY',
      'zh-cn',
      'zh-hk',
      'zh-mo',
      'zh-SG',
      'zh-tw',
      'zh-xy',
    ])
    expect(relatedLanguages('az-Cyrl-AZ')).toEqual(['az-AZ', 'az-Latn-AZ'])
    expect(relatedLanguages('xx')).toEqual([])
  })
})
