/**
 * Corrections of reviewers, with their texts open. One that waits is shown to the connector's side
 * beside the delivered target; one that was delivered is shown to the provider.
 */
import type { TextParts } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { CorrectionRow } from '../../../store/tables.ts'
import { openNote } from '../../files/seals/notes.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import type { RequestPath } from '../drafts.ts'
import { selectCorrections } from './correction-rows.ts'

export type Correction = Pick<
  CorrectionRow,
  'base_version' | 'bytes' | 'changed_by' | 'delivered_by'
> & {
  /** What waits. */
  readonly target?: TextParts
  readonly delivered?: TextParts
}
export type Corrections = ReadonlyMap<string, Correction>

export async function readCorrections(
  hub: Hub,
  at: RequestPath,
  segmentIds: readonly string[],
  db = hub.db.read,
): Promise<Corrections> {
  const rows = await selectCorrections(db, at, segmentIds)
  return new Map(rows.map((row) => [row.segment_id, openCorrection(hub, row)]))
}

export function openCorrection(hub: Hub, row: CorrectionRow): Correction {
  const { base_version, bytes, changed_by, delivered_by } = row
  const [target, delivered] = [row.target, row.delivered].map((sealed) => openNote(hub, sealed))
  return {
    ...{ base_version, bytes: Number(bytes), changed_by, delivered_by },
    ...(target && { target: JSON.parse(target) as TextParts }),
    ...(delivered && { delivered: JSON.parse(delivered) as TextParts }),
  }
}

/** Of the present delivery; one of an older delivery waits for somebody to write it again. */
export const isWaiting = (
  correction: Correction | undefined,
  { desk_version, status }: Pick<OneRequest, 'desk_version' | 'status'>,
): correction is Correction & { readonly target: TextParts } =>
  correction?.target !== undefined &&
  status === 'REVIEW_TRANSLATION' &&
  correction.base_version === (desk_version ?? 0)
