/**
 * Runs in a worker: the checks of texts and of whole deliveries. Long lists come and go in pages.
 */
import type { CheckName } from '@dragoman/contract/wire'
import {
  type CheckedDelivery,
  type CheckFinding,
  checkText,
  checkTexts,
  compareUnits,
  type DeliveryRules,
  judgeCheckedFields,
  judgeCheckedFile,
  type Languages,
  type Severities,
  type TextPair,
  type TextUnit,
} from '@dragoman/text/checks'
import type { KeyedText, Named } from '@dragoman/text/formats'
import type { KnownTerm } from '@dragoman/text/terms'
import { itemsIn, type Pages, pagesOf } from './pages.ts'

export { checkText } from '@dragoman/text/checks'

type PagedRules = Omit<DeliveryRules, 'terms'> & {
  /** The `KnownTerm`s. */
  readonly terms: Pages
}
const withTerms = ({ terms, ...asked }: PagedRules): DeliveryRules => ({
  ...asked,
  terms: [...itemsIn<KnownTerm>(terms)],
})

export const judgeFile = (
  named: Named,
  source: Uint8Array,
  delivery: Uint8Array,
  asked: PagedRules,
): Promise<CheckedDelivery> => judgeCheckedFile(named, source, delivery, withTerms(asked))

export const judgeFields = (
  source: readonly KeyedText[],
  delivery: readonly KeyedText[],
  asked: PagedRules,
): Promise<CheckedDelivery> => judgeCheckedFields(source, delivery, withTerms(asked))

/** Characters for which fixes are worked out in one call: each is a check of its text again. */
const mostMended = 512 * 1024

/** The findings of each pair, in the order given. */
export function checkEach(pairs: readonly (TextPair & Languages)[]): CheckFinding[][] {
  let mended = 0
  return pairs.map((pair) => {
    const found = checkText(pair, { mends: mended < mostMended })
    for (const part of pair.target)
      mended += (typeof part === 'string' ? part.length : 1) * found.length
    return found
  })
}

/** `TextPair`s of these languages; pages of `CheckFinding[]`. */
export const checkEachPaged = (pairs: Pages, languages: Languages): Pages =>
  pagesOf(checkEach([...itemsIn<TextPair>(pairs)].map((pair) => ({ ...pair, ...languages }))))

/** A text of a delivery, its place in its desk, and why somebody keeps what is found there. */
export type DeskUnit = TextUnit & {
  readonly place: number
  readonly reasons?: Readonly<Partial<Record<CheckName, string>>>
}
export type DeskFinding = {
  readonly place: number
  readonly finding: Omit<CheckFinding, 'fix'>
  readonly reason?: string
}

/** Pages of `DeskFinding`s, in the order of the units. */
export function checkPaged(
  given: Pages,
  options: Languages & { readonly severities?: Severities },
): Pages {
  const units = [...itemsIn<DeskUnit>(given)]
  const byId = new Map(units.map((unit) => [unit.id, unit]))
  return pagesOf(
    checkTexts(units, { ...options, mends: false }).flatMap(({ id, findings }): DeskFinding[] => {
      const { place = 0, reasons = {} } = byId.get(id) ?? {}
      return findings.map(({ fix: _, ...finding }) => {
        const reason = reasons[finding.check]
        return { place, finding, ...(reason !== undefined && { reason }) }
      })
    }),
  )
}

/** Pages of pairs: the index of a unit, and its findings. */
export const comparePaged = (units: Pages, targetLanguage: string): Pages =>
  pagesOf(compareUnits([...itemsIn<TextUnit>(units)], targetLanguage))
