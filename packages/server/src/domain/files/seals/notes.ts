/**
 * Notes: what people, clients and providers wrote about content (the note of a rejection, error
 * messages, descriptions), and the bodies of deliveries, which repeat them. If sealing is on, a new
 * note is sealed under the master key; each value shows whether it is, so both can coexist. A note
 * that does not open is left out of what is shown; `dragoman check` names it.
 */
import type { Hub } from '../../../hub.ts'
import type { SealedPlace } from '../../../store/every-row.ts'

export const notePrefix = 'sealed.1.'

/** Every column of notes. Each table has a `site_id`. */
export const noteColumns: readonly SealedPlace[] = [
  { table: 'jobs', key: ['job_id'], column: 'description', prefix: notePrefix },
  { table: 'jobs', key: ['job_id'], column: 'error_message', prefix: notePrefix },
  { table: 'requests', key: ['job_id', 'request_id'], column: 'reject_note', prefix: notePrefix },
  { table: 'requests', key: ['job_id', 'request_id'], column: 'error_message', prefix: notePrefix },
  { table: 'support_assets', key: ['asset_id'], column: 'description', prefix: notePrefix },
  { table: 'status_updates', key: ['update_id'], column: 'error_message', prefix: notePrefix },
  ...(
    [
      ...(['target', 'delivered', 'previous', 'replaced'] as const),
      ...(['review', 'previous_review', 'kept', 'delivered_kept'] as const),
    ] as const
  ).map((column) => ({
    ...{ table: 'drafts', key: ['job_id', 'request_id', 'segment_id'], column },
    prefix: notePrefix,
  })),
  ...(['text', 'answer'] as const).map((column) => ({
    ...{ table: 'comments', key: ['job_id', 'comment_id'], column },
    prefix: notePrefix,
  })),
  ...(['target', 'delivered'] as const).map((column) => ({
    ...{ table: 'corrections', key: ['job_id', 'request_id', 'segment_id'], column },
    prefix: notePrefix,
  })),
  { table: 'former_targets', key: ['job_id', 'request_id'], column: 'texts', prefix: notePrefix },
  { table: 'carried', key: ['job_id', 'request_id'], column: 'texts', prefix: notePrefix },
  { table: 'machine_work', key: ['job_id', 'request_id'], column: 'drafts', prefix: notePrefix },
  { table: 'deliveries', key: ['position'], column: 'body', prefix: notePrefix },
  { table: 'recorded_calls', key: ['call_id'], column: 'call', prefix: notePrefix },
  { table: 'memory_imports', key: ['import_id'], column: 'blob_key', prefix: notePrefix },
]

/** A clear text that looks sealed is sealed in any case, so that it is read as it was written. */
export function sealNote<T extends string | null | undefined>(
  { config, vault }: Pick<Hub, 'config' | 'vault'>,
  text: T,
): T | string {
  if (typeof text !== 'string' || !(config.sealContent || text.startsWith(notePrefix))) return text
  return notePrefix + vault.seal('note', text)
}

/** Null also if it does not open. */
export function openNote({ vault }: Pick<Hub, 'vault'>, text: string | null): string | null {
  if (!text?.startsWith(notePrefix)) return text
  try {
    return vault.open('note', text.slice(notePrefix.length))
  } catch {
    return null
  }
}
