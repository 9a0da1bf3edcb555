/** What people and deliveries made of an older request, as far as a newer one can take it over. */
import type { SegmentReview, SegmentState, TextParts } from '@dragoman/contract'
import type { Hub } from '../../../../hub.ts'
import type { DraftRow } from '../../../../store/tables.ts'
import { openPauses } from '../../../../turns/pauses.ts'
import { openNote } from '../../../files/seals/notes.ts'
import type { RequestWithFile } from '../request.ts'
import type { OlderTarget, OlderWork } from './find-carried.ts'
import { eachDraft } from './newer-rows.ts'

type Verdict = Omit<SegmentReview, 'version'> & { readonly over?: number }
/** Who wrote a target, and what a reviewer said of it. */
export type Writer = Pick<DraftRow, 'changed_by' | 'by_person' | 'changed_at' | 'kept'> & {
  readonly review?: Verdict | undefined
}
export type Older = { readonly work: OlderWork; readonly writers: ReadonlyMap<string, Writer> }

export async function readOlder(hub: Hub, older: RequestWithFile): Promise<Older> {
  const at = { siteId: older.site_id, jobId: older.job_id }
  const written: OlderTarget[] = []
  const writers = new Map<string, Writer>()
  const pause = openPauses()
  for await (const rows of eachDraft(hub.db.read, at, older.request_id))
    for (const row of rows) {
      const [one, writer] = openRow(hub, row, older)
      written.push(one)
      writers.set(one.segmentId, writer)
      await pause()
    }
  const delivered = older.status === 'TRANSLATION_APPROVED' ? 'APPROVED' : 'TRANSLATED'
  return { work: { written, delivered }, writers }
}

function openRow(hub: Hub, row: DraftRow, older: RequestWithFile): [OlderTarget, Writer] {
  const opened = <T>(sealed: string | null): T | undefined => {
    const text = openNote(hub, sealed)
    return text === null ? undefined : (JSON.parse(text) as T)
  }
  const [draft, delivered] = [opened<TextParts>(row.target), opened<TextParts>(row.delivered)]
  const review = opened<Verdict>(row.review)
  const target = draft ?? delivered
  const isNewer =
    draft !== undefined &&
    (row.version > (older.desk_version ?? 0) || JSON.stringify(draft) !== JSON.stringify(delivered))
  const state = stateOf(row, older, { review, isNewer, hasDraft: draft !== undefined })
  const { changed_by, by_person, changed_at, kept } = row
  return [
    { segmentId: row.segment_id, state, ...(target && { target }) },
    { changed_by, by_person, changed_at, kept, review },
  ]
}

type Seen = {
  readonly review: Verdict | undefined
  readonly isNewer: boolean
  readonly hasDraft: boolean
}

/** As the desk shows it (desk/describe-segment.ts). */
function stateOf(
  row: DraftRow,
  { status, desk_version }: RequestWithFile,
  { review, isNewer, hasDraft }: Seen,
): SegmentState {
  if (isNewer) {
    const isJudged = row.version <= (review?.over ?? desk_version ?? 0)
    if (review?.verdict === 'WRONG' && isJudged) return 'REJECTED'
    if (review?.verdict === 'OK' && isJudged && desk_version === null) return 'APPROVED'
    return row.state
  }
  if (status === 'TRANSLATION_APPROVED') return 'APPROVED'
  if (review) return review.verdict === 'WRONG' ? 'REJECTED' : 'APPROVED'
  return hasDraft ? row.state : 'TRANSLATED'
}
