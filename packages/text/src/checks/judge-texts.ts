/**
 * The checks of a delivered file or of delivered fields, in the same pass that compares it with its
 * source. Pure, and run in a worker because the delivery is untrusted. Lost and added tags are told
 * by that comparison already.
 */
import {
  type CheckName,
  type CheckSettings,
  type CheckSeverity,
  checkNames,
} from '@dragoman/contract/wire'
import { type Judgement, judgeFields, type KeyedText } from '../formats/compare-delivery.ts'
import type { Named } from '../formats/find-format.ts'
import { judgeFile } from '../formats/whole-files.ts'
import { buildParts } from '../placeholders/parts.ts'
import { type KnownTerm, openTerms, type TermMatcher } from '../terms/open-terms.ts'
import type { Languages } from './check-text.ts'
import { checkTexts, type TextUnit } from './check-texts.ts'
import { isLayoutOnly, unitsOf } from './file-units.ts'
import { show } from './read-text.ts'
import { termSentences } from './term-sentences.ts'

/** What was found by one check, in a sentence that names the first place. */
export type CheckSentence = {
  readonly check: CheckName
  readonly severity: CheckSeverity
  readonly says: string
}
export type CheckedDelivery = Judgement & { readonly checks: readonly CheckSentence[] }
export type DeliveryRules = Languages & {
  readonly severities: CheckSettings
  readonly terms?: readonly KnownTerm[]
  /** `maxLength` of the request's metadata. */
  readonly limit?: unknown
}

export async function judgeCheckedFile(
  named: Named,
  source: Uint8Array,
  delivery: Uint8Array,
  asked: DeliveryRules,
): Promise<CheckedDelivery> {
  let units: TextUnit[] = []
  const judgement = judgeFile(
    { ...named, about: true },
    source,
    delivery,
    (before, after, format) => {
      units = unitsOf(before, after, isLayoutOnly(format), asked.limit)
    },
  )
  return {
    ...judgement,
    checks: sentencesOf(withTerms(units, await matcherOf(asked)), asked, 'unit'),
  }
}

const matcherOf = ({
  terms = [],
  sourceLanguage,
  targetLanguage,
}: DeliveryRules): Promise<TermMatcher> => openTerms(terms, sourceLanguage, targetLanguage)

export const withTerms = (units: readonly TextUnit[], matcher: TermMatcher): TextUnit[] =>
  units.map((unit) => ({ ...unit, terms: termSentences(matcher, unit.source, unit.target) }))

/** `matcher`: the terms, if they are ready; else those of `asked`. */
export async function judgeCheckedFields(
  source: readonly KeyedText[],
  delivery: readonly KeyedText[],
  asked: DeliveryRules,
  matcher?: TermMatcher,
): Promise<CheckedDelivery> {
  const asUnits = (fields: readonly KeyedText[]) =>
    fields.map(({ key, value }) => ({
      id: key,
      parts: buildParts([{ text: value }], (same) => same),
    }))
  const units = unitsOf(asUnits(source), asUnits(delivery), false, asked.limit)
  return {
    ...judgeFields(source, delivery),
    checks: sentencesOf(withTerms(units, matcher ?? (await matcherOf(asked))), asked, 'key'),
  }
}

/** The comparison tells about these, unless the site asks for them by name. */
const compared: readonly CheckName[] = ['tags.missing', 'tags.extra']

function sentencesOf(
  units: readonly TextUnit[],
  asked: DeliveryRules,
  what: string,
): CheckSentence[] {
  const first = new Map<
    CheckName,
    {
      readonly sentence: Omit<CheckSentence, 'says'>
      readonly id: string
      readonly message: string
      more: number
    }
  >()
  const { severities, sourceLanguage, targetLanguage } = asked
  for (const { id, findings } of checkTexts(units, {
    severities,
    sourceLanguage,
    targetLanguage,
    mends: false,
  }))
    for (const { check, severity, message } of findings) {
      const known = first.get(check)
      if (known) known.more += 1
      else first.set(check, { sentence: { check, severity }, id, message, more: 0 })
    }
  return checkNames.flatMap((check) => {
    const found = first.get(check)
    if (!found || (compared.includes(check) && asked.severities[check] === undefined)) return []
    const { id, more, message, sentence } = found
    const others = more > 0 ? ` and ${more} more` : ''
    return [
      {
        ...sentence,
        says: show(`${check} in the ${what} "${show(id, 80)}"${others}: ${message}`, 300),
      },
    ]
  })
}
