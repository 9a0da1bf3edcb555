/** What the check `terms` says of a translation. */
import type { TextParts } from '@dragoman/contract'
import type { Pause } from '../terms/listed-term.ts'
import type { TermFinding, TermMatcher } from '../terms/open-terms.ts'
import type { Told } from './rule.ts'

export const termSentences = (matcher: TermMatcher, source: TextParts, target: TextParts): Told[] =>
  matcher.judgeTerms(textOf(source), textOf(target)).map(sentenceOf)

/** The check tells the first ones only. */
const mostTold = 10

/** The same with pauses, for texts of any length. */
export const termSentencesInTurns = async (
  matcher: TermMatcher,
  source: TextParts,
  target: TextParts,
  pause: Pause,
): Promise<Told[]> =>
  (await matcher.judgeTermsInTurns(textOf(source), textOf(target), pause))
    .slice(0, mostTold)
    .map(sentenceOf)

/** A tag stands between words. */
export const textOf = (parts: TextParts): string =>
  parts.map((part) => (typeof part === 'string' ? part : ' ')).join('')

function sentenceOf({ kind, term, wanted }: TermFinding): Told {
  const names = wanted.slice(0, 3)
  const use = names.map((one) => `"${one}"`).join(' or ')
  if (kind === 'missing')
    return {
      message: `The term "${term}" of the source should be ${use}.`,
      fact: { says: 'missing', term, names },
    }
  const instead = use === '' ? '' : `; use ${use}`
  const fact = use === '' ? { says: 'forbidden', term } : { says: 'instead', term, names }
  return { message: `The term "${term}" is forbidden${instead}.`, fact }
}
