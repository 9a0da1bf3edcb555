/**
 * Finds the line of a price list for a language pair. The most specific one wins (pair, then
 * source, then target, then any). Two lines for the same pair are refused when the list is saved.
 */
import { findLanguage, type PriceLine } from '@dragoman/contract/wire'
import { withoutCase } from '../characters/without-case.ts'

export const anyLanguage = '*'
/** The service of a job without a serviceType. */
export const usualService = 'Translation'

/** Normalizes the spelling of a language. */
const languageKey = (code: string): string =>
  code === anyLanguage ? code : (findLanguage(code) ?? withoutCase(code))

/** Two lines with the same key would price the same words. */
export const lineKey = ({ service, sourceLanguage, targetLanguage }: LineScope): string =>
  JSON.stringify([withoutCase(service), languageKey(sourceLanguage), languageKey(targetLanguage)])

type LineScope = Pick<PriceLine, 'service' | 'sourceLanguage' | 'targetLanguage'>

const known = new WeakMap<readonly PriceLine[], Map<string, PriceLine>>()

/** Indexed once per list, because each request of a job looks up a line. */
function keyed(lines: readonly PriceLine[]): Map<string, PriceLine> {
  const found = known.get(lines) ?? new Map(lines.map((line) => [lineKey(line), line]))
  known.set(lines, found)
  return found
}

/** The line for this pair and service, or undefined. */
export function findPriceLine(
  lines: readonly PriceLine[],
  scope: LineScope,
): PriceLine | undefined {
  const byKey = keyed(lines)
  const { sourceLanguage, targetLanguage } = scope
  const scopes = [
    scope,
    { ...scope, sourceLanguage, targetLanguage: anyLanguage },
    { ...scope, sourceLanguage: anyLanguage, targetLanguage },
    { ...scope, sourceLanguage: anyLanguage, targetLanguage: anyLanguage },
  ]
  for (const exact of scopes) {
    const line = byKey.get(lineKey(exact))
    if (line) return line
  }
  return undefined
}
