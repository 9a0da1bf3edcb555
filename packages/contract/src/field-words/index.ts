/**
 * What each field means, where its schema does not say it itself: by the title of the schema and the name of the field, or by
 * the name alone if it means the same everywhere. The OpenAPI document joins the sentence with the form and the limits.
 */
import { jobFields } from './jobs.ts'
import { operatingFields } from './operating.ts'
import { providerFields } from './providers.ts'

export const fieldWords: Readonly<Record<string, string>> = { ...jobFields, ...providerFields, ...operatingFields }

/** The sentence of the first of these names that has one. */
export function wordsOf(names: readonly string[]): string | undefined {
  const found = names.find((name) => Object.hasOwn(fieldWords, name))
  return found === undefined ? undefined : fieldWords[found]
}
