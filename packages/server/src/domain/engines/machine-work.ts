/**
 * Who translated each segment of a machine translation, and its risk. One row for a request,
 * written with its translation; it counts only while the request has that translation. Suggestions
 * for people lie in the same row, under whatever people write.
 */
import type { RiskReason } from '@dragoman/contract'
import type { Part } from '@dragoman/text/formats'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newId } from '../../store/ids.ts'
import { openNote, sealNote } from '../files/seals/notes.ts'
import type { MachineSegment, Origin, Suggested } from './drivers/driver.ts'
import {
  type RequestPlace,
  selectMachineWork,
  selectSuggestions,
  selectUnsuggested,
  writeMachineWork,
} from './machine-rows.ts'

type Stored = {
  readonly origins: readonly Origin[]
  readonly segments: Readonly<
    Record<string, readonly [origin: number, risk: number, ...reasons: RiskReason[]]>
  >
}

export async function recordMachineWork(
  tx: Db,
  { site_id, job_id, request_id }: RequestPlace,
  translation_id: string,
  work: readonly MachineSegment[],
): Promise<void> {
  if (work.length === 0) return
  await writeMachineWork(tx, {
    site_id,
    job_id,
    request_id,
    translation_id,
    segments: segmentsOf(work),
    drafts: null,
  })
}

/** What people of a chain begin with. */
export async function recordSuggestions(
  hub: Hub,
  tx: Db,
  { site_id, job_id, request_id }: RequestPlace,
  { suggestions: { texts, open, because }, machine }: Suggested,
): Promise<void> {
  const stored: StoredSuggestions = {
    texts: Object.fromEntries(texts),
    open: Object.fromEntries(open),
    ...(because && { because }),
  }
  const drafts = sealNote(hub, JSON.stringify(stored))
  const segments = segmentsOf(machine)
  await writeMachineWork(tx, {
    site_id,
    job_id,
    request_id,
    translation_id: `${suggestionPrefix}${newId()}`,
    segments,
    drafts,
  })
}

export const hasUnsuggested = async (db: Db, siteId: string, jobId: string): Promise<boolean> =>
  (await selectUnsuggested(db, siteId, jobId)) !== undefined

export async function readSuggestions(
  hub: Hub,
  request: RequestPlace,
): Promise<StoredSuggestions | undefined> {
  const text = openNote(hub, await selectSuggestions(hub.db.read, request))
  return text === null ? undefined : JSON.parse(text)
}

/** The translation id of suggestions begins so. */
const suggestionPrefix = 'drafts:'

/** The keys are the ids of segments in the content. */
export type StoredSuggestions = {
  readonly texts: Readonly<Record<string, readonly Part[]>>
  readonly open: Readonly<Record<string, string>>
  readonly because?: string
}

function segmentsOf(work: readonly MachineSegment[]): string {
  const origins: Origin[] = []
  const places = new Map<Origin, number>()
  const placeOf = (origin: Origin): number => {
    const name = JSON.stringify(origin)
    const same = origins.findIndex((one) => JSON.stringify(one) === name)
    const at = same < 0 ? origins.push(origin) - 1 : same
    places.set(origin, at)
    return at
  }
  const segments = work.map(
    ({ id, origin, risk, reasons }) =>
      [id, [places.get(origin) ?? placeOf(origin), risk, ...reasons]] as const,
  )
  const stored: Stored = { origins, segments: Object.fromEntries(segments) }
  return JSON.stringify(stored)
}

type Translation = {
  readonly translation_file_id: string | null
  readonly translation_content_id: string | null
}

/** By the id of a segment in the content. A sentence has what its paragraph has. */
export type MachineWorkOf = (unit: string) => Omit<MachineSegment, 'id'> | undefined

/** Opens that of the translation that the request has now, or of its suggestions. */
export async function openMachineWork(
  hub: Hub,
  request: RequestPlace & Translation,
): Promise<MachineWorkOf> {
  const row = await selectMachineWork(hub.db.read, request)
  const translation = request.translation_file_id ?? request.translation_content_id
  const isIts =
    translation === null
      ? row?.translation_id.startsWith(suggestionPrefix)
      : row?.translation_id === translation
  return row && isIts ? read(row.segments) : () => undefined
}

/** Opens that of its suggestions, also when people have delivered. */
export async function openSuggestionWork(hub: Hub, request: RequestPlace): Promise<MachineWorkOf> {
  const row = await selectMachineWork(hub.db.read, request)
  return row?.translation_id.startsWith(suggestionPrefix) ? read(row.segments) : () => undefined
}

function read(stored: string): MachineWorkOf {
  const { origins, segments }: Stored = JSON.parse(stored)
  return (unit) => {
    const name = Object.hasOwn(segments, unit) ? unit : unit.replace(/~s\d{1,9}$/, '')
    const found = Object.hasOwn(segments, name) ? segments[name] : undefined
    const origin = found && origins[found[0]]
    if (!found || !origin) return undefined
    const [, risk, ...reasons] = found
    return { origin, risk, reasons }
  }
}
