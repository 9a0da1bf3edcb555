/**
 * The terms of a site (contract, section 13). A change names the version it was made for: an old
 * one is refused with the term as it is now. Two terms may have the same text, because a word may
 * have several meanings.
 */
import {
  HubError,
  type NewTerm,
  type Term,
  type TermChange,
  type TermsQuery,
} from '@dragoman/contract'
import { withoutCase } from '@dragoman/text/characters'
import {
  columnsOf,
  faultOf,
  normalTerm,
  spelledLanguage,
  type TermContent,
} from '@dragoman/text/terms'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { readPage } from '../../../store/filtered-page.ts'
import { newId } from '../../../store/ids.ts'
import type { Page } from '../../../store/page.ts'
import type { TermRow } from '../../../store/tables.ts'
import { factsOf } from '../../access/audit/acts.ts'
import { recordActs } from '../../access/audit/record-acts.ts'
import { actorOf, type Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { mustFit } from '../../access/quota.ts'
import { lockSite } from '../../access/sites.ts'
import {
  insertTerms,
  removeTerm,
  selectTerm,
  selectTerms,
  sumTerms,
  type TermColumns,
  updateStamp,
  updateTerm,
} from './term-rows.ts'

export async function listTerms(hub: Hub, call: Call, asked: TermsQuery): Promise<Page<Term>> {
  const { siteId } = call.caller
  const { rows, next } = await readPage(
    { vault: hub.vault, siteId, name: 'terms' },
    asked,
    ({ language, text }, part) =>
      selectTerms(
        hub.db.read,
        siteId,
        {
          ...(language !== undefined && { language: spelledLanguage(language) }),
          ...(text !== undefined && { text: withoutCase(text) }),
        },
        part,
      ),
    ({ sort_key, term_id }) => [sort_key, term_id],
  )
  return { items: rows.map(describeTerm), ...(next !== undefined && { next }) }
}

export async function findTerm(hub: Hub, call: Call, termId: string): Promise<Term> {
  return describeTerm(await mustFindTerm(hub.db.read, call.caller.siteId, termId))
}

export function createTerm(hub: Hub, call: Call, input: NewTerm): Promise<Term> {
  const { siteId } = call.caller
  const content = mustBeTerm(normalTerm(input))
  return once(hub, call, async (tx) => {
    await lockSite(tx, siteId)
    const row = newRow({ hub, call }, columnsOf(content))
    const used = await sumTerms(tx, siteId)
    mustFit(call.caller, 'MaxTermsPerSite', used.terms)
    mustFit(call.caller, 'MaxTermBytesPerSite', used.bytes, row.bytes)
    await insertTerms(tx, [row])
    return changed({ hub, tx, call }, 'created', undefined, row)
  })
}

export function changeTerm(hub: Hub, call: Call, termId: string, input: TermChange): Promise<Term> {
  const { siteId } = call.caller
  return hub.db.transact(async (tx) => {
    const row = await mustBeCurrent(tx, siteId, termId, input.version)
    const was = contentOf(row)
    const content = mustBeTerm(
      normalTerm({
        definition: input.definition ?? was.definition ?? '',
        entries: input.entries ?? [...was.entries],
      }),
    )
    const columns = columnsOf(content)
    if (columns.content_key === row.content_key) return describeTerm(row)
    mustFit(
      call.caller,
      'MaxTermBytesPerSite',
      (await sumTerms(tx, siteId)).bytes,
      columns.bytes - row.bytes,
    )
    const change = changeOf({ hub, call }, columns, row.version)
    await updateTerm(tx, siteId, termId, change)
    return changed({ hub, tx, call }, 'changed', row, { ...row, ...change })
  })
}

export function deleteTerm(hub: Hub, call: Call, termId: string, version: number): Promise<Term> {
  const { siteId } = call.caller
  return hub.db.transact(async (tx) => {
    const row = await mustBeCurrent(tx, siteId, termId, version)
    await removeTerm(tx, siteId, termId)
    return changed({ hub, tx, call }, 'deleted', row, undefined)
  })
}

type Making = { readonly hub: Hub; readonly call: Call }

type ContentColumns = ReturnType<typeof columnsOf>

export function newRow({ hub, call }: Making, columns: ContentColumns): TermRow {
  const now = hub.clock.now()
  const about = { version: 1, created_at: now, modified_at: now, cause_id: call.traceId }
  return { term_id: newId(), site_id: call.caller.siteId, ...columns, ...about }
}

export const changeOf = (
  { hub, call }: Making,
  columns: ContentColumns,
  version: number,
): TermColumns => ({
  ...columns,
  version: version + 1,
  modified_at: hub.clock.now(),
  cause_id: call.traceId,
})

async function changed(
  { hub, tx, call }: Making & { readonly tx: Db },
  verb: 'created' | 'changed' | 'deleted',
  was: TermRow | undefined,
  is: TermRow | undefined,
): Promise<Term> {
  const row = is ?? was
  if (!row) throw new Error('a change without a term')
  await updateStamp(tx, row.site_id, newId())
  const facts = factsOf('term', was, is)
  const fields =
    was && is ? (['definition', 'entries'] as const).filter((name) => was[name] !== is[name]) : []
  await recordActs(hub, tx, actorOf(call), [
    { thing: 'term', verb, id: row.term_id, fields, ...facts },
  ])
  return describeTerm(row)
}

async function mustFindTerm(db: Db, siteId: string, termId: string): Promise<TermRow> {
  const row = await selectTerm(db, siteId, termId)
  if (!row) throw new HubError('TERM_NOT_FOUND', { termId })
  return row
}

/** Locks the site, so that two changes for the same version cannot both be made. */
async function mustBeCurrent(
  tx: Db,
  siteId: string,
  termId: string,
  sent: number,
): Promise<TermRow> {
  await lockSite(tx, siteId)
  const row = await mustFindTerm(tx, siteId, termId)
  const { version } = row
  if (version !== sent)
    throw new HubError(
      'VERSION_CONFLICT',
      { sent, version },
      { also: { current: describeTerm(row) } },
    )
  return row
}

function mustBeTerm(content: TermContent): TermContent {
  const fault = faultOf(content)
  if (fault) throw new HubError('INVALID_REQUEST', { because: `the term is not valid: ${fault}` })
  return content
}

export const contentOf = ({
  definition,
  entries,
}: Pick<TermRow, 'definition' | 'entries'>): TermContent => ({
  ...(definition !== null && { definition }),
  entries: JSON.parse(entries) as Term['entries'],
})

export function describeTerm(
  row: Pick<TermRow, 'term_id' | 'version' | 'definition' | 'entries'>,
): Term {
  const { entries, ...about } = contentOf(row)
  return { termId: row.term_id, ...about, version: row.version, entries: [...entries] }
}
