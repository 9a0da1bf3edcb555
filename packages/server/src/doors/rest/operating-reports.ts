/** Handler of the reports. */
import { findReport } from '../../domain/views/reports/find-report.ts'
import type { Handlers } from './bind.ts'

export const reportHandlers = {
  findReport: (hub, call, { params, query }) => findReport(hub, call, params.report, query),
} satisfies Partial<Handlers>
