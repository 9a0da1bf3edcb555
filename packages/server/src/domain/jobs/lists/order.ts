/**
 * Parses the `orderBy` of job lists (contract, section 3): date fields only, absent dates last,
 * ties broken by id.
 */
import { HubError, limits } from '@dragoman/contract'
import type { OrderTerm } from '../../../store/page.ts'
import { type Field, fieldOf } from './filter-fields.ts'

type Order = { field: Field; descending: boolean }

/** The default is newest first. */
export function orderTerms(orderBy: string | undefined): OrderTerm[] {
  const orders = parseOrder(orderBy || 'createdDate desc')
  const terms: OrderTerm[] = orders.map(({ field, descending }) => ({
    column: field.column,
    descending,
    nullable: 'nullable' in field,
  }))
  // Ordered like the last date, so that one index serves both.
  return [...terms, { column: 'job_id', descending: orders.at(-1)?.descending ?? true }]
}

/** For example `createdDate desc, dueDate`: date fields only, ascending unless marked `desc`. */
function parseOrder(text: string): Order[] {
  const parts = text.split(',')
  if (parts.length > limits.orderTerms)
    refuseOrder(`it names more than ${limits.orderTerms} fields`)
  const orders = parts.map((part): Order => {
    const [name = '', given = 'asc', ...rest] = part.trim().split(/\s+/)
    const direction = given.toLowerCase()
    const field = fieldOf(name)
    if (field?.kind !== 'time')
      return refuseOrder(`"${part.trim()}" does not name a date field of a job`)
    if ((direction !== 'asc' && direction !== 'desc') || rest.length)
      return refuseOrder(`after ${name} only asc or desc may stand`)
    return { field, descending: direction === 'desc' }
  })
  const columns = orders.map((order) => order.field.column)
  if (new Set(columns).size < columns.length) refuseOrder('a field is named twice')
  return orders
}

function refuseOrder(because: string): never {
  throw new HubError('INVALID_PARAMETER', {
    because: `orderBy: ${because}; write for example "createdDate desc, dueDate".`,
  })
}
