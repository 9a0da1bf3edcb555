/**
 * The list being edited: kept in the browser's tab until it is saved or discarded, and checked by
 * the hub.
 */
import type { NewPriceList, PriceLine } from '@dragoman/contract/wire'
import { useEffect, useState } from 'react'
import { credentials } from '../../hub.ts'
import { type Faults, faultsOf } from '../../parts/fields.tsx'
import { useAct } from '../../queries.ts'
import type { Cell } from './price-matrix.tsx'

/** Percentages are text while they are typed. */
export type DraftBand = Omit<NewPriceList['bands'][number], 'minPercent' | 'maxPercent'> & {
  readonly minPercent?: string
  readonly maxPercent?: string
}
export type Draft = Omit<NewPriceList, 'bands'> & {
  readonly bands: readonly DraftBand[]
  /** Languages whose cells may be empty. */
  readonly sources: readonly string[]
  readonly targets: readonly string[]
}

/** Input is checked after this pause in typing. */
const pauseMs = 400
const slot = (from: string): string => `dragoman:prices:${credentials.siteId}:${from}`

export function draftOf(list: NewPriceList, validFrom: string): Draft {
  const { name, currency, minimumFee, managementFeePercent, bands, lines } = list
  return {
    name,
    currency,
    validFrom,
    ...(minimumFee !== undefined && { minimumFee }),
    ...(managementFeePercent !== undefined && { managementFeePercent }),
    bands: bands.map(({ minPercent, maxPercent, ...band }) => ({
      ...band,
      ...(minPercent !== undefined && { minPercent: String(minPercent) }),
      ...(maxPercent !== undefined && { maxPercent: String(maxPercent) }),
    })),
    lines,
    sources: [...new Set(lines.map(({ sourceLanguage }) => sourceLanguage))],
    targets: [...new Set(lines.map(({ targetLanguage }) => targetLanguage))],
  }
}

/**
 * In the form that the hub accepts: empty fields are left out; a percentage that is not a number
 * stays text for the hub to refuse.
 */
export function listOf(draft: Draft): NewPriceList {
  const {
    sources: _,
    targets: __,
    bands,
    validTo,
    minimumFee,
    managementFeePercent,
    lines,
    ...rest
  } = draft
  const percent = (text: string) => (/^\d{1,3}$/.test(text) ? Number(text) : text) as number
  return {
    ...rest,
    ...(validTo && { validTo }),
    ...(minimumFee && { minimumFee }),
    ...(managementFeePercent && { managementFeePercent }),
    bands: bands.map(({ minPercent, maxPercent, ...band }) => ({
      ...band,
      ...(minPercent && { minPercent: percent(minPercent) }),
      ...(maxPercent && { maxPercent: percent(maxPercent) }),
    })),
    lines: lines.map(({ minimumFee: fee, analysisCodeId, ...line }) => ({
      ...line,
      ...(fee && { minimumFee: fee }),
      ...(analysisCodeId && { analysisCodeId }),
    })),
  }
}

function storedDraft(from: string): Draft | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(slot(from)) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export const forgetDraft = (from: string): void => sessionStorage.removeItem(slot(from))

/** The draft, and every fault that the hub finds in it while you type. */
export function useDraft(from: string, begin: () => Draft) {
  const [draft, setDraft] = useState<Draft>(() => storedDraft(from) ?? begin())
  const check = useAct('tryPriceList')
  const { mutate } = check
  useEffect(() => {
    const timer = setTimeout(() => {
      sessionStorage.setItem(slot(from), JSON.stringify(draft))
      mutate({ body: listOf(draft) })
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [from, draft, mutate])
  const faults: Faults = check.error
    ? faultsOf(check.error)
    : new Map((check.data?.faults ?? []).map(({ path, message }) => [path, message]))
  return {
    draft,
    setDraft,
    faults,
    failure: faults.size === 0 ? check.error : null,
    isChecked: !check.isPending,
  }
}

export const isAt =
  (service: string, { source, target }: Cell) =>
  (line: PriceLine): boolean =>
    line.service === service && line.sourceLanguage === source && line.targetLanguage === target

/** An empty price removes the line; any other changes or adds it. */
export function withPrice(draft: Draft, service: string, cell: Cell, unitPrice: string): Draft {
  const is = isAt(service, cell)
  if (unitPrice === '') return { ...draft, lines: draft.lines.filter((line) => !is(line)) }
  if (draft.lines.some(is))
    return {
      ...draft,
      lines: draft.lines.map((line) => (is(line) ? { ...line, unitPrice } : line)),
    }
  const line: PriceLine = {
    service,
    sourceLanguage: cell.source,
    targetLanguage: cell.target,
    unit: 'Word',
    unitPrice,
  }
  return { ...draft, lines: [...draft.lines, line] }
}

/** The faults of a cell: of its line, or of any field of the line. */
export function faultAt(
  draft: Draft,
  service: string,
  faults: Faults,
  cell: Cell,
): string | undefined {
  const at = draft.lines.findIndex(isAt(service, cell))
  if (at < 0) return undefined
  const found = [...faults].find(
    ([path]) => path === `lines[${at}]` || path.startsWith(`lines[${at}].`),
  )
  return found?.[1]
}
