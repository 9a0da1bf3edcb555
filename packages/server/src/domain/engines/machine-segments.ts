/**
 * What a row of a machine's work holds, by the ids of segments in the content. Pure: a worker reads
 * it, because it may be large.
 */
import type { RiskReason } from '@dragoman/contract'
import type { Part } from '@dragoman/text/formats'
import type { MachineSegment, Origin } from './drivers/driver.ts'
import { type Basis, signsOnly } from './quality/basis.ts'

export type StoredMachineWork = {
  readonly origins: readonly Origin[]
  /** Of the risks; absent: signs alone. */
  readonly basis?: Basis
  readonly segments: Readonly<
    Record<string, readonly [origin: number, risk: number, ...reasons: RiskReason[]]>
  >
}

/** The keys are the ids of segments. */
export type StoredSuggestions = {
  readonly texts: Readonly<Record<string, readonly Part[]>>
  readonly open: Readonly<Record<string, string>>
  readonly because?: string
}

/** By the id of a segment in the content. A sentence has what its paragraph has. */
export type MachineWorkOf = (unit: string) => Omit<MachineSegment, 'id'> | undefined

export function readMachineWork(stored: string): MachineWorkOf {
  const { origins, basis = signsOnly, segments }: StoredMachineWork = JSON.parse(stored)
  return (unit) => {
    const name = Object.hasOwn(segments, unit) ? unit : unit.replace(/~s\d{1,9}$/, '')
    const found = Object.hasOwn(segments, name) ? segments[name] : undefined
    const origin = found && origins[found[0]]
    if (!found || !origin) return undefined
    const [, risk, ...reasons] = found
    return { origin, risk, reasons, basis: origin === 'MEMORY' ? signsOnly : basis }
  }
}
