/**
 * The language of the console: the one chosen, otherwise the browser's first language that we have.
 */
import { storedChoice } from './stored-choices.ts'
import { isLanguage, type Language } from './words/words.ts'

export function chosenLanguage(): Language {
  const wanted = [
    storedChoice('language') ?? '',
    ...navigator.languages.map((one) => one.split('-')[0] ?? ''),
  ]
  return wanted.find(isLanguage) ?? 'en'
}
