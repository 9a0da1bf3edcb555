/**
 * Who can be given work of a provider, and how much each has to do already, within what the caller
 * sees.
 */
import {
  endpoints,
  HubError,
  isLimited,
  paidWords,
  rolesOf,
  type WorkPeople,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { mustOwnProvider } from '../handover/provider-jobs.ts'
import { readQuotedLines } from '../handover/quoting/list-figures.ts'
import { languagesOf } from '../jobs/work.ts'
import { undelivered } from './work-of.ts'
import * as rows from './work-rows.ts'

/**
 * Tasks that are looked at; a site with more is a large one, and the numbers are then too small.
 */
const mostTasks = 20_000
/** Roles that write translations. */
const writing = rolesOf(endpoints.changeSegments)

type Worker = { name: string; languages?: string[] }

export async function listWorkPeople(
  hub: Hub,
  call: Call,
  providerId: string,
): Promise<WorkPeople> {
  const { siteId, work } = call.caller
  const db = hub.db.read
  if (work && !work.providerIds.includes(providerId))
    throw new HubError('PROVIDER_NOT_FOUND', { providerId })
  await mustOwnProvider(db, call, providerId)
  const workers = new Map<string, Worker>()
  for (const { person_id, name, role, ...given } of await rows.selectPeople(db, siteId)) {
    if (!writing.includes(role)) continue
    const isWhole = !isLimited(role, undefined)
    if (!isWhole && !listIn(given.providers)?.includes(providerId)) continue
    const languages = isWhole ? undefined : listIn(given.languages)
    const known = workers.get(person_id)
    // The role without a limit counts.
    if (!known || !languages) workers.set(person_id, { name, ...(languages && { languages }) })
  }
  const theirs = {
    people: [...workers.keys()],
    statuses: undelivered,
    providerIds: work?.providerIds,
    languages: languagesOf(call.caller),
  }
  const claimed = await rows.selectClaimed(db, siteId, theirs, mostTasks)
  const quoted = await readQuotedLines(hub, siteId, claimed)
  const loads = new Map([...workers.keys()].map((personId) => [personId, { tasks: 0, words: 0 }]))
  for (const { assignee, request_id } of claimed) {
    const load = loads.get(assignee ?? '')
    const line = quoted.get(request_id)?.line
    if (!load) continue
    load.tasks += 1
    load.words += line ? paidWords([line]) : 0
  }
  for (const { person_id, words } of await rows.selectSharedWork(db, siteId, theirs, mostTasks)) {
    const load = loads.get(person_id)
    if (!load) continue
    load.tasks += 1
    load.words += words
  }
  return {
    people: [...workers].map(([personId, worker]) => ({
      personId,
      ...worker,
      tasks: 0,
      words: 0,
      ...loads.get(personId),
    })),
  }
}

const listIn = (json: string | null): string[] | undefined =>
  json === null ? undefined : (JSON.parse(json) as string[])
