/**
 * What remains of a filter for jobs that have a certain status: true if all of them match, false if
 * none does, else the filter without its comparisons of the status. The jobs of a status that a
 * filter excludes need not be read.
 */
import type { Filter } from './filter.ts'
import { filterFields } from './lists/filter-fields.ts'

export function givenStatus(filter: Filter, status: string): Filter | boolean {
  switch (filter.is) {
    case 'and':
    case 'or': {
      const { is, parts } = filter
      const decides = is === 'or'
      const rest = parts
        .map((part) => givenStatus(part, status))
        .filter((part) => part !== !decides)
      if (rest.includes(decides)) return decides
      const open = rest.filter((part) => typeof part !== 'boolean')
      return open.length === 0 ? !decides : { is, parts: open }
    }
    case 'not': {
      const part = givenStatus(filter.part, status)
      return typeof part === 'boolean' ? !part : { is: 'not', part }
    }
    case 'term': {
      if (filter.field !== filterFields.statusCode) return filter
      const { operator, value } = filter
      const order = compare(status, String(value))
      return {
        eq: order === 0,
        ne: order !== 0,
        lt: order < 0,
        le: order <= 0,
        gt: order > 0,
        ge: order >= 0,
      }[operator]
    }
    case 'in':
      return filter.field === filterFields.statusCode ? filter.values.includes(status) : filter
    default:
      return filter
  }
}

/** As both databases compare text: by bytes. A status is ASCII. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
