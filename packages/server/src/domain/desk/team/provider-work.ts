/**
 * Lists the work of a provider: who has it, how far it is, when it is due. Translators see what is
 * open to them and their own; a provider-manager sees all of it (contract, section 15).
 */
import {
  formatTime,
  parseTime,
  spellingsOf,
  type TeamWork,
  type TeamWorkQuery,
  type WorkState,
  workStates,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { mustMatch, openCursor, type Page, sealCursor } from '../../../store/page.ts'
import type { Call } from '../../access/caller.ts'
import { addPeople } from '../../handover/asset-tasks.ts'
import { manages } from '../../handover/hold-task.ts'
import { mustOwnProvider } from '../../handover/provider-jobs.ts'
import { pageSizeOf } from '../../jobs/lists/position-pages.ts'
import { languagesOf } from '../../jobs/work.ts'
import { countDone, type Size, sizeOfDesk } from './count-desk.ts'
import {
  type ProviderWorkFilter,
  type ProviderWorkKey,
  type ProviderWorkRow,
  selectProviderWork,
  selectWritten,
  type Written,
} from './provider-work-rows.ts'

export async function listProviderWork(
  hub: Hub,
  call: Call,
  providerId: string,
  asked: TeamWorkQuery,
): Promise<Page<TeamWork>> {
  const { siteId } = call.caller
  const db = hub.db.read
  await mustOwnProvider(db, call, providerId)
  const list = `provider-work:${providerId}`
  const filter = JSON.stringify([
    asked.state,
    asked.personId,
    asked.language,
    asked.since,
    asked.until,
  ])
  const cursor = asked.navNext
    ? mustMatch(openCursor(hub.vault, siteId, list, asked.navNext), { filter })
    : undefined
  const wanted = filterOf(call, providerId, asked)
  if (wanted.languages?.length === 0) return { items: [] }
  const size = pageSizeOf(asked)
  const found = await selectProviderWork(db, siteId, wanted, {
    after: cursor?.key as ProviderWorkKey | undefined,
    limit: size + 1,
  })
  const shown = found.slice(0, size)
  const written = await selectWritten(db, siteId, shown)
  const items: TeamWork[] = []
  for (const row of shown) items.push(await describe(hub, row, written.get(row.request_id)))
  await addPeople(db, shown, items)
  const last = shown.at(-1)
  if (!last || found.length === shown.length) return { items }
  const key = [Number(last.sorted_at), last.job_id, last.position]
  return { items, next: sealCursor(hub.vault, siteId, { list, key, filter }) }
}

function filterOf(call: Call, providerId: string, asked: TeamWorkQuery): ProviderWorkFilter {
  const { state, personId, language, since, until } = asked
  const theirs = languagesOf(call.caller)
  const languages =
    language === undefined
      ? theirs
      : spellingsOf(language).filter((code) => theirs?.includes(code) ?? true)
  const self = call.caller.person?.personId
  return {
    providerId,
    states: state?.length ? state : workStates,
    personId,
    seenBy: manages(call) ? undefined : self,
    languages,
    since: since === undefined ? undefined : parseTime(since),
    until: until === undefined ? undefined : parseTime(until),
  }
}

async function describe(
  hub: Hub,
  row: ProviderWorkRow,
  written: Written | undefined,
): Promise<TeamWork> {
  const { assignee, claimed_at, delivered_at, due_at } = row
  const state = stateIn(row)
  const end = state === 'DELIVERED' ? (delivered_at ?? 0) : hub.clock.now()
  const total = await sizeOfDesk(hub, row)
  const done = total && (await doneOf(hub, row, total, written))
  return {
    jobId: row.job_id,
    jobName: row.job_name,
    assetTaskId: row.request_id,
    requestName: row.request_name,
    sourceNativeLanguageCode: row.source_language,
    targetNativeLanguageCode: row.target_language,
    state,
    hasError: row.has_error === 1,
    ...(assignee !== null && { assignee: { personId: assignee } }),
    ...(total &&
      done && {
        segments: { total: total.segments, done: done.segments },
        words: { total: total.words, done: done.words },
      }),
    ...(due_at !== null && { dueDate: formatTime(due_at) }),
    isLate: due_at !== null && end > due_at,
    ...(claimed_at !== null && { claimedTime: formatTime(claimed_at) }),
    ...(delivered_at !== null && { deliveredTime: formatTime(delivered_at) }),
    ...(written?.changedAt !== undefined && { changedTime: formatTime(written.changedAt) }),
  }
}

function stateIn({ status, assignee, is_shared }: ProviderWorkRow): WorkState {
  if (status === 'TRANSLATION_REJECTED') return 'REJECTED'
  if (status === 'REVIEW_TRANSLATION' || status === 'TRANSLATION_APPROVED') return 'DELIVERED'
  return assignee !== null || is_shared === 1 ? 'RUNNING' : 'OPEN'
}

async function doneOf(
  hub: Hub,
  row: ProviderWorkRow,
  total: Size,
  written: Written | undefined,
): Promise<Size> {
  const state = stateIn(row)
  if (state === 'DELIVERED') return total
  // What was delivered before stands beside what is written now.
  if (row.desk_version !== null || (written && written.uncounted > 0)) return countDone(hub, row)
  return { segments: written?.segments ?? 0, words: written?.words ?? 0 }
}
