/**
 * Lists the work of the people at the desk, by due date, with words from the quotes of the jobs, and
 * prices for those who may see them; and counts it.
 */
import {
  consoleEndpoints,
  formatTime,
  limits,
  paidWords,
  rolesOf,
  type WorkItem,
  type WorkQuery,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { mustMatch, openCursor, type Page, sealCursor } from '../../store/page.ts'
import { type Call, maySeePrices } from '../access/caller.ts'
import { openNote } from '../files/seals/notes.ts'
import { type QuotedLine, readQuotedLines } from '../handover/quoting/list-figures.ts'
import { pageSizeOf } from '../jobs/lists/position-pages.ts'
import { workOf } from './work-of.ts'
import * as rows from './work-rows.ts'

export async function listWork(
  hub: Hub,
  { caller }: Call,
  asked: WorkQuery,
): Promise<Page<WorkItem>> {
  const { siteId } = caller
  const { view, providerId, language } = asked
  const list = `work:${caller.person?.personId ?? ''}`
  const filter = JSON.stringify([view, providerId, language])
  const cursor = asked.navNext
    ? mustMatch(openCursor(hub.vault, siteId, list, asked.navNext), { filter })
    : undefined
  const work = workOf(caller, view, { providerId, language })
  if (!work) return { items: [] }
  const size = pageSizeOf(asked)
  const db = hub.db.read
  const found = await rows.selectWork(db, siteId, work, {
    after: cursor?.key as rows.WorkKey | undefined,
    limit: size + 1,
  })
  const shown = found.slice(0, size)
  const quoted = await readQuotedLines(hub, siteId, shown)
  const ready = await rows.countReady(
    db,
    siteId,
    shown.filter(({ request_id }) => quoted.has(request_id)),
  )
  const isPriced = maySeePrices(caller)
  const items = shown.map((row) => {
    const line = quoted.get(row.request_id)
    const figures = line && figuresOf(line, ready.get(row.request_id) ?? 0, isPriced)
    return describe(hub, row, figures)
  })
  const last = shown.at(-1)
  if (!last || found.length === shown.length) return { items }
  const key = [Number(last.due), last.job_id, last.position]
  return { items, next: sealCursor(hub.vault, siteId, { list, key, filter }) }
}

function describe(hub: Hub, row: rows.WorkRow, figures: Partial<WorkItem> | undefined): WorkItem {
  const note = openNote(hub, row.reject_note)
  const { assignee, assignee_name: name } = row
  return {
    providerId: row.provider_id,
    providerName: row.provider_name,
    jobId: row.job_id,
    jobName: row.job_name,
    requestId: row.request_id,
    requestName: row.request_name,
    sourceNativeLanguageCode: row.source_language,
    targetNativeLanguageCode: row.target_language,
    statusCode: row.status,
    hasError: row.has_error === 1,
    ...(row.due_at !== null && { dueDate: formatTime(row.due_at) }),
    ...(assignee !== null && { assignee: { personId: assignee, ...(name !== null && { name }) } }),
    ...figures,
    ...(note !== null && { rejectNote: note }),
  }
}

const figuresOf = ({ line, currency }: QuotedLine, ready: number, isPriced: boolean) => {
  const { segments: count } = line.counts
  return {
    words: paidWords([line]),
    matches: line.bands.flatMap(({ name, words }) => (words > 0 ? [{ band: name, words }] : [])),
    ...(isPriced && { price: { amount: line.amount, currency } }),
    segments: { count, open: Math.max(0, count - ready) },
  }
}

/** Undefined if the person may not list work. One more than the limit stands for more. */
export async function countWork(hub: Hub, { caller }: Call): Promise<number | undefined> {
  const roles = caller.person?.roles ?? []
  if (!roles.some((role) => rolesOf(consoleEndpoints.listWork).includes(role))) return undefined
  let many = 0
  for (const view of ['MINE', 'REVIEW'] as const) {
    const work = view === 'REVIEW' && !roles.includes('reviewer') ? undefined : workOf(caller, view)
    if (work) many += await rows.countWork(hub.db.read, caller.siteId, work, limits.countedRows + 1)
  }
  return many
}
