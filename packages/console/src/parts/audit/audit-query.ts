/** The filter of the audit log, as given in the URL. */
import { auditThings } from '@dragoman/contract/wire'
import type { CallInput } from '../../hub.ts'
import { type Search, useSearchState } from '../../search.ts'

export const auditFilters = ['thing', 'thingId', 'client', 'verb', 'since', 'until'] as const
export type AuditQuery = CallInput<'listAudit'>['query'] & object

/** Includes the whole last day. */
const endOf = (day: string): string => (day.length === 10 ? `${day}T23:59:59.999Z` : day)

function auditQuery(search: Search): AuditQuery {
  const { thing, until, ...rest } = search
  const given = {
    ...Object.fromEntries(auditFilters.map((name) => [name, rest[name]])),
    thing: auditThings.find((one) => one === thing),
    until: until && endOf(until),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value)) as AuditQuery
}

export function useAuditQuery(): AuditQuery {
  const [search] = useSearchState()
  return auditQuery(search)
}
