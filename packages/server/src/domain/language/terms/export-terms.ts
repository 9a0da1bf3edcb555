/** All terms of a site as a file, written while they are read: a page of rows at a time. */
import type { FileAnswer, Term, TermExportQuery } from '@dragoman/contract'
import { csvForm, type ListForm, tbxForm } from '@dragoman/text/terms'
import type { Hub } from '../../../hub.ts'
import type { TermRow } from '../../../store/tables.ts'
import type { Call } from '../../access/caller.ts'
import { selectTerms } from './term-rows.ts'
import { describeTerm } from './terms.ts'

const atOnce = 500

/** What of a term a file has; undefined leaves it out. */
export type Keep = (term: Term) => Term | undefined

export const exportTerms = (hub: Hub, call: Call, asked: TermExportQuery): FileAnswer =>
  termsFile(hub, call.caller.siteId, asked, (term) => term)

export function termsFile(
  hub: Hub,
  siteId: string,
  { format, version }: TermExportQuery,
  keep: Keep,
): FileAnswer {
  const form = format === 'csv' ? csvForm : tbxForm(version)
  const contentType =
    format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-tbx; charset=utf-8'
  return { fileName: `terms.${format}`, contentType, bytes: written(hub, siteId, form, keep) }
}

async function* written(
  hub: Hub,
  siteId: string,
  form: ListForm,
  keep: Keep,
): AsyncGenerator<string> {
  const { head, term, end } = form
  yield head
  for await (const rows of pagesOf(hub, siteId)) {
    const kept = rows.flatMap((row) => keep(describeTerm(row)) ?? [])
    if (kept.length > 0) yield kept.map(term).join('')
  }
  if (end !== '') yield end
}

/** Every term of the site in order. */
export async function* pagesOf(hub: Hub, siteId: string): AsyncGenerator<TermRow[]> {
  let last: TermRow | undefined
  do {
    const after = last && { after: [last.sort_key, last.term_id] }
    const rows = await selectTerms(hub.db.read, siteId, {}, { ...after, limit: atOnce })
    if (rows.length > 0) yield rows
    last = rows.length < atOnce ? undefined : rows.at(-1)
  } while (last)
}
