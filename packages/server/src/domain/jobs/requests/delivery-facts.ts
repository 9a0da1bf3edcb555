/**
 * What a request and its asset task show about a delivery: warnings, whether it was forced, and the
 * last failed try.
 */
import type { JobRequest } from '@dragoman/contract'
import type { RequestRow } from '../../../store/tables.ts'
import { describeLastTry } from './last-try.ts'

type Shown = Pick<JobRequest, 'warnings' | 'forced' | 'lastTry'>

export function describeDelivery(row: Pick<RequestRow, 'warnings' | 'forced' | 'last_try'>): Shown {
  return {
    ...(row.warnings !== null && { warnings: JSON.parse(row.warnings) }),
    ...(row.forced === 1 && { forced: true }),
    ...describeLastTry(row),
  }
}
