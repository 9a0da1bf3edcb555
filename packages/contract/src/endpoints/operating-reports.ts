/** Reports: words, money and speed of a site. */
import { Report, ReportQuery, reportPath } from '../schemas/operating/report.ts'
import { rows } from './row.ts'

export const reportEndpoints = rows({
  findReport: {
    tag: 'Operating',
    scope: ['admin', 'operator'],
    roles: ['manager', 'admin'],
    call: 'GET /reports/{report}',
    says: 'Compute a report of a site over a period: throughput, time-in-state, words, money, on-time, rejects, latency, engines or effort',
    params: reportPath,
    query: ReportQuery,
    answers: Report,
    fails: ['SITE_NOT_FOUND'],
  },
})
