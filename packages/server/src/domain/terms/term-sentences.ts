/** What is said about the terms of a translation. */
import type { TermFinding } from './open-terms.ts'

export const termSentences = (findings: readonly TermFinding[]): string[] =>
  findings.map(({ kind, term, wanted }) => {
    const use = wanted.map((text) => `"${text}"`).join(' or ')
    if (kind === 'missing')
      return `The term "${term}" is ${use} in this language; the translation uses neither it nor a form of it.`
    return `"${term}" must not be used${use === '' ? '' : `; use ${use}`}.`
  })
