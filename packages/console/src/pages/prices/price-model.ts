/**
 * The rules of a price list: which line prices a pair, what differs between two lists, which pairs
 * have no price.
 */
import type { NewPriceList, PriceLine, PriceList } from '@dragoman/contract/wire'
import { languageKey } from '../../language-keys.ts'

export const any = '*'
export const usualService = 'Translation'

type Scope = Pick<PriceLine, 'service' | 'sourceLanguage' | 'targetLanguage'>
export const lineKey = ({ service, sourceLanguage, targetLanguage }: Scope): string =>
  [service.toLowerCase(), languageKey(sourceLanguage), languageKey(targetLanguage)].join(' ')

/**
 * The line for a pair, by the hub's rules: the pair itself, then the source, then the target, then
 * any.
 */
export function findLine(lines: readonly PriceLine[], scope: Scope): PriceLine | undefined {
  const { sourceLanguage, targetLanguage } = scope
  const scopes = [
    scope,
    { ...scope, sourceLanguage, targetLanguage: any },
    { ...scope, sourceLanguage: any, targetLanguage },
    { ...scope, sourceLanguage: any, targetLanguage: any },
  ]
  for (const one of scopes) {
    const line = lines.find((other) => lineKey(other) === lineKey(one))
    if (line) return line
  }
  return undefined
}

export const servicesOf = (lines: readonly PriceLine[]): string[] => {
  const found = [...new Set(lines.map(({ service }) => service))]
  return found.length > 0 ? found : [usualService]
}

/** The languages of one side of a service, with "any" last. */
export function languagesOf(
  lines: readonly PriceLine[],
  service: string,
  side: 'sourceLanguage' | 'targetLanguage',
  more: readonly string[] = [],
): string[] {
  const all = [
    ...lines.filter((line) => line.service === service).map((line) => line[side]),
    ...more,
  ]
  const found = [...new Map(all.map((code) => [code, code])).values()]
  return [...found.filter((code) => code !== any).sort(), ...(found.includes(any) ? [any] : [])]
}

export type UsedLanguagePair = {
  readonly sourceLanguage: string
  readonly targetLanguage: string
  readonly jobs: number
}

/** Pairs that jobs use and no line prices. */
export const holesIn = (
  lines: readonly PriceLine[],
  pairs: readonly UsedLanguagePair[],
  service: string,
): UsedLanguagePair[] => pairs.filter((pair) => !findLine(lines, { service, ...pair }))

export type Difference = {
  readonly key: string
  readonly was?: PriceLine
  readonly is?: PriceLine
}

const isSameLine = (one: PriceLine, other: PriceLine): boolean =>
  one.unit === other.unit &&
  sameAmount(one.unitPrice, other.unitPrice) &&
  sameAmount(one.minimumFee ?? '0', other.minimumFee ?? '0') &&
  (one.analysisCodeId ?? '') === (other.analysisCodeId ?? '')

/** The lines that were changed, added or removed. */
export function differences(was: readonly PriceLine[], is: readonly PriceLine[]): Difference[] {
  const before = new Map(was.map((line) => [lineKey(line), line]))
  const after = new Map(is.map((line) => [lineKey(line), line]))
  const found = [...new Set([...before.keys(), ...after.keys()])].map((key): Difference => {
    const [one, other] = [before.get(key), after.get(key)]
    return { key, ...(one && { was: one }), ...(other && { is: other }) }
  })
  return found.filter(({ was: one, is: other }) => !one || !other || !isSameLine(one, other))
}

const decimal = /^(\d+)(?:\.(\d+))?$/

/** Decimal text without meaningless zeros. */
export function plain(text: string): string {
  const [, whole, rest = ''] = decimal.exec(text) ?? []
  if (whole === undefined) return text
  const end = rest.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${end && `.${end}`}`
}

const sameAmount = (one: string, other: string): boolean => plain(one) === plain(other)

/** The exact product of two decimal texts. Undefined while either is being typed. */
export function times(one: string, other: string): string | undefined {
  const [first, second] = [decimal.exec(one), decimal.exec(other)]
  if (!first || !second) return undefined
  const places = (first[2] ?? '').length + (second[2] ?? '').length
  const product = BigInt(first[1] + (first[2] ?? '')) * BigInt(second[1] + (second[2] ?? ''))
  const digits = product.toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  return plain(places > 0 ? `${whole}.${digits.slice(digits.length - places)}` : whole)
}

/**
 * The list in force on a day: the latest start date, then the newest version. Days are compared as
 * text.
 */
export const inForce = (lists: readonly PriceList[], day: string): PriceList | undefined =>
  [...lists]
    .filter(
      ({ validFrom, validTo }) => validFrom <= day && (validTo === undefined || validTo >= day),
    )
    .sort((one, other) =>
      one.validFrom === other.validFrom
        ? other.version - one.version
        : one.validFrom < other.validFrom
          ? 1
          : -1,
    )[0]

/** The list that comes into force next. */
export const nextOf = (lists: readonly PriceList[], day: string): PriceList | undefined =>
  [...lists]
    .filter(({ validFrom }) => validFrom > day)
    .sort((one, other) =>
      one.validFrom === other.validFrom
        ? other.version - one.version
        : one.validFrom > other.validFrom
          ? 1
          : -1,
    )[0]

/** A list to start from. */
export const blank = (day: string): NewPriceList => ({
  name: '',
  currency: 'EUR',
  validFrom: day,
  bands: [
    { name: 'Repetitions', kind: 'Repetition', factor: '0.1' },
    { name: '100 %', kind: 'Exact', factor: '0.2' },
    { name: '75-99 %', kind: 'Fuzzy', minPercent: 75, maxPercent: 99, factor: '0.6' },
    { name: 'New', kind: 'New', factor: '1' },
  ],
  lines: [
    {
      service: usualService,
      sourceLanguage: any,
      targetLanguage: any,
      unit: 'Word',
      unitPrice: '',
    },
  ],
})
