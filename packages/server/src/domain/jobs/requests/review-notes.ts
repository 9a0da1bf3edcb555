/** The notes of a reviewer on segments, as lines for the note of the rejection. */
import { limits, type SegmentReview } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { openNote } from '../../files/seals/notes.ts'
import { selectReviews } from './request-rows.ts'

type StoredReview = SegmentReview & { readonly at: string }

/**
 * The note for each request: what the reviewer wrote about the whole, then a line for each segment
 * that is wrong.
 */
export async function joinNotes(
  hub: Hub,
  db: Db,
  { siteId, jobId, requestIds }: { siteId: string; jobId: string; requestIds: readonly string[] },
  note: string | null,
): Promise<(requestId: string) => string | null> {
  const lines = new Map<string, string[]>()
  for (const { request_id, review } of await selectReviews(db, siteId, jobId, requestIds)) {
    const text = openNote(hub, review)
    const said = text === null ? undefined : (JSON.parse(text) as StoredReview)
    if (said?.verdict !== 'WRONG') continue
    const kind = [said.type, said.severity].filter(Boolean).join(', ').toLowerCase()
    const line = `${said.at}: ${said.note ?? 'wrong'}${kind === '' ? '' : ` (${kind})`}`
    lines.set(request_id, [...(lines.get(request_id) ?? []), line])
  }
  return (requestId) => {
    const all = [...(note === null ? [] : [note]), ...(lines.get(requestId) ?? [])]
    return all.length === 0 ? null : cut(all.join('\n'))
  }
}

const cut = (text: string): string => {
  if (Buffer.byteLength(text) <= limits.noteBytes) return text
  const bytes = Buffer.from(text).subarray(0, limits.noteBytes - 8)
  // A character that the cut goes through is left out.
  return `${new TextDecoder().decode(bytes, { stream: true })}…`
}
