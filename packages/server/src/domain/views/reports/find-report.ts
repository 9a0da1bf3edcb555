/**
 * Computes a report from rows that exist anyway: jobs, their moves and the quotes they keep,
 * deliveries, calls and what engines cost. Nothing is stored, and what the hub has removed is in no
 * report. A node computes one report at a time, and sites take turns.
 */
import {
  type Endpoints,
  groupsOfReport,
  HubError,
  type Input,
  type Report,
  type ReportGroup,
  type ReportName,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import { openGate, throughGate } from '../../../turns/gate.ts'
import { type Call, sightOf } from '../../access/caller.ts'
import { hasStayingSite } from '../../access/sites.ts'
import { effort } from './effort.ts'
import { engines } from './engines.ts'
import { latency } from './latency.ts'
import { money } from './money.ts'
import { onTime } from './on-time.ts'
import { rejects } from './rejects.ts'
import { dayText, type Period, periodOf } from './report-period.ts'
import { throughput } from './throughput.ts'
import { timeInState } from './time-in-state.ts'
import { openWalk, type Walk } from './walk.ts'
import { words } from './words.ts'

type ReportQuery = Input<Endpoints['findReport']>['query']
type Computed = Pick<Report, 'rows' | 'totals'> &
  Partial<Pick<Report, 'jobsWithoutQuote' | 'incompleteQuotes'>>

const usual: ReportGroup = 'provider'
const makers: Readonly<
  Record<ReportName, (walk: Walk, period: Period, by: ReportGroup | undefined) => Promise<Computed>>
> = {
  throughput,
  'time-in-state': (walk, period, by = usual) => timeInState(walk, period, by),
  words,
  money: (walk, period, by = usual) => money(walk, period, by),
  'on-time': onTime,
  rejects: (walk, period, by = usual) => rejects(walk, period, by),
  latency: (walk, period, by = 'listener') => latency(walk, period, by),
  effort: (walk, period, by = 'provider-pair') => effort(walk, period, by),
  engines: (walk, period, by = usual) => engines(walk, period, by),
}
/** Reports that are always divided. */
const divided: readonly ReportName[] = [
  'time-in-state',
  'money',
  'rejects',
  'latency',
  'engines',
  'effort',
]

const turns = perHub(() => openGate(1))

export async function findReport(
  hub: Hub,
  call: Call,
  report: ReportName,
  asked: ReportQuery,
): Promise<Report> {
  const siteId = sightOf(call, asked.siteId)
  if (siteId === undefined)
    throw new HubError('INVALID_PARAMETER', {
      because: 'siteId is missing: a report is about one site.',
    })
  if (!(await hasStayingSite(hub.db.read, siteId))) throw new HubError('SITE_NOT_FOUND', { siteId })
  const groups = groupsOfReport[report]
  if (asked.by && !groups.includes(asked.by))
    throw new HubError('INVALID_PARAMETER', { because: refusal(report) })
  const by = asked.by ?? (divided.includes(report) ? groups[0] : undefined)
  const unit =
    asked.unit ?? (report === 'throughput' ? 'day' : report === 'engines' ? 'month' : 'week')
  const period = periodOf(asked, unit, hub.clock.now())
  const computed = await throughGate(turns(hub), siteId, 1, () =>
    makers[report](openWalk(hub, siteId), period, by),
  )
  return {
    report,
    from: dayText(period.from),
    to: dayText(period.to - 1),
    unit,
    ...(by && { by }),
    ...computed,
  }
}

function refusal(report: ReportName): string {
  const groups = groupsOfReport[report]
  return groups.length === 0
    ? `the report ${report} has no by.`
    : `by of the report ${report} must be ${groups.join(', ')}.`
}
