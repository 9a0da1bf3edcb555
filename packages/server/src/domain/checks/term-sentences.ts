/** What the check `terms` says of a translation. */
import type { TextParts } from '@dragoman/contract'
import type { TermFinding, TermMatcher } from '../terms/open-terms.ts'

export const termSentences = (matcher: TermMatcher, source: TextParts, target: TextParts): string[] =>
  matcher.judgeTerms(textOf(source), textOf(target)).map(sentenceOf)

const textOf = (parts: TextParts): string => parts.map((part) => (typeof part === 'string' ? part : ' ')).join('')

function sentenceOf({ kind, term, wanted }: TermFinding): string {
  const use = wanted
    .slice(0, 3)
    .map((one) => `"${one}"`)
    .join(' or ')
  if (kind === 'missing') return `The term "${term}" of the source should be ${use}.`
  return `The term "${term}" is forbidden${use === '' ? '' : `; use ${use}`}.`
}
