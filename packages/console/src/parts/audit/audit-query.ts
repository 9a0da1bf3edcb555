/** The filter of the audit log, as it stands in the address. */
import { auditThings } from '@dragoman/contract/wire'
import type { CallInput } from '../../hub.ts'
import { type Search, useSearchState } from '../../search.ts'

export const auditFilters = ['thing', 'thingId', 'client', 'verb', 'since', 'until'] as const
export type AuditQuery = CallInput<'listAudit'>['query'] & object

/** The last day is meant whole. */
const endOf = (day: string): string => (day.length === 10 ? `${day}T23:59:59.999Z` : day)

export function auditQuery(search: Search): AuditQuery {
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
