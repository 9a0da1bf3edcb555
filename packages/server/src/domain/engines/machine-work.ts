/**
 * Who translated each segment of a machine translation, and its risk. One row for a request,
 * written with its translation; it counts only while the request has that translation. Suggestions
 * for people lie in the same row, under whatever people write.
 */
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
import type { StoredMachineWork, StoredSuggestions } from './machine-segments.ts'

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

/** As JSON of `StoredSuggestions`: a worker parses it, because it may be large. */
export const readSuggestions = async (
  hub: Hub,
  request: RequestPlace,
): Promise<string | undefined> =>
  openNote(hub, await selectSuggestions(hub.db.read, request)) ?? undefined

/** The translation id of suggestions begins so. */
const suggestionPrefix = 'drafts:'

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
  const basis = work.find(({ origin }) => origin !== 'MEMORY')?.basis
  const stored: StoredMachineWork = {
    origins,
    ...(basis && { basis }),
    segments: Object.fromEntries(segments),
  }
  return JSON.stringify(stored)
}

type Translation = {
  readonly translation_file_id: string | null
  readonly translation_content_id: string | null
}

/** The machine's work on a request, as JSON for `readMachineWork`. */
export type MachineRow = {
  readonly segments: string
  /** It is that of the translation that the request has now, or of its suggestions. */
  readonly isShown: boolean
  /** It is that of its suggestions, also when people have delivered. */
  readonly isSuggested: boolean
}

export async function findMachineWork(
  hub: Hub,
  request: RequestPlace & Translation,
): Promise<MachineRow | undefined> {
  const row = await selectMachineWork(hub.db.read, request)
  if (!row) return undefined
  const translation = request.translation_file_id ?? request.translation_content_id
  const isSuggested = row.translation_id.startsWith(suggestionPrefix)
  const isShown = translation === null ? isSuggested : row.translation_id === translation
  return isShown || isSuggested ? { segments: row.segments, isShown, isSuggested } : undefined
}
