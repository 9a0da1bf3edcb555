/**
 * Generates docs/checks.md, docs/errors.md, docs/findings.md, docs/states.md and docs/limits.md
 * from the tables.
 */
import {
  allowed,
  archiveMoves,
  assetTaskNames,
  checkNames,
  checkOf,
  errorCodes,
  errors,
  findingRuleNames,
  isRetryable,
  jobMoves,
  jobStatuses,
  limitRows,
  type Move,
  providerJobNames,
  quotaRows,
  requestMoves,
  requestStatuses,
  ruleOf,
  type Unit,
} from '@dragoman/contract'
import { errorHelp } from './error-help/index.ts'

const generated = '<!-- Generated from packages/contract by `npm run generate`; do not edit. -->'

export function errorsPage(): string {
  const lines = errorCodes
    .map((code) => ({ code, ...errors[code] }))
    .sort((a, b) => a.status - b.status)
    .map(({ code, status, says }) => {
      const { cause, remedy } = errorHelp[code]
      return [`\`${code}\``, String(status), isRetryable(code) ? 'yes' : '', says, cause, remedy]
    })
  return join(
    '# Errors',
    generated,
    'Every error response has this form, including those for unknown routes, oversize bodies and internal errors:',
    '```json\n{ "code": "JOB_NOT_FOUND", "message": "There is no job aB3dE5fG7h on this site.", "details": [{ "path": "/jobId", "message": "…" }], "traceId": "…" }\n```',
    '`details` lists the invalid fields, if any; `field` (deprecated) is the path of the first. ' +
      '`traceId` is the `x-request-id` of the response and identifies the call in the log. Distinguish errors by `code`, never by `message`.',
    'You can retry a call unchanged if its code is marked *retry*. Wait for the `Retry-After` of the response first.',
    table(['Code', 'Status', 'Retry', 'Message', 'Cause', 'What to do'], lines),
  )
}

export function statesPage(): string {
  return join(
    '# Statuses and transitions',
    generated,
    'An error is not a status: it sets `hasError` and `latestErrorMessage`, and the next successful transition clears both. ' +
      'Only transitions marked *notifies* create a status update.',
    '## Job',
    diagram(jobMoves, 'CREATED'),
    moveTable(jobMoves),
    '## Request',
    diagram(requestMoves, 'CREATED'),
    moveTable(requestMoves),
    '## Archive',
    'A job has an archive status in addition to its status. `archived` is true while it is ARCHIVING or ARCHIVED.',
    diagram(archiveMoves, 'ACTIVE'),
    moveTable(archiveMoves),
    '## Allowed operations',
    'Every operation requires the archive status ACTIVE; otherwise it fails with `JOB_ARCHIVED`. Reading the job itself is always allowed.',
    table(
      ['Operation', ...jobStatuses, 'Otherwise'],
      Object.values(allowed).map(({ says, status, otherwise }) => [
        says,
        ...jobStatuses.map((one) => ((status as readonly string[]).includes(one) ? 'yes' : '')),
        status.length < jobStatuses.length ? `\`${otherwise}\`` : '',
      ]),
    ),
    '## Names for providers',
    table(
      ['Job', 'Provider'],
      jobStatuses.map((status) => [status, providerJobNames[status]]),
    ),
    table(
      ['Request', 'Asset task'],
      requestStatuses.map((status) => [status, assetTaskNames[status]]),
    ),
  )
}

export function limitsPage(): string {
  return join(
    '# Limits',
    generated,
    '## Quotas',
    'Quotas apply per client; an operator can raise them. `GET /v2/quota` returns those of the caller. A call that exceeds one gets 409 `QUOTA_EXCEEDED`.',
    table(
      ['Quota', 'Value', 'Counts'],
      Object.entries(quotaRows).map(([name, { value, says }]) => [name, number(value), says]),
    ),
    'Everything else is limited by its parent: requests and labels by their job, lines and bands by their price list, deliveries by the events of a job and their retention time, translation memory units by the files they come from. The number of jobs is not limited; only the rate limit applies.',
    '## Limits',
    'These apply to every client.',
    table(
      ['Limit', 'Value', 'Applies to'],
      Object.entries(limitRows).map(([name, { value, unit, says }]) => [
        name,
        measure(value, unit),
        says,
      ]),
    ),
  )
}

export function findingsPage(): string {
  const about = (name: (typeof findingRuleNames)[number]) => {
    const { severity, of, looksAt, after, share, says, advice, remedy } = ruleOf(name)
    const from = [
      ...(after === undefined ? [] : [`${span(after)}`]),
      ...(share === undefined ? [] : [`${share * 100} %`]),
    ]
    return [
      `## ${name}`,
      looksAt,
      table(
        ['', ''],
        [
          ['Severity', severity],
          ['Shown to', of === 'hub' ? 'operators' : 'operators, and admins of the site'],
          ...from.map((text) => ['Threshold', text]),
          ['Sentence', says],
          ['What to do', advice],
          ['Remedy', remedy ? `\`${remedy.name}\`: ${remedy.says}` : 'none'],
        ],
      ),
    ]
  }
  return join(
    '# Findings',
    generated,
    'A finding is something that a person should look at. The hub stores none: a finding is there for as long as its cause is. ' +
      '`GET /v2/findings` and `dragoman findings` list them, `dragoman findings` exits with 1 if there are any, and the metric `dragoman_findings` counts them by rule. ' +
      `Each rule lists its ${limitRows.findingsPerRule.value} oldest findings; one more item, with \`more\`, counts the others.`,
    'An admin sees the findings of its site, an operator those of all sites and of the hub itself. ' +
      '`POST /v2/findings/{findingId}/remedy` and `dragoman findings remedy ID` do what the finding offers, in one transaction with an entry in the audit log. ' +
      'If the finding no longer holds, the answer is 409 `FINDING_GONE`; if it has no remedy, 409 `FINDING_WITHOUT_REMEDY` says what you can do.',
    ...findingRuleNames.flatMap(about),
  )
}

export function checksPage(): string {
  const yes = (is: boolean | undefined) => (is ? 'yes' : '')
  return join(
    '# Checks of translations',
    generated,
    'The hub checks every translation: each delivery of a provider, as segments, as a file or as `translatedContent`, and every text of `POST /v2/providers/{providerId}/checks`. ' +
      'A finding names its check and says in a sentence what is wrong. Where a rule can fix the text, `fix` is the fixed translation.',
    table(
      ['Check', 'Severity', 'Finds', 'What to do', 'May carry `fix`'],
      checkNames.map((name) => {
        const { severity, finds, remedy, fixes } = checkOf(name)
        return [`\`${name}\``, severity, finds, remedy, yes(fixes)]
      }),
    ),
    '## Sentences in another language',
    '`message` is in English. `facts` has what it says, one entry for each sentence: `says` names the sentence, and the entry has the facts of the list below. ' +
      '`names` are at most three of `count`. The console writes its sentences from them, in the language of the reader.',
    table(
      ['Check', '`says`', 'Facts'],
      checkNames.flatMap((name) =>
        Object.entries(checkOf(name).says).map(([says, facts]) => [
          `\`${name}\``,
          `\`${says}\``,
          facts.map((fact) => `\`${fact}\``).join(', '),
        ]),
      ),
    ),
    '## Severities of a site',
    '`GET /v2/checks` lists the table with the severities of your site. `PUT /v2/settings/checks` replaces what your site asks for, such as `{"numbers": "BLOCKING", "same": "OFF"}`. ' +
      'A check that warns can be made BLOCKING or switched OFF. A check that blocks stays: naming it as BLOCKING makes the hub also refuse files with such a finding.',
    'A delivery of segments is refused with 422 `CHECKS_FAILED` where a check that blocks finds something that nobody keeps with a reason (docs/desk.md). ' +
      'The others are in `warnings`.',
    'A delivered file or `translatedContent` is stored with the findings in its `warnings`, one sentence for each check. The hub refuses it with 422 `DELIVERY_INVALID` ' +
      'if your site names the check as BLOCKING in its settings, or if `DRAGOMAN_STRICT_DELIVERIES` names your site and the finding is BLOCKING. `force` delivers it anyway. ' +
      'In these, `fuzzy` is looked for only where the match that was offered is known.',
    '## What the checks know about languages',
    bullets(
      'Numbers: the separators of CLDR, Arabic-Indic, Persian, Devanagari and other digits, groups with spaces or apostrophes, dates in another order, 3 pm as 15. A number up to twelve may be a word in the main European languages, Chinese, Japanese and Korean.',
      'Punctuation: the marks of Chinese, Japanese, Arabic, Persian, Urdu, Hindi, Armenian and Greek equal their Latin counterparts; Thai, Lao, Khmer and Burmese need no full stop; Spanish questions and exclamations start with ¿ and ¡.',
      'Spaces: in French a no-break space, narrow or not, belongs before ; : ! ? and inside « »; in Canada only before : and inside « ».',
      'Doubled words: not in languages that double words to change their meaning, such as Vietnamese, Turkish and Hindi.',
      'Plurals: the categories of CLDR for whole numbers.',
    ),
  )
}

function diagram(rows: readonly Move[], start: string): string {
  const arrows = rows
    .filter((row) => row.to !== 'same')
    .flatMap((row) => row.from.map((from) => `  ${from} --> ${row.to}: ${row.on}`))
  return ['```mermaid', 'stateDiagram-v2', `  [*] --> ${start}`, ...arrows, '```'].join('\n')
}

function moveTable(rows: readonly Move[]): string {
  return table(
    ['Transition', 'By', 'From', 'To', 'No effect from', 'Otherwise', 'Notifies'],
    rows.map((row) => [
      row.on,
      row.by.join(', '),
      row.from.join(', '),
      row.to === 'same' ? '(unchanged)' : row.to,
      (row.already ?? []).join(', '),
      `\`${row.otherwise}\``,
      row.notifies ?? '',
    ]),
  )
}

function measure(value: number, unit: Unit): string {
  if (unit === 'ms') return span(value)
  if (unit !== 'bytes' || value % 1024 !== 0) return `${number(value)} ${unit}`
  const [size, name] =
    value % 1024 ** 3 === 0
      ? [1024 ** 3, 'GiB']
      : value % 1024 ** 2 === 0
        ? [1024 ** 2, 'MiB']
        : [1024, 'KiB']
  return `${number(value / (size as number))} ${name} (${number(value)} bytes)`
}

const spans = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

function span(ms: number): string {
  const [size, name] = spans.find(([size]) => ms % size === 0) ?? [1, 'ms']
  return `${number(ms / size)} ${name}`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}

function table(heads: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [row(heads), row(heads.map(() => '---')), ...lines.map(row)].join('\n')
}

const bullets = (...lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

function join(...parts: string[]): string {
  return `${parts.join('\n\n')}\n`
}
