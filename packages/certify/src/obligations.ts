/**
 * Every obligation of a connector in rest-service.md, with the function that judges it. Hashed
 * storage of passwords cannot be observed from outside; the transaction log is judged by the
 * connector's own file.
 */
import { withAdvice } from './advice.ts'
import { judgeAccept, judgeBackoff, judgePages, judgeRedirect, judgeToken } from './judge-calls.ts'
import {
  judgeDeprecated,
  judgeLanguages,
  judgeMetadata,
  judgeNames,
  judgePrefix,
  judgeUntouched,
} from './judge-jobs.ts'
import { judgeAcknowledging, judgePolling, judgeRedelivery } from './judge-updates.ts'
import { callsOf, type Judged, many, type Round, type Verdict } from './verdict.ts'

type Obligation = {
  readonly name: string
  readonly says: string
  readonly judge: (rounds: readonly Round[]) => Judged
}

const obligations: readonly Obligation[] = [
  {
    name: 'metadata',
    says: 'Send ConnectorName and ConnectorVersion when creating or changing a job.',
    judge: judgeMetadata,
  },
  {
    name: 'guid-prefix',
    says: 'ConnectorName is <guid> <name> <version>, with a GUID that never changes.',
    judge: judgePrefix,
  },
  {
    name: 'name-length',
    says: 'jobName and requestName have at most 250 bytes each.',
    judge: judgeNames,
  },
  { name: 'token-reuse', says: 'Reuse a token until it expires.', judge: judgeToken },
  {
    name: 'backoff',
    says: 'After 429 and 50x, wait for Retry-After; without it, back off; give up eventually.',
    judge: judgeBackoff,
  },
  { name: 'pages', says: 'Follow pages to the end.', judge: judgePages },
  { name: 'redirect', says: 'Follow the 307 redirect of a download.', judge: judgeRedirect },
  { name: 'accept', says: 'Send Accept and Content-Type.', judge: judgeAccept },
  {
    name: 'redelivery',
    says: 'Accept a translation that is delivered again.',
    judge: judgeRedelivery,
  },
  { name: 'in-progress', says: 'Never cancel or delete a job in progress.', judge: judgeUntouched },
  { name: 'polling', says: 'Poll for translations even with a listener.', judge: judgePolling },
  {
    name: 'acknowledge',
    says: 'Acknowledge an update after downloading its translations.',
    judge: judgeAcknowledging,
  },
  { name: 'deprecated', says: 'Use no deprecated or removed endpoint.', judge: judgeDeprecated },
  { name: 'languages', says: 'Use only accepted language codes.', judge: judgeLanguages },
]

export const judgeObligations = (rounds: readonly Round[]): Verdict[] =>
  obligations.map(({ name, says, judge }) => withAdvice({ name, says, ...judge(rounds) }))

/**
 * The connector's own log of the day must mention every job of these rounds. Without a log, a
 * person must check it.
 */
export function judgeLog(rounds: readonly Round[], log: string | undefined): Verdict {
  const about = { name: 'transaction-log', says: 'Log every transaction, in daily files.' }
  const jobs = [...new Set(callsOf(rounds).flatMap(({ ids }) => ids?.jobId ?? []))]
  if (log === undefined)
    return {
      ...about,
      result: 'asked',
      because: 'Show the log of this day (--log FILE compares it with the jobs).',
      evidence: [],
    }
  const missing = jobs.filter((jobId) => !log.includes(jobId))
  if (missing.length > 0)
    return withAdvice({
      ...about,
      result: 'broken',
      because: `${many(missing.length, 'job')} of ${jobs.length} not in it: ${missing.slice(0, 5).join(', ')}.`,
      evidence: [],
    })
  return {
    ...about,
    result: 'kept',
    because: `All ${many(jobs.length, 'job')} are in it.`,
    evidence: [],
  }
}
