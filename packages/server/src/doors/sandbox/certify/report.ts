/** The report: as text for a terminal, as a page, and as JUnit XML for a build server. All have the same content. */
import type { Evidence, Result, Verdict } from './verdict.ts'

export type Report = {
  readonly url: string
  readonly client: string
  readonly command?: string
  /** When it was made. */
  readonly time: string
  readonly obligations: readonly Verdict[]
  readonly scenarios: readonly Verdict[]
}

export const all = ({ obligations, scenarios }: Report): Verdict[] => [...obligations, ...scenarios]
export const isPassed = (report: Report): boolean => all(report).every(({ result }) => result !== 'broken')

export function summary(report: Report): string {
  const count = (result: Result) => all(report).filter((one) => one.result === result).length
  const counted = (['kept', 'broken', 'not seen', 'asked'] as const).map((result) => `${count(result)} ${result}`)
  return `${isPassed(report) ? 'Certified' : 'Not certified'}: ${counted.join(', ')}.`
}

const marks: Readonly<Record<Result, string>> = { kept: 'ok', broken: 'BROKEN', 'not seen': '-', asked: '?' }

const lineOf = ({ id, call, status }: Evidence): string => `${id}  ${call} ${status}`

export function textReport(report: Report): string {
  const width = Math.max(...all(report).map(({ name }) => name.length))
  const lines = (title: string, verdicts: readonly Verdict[]) => [
    title,
    ...verdicts.flatMap(({ name, result, because, evidence }) => [
      `  ${marks[result].padEnd(6)}  ${name.padEnd(width)}  ${because}`,
      ...(result === 'broken' ? evidence.map((one) => `  ${' '.repeat(width + 8)}  ${lineOf(one)}`) : []),
    ]),
  ]
  return [
    ...lines('Obligations', report.obligations),
    '',
    ...lines('Scenarios', report.scenarios),
    '',
    summary(report),
  ].join('\n')
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** For XML and HTML; control characters, which XML does not allow, become spaces. */
export const safe = (text: string): string =>
  text.replace(/(?![\n\t])\p{Cc}|[\ufffe\uffff]/gu, ' ').replace(/[&<>"']/g, (one) => escapes[one] ?? one)

export function htmlReport(report: Report): string {
  const rows = (verdicts: readonly Verdict[]) =>
    verdicts
      .map(
        ({ name, says, result, because, evidence }) => `<tr class="${result.replace(' ', '-')}">
<td>${safe(result)}</td><th scope="row">${safe(name)}</th><td>${safe(says)}</td><td>${safe(because)}</td>
<td>${evidence.map((one) => `<div><code>${safe(one.id)}</code> ${safe(`${one.call} ${one.status}`)}</div>`).join('')}</td></tr>`,
      )
      .join('\n')
  const table = (title: string, verdicts: readonly Verdict[]) => `<h2>${title}</h2>
<table><thead><tr><th>Verdict</th><th>Name</th><th>Requirement</th><th>Observed</th><th>Calls</th></tr></thead>
<tbody>
${rows(verdicts)}
</tbody></table>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${safe(summary(report))}</title>
<style>${styles}</style></head>
<body><h1>${safe(summary(report))}</h1>
<p>Client <code>${safe(report.client)}</code> at <code>${safe(report.url)}</code>, ${safe(report.time)}${
    report.command === undefined ? '' : `, run as <code>${safe(report.command)}</code>`
  }.</p>
${table('Obligations', report.obligations)}
${table('Scenarios', report.scenarios)}
</body></html>
`
}

const styles = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #ccc;padding:.4rem;text-align:left;vertical-align:top}
td div{font-size:.85em}td:first-child{font-weight:bold;white-space:nowrap}.kept td:first-child{color:#14632a}.broken td:first-child{color:#a30f0f}
.not-seen td:first-child,.asked td:first-child{color:#555}code{font-size:.85em;overflow-wrap:anywhere}`

/** Each verdict is a test case: broken ones failed, unseen ones were skipped. */
export function junitReport(report: Report): string {
  const count = (verdicts: readonly Verdict[], ...results: Result[]) =>
    verdicts.filter(({ result }) => results.includes(result)).length
  const suite = (name: string, verdicts: readonly Verdict[]) => {
    const cases = verdicts.map(
      (one) => `    <testcase classname="certify.${name}" name="${safe(one.name)}">${outcome(one)}</testcase>`,
    )
    const counts = `tests="${verdicts.length}" failures="${count(verdicts, 'broken')}" skipped="${count(verdicts, 'not seen', 'asked')}" errors="0"`
    return `  <testsuite name="${name}" ${counts} timestamp="${safe(report.time.slice(0, 19))}">\n${cases.join('\n')}\n  </testsuite>`
  }
  const verdicts = all(report)
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="dragoman certify" tests="${verdicts.length}" failures="${count(verdicts, 'broken')}">
${suite('obligations', report.obligations)}
${suite('scenarios', report.scenarios)}
</testsuites>
`
}

function outcome({ result, because, says, evidence }: Verdict): string {
  const calls = evidence.length > 0 ? `\nCalls:\n${evidence.map(lineOf).join('\n')}` : ''
  if (result === 'broken') return `<failure message="${safe(because)}">${safe(says + calls)}</failure>`
  if (result !== 'kept') return `<skipped message="${safe(because)}"/>`
  return `<system-out>${safe(because + calls)}</system-out>`
}
