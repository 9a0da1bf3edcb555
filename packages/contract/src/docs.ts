/** The pages docs/errors.md, docs/states.md and docs/limits.md, written from the tables. */
import { allowed } from './allowed.ts'
import { errorCodes, errors, isRetryable } from './errors.ts'
import { archiveMoves, jobMoves, jobStatuses, type Move, requestMoves, requestStatuses } from './lifecycle.ts'
import { limitRows, quotaRows, type Unit } from './limits.ts'
import { assetTaskNames, providerJobNames } from './provider-names.ts'

const generated = '<!-- Generated from packages/contract by `npm run generate`; do not edit. -->'

export function errorsPage(): string {
  const lines = errorCodes
    .map((code) => ({ code, ...errors[code] }))
    .sort((a, b) => a.status - b.status)
    .map(({ code, status, says }) => [`\`${code}\``, String(status), isRetryable(code) ? 'yes' : '', says])
  return join(
    '# Errors',
    generated,
    'Every error answer is this object, also for unknown routes, oversize bodies and failures of the hub itself:',
    '```json\n{ "code": "JOB_NOT_FOUND", "message": "There is no job aB3dE5fG7h on this site.", "details": [{ "path": "/jobId", "message": "…" }], "traceId": "…" }\n```',
    '`details` is there where single fields are at fault; `field` (deprecated) repeats the path of the first. ' +
      '`traceId` is the `x-request-id` of the answer and stands in the log. Tell errors apart by `code`, never by `message`.',
    'A call that failed with a code marked *again* may be sent again unchanged after the `Retry-After` of the answer.',
    table(['Code', 'Status', 'Again', 'Sentence'], lines),
  )
}

export function statesPage(): string {
  return join(
    '# States and moves',
    generated,
    'An error is not a state: it is `hasError` with `latestErrorMessage`, and the next successful move clears it. ' +
      'Only transitions marked *notifies* create a status update.',
    '## Job',
    diagram(jobMoves, 'CREATED'),
    moveTable(jobMoves),
    '## Request',
    diagram(requestMoves, 'CREATED'),
    moveTable(requestMoves),
    '## Archive',
    'Beside its status a job has an archive status. `archived` is true from ARCHIVING to ARCHIVED.',
    diagram(archiveMoves, 'ACTIVE'),
    moveTable(archiveMoves),
    '## What is allowed where',
    'All of it needs the archive status ACTIVE, else `JOB_ARCHIVED`. Reading the job itself is always allowed.',
    table(
      ['To', ...jobStatuses, 'Otherwise'],
      Object.values(allowed).map(({ says, status, otherwise }) => [
        says,
        ...jobStatuses.map((one) => ((status as readonly string[]).includes(one) ? 'yes' : '')),
        status.length < jobStatuses.length ? `\`${otherwise}\`` : '',
      ]),
    ),
    '## Names that providers see',
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
    'Per client; an operator may raise them. `GET /v2/quota` shows those of the caller. Over one: 409 `QUOTA_EXCEEDED`.',
    table(
      ['Quota', 'Value', 'Counts'],
      Object.entries(quotaRows).map(([name, { value, says }]) => [name, number(value), says]),
    ),
    'Everything else that a caller can make is bounded by what it belongs to: requests and labels by their job, lines and bands by their price list, deliveries by the events of a job and by the time for which they are kept, units of the translation memory by the files that bring them. Jobs are not counted: a site may have as many as it likes, made no faster than calls are allowed.',
    '## Limits',
    'The same for all.',
    table(
      ['Limit', 'Value', 'Of'],
      Object.entries(limitRows).map(([name, { value, unit, says }]) => [name, measure(value, unit), says]),
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
    ['Move', 'By', 'From', 'To', 'Already so', 'Otherwise', 'Tells'],
    rows.map((row) => [
      row.on,
      row.by.join(', '),
      row.from.join(', '),
      row.to === 'same' ? '(stays)' : row.to,
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
    value % 1024 ** 3 === 0 ? [1024 ** 3, 'GiB'] : value % 1024 ** 2 === 0 ? [1024 ** 2, 'MiB'] : [1024, 'KiB']
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
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [row(heads), row(heads.map(() => '---')), ...lines.map(row)].join('\n')
}

function join(...parts: string[]): string {
  return `${parts.join('\n\n')}\n`
}
