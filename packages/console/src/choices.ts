/**
 * The language of the console: the one chosen, otherwise the browser's first language that we have.
 */
import { kept } from './kept.ts'
import { isLanguage, type Language } from './words/words.ts'

export function chosenLanguage(): Language {
  const wanted = [
    kept('language') ?? '',
    ...navigator.languages.map((one) => one.split('-')[0] ?? ''),
  ]
  return wanted.find(isLanguage) ?? 'en'
}
