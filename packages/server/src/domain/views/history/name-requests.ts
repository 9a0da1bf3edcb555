/**
 * Gives the entries of a timeline the names and languages of their requests, for callers of the
 * site.
 */
import { limits, type TimelineEntry } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { openNote } from '../../files/seals/notes.ts'
import { requestsNamed } from './timeline-rows.ts'
import type { TimelineJob } from './timeline-sources.ts'

export async function nameRequests(
  hub: Hub,
  { siteId, jobId, forSite }: TimelineJob,
  entries: TimelineEntry[],
): Promise<TimelineEntry[]> {
  if (!forSite) return entries
  const firstOf = ({ requestIds = [] }: TimelineEntry) => requestIds.slice(0, limits.timelineNames)
  const isTranslation = ({ fileKind }: TimelineEntry) => fileKind === 'translation'
  const requestIds = [...new Set(entries.flatMap(firstOf))]
  const fileIds = entries.filter(isTranslation).map(({ id }) => id)
  if (requestIds.length + fileIds.length === 0) return entries
  const rows = await requestsNamed(hub.db.read, siteId, jobId, { requestIds, fileIds })
  const byId = new Map(rows.map((row) => [row.request_id, row]))
  const byFile = new Map(rows.map((row) => [row.translation_file_id, row]))
  return entries.map((entry) => {
    const ofFile = isTranslation(entry) ? byFile.get(entry.id) : undefined
    const found = ofFile ? [ofFile] : firstOf(entry).flatMap((id) => byId.get(id) ?? [])
    if (found.length === 0) return entry
    const rejected =
      entry.move === 'reject' ? found.find(({ reject_note }) => reject_note) : undefined
    const note = rejected && openNote(hub, rejected.reject_note)
    return {
      ...entry,
      ...(ofFile && { requestIds: [ofFile.request_id] }),
      requests: found.map((row) => ({
        requestName: row.request_name,
        targetNativeLanguageCode: row.target_language,
      })),
      ...(note && { note }),
    }
  })
}
