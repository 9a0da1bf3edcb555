/** The plural categories of a language by CLDR, in its order. */

const order = ['zero', 'one', 'two', 'few', 'many', 'other']

export function pluralCategories(language: string): string[] {
  const known = categoriesOf(language.replaceAll('_', '-')) ??
    categoriesOf(language.split(/[-_]/, 1)[0] ?? '') ?? ['other']
  return order.filter((category) => known.includes(category))
}

function categoriesOf(tag: string): readonly string[] | undefined {
  try {
    return new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  } catch {
    return undefined
  }
}
