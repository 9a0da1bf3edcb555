/** A fault that was set: what it does, for whom, how often it still acts. */

import type { ScenarioName } from '@dragoman/certify/scenarios'
import type { Duration } from '@dragoman/contract'

export type FaultOrder = {
  readonly scenario: ScenarioName
  readonly times?: number
  /** Applies to every nth call, task or delivery that matches; to each by default. */
  readonly every?: number
  readonly label?: string
  readonly provider?: string
  readonly client?: string
  readonly jobId?: string
  readonly seconds?: number
  readonly by?: Duration
}

export type Fault = FaultOrder & {
  readonly id: string
  readonly times: number
  left: number
  /** How many it could have acted on. */
  met: number
  /** The token that it refuses. */
  held?: string | undefined
}

/** Whether it acts on this one. Asked once for each call, task or delivery that it fits. */
export function acts(fault: Fault): boolean {
  fault.met += 1
  if (fault.met % (fault.every ?? 1) !== 0) return false
  fault.left -= 1
  return true
}

export const actedOf = ({ times, left }: Fault): number => times - left

/** As GET /sandbox/faults shows it. */
export const describeFault = ({ by, held: _, met: _met, ...fault }: Fault) => ({
  ...fault,
  ...(by && { by: `${by.count}${by.unit}` }),
  acted: fault.times - fault.left,
})
