/** Finds the terms of a list in texts. */

import type { TermEntry } from '@dragoman/contract'
import { type KnownTerm, openTerms, type TermMatcher } from '../terms/open-terms.ts'
import { spelledLanguage } from '../terms/term-content.ts'

/** A term and its translation. Several with the same source are one term. */
export type TermPair = {
  /** The term in the source language. */
  readonly source: string
  /** Its translation. */
  readonly target: string
  /** PREFERRED by default; a FORBIDDEN translation must not be used. */
  readonly status?: 'PREFERRED' | 'ALLOWED' | 'FORBIDDEN'
}

/** The languages of a text and its translation, such as `en` and `de-DE`. */
export type LanguagePair = {
  /** The language of the source. */
  readonly sourceLanguage: string
  /** The language of the translation. */
  readonly targetLanguage: string
}

/** A term that was found in a text. */
export type FoundTerm = {
  /** The term as it is listed; the text may have another form of it. */
  readonly term: string
  /** Where it begins in the text. */
  readonly start: number
  /** Where it ends; exclusive. */
  readonly end: number
  /** The translations to use, the preferred ones first. */
  readonly translations: readonly string[]
  /** The translations that must not be used. */
  readonly forbidden: readonly string[]
}

/** A list of terms, ready for texts. */
export type TermList = {
  /** The terms of a source text from left to right; of several at one place the longest. */
  readonly find: (text: string) => FoundTerm[]
  /** For `checkTranslation` and `checkFile`. */
  readonly matcher: TermMatcher
}

/**
 * Opens a list of terms for a pair of languages. It finds terms in all their forms: plurals and
 * cases, and in capital letters.
 *
 * @example
 * import { openTermList } from '@dragoman/text'
 *
 * const languages = { sourceLanguage: 'en', targetLanguage: 'de' }
 * const terms = await openTermList([{ source: 'invoice', target: 'Rechnung' }], languages)
 * const [found] = terms.find('Your invoices are ready.')
 * console.log(found?.term, found?.start, found?.translations) // invoice 5 [ 'Rechnung' ]
 */
export async function openTermList(
  pairs: Iterable<TermPair>,
  { sourceLanguage, targetLanguage }: LanguagePair,
): Promise<TermList> {
  const terms = new Map<string, TermEntry[]>()
  for (const { source, target, status = 'PREFERRED' } of pairs) {
    const entries = terms.get(source) ?? [
      { language: spelledLanguage(sourceLanguage), text: source, status: 'PREFERRED' },
    ]
    entries.push({ language: spelledLanguage(targetLanguage), text: target, status })
    terms.set(source, entries)
  }
  const known = [...terms.values()].map(
    (entries, at): KnownTerm => ({ termId: `${at + 1}`, entries }),
  )
  const matcher = await openTerms(known, sourceLanguage, targetLanguage)
  return {
    matcher,
    find: (text) =>
      matcher.findTerms(text).map((hit) => ({
        term: hit.text,
        start: hit.start,
        end: hit.end,
        translations: textsOf(hit, false),
        forbidden: textsOf(hit, true),
      })),
  }
}

type Hit = ReturnType<TermMatcher['findTerms']>[number]
const textsOf = ({ translations }: Hit, isForbidden: boolean): string[] =>
  translations
    .filter(({ status }) => (status === 'FORBIDDEN') === isForbidden)
    .map(({ text }) => text)
