/**
 * Languages as projects name them, `de`, `pt_BR` or `zh-Hant`, and the code that the hub accepts
 * for each.
 */
import { findLanguage, impliedLanguage, nearestLanguage } from '@dragoman/contract/wire'

const primaryOf = (code: string): string => code.split(/[-_]/, 1)[0]?.toLowerCase() ?? ''

/** The accepted code, spelled as people do: `de-DE` for `de`. */
export function acceptedFor(name: string): string | undefined {
  const known = findLanguage(name) ?? impliedLanguage(name)
  if (known !== undefined) return spelled(known)
  const nearest = nearestLanguage(name)
  const isSame = nearest !== undefined && primaryOf(nearest) === primaryOf(name)
  return isSame && !/[-_]/.test(name) ? spelled(nearest) : undefined
}

const spelled = (code: string): string => {
  const [language = '', ...more] = code.split('-')
  return [
    language.toLowerCase(),
    ...more.map((part) => (part.length === 2 ? part.toUpperCase() : part)),
  ].join('-')
}

/**
 * Whether a folder or file is named after a language. Three letters alone are more likely a word:
 * `bin`, `its`.
 */
export function isLanguageName(name: string): boolean {
  if (!/^[a-z]{2}$|^[a-z]{2,3}[-_](?:[a-z]{4}[-_])?[a-z0-9]{2,8}$/i.test(name)) return false
  return acceptedFor(name) !== undefined
}

export const isEnglish = (name: string): boolean => primaryOf(name) === 'en'

/** The table `languages` of dragoman.yml: every name that the hub does not accept as it is. */
export function languageTable(names: readonly string[]): Record<string, string> {
  const rows = names.flatMap((name) => {
    const accepted = findLanguage(name) === undefined ? acceptedFor(name) : undefined
    return accepted === undefined ? [] : [[name, accepted] as const]
  })
  return Object.fromEntries(rows)
}
