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
  type TextParts,
} from '@dragoman/contract/wire'
import { limitFor } from '../formats/about.ts'
import { type Judgement, judgeFields, type KeyedText, nameOf } from '../formats/compare-delivery.ts'
import type { Named } from '../formats/find-format.ts'
import type { Segment } from '../formats/format.ts'
import { judgeFile } from '../formats/whole-files.ts'
import type { CodePart, Part } from '../placeholders/part.ts'
import { buildParts, rawOf } from '../placeholders/parts.ts'
import { joined, toWire } from '../placeholders/wire-texts.ts'
import { type KnownTerm, openTerms, type TermMatcher } from '../terms/open-terms.ts'
import type { Languages } from './check-text.ts'
import { checkTexts, type TextUnit } from './check-texts.ts'
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
      units = unitsOf(before, after, layoutOnly.has(format), asked.limit)
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

const withTerms = (units: readonly TextUnit[], matcher: TermMatcher): TextUnit[] =>
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

/** Formats in which white space is layout. */
const layoutOnly: ReadonlySet<string> = new Set([
  'html',
  'markdown',
  'xml',
  'docx',
  'pptx',
  'xlsx',
  'text',
  'zip',
])

type Unit = Pick<Segment, 'id' | 'parts' | 'target' | 'about'>

/** Texts with their translations, by id. Numbered ids pair only if there are as many of them. */
function unitsOf(
  before: readonly Unit[],
  after: readonly Unit[],
  loose: boolean,
  limit: unknown,
): TextUnit[] {
  if (before.length !== after.length && before.every(({ id }) => /^s?\d{1,9}$/.test(id))) return []
  const translated = new Map(after.map((unit) => [unit.id, unit]))
  const isBilingual = after.some(({ target }) => target)
  return before.flatMap(({ id, parts, about }) => {
    const maxLength = about?.maxLength ?? limitFor(limit, id)
    const unit = translated.get(id)
    const target = isBilingual ? unit?.target : unit?.parts
    if (!target) return []
    if (hasBranches(parts))
      return [{ id, source: [rawOf(parts)], tags: [], target: [rawOf(target)], loose, maxLength }]
    const { text, tags } = toWire(parts)
    return [
      { id, source: text, tags: [...tags], target: targetOf(parts, target), loose, maxLength },
    ]
  })
}

/** The branches of a plural differ by language: such texts are compared as they are written. */
const hasBranches = (parts: readonly Part[]): boolean =>
  parts.some((part) => part.type === 'code' && part.kind === 'icu')

/**
 * The codes of the target by the numbers of the source: the same code, else one of the same name
 * with other attributes.
 */
function targetOf(source: readonly Part[], target: readonly Part[]): TextParts {
  const codes = source.filter((part) => part.type === 'code')
  const [byRaw, byName] = [new Map<string, number[]>(), new Map<string, number[]>()]
  codes.forEach((code, at) => {
    queue(byRaw, code.raw).push(at + 1)
    queue(byName, namedAs(code)).push(at + 1)
  })
  const used = new Set<number>()
  const take = (numbers: number[] | undefined): number | undefined => {
    while (numbers?.[0] !== undefined && used.has(numbers[0])) numbers.shift()
    const number = numbers?.shift()
    if (number !== undefined) used.add(number)
    return number
  }
  const pieces = target.map((part) => {
    if (part.type === 'text') return part.text
    const tag =
      take(byRaw.get(part.raw)) ??
      (part.kind.startsWith('tag') ? take(byName.get(namedAs(part))) : undefined)
    return tag === undefined ? part.raw : { tag }
  })
  return joined(pieces)
}

const namedAs = (code: CodePart): string => nameOf(code) ?? code.raw

function queue(queues: Map<string, number[]>, name: string): number[] {
  const found = queues.get(name) ?? []
  queues.set(name, found)
  return found
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
