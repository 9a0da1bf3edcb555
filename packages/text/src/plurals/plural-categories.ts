/** The plural categories of a language by CLDR, in its order. */

const order = ['zero', 'one', 'two', 'few', 'many', 'other']

export const pluralCategories = remember((language) => categoriesOf(language, 'cardinal'))
/** The categories of ordinal numbers: 1st, 2nd, 3rd, 4th. */
export const ordinalCategories = remember((language) => categoriesOf(language, 'ordinal'))

function categoriesOf(language: string, type: Intl.PluralRuleType): readonly string[] {
  const known = rulesOf(language, type) ?? rulesOf(language.split(/[-_]/, 1)[0] ?? '', type)
  const categories = known?.resolvedOptions().pluralCategories ?? ['other']
  return order.filter((category) => categories.includes(category as Intl.LDMLPluralRule))
}

/**
 * The categories of whole numbers below 200: Rails never uses those for millions (French, Spanish).
 * None if the language is unknown.
 */
export const smallCategories = remember((language) => {
  const rules = rulesOf(language)
  if (!rules) return []
  const used = new Set(Array.from({ length: 200 }, (_, number) => rules.select(number)))
  return rules.resolvedOptions().pluralCategories.filter((category) => used.has(category))
})

/** The last answer is kept: a file asks for one language, once for each of its plurals. */
function remember(
  find: (language: string) => readonly string[],
): (language: string) => readonly string[] {
  let last: { readonly language: string; readonly found: readonly string[] } | undefined
  return (language) => {
    if (last?.language !== language) last = { language, found: find(language) }
    return last.found
  }
}

function rulesOf(
  language: string,
  type: Intl.PluralRuleType = 'cardinal',
): Intl.PluralRules | undefined {
  try {
    return new Intl.PluralRules(language.replaceAll('_', '-'), { type })
  } catch {
    return undefined
  }
}
