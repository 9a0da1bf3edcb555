/** The order of languages: the site's own first, the plain language before its regions. */
import { describe, expect, it } from 'vitest'
import { offer, search } from './language-order.ts'

const names = new Intl.DisplayNames('en', { type: 'language' })
const nameOf = (code: string): string => names.of(code) ?? code
const codes = ['de-at', 'de-de', 'en-au', 'en-gb', 'en-us', 'fr-ca', 'fr-fr', 'sv-se']
const use = {
  used: new Map([
    ['en-gb', 7],
    ['en-us', 2],
  ]),
  priced: new Set(['de-at']),
}
const codesOf = (text: string, some = use) =>
  search(offer(codes, some, nameOf), text).map(({ code }) => code)

describe('languages', () => {
  it('begin with what the site uses most and prices, then go by name with the plain one before its regions', () => {
    expect(codesOf('')).toEqual([
      'en-gb',
      'en-us',
      'de-at',
      'en-au',
      'fr-fr',
      'fr-ca',
      'de-de',
      'sv-se',
    ])
  })

  it.each([
    ['english', 'en-gb'],
    ['german', 'de-at'],
    ['french', 'fr-fr'],
    ['en-us', 'en-us'],
    ['american', 'en-us'],
    ['swed', 'sv-se'],
  ])('%s gives %s first', (text, code) => expect(codesOf(text)[0]).toBe(code))

  it('give the usual region where the site has used none', () => {
    const none = { used: new Map(), priced: new Set<string>() }
    expect(['english', 'german', 'french'].map((text) => codesOf(text, none)[0])).toEqual([
      'en-us',
      'de-de',
      'fr-fr',
    ])
  })
})
