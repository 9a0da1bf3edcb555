/** All terms of a site as a file, written while they are read: a page of rows at a time. */
import type { FileAnswer, TermExportQuery } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { TermRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { selectTerms } from './term-rows.ts'
import { describeTerm } from './terms.ts'
import { csvForm, type ListForm, tbxForm } from './write-terms.ts'

const atOnce = 500

export function exportTerms(hub: Hub, call: Call, { format, version }: TermExportQuery): FileAnswer {
  const form = format === 'csv' ? csvForm : tbxForm(version)
  const contentType = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-tbx; charset=utf-8'
  return { fileName: `terms.${format}`, contentType, bytes: written(hub, call.caller.siteId, form) }
}

async function* written(hub: Hub, siteId: string, { head, term, end }: ListForm): AsyncGenerator<string> {
  yield head
  for await (const rows of pagesOf(hub, siteId)) yield rows.map((row) => term(describeTerm(row))).join('')
  if (end !== '') yield end
}

/** Every term of the site in order. */
export async function* pagesOf(hub: Hub, siteId: string): AsyncGenerator<TermRow[]> {
  let last: TermRow | undefined
  do {
    const after = last && { after: [last.sort_key, last.term_id] }
    const rows = await selectTerms(hub.engine.read, siteId, {}, { ...after, limit: atOnce })
    if (rows.length > 0) yield rows
    last = rows.length < atOnce ? undefined : rows.at(-1)
  } while (last)
}
