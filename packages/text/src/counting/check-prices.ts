/** Checks a price list beyond the form of its fields, and reports every error with its path. */
import { type Detail, HubError, type NewPriceList, placesOf } from '@dragoman/contract'
import { checkBands } from './bands.ts'
import { decimal } from './money.ts'
import { lineKey } from './price-lines.ts'

/** Validity is in whole UTC days. */
export const dayMs = 86_400_000
export const dayOf = (time: number): number => Math.floor(time / dayMs) * dayMs

export type Validity = { readonly validFrom: number; readonly validTo: number | null }

export const faultsOfPriceList = (
  list: NewPriceList,
  days: Validity,
  codeIds: ReadonlySet<string>,
): Detail[] => [
  ...checkHead(list, days),
  ...checkBands(list.bands),
  ...checkLines(list),
  ...checkCodes(list, codeIds),
]

export function mustBePriceList(
  list: NewPriceList,
  days: Validity,
  codeIds: ReadonlySet<string>,
): void {
  const details = faultsOfPriceList(list, days, codeIds)
  const [first] = details
  if (first)
    throw new HubError(
      'PRICE_LIST_INVALID',
      { because: `${first.path}: ${first.message}` },
      { details },
    )
}

function checkHead(list: NewPriceList, { validFrom, validTo }: Validity): Detail[] {
  const found: Detail[] = []
  if (placesOf(list.currency) === undefined)
    found.push({
      path: 'currency',
      message: `${list.currency} is not an ISO 4217 currency code; use one such as EUR.`,
    })
  if (validTo !== null && validTo < validFrom)
    found.push({
      path: 'validTo',
      message: `The last day, ${list.validTo}, is before the first, ${list.validFrom}.`,
    })
  if (decimal(list.managementFeePercent ?? '0').gt(100))
    found.push({
      path: 'managementFeePercent',
      message: 'A management fee can be at most 100 percent.',
    })
  return found
}

function checkLines({ lines }: NewPriceList): Detail[] {
  const seen = new Map<string, number>()
  return lines.flatMap((line, at) => {
    const key = lineKey(line)
    const first = seen.get(key)
    if (first === undefined) {
      seen.set(key, at)
      return []
    }
    const pair = `${line.service} from ${line.sourceLanguage} to ${line.targetLanguage}`
    return [
      {
        path: `lines[${at}]`,
        message: `It overlaps lines[${first}]: both price ${pair}. Keep one of them.`,
      },
    ]
  })
}

function checkCodes({ lines }: NewPriceList, codeIds: ReadonlySet<string>): Detail[] {
  return lines.flatMap(({ analysisCodeId }, at) =>
    analysisCodeId === undefined || codeIds.has(analysisCodeId)
      ? []
      : [
          {
            path: `lines[${at}].analysisCodeId`,
            message: `There is no analysis code ${analysisCodeId} on this site.`,
          },
        ],
  )
}
