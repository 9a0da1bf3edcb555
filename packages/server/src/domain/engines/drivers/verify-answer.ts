/**
 * Judges one answer of an engine against its source: it is refused with a reason, or taken with its
 * risk. Engines return what is wrong with status 200, so nothing is taken on trust.
 */

import type { RiskReason } from '@dragoman/contract'
import { compareNumbers, languageOf, linksIn, wordsIn } from '@dragoman/text/checks'
import { findOutsideXml, type Part } from '@dragoman/text/formats'
import { fromMarkers, type MarkerStyle, slot } from '@dragoman/text/placeholders'
import type { TermMatcher } from '@dragoman/text/terms'
import { type LanguageJudge, weightOf } from './answer-language.ts'
import type { Answer } from './dialects/dialect.ts'

const weights: Readonly<Record<RiskReason, number>> = {
  SAME_AS_SOURCE: 50,
  NUMBERS: 40,
  LENGTH: 20,
  LANGUAGE: 30,
  UNKNOWN_WORDS: 15,
  TERMS: 30,
  ASKED_AGAIN: 15,
  IN_PIECES: 10,
}

export type Risk = { readonly risk: number; readonly reasons: readonly RiskReason[] }
export type Taken = Risk & {
  readonly parts: readonly Part[]
  /** The engine's own. */
  readonly logProbability?: number
}
export type Verdict = Taken | { readonly failure: string }

/** `share`: how many of the words the engine does not know. */
export function riskOf(reasons: readonly RiskReason[], share = 0): Risk {
  const sum = reasons.reduce((all, reason) => all + weights[reason], Math.round(share * 60))
  return { risk: Math.min(sum, 100), reasons }
}

/** The risk of a text is that of its worst part. */
export const worstOf = (risks: readonly Risk[]): Risk => ({
  risk: Math.max(0, ...risks.map(({ risk }) => risk)),
  reasons: [...new Set(risks.flatMap(({ reasons }) => reasons))],
})

export type Sent = {
  readonly parts: readonly Part[]
  /** As it was sent. */
  readonly text: string
  readonly style: MarkerStyle
}
export type Judging = {
  /** Whether a translation uses the terms of its source. */
  readonly terms?: TermMatcher | undefined
  readonly sourceLanguage: string
  readonly targetLanguage: string
  readonly language: LanguageJudge
}

export function judgeAnswer(
  { parts, text, style }: Sent,
  answer: Answer | undefined,
  judging: Judging,
): Verdict {
  if (answer === undefined) return { failure: 'the engine returned no translation of it' }
  const [came, unknown] = typeof answer === 'string' ? [answer, 0] : [answer.text, answer.unknown]
  const failure = implausible(came, text)
  if (failure !== undefined) return { failure }
  const read = fromMarkers(came, parts, style)
  if ('failure' in read) return read
  const [source, target] = [plainOf(parts), plainOf(read.parts)]
  if (entity.test(target) && !entity.test(source))
    return { failure: 'it contains an entity that was never sent' }
  const sure =
    typeof answer === 'object' && answer.logProbability !== undefined
      ? { logProbability: answer.logProbability }
      : {}
  if (isSameText(source, target))
    return { parts: read.parts, ...sure, ...riskOf(['SAME_AS_SOURCE']) }
  const judged = judgeTexts(source, target, judging)
  if ('failure' in judged) return judged
  const share = unknown === 0 ? 0 : Math.min(1, unknown / Math.max(1, wordsIn(source).length))
  const reasons: RiskReason[] =
    unknown === 0 ? judged.reasons : [...judged.reasons, 'UNKNOWN_WORDS']
  return { parts: read.parts, ...sure, ...riskOf(reasons, share) }
}

/**
 * Engines escape once what they get as HTML; what is still escaped after that would be seen by
 * readers.
 */
const entity = /&(?:[a-z]{2,8}|#\d{2,6}|#x[\da-f]{2,6});/i

function plainOf(parts: readonly Part[]): string {
  let text = ''
  for (const part of parts) text += part.type === 'text' ? part.text : slot
  return text
}

/** Names and codes are the same in many languages, also in capitals. */
const isSameText = (source: string, target: string): boolean =>
  firstOf(source) === firstOf(target) && foldOf(source) === foldOf(target)
const firstOf = (text: string): string => text.trimStart().charAt(0).toLowerCase().charAt(0)
const foldOf = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** Texts of this weight are compared by their length. */
const comparedWeight = 40
/**
 * The length of human translations between 94 languages: 1 in 1,000 is shorter than the first, none
 * longer than the last.
 */
const lengths = { refusedBelow: 0.4, usualFrom: 0.6, usualTo: 2, refusedAbove: 4 }

function judgeTexts(
  source: string,
  target: string,
  judging: Judging,
): { failure: string } | { reasons: RiskReason[] } {
  const reasons: RiskReason[] = []
  const weight = weightOf(source)
  if (weight >= comparedWeight) {
    const ratio = weightOf(target) / weight
    if (ratio < lengths.refusedBelow) return { failure: 'it is far too short' }
    if (ratio > lengths.refusedAbove) return { failure: 'it is far too long' }
    if (ratio < lengths.usualFrom || ratio > lengths.usualTo) reasons.push('LENGTH')
  }
  const numbers = numbersOf(source, target, judging)
  if (typeof numbers === 'object') return numbers
  if (numbers) reasons.push('NUMBERS')
  const language = judging.language(target.replaceAll(slot, ' '))
  if (typeof language === 'object')
    return { failure: `it is not in the language that was asked for (${language.other})` }
  if (language === 'unsure') reasons.push('LANGUAGE')
  if (
    judging.terms &&
    judging.terms.judgeTerms(source.replaceAll(slot, ' '), target.replaceAll(slot, ' ')).length > 0
  )
    reasons.push('TERMS')
  return { reasons }
}

/**
 * Refused only where no person would write so: calendars, units and words explain most differences,
 * and people make mistakes, too. All others are a risk.
 */
function numbersOf(
  source: string,
  target: string,
  judging: Judging,
): boolean | { failure: string } {
  if (!/\p{Nd}/u.test(source) && !/\p{Nd}/u.test(target)) return false
  const [from, to] = [languageOf(judging.sourceLanguage), languageOf(judging.targetLanguage)]
  const changed = compareNumbers(linksIn(source).rest, linksIn(target).rest, from, to)
  if (!changed) return false
  return changed.sure ? { failure: lowerFirst(changed.found.message.replace(/\.$/, '')) } : true
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

/** An answer this much longer than its text is refused. */
const maxGrowth = 10
const maxExtraLength = 200

/** Signs of a bad translation that markers do not show. */
function implausible(answer: string, text: string): string | undefined {
  if (!/\p{L}/u.test(answer)) return 'there is no word in it'
  if (answer.length > text.length * maxGrowth + maxExtraLength) return 'it is far too long'
  if (madeUpTag.test(answer) && !/&lt;[a-z/!?]|<(?![xg/])/i.test(text))
    return 'it contains markup that was never sent'
  const letter = findOutsideXml(answer)
  if (
    letter !== undefined &&
    !text.includes(String.fromCodePoint(Number.parseInt(letter.slice(2), 16)))
  )
    return `it contains the character ${letter}, which was never sent`
  return undefined
}

/** Any tag except our markers, which are checked one by one. */
const madeUpTag = /<(?!\/?[xg][\s/>])[a-z/!?]/i
