/** The page of every error: status, sentence, cause and remedy, and the calls that return it. */
import { type ErrorCode, errorCodes, errors, isRetryable } from '@dragoman/contract'
import { pathOfCall, type SiteContext } from './context.ts'
import { type Call, codesOf, type Group } from './document.ts'
import { errorSample } from './error-sample.ts'
import { schemaLink } from './fields.ts'
import { highlight } from './highlight.ts'
import { type Html, html, joined, prose } from './html.ts'
import type { Page } from './layout.ts'
import { errorHelp } from './reference/index.ts'

export const isOurs = (code: string): code is ErrorCode =>
  (errorCodes as readonly string[]).includes(code)

/** Sentence, cause and remedy of an error; the blanks of the sentence are marked. */
export function aboutError(code: ErrorCode): Html {
  const { cause, remedy } = errorHelp[code]
  return html`<p class="sentence">${blanked(errors[code].says)}</p>
<p><strong>Cause.</strong> ${prose(cause)}</p>
<p><strong>Remedy.</strong> ${prose(remedy)}</p>
${isRetryable(code) && html`<p>The same call may be sent again after <code>Retry-After</code>.</p>`}`
}

const blanked = (says: string): Html => {
  const pieces = says
    .split(/[{}]/)
    .map((piece, at) => (at % 2 === 1 ? html`<var>${piece}</var>` : html`${piece}`))
  return html`${pieces}`
}

/** How many calls are listed before the rest is collapsed. */
const named = 8

export function errorsPage({ document, prefix }: SiteContext, groups: readonly Group[]): Page {
  const calls = groups.flatMap((group) => group.calls)
  const codes = [...errorCodes].sort((a, b) => errors[a].status - errors[b].status)
  const statuses = [...new Set(codes.map((code) => errors[code].status))]
  return {
    title: 'Errors',
    path: '/docs/errors',
    says: 'Every error of the hub with its cause and remedy.',
    intro: html`<h1>Errors</h1>
<p class="lead">Every error has the same form. Tell errors apart by <code>code</code>, never by <code>message</code>; <code>traceId</code> is the <code>x-request-id</code> of the response and finds the call in the log.</p>`,
    main: html`${statuses.map(
      (
        status,
      ) => html`<h2 id="status-${status}">${status} <span class="dim">${meanings[status]}</span></h2>
${codes
  .filter((code) => errors[code].status === status)
  .map(
    (
      code,
    ) => html`<section class="error" id="${code}"><h3><a class="self" href="#${code}"><code>${code}</code></a>${isRetryable(code) && html` <span class="badge">retry</span>`}</h3>
${aboutError(code)}
${callsView(prefix, calls, code)}</section>
`,
  )}`,
    )}`,
    aside: html`<section class="sample" aria-label="Sample error"><div class="head"><span class="label">Response</span><span class="status bad">404</span></div>
<div class="code" data-copy><pre tabindex="0"><code>${highlight(JSON.stringify(errorSample(document, 'JOB_NOT_FOUND'), null, 2), 'json')}</code></pre></div></section>
<p class="dim">Its fields: ${schemaLink(prefix, 'Error')}.</p>`,
  }
}

function callsView(prefix: string, calls: readonly Call[], code: string): Html {
  const with_ = calls.filter(({ operation }) =>
    Object.values(operation.responses).some((answer) => codesOf(answer).includes(code)),
  )
  const link = (call: Call): Html =>
    html`<a href="${prefix}${pathOfCall(call)}">${call.operation.operationId}</a>`
  if (with_.length === 0)
    return html`<p class="dim">Not returned by a call listed here, but by the console, the SOAP service or the file transfer.</p>`
  if (with_.length === calls.length || with_.length > 60)
    return html`<p class="dim">Returned by ${with_.length} calls.</p>`
  const list = (some: readonly Call[]): Html => joined(some.map(link), html`, `)
  return html`<p class="dim">Returned by ${list(with_.slice(0, named))}${with_.length > named && html` <details class="more"><summary>and ${with_.length - named} more</summary>${list(with_.slice(named))}</details>`}</p>`
}

const meanings: Readonly<Record<number, string>> = {
  400: 'The call itself is wrong',
  401: 'Who is calling is not known',
  403: 'The caller may not do this',
  404: 'The target is not there',
  405: 'The path has no such method',
  406: 'No acceptable form',
  409: 'The state does not allow it',
  410: 'The call was removed',
  413: 'Too large',
  415: 'The wrong media type',
  421: 'Not a name of this hub',
  422: 'Understood, but not acceptable',
  429: 'Too many calls',
  500: 'A fault of the hub',
  503: 'Try again later',
  507: 'No space',
}
