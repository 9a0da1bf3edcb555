/**
 * Every obligation of a connector in rest-service.md, each with the function that holds what was seen against it. Passwords
 * that are stored hashed cannot be seen from outside; the transaction log is asked for.
 */
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

type Obligation = { readonly name: string; readonly says: string; readonly judge: (rounds: readonly Round[]) => Judged }

const obligations: readonly Obligation[] = [
  {
    name: 'metadata',
    says: 'ConnectorName and ConnectorVersion are sent on job create and modify.',
    judge: judgeMetadata,
  },
  {
    name: 'guid-prefix',
    says: 'ConnectorName is <guid> <name> <version>, with a GUID that never changes.',
    judge: judgePrefix,
  },
  { name: 'name-length', says: 'jobName and requestName have at most 250 bytes each.', judge: judgeNames },
  { name: 'token-reuse', says: 'A token is reused until it expires.', judge: judgeToken },
  {
    name: 'backoff',
    says: 'After 429 and 50x the connector waits as long as Retry-After says, else ever longer, not for ever.',
    judge: judgeBackoff,
  },
  { name: 'pages', says: 'Pages are followed to the end.', judge: judgePages },
  { name: 'redirect', says: 'The 307 of a download is followed.', judge: judgeRedirect },
  { name: 'accept', says: 'Accept and Content-Type are sent.', judge: judgeAccept },
  { name: 'redelivery', says: 'Re-delivery of a job is accepted.', judge: judgeRedelivery },
  { name: 'in-progress', says: 'A job in progress is neither cancelled nor deleted.', judge: judgeUntouched },
  { name: 'polling', says: 'Translations are found by polling though a listener exists.', judge: judgePolling },
  {
    name: 'acknowledge',
    says: 'An update is acknowledged when its translations were fetched.',
    judge: judgeAcknowledging,
  },
  { name: 'deprecated', says: 'No deprecated or removed call is made.', judge: judgeDeprecated },
  { name: 'languages', says: 'Language codes are those of the accepted list.', judge: judgeLanguages },
]

export const judgeObligations = (rounds: readonly Round[]): Verdict[] =>
  obligations.map(({ name, says, judge }) => ({ name, says, ...judge(rounds) }))

/** The connector's own log of the day: every job of these rounds must be in it. Without one, a person must be shown it. */
export function judgeLog(rounds: readonly Round[], log: string | undefined): Verdict {
  const about = { name: 'transaction-log', says: 'Every transaction is logged, daily.' }
  const jobs = [...new Set(callsOf(rounds).flatMap(({ ids }) => ids?.jobId ?? []))]
  if (log === undefined)
    return {
      ...about,
      result: 'asked',
      because: 'Show the log of this day (--log FILE holds it against the jobs).',
      evidence: [],
    }
  const missing = jobs.filter((jobId) => !log.includes(jobId))
  if (missing.length > 0)
    return {
      ...about,
      result: 'broken',
      because: `${many(missing.length, 'job')} of ${jobs.length} not in it: ${missing.slice(0, 5).join(', ')}.`,
      evidence: [],
    }
  return { ...about, result: 'kept', because: `All ${many(jobs.length, 'job')} are in it.`, evidence: [] }
}
