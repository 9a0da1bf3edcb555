/**
 * The lines of a price list: which one prices a pair of languages. The most exact wins (pair, then source, then target,
 * then any); two that are equally exact for the same pair are a tie, refused when the list is saved.
 */
import { findLanguage, type PriceLine } from '@dragoman/contract'
import { withoutCase } from './without-case.ts'

export const anyLanguage = '*'
/** What a job asks for that names no serviceType. */
export const usualService = 'Translation'

/** One spelling for every way to write a language. */
const languageKey = (code: string): string => (code === anyLanguage ? code : (findLanguage(code) ?? withoutCase(code)))

/** Two lines with one key would price the same words. */
export const lineKey = ({ service, sourceLanguage, targetLanguage }: LinePlace): string =>
  JSON.stringify([withoutCase(service), languageKey(sourceLanguage), languageKey(targetLanguage)])

type LinePlace = Pick<PriceLine, 'service' | 'sourceLanguage' | 'targetLanguage'>

const known = new WeakMap<readonly PriceLine[], Map<string, PriceLine>>()

/** A list is asked once for each request of a job. */
function keyed(lines: readonly PriceLine[]): Map<string, PriceLine> {
  const found = known.get(lines) ?? new Map(lines.map((line) => [lineKey(line), line]))
  known.set(lines, found)
  return found
}

/** The line that prices the pair for the service, or undefined where none fits. */
export function findPriceLine(lines: readonly PriceLine[], place: LinePlace): PriceLine | undefined {
  const byKey = keyed(lines)
  const { sourceLanguage, targetLanguage } = place
  const places = [
    place,
    { ...place, sourceLanguage, targetLanguage: anyLanguage },
    { ...place, sourceLanguage: anyLanguage, targetLanguage },
    { ...place, sourceLanguage: anyLanguage, targetLanguage: anyLanguage },
  ]
  for (const exact of places) {
    const line = byKey.get(lineKey(exact))
    if (line) return line
  }
  return undefined
}
