/**
 * The rules by which the hub finds what needs a person's attention (contract, section 12): what
 * each rule checks, its sentence, what a person can do and what the hub offers to do. The server
 * has a finder for each rule, and docs/findings.md is generated from these rows.
 */
import { type Blanks, fill } from './errors.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** What the hub can do about a finding. */
export type RemedyName = 'retry' | 'replay' | 'resume' | 'enable' | 'send' | 'forget'

type RuleRow = {
  readonly severity: 'error' | 'warning'
  /** `site`: an admin sees those of its site. `hub`: only operators see them. */
  readonly of: 'site' | 'hub'
  readonly looksAt: string
  /** How long the condition must last, or how long before the deadline it becomes a finding. */
  readonly after?: number
  /** The share of a limit from which it is a finding. */
  readonly share?: number
  readonly says: string
  /** What a person can do. */
  readonly advice: string
  /** What the hub does on request. */
  readonly remedy?: { readonly name: RemedyName; readonly says: string }
}

export const findingRules = {
  'parked-task': {
    severity: 'error',
    of: 'site',
    looksAt: 'Tasks that failed on every attempt. Only operators see tasks of the hub itself.',
    says: 'Task {taskId} ({name}) is parked after {attempts} failed attempts: {error}',
    advice: 'Fix the cause of the error, then retry the task.',
    remedy: { name: 'retry', says: 'Makes the task due now, with all of its attempts.' },
  },
  'parked-deliveries': {
    severity: 'error',
    of: 'site',
    looksAt: 'Enabled listeners with deliveries that the hub no longer retries.',
    says: 'Listener {listenerId} of client {clientId} has {count} parked deliveries; the oldest was created at {time}.',
    advice: 'Find out from the deliveries why the receiver refused them, then replay them.',
    remedy: { name: 'replay', says: 'Sends the parked deliveries again, oldest first.' },
  },
  'listener-failing': {
    severity: 'warning',
    of: 'site',
    looksAt: 'Enabled listeners whose receiver has not accepted a delivery for a while.',
    after: 10 * minute,
    says: 'Listener {listenerId} of client {clientId} has failed since {time}; if this goes on, the hub disables it after {until}.',
    advice: 'Look at the responses of the receiver in the deliveries, and repair the receiver.',
    remedy: {
      name: 'resume',
      says: 'Sends the waiting and parked deliveries now instead of at the next retry.',
    },
  },
  'listener-disabled': {
    severity: 'error',
    of: 'site',
    looksAt: 'Listeners that the hub disabled. A listener that a person disabled is not a finding.',
    says: 'The hub disabled listener {listenerId} of client {clientId}: {reason}',
    advice: 'Repair the receiver or change the URL of the listener, then enable it.',
    remedy: {
      name: 'enable',
      says: 'Enables the listener and sends its waiting and parked deliveries.',
    },
  },
  'job-sending': {
    severity: 'error',
    of: 'site',
    looksAt: 'Jobs that stay in SENDING, which takes seconds.',
    after: 15 * minute,
    says: 'Job {jobId} has been SENDING since {time}.',
    advice: 'Look at the tasks named send-job: the last error says why they fail.',
    remedy: {
      name: 'send',
      says: 'Makes the task that sends the job due now, or adds it if there is none.',
    },
  },
  'work-lost': {
    severity: 'error',
    of: 'site',
    looksAt:
      'Jobs of which the last run of `dragoman check` found that requests wait for an automatic provider although no task works on them.',
    says: 'Requests of job {jobId} wait for its provider, but no task has worked on them since {time}.',
    advice: 'Send them to the provider again.',
    remedy: {
      name: 'send',
      says: 'Adds the missing tasks. Requests that have a translation or an error stay as they are.',
    },
  },
  'job-overdue': {
    severity: 'warning',
    of: 'site',
    looksAt:
      'Jobs with a provider that are past their due date and in which nothing has changed for this long.',
    after: day,
    says: 'Job {jobId} was due at {due}; it is {status}, and nothing has changed since {time}.',
    advice: 'Ask the provider of the job, or complete or cancel the job.',
  },
  'question-open': {
    severity: 'warning',
    of: 'site',
    looksAt: 'Questions at running jobs that nobody has answered for this long.',
    after: day,
    says: 'Question {commentId} at job {jobId}, to the {to}, has been open since {time}.',
    advice:
      'Answer it in the console or with PATCH …/comments/{commentId}; the work may wait for it.',
  },
  'job-unacknowledged': {
    severity: 'warning',
    of: 'site',
    looksAt: 'Jobs that a provider of type manual or api has neither acknowledged nor started.',
    after: day,
    says: 'Provider {providerId} has not acknowledged job {jobId}, which was submitted at {time}.',
    advice: 'Check that the provider fetches its jobs or receives its listener calls.',
  },
  'jobs-expire': {
    severity: 'warning',
    of: 'site',
    looksAt:
      'Archived jobs that DRAGOMAN_RETENTION_MONTHS lets the daily sweep remove soon; one finding for each site, which counts up to 10,000 jobs.',
    after: 7 * day,
    says: '{count} archived jobs of site {siteId} will be removed within a week, the first one ({jobId}) at {time}.',
    advice: 'Unarchive the jobs that must stay; dragoman sites export saves a copy of all of them.',
  },
  'engine-refuses': {
    severity: 'warning',
    of: 'site',
    looksAt:
      'Providers whose translation engine fails, or whose upstream refuses the credentials, while the hub still retries.',
    says: 'The engine of provider {providerId} fails: {message} The next attempt is at {time}.',
    advice:
      'Check the config of the provider (URL, key, languages) and the engine itself. The hub retries automatically.',
  },
  'engine-held': {
    severity: 'warning',
    of: 'site',
    looksAt:
      'Providers whose engine has reached a limit (charactersPerDay, charactersPerJob) or a quota of its vendor today, so that requests wait.',
    says: 'Work of provider {providerId} has been waiting since {time}: {message}',
    advice:
      'Wait for the next day, or raise the limits of the provider; if the vendor has a quota, raise it there.',
  },
  'quota-near': {
    severity: 'warning',
    of: 'site',
    looksAt:
      'Quotas that are counted per site: bytes, providers, analysis codes and price lists. A limit of a client of the site replaces the default; the highest of several counts.',
    share: 0.9,
    says: '{quota} of site {siteId} is {percent} % used: {used} of {limit}.',
    advice: 'Remove what is no longer needed, or raise the quota of the client.',
  },
  'updates-near': {
    severity: 'warning',
    of: 'site',
    looksAt: 'Unacknowledged status updates of a site against MaxStatusUpdatesPerSite.',
    share: 0.9,
    says: 'Site {siteId} has {used} unacknowledged status updates; at {limit} no job can be submitted.',
    advice:
      'Find the connector that does not acknowledge updates and acknowledge them, or raise the quota.',
  },
  'disk-near': {
    severity: 'error',
    of: 'hub',
    looksAt:
      'The disk with the files of this node. The reserve of DRAGOMAN_FREE_SPACE does not count as usable.',
    share: 0.9,
    says: '{percent} % of the disk that files may use is used: {free} bytes are free, and uploads are refused below {reserve}.',
    advice: 'Free space, enlarge the disk, or remove jobs that are no longer needed.',
  },
  'secret-expires': {
    severity: 'warning',
    of: 'site',
    looksAt:
      'Secrets of clients that end soon: after a rotation the old secret is valid for a while.',
    after: 14 * day,
    says: 'A secret of client {clientId} expires at {time}.',
    advice: 'Make sure that the client uses its newest secret.',
  },
  'certificate-expires': {
    severity: 'error',
    of: 'hub',
    looksAt: 'The TLS certificate that this node serves (DRAGOMAN_TLS_CERT).',
    after: 14 * day,
    says: 'The TLS certificate of {subject} expires at {time}.',
    advice: 'Replace the files of DRAGOMAN_TLS_CERT and DRAGOMAN_TLS_KEY, and restart every node.',
  },
  'clock-skew': {
    severity: 'error',
    of: 'hub',
    looksAt: 'Running nodes whose clock differs from the clock of the database by more than this.',
    after: 2_000,
    says: 'The clock of node {nodeId} on {host} is {seconds} s {direction} the clock of the database.',
    advice:
      'Synchronise the clocks of all machines (NTP): leases, tokens and retries depend on them.',
  },
  'node-vanished': {
    severity: 'error',
    of: 'hub',
    looksAt:
      'Nodes that send no heartbeat and did not stop cleanly. They are removed from the list a day later.',
    after: minute,
    says: 'Node {nodeId} on {host} was last seen at {time} and did not stop cleanly.',
    advice: 'Read the end of its log, and start it again.',
    remedy: {
      name: 'forget',
      says: 'Removes the node from the list. A node that is still alive reappears.',
    },
  },
  check: {
    severity: 'error',
    of: 'site',
    looksAt:
      'What the last run of `dragoman check` found: blobs without rows, rows without blobs, and all other checks.',
    says: 'dragoman check found this at {time}: {what}: {says} {advice}',
    advice: 'Follow the advice in the sentence, then run dragoman check again.',
  },
  'backup-old': {
    severity: 'error',
    of: 'hub',
    looksAt:
      'The last finished `dragoman backup`, if it is older than DRAGOMAN_BACKUP_EXPECTED, or if a hub of that age has none.',
    says: '{last} A backup is expected by {due}.',
    advice: 'Run dragoman backup, and make sure that it runs automatically.',
  },
} as const satisfies Record<string, RuleRow>

export type FindingRule = keyof typeof findingRules
export const findingRuleNames = Object.keys(findingRules) as FindingRule[]
export type Severity = RuleRow['severity']
export type FindingFacts<R extends FindingRule> = Record<
  Blanks<(typeof findingRules)[R]['says']>,
  string | number
>

export const isFindingRule = (name: string): name is FindingRule =>
  Object.hasOwn(findingRules, name)
export const ruleOf = (name: FindingRule): RuleRow => findingRules[name]
export const findingSentence = <R extends FindingRule>(rule: R, facts: FindingFacts<R>): string =>
  fill(findingRules[rule].says, facts)
