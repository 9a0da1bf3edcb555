/** The report: as text for a terminal, as a page, and as JUnit XML for a build server. */
import type { Evidence, Result, Verdict } from './verdict.ts'

export type Report = {
  readonly url: string
  readonly client: string
  readonly command?: string
  /** When the report was made. */
  readonly time: string
  readonly obligations: readonly Verdict[]
  readonly scenarios: readonly Verdict[]
}

export const all = ({ obligations, scenarios }: Report): Verdict[] => [...obligations, ...scenarios]
export const isPassed = (report: Report): boolean =>
  all(report).every(({ result }) => result !== 'broken')

export function summary(report: Report): string {
  const count = (result: Result) => all(report).filter((one) => one.result === result).length
  const counted = (['kept', 'broken', 'not seen', 'asked'] as const).map(
    (result) => `${count(result)} ${result}`,
  )
  return `${isPassed(report) ? 'Certified' : 'Not certified'}: ${counted.join(', ')}.`
}

const lineOf = ({ id, call, status }: Evidence): string => `${id}  ${call} ${status}`
/** Three calls are enough to find the place; the other forms of the report list all of them. */
const shownCalls = 3
const lineWidth = 100

/**
 * For a terminal: what is broken, with advice; the rest by name. One screen if nothing is broken.
 */
export function textReport(report: Report): string {
  const found = (verdicts: readonly Verdict[], result: Result) =>
    verdicts.filter((one) => one.result === result)
  const names = (title: string, verdicts: readonly Verdict[]) =>
    verdicts.length === 0
      ? []
      : wrapped(`${title}: ${verdicts.map(({ name }) => name).join(', ')}.`)
  const because = (title: string, verdicts: readonly Verdict[]) => {
    const reasons = [...new Set(verdicts.map((one) => one.because))]
    return reasons.flatMap((reason) => {
      const same = verdicts.filter((one) => one.because === reason).map(({ name }) => name)
      return wrapped(`${title}: ${same.join(', ')}. ${reason}`)
    })
  }
  const brokenOnes = found(all(report), 'broken').flatMap((one) => [
    `BROKEN  ${one.name}: ${one.because}`,
    ...(one.advice === undefined ? [] : [`        ${one.advice}`, `        ${one.guide}`]),
    ...one.evidence.slice(0, shownCalls).map((call) => `        ${lineOf(call)}`),
  ])
  return [
    ...brokenOnes,
    ...(brokenOnes.length > 0 ? [''] : []),
    ...names('Obligations kept', found(report.obligations, 'kept')),
    ...names('Scenarios kept', found(report.scenarios, 'kept')),
    ...because('Not seen', found(all(report), 'not seen')),
    ...because('Asked', found(all(report), 'asked')),
    '',
    `${report.client} at ${report.url}, ${report.time.slice(0, 16).replace('T', ' ')} UTC`,
    summary(report),
  ].join('\n')
}

/** Wraps words into lines, indented after the first. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < lineWidth)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(last === undefined ? word : `  ${word}`)
  }
  return lines
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
  text
    .replace(/(?![\n\t])\p{Cc}|[\ufffe\uffff]/gu, ' ')
    .replace(/[&<>"']/g, (one) => escapes[one] ?? one)

export function htmlReport(report: Report): string {
  const rows = (verdicts: readonly Verdict[]) =>
    verdicts
      .map(
        ({
          name,
          says,
          result,
          because,
          evidence,
          advice,
          guide,
        }) => `<tr class="${result.replace(' ', '-')}">
<td>${safe(result)}</td><th scope="row">${safe(name)}</th><td>${safe(says)}</td><td>${safe(because)}${
          advice === undefined ? '' : `<p>${safe(advice)} <code>${safe(guide ?? '')}</code></p>`
        }</td>
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

/** Each verdict is a test case: a broken one has failed, an unseen one was skipped. */
export function junitReport(report: Report): string {
  const count = (verdicts: readonly Verdict[], ...results: Result[]) =>
    verdicts.filter(({ result }) => results.includes(result)).length
  const suite = (name: string, verdicts: readonly Verdict[]) => {
    const cases = verdicts.map(
      (one) =>
        `    <testcase classname="certify.${name}.${safe(one.name)}" name="${safe(one.says)}">${outcome(one)}</testcase>`,
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

function outcome({ result, because, says, evidence, advice, guide }: Verdict): string {
  const calls = evidence.length > 0 ? `\nCalls:\n${evidence.map(lineOf).join('\n')}` : ''
  const help = advice === undefined ? '' : `\n${advice}\nSee ${guide}`
  if (result === 'broken')
    return `<failure message="${safe(because)}">${safe(says + help + calls)}</failure>`
  if (result !== 'kept') return `<skipped message="${safe(because)}"/>`
  return `<system-out>${safe(because + calls)}</system-out>`
}
