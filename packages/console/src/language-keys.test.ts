/** Contract, section 3: codes match without case and with `_` for `-`. */
import { expect, it } from 'vitest'
import { eachLanguage, isSameLanguage, languageKey } from './language-keys.ts'
import { languagesOf } from './pages/job/timeline-rows.ts'
import { groupsOf } from './pages/work/groups.ts'
import type { Work } from './pages/work/works.ts'

const spellings = ['fr-FR', 'fr-fr', 'FR_fr'] as const

it('one language stands once in a list, as it was spelled first', () => {
  expect(eachLanguage([...spellings, 'de-de', 'DE-de'])).toEqual(['fr-FR', 'de-de'])
  expect(eachLanguage(['zh-MY', 'zh-Hans-MY'])).toEqual(['zh-MY'])
})

it.each(spellings)('%s is fr-fr', (code) => {
  expect(isSameLanguage(code, 'fr-fr')).toBe(true)
  expect(languageKey(code)).toBe(languageKey('fr-fr'))
})

it('codes that no hub accepts are compared without case', () => {
  expect(isSameLanguage('xx-YY', 'XX-yy')).toBe(true)
  expect(isSameLanguage('xx-YY', 'xx-ZZ')).toBe(false)
})

it('work that is shared out is one group for a language of a provider', () => {
  const works = spellings.map((targetNativeLanguageCode, at) => ({
    ...{ providerId: 'p', providerName: 'P', jobId: 'j', requestId: `r${at}` },
    targetNativeLanguageCode,
  })) as unknown as Work[]
  expect(groupsOf(works).map(({ works: own }) => own.length)).toEqual([3])
})

it('a timeline names a language once', () => {
  const requests = spellings.map((targetNativeLanguageCode) => ({
    requestName: 'r',
    targetNativeLanguageCode,
  }))
  expect(languagesOf([{ requests }] as never)).toEqual(['fr-fr'])
})
