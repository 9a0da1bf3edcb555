/** One language has several spellings (`fr-FR`, `fr_fr`): in every list and group it stands once. */
import { findLanguage } from '@dragoman/contract/wire'

/** Equal for all spellings of a code. */
export const languageKey = (code: string): string => findLanguage(code) ?? code.toLowerCase()

export const isSameLanguage = (one: string, other: string): boolean =>
  languageKey(one) === languageKey(other)

/** Each language once, in the spelling that comes first. */
export function eachLanguage(codes: Iterable<string>): string[] {
  const found = new Map<string, string>()
  for (const code of codes) if (!found.has(languageKey(code))) found.set(languageKey(code), code)
  return [...found.values()]
}
