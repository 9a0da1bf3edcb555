/**
 * Who translated each segment of a machine translation, and its risk. One row for a request, written with its translation; it counts
 * only while the request has that translation.
 */
import type { RiskReason } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { MachineSegment, Origin } from './drivers/driver.ts'
import { type RequestPlace, selectMachineWork, writeMachineWork } from './machine-rows.ts'

type Stored = {
  readonly origins: readonly Origin[]
  readonly segments: Readonly<Record<string, readonly [origin: number, risk: number, ...reasons: RiskReason[]]>>
}

export async function recordMachineWork(
  tx: Db,
  { site_id, job_id, request_id }: RequestPlace,
  translation_id: string,
  work: readonly MachineSegment[],
): Promise<void> {
  if (work.length === 0) return
  const origins = new Map<string, { readonly at: number; readonly origin: Origin }>()
  const segments = work.map(({ id, origin, risk, reasons }) => {
    const name = JSON.stringify(origin)
    const { at } = origins.get(name) ?? { at: origins.size }
    origins.set(name, { at, origin })
    return [id, [at, risk, ...reasons]] as const
  })
  const stored: Stored = {
    origins: [...origins.values()].map(({ origin }) => origin),
    segments: Object.fromEntries(segments),
  }
  await writeMachineWork(tx, { site_id, job_id, request_id, translation_id, segments: JSON.stringify(stored) })
}

type Translation = { readonly translation_file_id: string | null; readonly translation_content_id: string | null }

/** By the id of a segment in the content. A sentence has what its paragraph has. */
export type MachineWorkOf = (unit: string) => Omit<MachineSegment, 'id'> | undefined

/** Of the translation that the request has now. */
export async function openMachineWork(hub: Hub, request: RequestPlace & Translation): Promise<MachineWorkOf> {
  const row = await selectMachineWork(hub.engine.read, request)
  const translation = request.translation_file_id ?? request.translation_content_id
  if (!row || row.translation_id !== translation) return () => undefined
  const { origins, segments }: Stored = JSON.parse(row.segments)
  return (unit) => {
    const name = Object.hasOwn(segments, unit) ? unit : unit.replace(/~s\d{1,9}$/, '')
    const found = Object.hasOwn(segments, name) ? segments[name] : undefined
    const origin = found && origins[found[0]]
    if (!found || !origin) return undefined
    const [, risk, ...reasons] = found
    return { origin, risk, reasons }
  }
}
