/** What the hub knows of a target that it filled in: JSON in the row of the draft. */
import type { FillSource, RiskReason, TextParts } from '@dragoman/contract'

export type Filled = {
  readonly from: FillSource
  /** Of a match of the memory. */
  readonly percent?: number
  readonly adapted?: true
  readonly engine?: { readonly providerId: string; readonly name: string }
  readonly risk?: number
  readonly reasons?: readonly RiskReason[]
}

export type FoundTarget = { readonly target: TextParts; readonly filled: Filled }

/** Only these are confirmed without a person. */
export const isCertain = ({ from, percent, adapted }: Filled): boolean =>
  from === 'REPEATS' || (from === 'MEMORY' && percent === 100 && !adapted)
