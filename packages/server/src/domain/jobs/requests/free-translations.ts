/**
 * Frees a translation in the transaction that replaces it: its row, its bytes and their count in
 * the quota (contract, section 11).
 */
import type { Change } from '../../../hub.ts'
import type { JobRow, RequestRow } from '../../../store/tables.ts'
import { countBytes } from '../../access/site-bytes.ts'
import { dropTranslations } from '../../files/expire.ts'
import { removeContents } from './content-rows.ts'

const fileColumns = ['incoming_file_id', 'translation_file_id'] as const
const contentColumns = ['incoming_content_id', 'translation_content_id'] as const
type Column = (typeof fileColumns)[number] | (typeof contentColumns)[number]
/** The translation columns of a request. A change that does not touch a column leaves it out. */
type Named = Partial<Pick<RequestRow, Column>>
export type Replaced = { readonly before: Named; readonly after: Named }

/** Contents per statement. */
const batchSize = 200

/** The caller has locked the job. Frees everything the requests named before and no longer name. */
export async function freeReplaced(
  change: Change,
  { site_id: siteId, job_id: jobId }: JobRow,
  replaced: readonly Replaced[],
): Promise<void> {
  const { hub, tx } = change
  const fileIds = replaced.flatMap((one) => lostIds(one, fileColumns))
  const contentIds = replaced.flatMap((one) => lostIds(one, contentColumns))
  if (fileIds.length > 0) await dropTranslations(change, { siteId, jobId }, fileIds)
  for (let from = 0; from < contentIds.length; from += batchSize) {
    const bytes = await removeContents(tx, siteId, jobId, contentIds.slice(from, from + batchSize))
    await countBytes(hub.db, tx, siteId, -bytes)
  }
}

function lostIds({ before, after }: Replaced, columns: readonly Column[]): string[] {
  const now: Named = { ...before, ...after }
  const stillNamed = new Set(columns.map((column) => now[column]))
  return columns
    .map((column) => before[column] ?? null)
    .filter((id) => id !== null && !stillNamed.has(id)) as string[]
}
