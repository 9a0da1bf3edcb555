/**
 * A translation that another replaces is freed in the transaction that replaces it: its row, its bytes, and what they count
 * (contract, section 11).
 */
import type { Change } from '../../hub.ts'
import type { JobRow, RequestRow } from '../../store/tables.ts'
import { countBytes } from '../access/site-bytes.ts'
import { dropTranslations } from '../files/expire.ts'
import { removeContents } from './content-rows.ts'

const fileColumns = ['incoming_file_id', 'translation_file_id'] as const
const contentColumns = ['incoming_content_id', 'translation_content_id'] as const
type Column = (typeof fileColumns)[number] | (typeof contentColumns)[number]
/** What a request names of translations; a column that a change leaves alone is absent from it. */
type Named = Partial<Pick<RequestRow, Column>>
export type Replaced = { readonly before: Named; readonly after: Named }

/** Contents of one statement. */
const together = 200

/** The job is locked. Frees whatever the requests named before and do not name any more. */
export async function freeReplaced(
  change: Change,
  { site_id: siteId, job_id: jobId }: JobRow,
  replaced: readonly Replaced[],
): Promise<void> {
  const { hub, tx } = change
  const fileIds = replaced.flatMap((one) => lostIds(one, fileColumns))
  const contentIds = replaced.flatMap((one) => lostIds(one, contentColumns))
  if (fileIds.length > 0) await dropTranslations(change, { siteId, jobId }, fileIds)
  for (let from = 0; from < contentIds.length; from += together) {
    const bytes = await removeContents(tx, siteId, jobId, contentIds.slice(from, from + together))
    await countBytes(hub.engine, tx, siteId, -bytes)
  }
}

function lostIds({ before, after }: Replaced, columns: readonly Column[]): string[] {
  const now: Named = { ...before, ...after }
  const kept = new Set(columns.map((column) => now[column]))
  return columns.map((column) => before[column] ?? null).filter((id) => id !== null && !kept.has(id)) as string[]
}
