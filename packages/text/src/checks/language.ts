/**
 * What the checks know of a language from its code: its base, its region, and how it writes
 * numbers.
 */

export type Language = {
  /** The code in lower case with hyphens, such as `fr-ca`. */
  readonly code: string
  readonly base: string
  /** The mark before the decimals. */
  readonly decimal: '.' | ','
  /** Thousands are separated by spaces. */
  readonly spaced: boolean
}

const known = new Map<string, Language>()
const mostKnown = 500

export function languageOf(given: string): Language {
  const found = known.get(given)
  if (found) return found
  const code = given.toLowerCase().replaceAll('_', '-')
  const base = /^[a-z]{1,8}/.exec(code)?.[0] ?? ''
  const parts = numberParts(code) ?? numberParts(base) ?? []
  const of = (type: string) => parts.find((part) => part.type === type)?.value
  const language: Language = {
    code,
    base,
    // Arabic and Persian marks are unmistakable; between Latin digits, a full stop is used there.
    decimal: of('decimal') === ',' ? ',' : '.',
    spaced: /\s/.test(of('group') ?? ''),
  }
  if (known.size < mostKnown) known.set(given, language)
  return language
}

function numberParts(code: string): Intl.NumberFormatPart[] | undefined {
  try {
    return new Intl.NumberFormat(code).formatToParts(1_234_567.5)
  } catch {
    return undefined
  }
}

export const isOneOf = ({ base }: Language, list: string): boolean => list.split(' ').includes(base)
/** Languages that are written without spaces between words. */
export const isUnspaced = (language: Language): boolean =>
  isOneOf(language, 'zh ja yue wuu th lo km my')
export const isWide = (language: Language): boolean => isOneOf(language, 'zh ja yue wuu')
