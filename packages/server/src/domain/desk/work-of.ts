/**
 * What counts as the work of a person. MINE is claimed by them and not delivered, OPEN is what they
 * could claim, REVIEW what they may judge; each within the providers and languages of the roles
 * that allow it. No role that allows it: nothing.
 */
import {
  endpoints,
  isLimited,
  type RequestStatus,
  type Role,
  rolesOf,
  spellingsOf,
  type WorkView,
} from '@dragoman/contract'
import type { Caller, CallingPerson } from '../access/caller.ts'
import { drivers } from '../engines/drivers/drivers.ts'
import type { WorkFilter } from './work-rows.ts'

/** What a provider still has to deliver. */
export const undelivered: readonly RequestStatus[] = [
  'SENT_TO_PROVIDER',
  'IN_TRANSLATION',
  'TRANSLATION_REJECTED',
]

const allows: Readonly<Record<WorkView, readonly Role[]>> = {
  MINE: rolesOf(endpoints.claimAssetTask),
  OPEN: rolesOf(endpoints.claimAssetTask),
  REVIEW: rolesOf(endpoints.approveRequests),
}

/** The hub itself translates for these: nobody needs to claim their work. */
const driven = drivers.flatMap(({ typeId, translate }) => (translate ? [typeId] : []))

export type Narrowed = {
  readonly providerId?: string | undefined
  readonly language?: string | undefined
}

/** The person and the site are all that counts of a caller. */
export type Worker = Pick<Caller, 'siteId'> & {
  readonly person?: Pick<CallingPerson, 'personId' | 'sites'>
}

/** Undefined if the person has no such work. */
export function workOf(
  caller: Worker,
  view: WorkView,
  { providerId, language }: Narrowed = {},
): WorkFilter | undefined {
  const { person, siteId } = caller
  const here = person?.sites.find((one) => one.siteId === siteId)
  const roles = here?.roles.filter((role) => allows[view].includes(role)) ?? []
  if (!person || roles.length === 0) return undefined
  const isWhole = roles.some((role) => !isLimited(role, here?.providers))
  const theirs = isWhole ? undefined : (here?.providers ?? [])
  const providerIds =
    providerId === undefined ? theirs : [providerId].filter((id) => theirs?.includes(id) ?? true)
  const into = isWhole ? undefined : here?.languages?.flatMap((code) => spellingsOf(code))
  const languages =
    language === undefined
      ? into
      : spellingsOf(language).filter((code) => into?.includes(code) ?? true)
  if (providerIds?.length === 0 || languages?.length === 0) return undefined
  const among = { providerIds, languages }
  if (view === 'REVIEW') return { ...among, statuses: ['REVIEW_TRANSLATION'] }
  if (view === 'MINE') return { ...among, statuses: undelivered, assignee: person.personId }
  return { ...among, statuses: undelivered, assignee: null, withoutTypes: driven }
}
