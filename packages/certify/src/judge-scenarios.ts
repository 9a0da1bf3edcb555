/**
 * Judges, for each fault, whether the connector handled it: it finished well, created nothing
 * twice, and fetched what it could.
 */
import { withAdvice } from './advice.ts'
import { judgeBackoff, judgePages, judgeToken } from './judge-calls.ts'
import { judgeUntouched } from './judge-jobs.ts'
import { judgePolling, judgeRedelivery } from './judge-updates.ts'
import {
  broken,
  isAt,
  type Judged,
  kept,
  many,
  notSeen,
  type Round,
  retrievalsIn,
  succeeded,
  type Verdict,
} from './verdict.ts'

/** What can be fetched: everything, unless the provider cancels. */
const brings: Readonly<Record<string, 'some' | 'none'>> = {
  'provider-cancels-one': 'some',
  'provider-cancels-all': 'none',
}

const tests: Readonly<Record<string, (rounds: readonly Round[]) => Judged>> = {
  'rate-limit-storm': judgeBackoff,
  'rate-limit-silent': judgeBackoff,
  unavailable: judgeBackoff,
  'unavailable-silent': judgeBackoff,
  'bad-gateway': judgeBackoff,
  'internal-error': judgeBackoff,
  'fms-failure': judgeBackoff,
  'token-endpoint-down': judgeBackoff,
  'token-revoked': judgeToken,
  'token-clock-skew': judgeToken,
  'token-short': judgeToken,
  'empty-page': judgePages,
  'small-pages': judgePages,
  'redelivery-after-approval': judgeRedelivery,
  'stuck-sending': judgeUntouched,
  'provider-error': judgeUntouched,
  'never-called': judgePolling,
}

export const judgeScenarios = (rounds: readonly Round[]): Verdict[] =>
  rounds.map((round) =>
    withAdvice(
      { name: round.scenario, says: `${round.says} ${round.goodConnector}`, ...judgeRound(round) },
      round.goodConnector,
    ),
  )

function judgeRound(round: Round): Judged {
  const { scenario, calls, ended, acted } = round
  if (scenario !== 'plain' && acted === 0)
    return notSeen('The connector made no call that this fault applies to.')
  const struck = calls.filter(({ fault }) => fault?.scenario === scenario)
  const troubled = struck.length > 0 ? struck : calls.slice(-3)
  if (ended === 'late') return broken('The connector did not finish in time.', troubled)
  if (ended !== 'in time' && ended.code !== 0)
    return broken(`The connector exited with code ${ended.code}.`, troubled)
  const made = calls.filter(
    (call) => isAt(call, 'POST /v2/jobs') && (call.status === 201 || call.status === 0),
  )
  const jobs = [
    ...new Set(made.map(({ answered }) => answered?.jobId).filter((jobId) => jobId !== undefined)),
  ]
  if (jobs.length === 0) return broken('No job was created.', troubled)
  if (scenario === 'answer-lost' && jobs.length > 1)
    return broken(`${jobs.length} jobs were created when the response to the first was lost.`, made)
  // The obligation that this fault tests, in this round only.
  const tested = tests[scenario]?.([round])
  return tested?.result === 'broken' ? tested : judgeHome(round, jobs)
}

function judgeHome({ scenario, calls, acted }: Round, jobs: readonly string[]): Judged {
  const wanted = new Set(
    calls
      .filter((call) => isAt(call, 'POST /v2/jobs/{jobId}/requests/add') && succeeded(call))
      .flatMap(({ answered }) => answered?.requestIds ?? []),
  )
  const fetched = retrievalsIn(calls)
  const home = new Set(fetched.map(({ ids }) => ids?.requestId))
  const missing = [...wanted].filter((requestId) => !home.has(requestId))
  const how = scenario === 'plain' ? '' : ` The fault applied ${many(acted, 'time')}.`
  if (brings[scenario] === 'none')
    return kept(`There was nothing to download, and the connector finished.${how}`)
  if (brings[scenario] === 'some' ? home.size === 0 : missing.length > 0)
    return broken(
      `${many(missing.length, 'translation')} of ${wanted.size} never downloaded.${how}`,
      calls.slice(-5),
    )
  return kept(
    `${many(jobs.length, 'job')}, ${many(home.size, 'translation')} downloaded.${how}`,
    fetched,
  )
}
