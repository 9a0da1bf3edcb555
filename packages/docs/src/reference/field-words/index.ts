/**
 * The meaning of each field whose schema does not state it: by schema title and field name, or by
 * field name alone if it means the same everywhere. The OpenAPI document adds the form and the
 * limits to this sentence.
 */

import { checkFields } from './checks.ts'
import { deskFields } from './desk.ts'
import { jobFields } from './jobs.ts'
import { operatingFields } from './operating.ts'
import { providerFields } from './providers.ts'

export const fieldWords: Readonly<Record<string, string>> = {
  ...jobFields,
  ...providerFields,
  ...operatingFields,
  ...deskFields,
  ...checkFields,
}

/** The sentence for the first of these names that has one. */
export function wordsOf(names: readonly string[]): string | undefined {
  const found = names.find((name) => Object.hasOwn(fieldWords, name))
  return found === undefined ? undefined : fieldWords[found]
}
