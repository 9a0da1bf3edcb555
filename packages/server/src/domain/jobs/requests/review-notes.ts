/** The notes of a reviewer on segments, as lines for the note of the rejection. */
import { limits, type SegmentReview } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { openNote } from '../../files/seals/notes.ts'
import { selectReviews } from './request-rows.ts'

/** `position` is missing in verdicts of before. */
type StoredReview = SegmentReview & { readonly at: string; readonly position?: number }
type Line = { readonly position: number; readonly text: string }

/**
 * The note for each request: what the reviewer wrote about the whole, then a line for each segment
 * that is wrong, in the order of the segments.
 */
export async function joinNotes(
  hub: Hub,
  db: Db,
  { siteId, jobId, requestIds }: { siteId: string; jobId: string; requestIds: readonly string[] },
  note: string | null,
): Promise<(requestId: string) => string | null> {
  const lines = new Map<string, Line[]>()
  for (const { request_id, review } of await selectReviews(db, siteId, jobId, requestIds)) {
    const text = openNote(hub, review)
    const said = text === null ? undefined : (JSON.parse(text) as StoredReview)
    if (said?.verdict !== 'WRONG') continue
    const kind = [said.type, said.severity].filter(Boolean).join(', ').toLowerCase()
    const line = {
      position: said.position ?? Number.MAX_SAFE_INTEGER,
      text: `${said.at}: ${said.note ?? 'wrong'}${kind === '' ? '' : ` (${kind})`}`,
    }
    lines.set(request_id, [...(lines.get(request_id) ?? []), line])
  }
  return (requestId) => {
    const own = (lines.get(requestId) ?? []).sort((one, other) => one.position - other.position)
    const all = [...(note === null ? [] : [note]), ...own.map(({ text }) => text)]
    return all.length === 0 ? null : cut(all.join('\n'))
  }
}

const cut = (text: string): string => {
  if (Buffer.byteLength(text) <= limits.noteBytes) return text
  const bytes = Buffer.from(text).subarray(0, limits.noteBytes - 8)
  // A character that the cut goes through is left out.
  return `${new TextDecoder().decode(bytes, { stream: true })}…`
}
