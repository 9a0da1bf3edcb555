/** The first page of /docs: how to begin, what applies to every call, and all calls by group. */
import { gone, limits } from '@dragoman/contract'
import { byProfile, pathOfCall, type SiteContext } from './context.ts'
import type { Group } from './document.ts'
import { schemaLink } from './fields.ts'
import type { Guide } from './guides.ts'
import { highlight } from './highlight.ts'
import { demoTokenLines, tokenLines } from './home.ts'
import { type Html, html, joined } from './html.ts'
import type { Page } from './layout.ts'
import { codeFor, sampleCall } from './reference/index.ts'

/** The guides that most readers look for, with a sentence about each. */
const firstGuides: readonly (readonly [name: string, says: string])[] = [
  ['tour', 'Every step of a job with curl, from token to translation.'],
  ['command-line', 'Push files, pull translations, follow jobs.'],
  ['listeners', 'Be told when something changes, and check who says so.'],
  ['testing', 'A hub inside your tests.'],
  ['certification', 'Prove that your connector does its part.'],
  ['operating', 'Run the hub: profiles, storage, backups, upgrades.'],
]

export function overviewPage(
  context: SiteContext,
  groups: readonly Group[],
  guides: readonly Guide[],
): Page {
  const { base, prefix } = context
  const token = (lines: string): Html => sample('Get a token', lines)
  const shown = firstGuides.flatMap(([name, says]) =>
    guides.filter((one) => one.name === name).map((one) => ({ ...one, says })),
  )
  return {
    title: 'API reference and guides',
    path: '/docs',
    says: 'Every call, error and setting of the hub, and its guides.',
    intro: html`<h1>Dragoman API</h1>
<p class="lead">Send content to translation providers as jobs, follow them, and fetch the translations. Everything is JSON over HTTP, at <code>${base}/v2</code>.</p>`,
    main: html`${
      shown.length > 0 &&
      html`<h2 id="guides">Guides</h2><ul class="cards">${shown.map(
        ({ path, title, says }) =>
          html`<li><a href="${prefix}${path}"><strong>${title}</strong><span>${says}</span></a></li>`,
      )}</ul>`
    }
${conventions(prefix)}
<h2 id="calls">API calls</h2>
${groups.map(
  ({
    tag,
    label,
    says,
    calls,
  }) => html`<section class="group"><h3 id="tag-${tag.toLowerCase()}">${label}</h3><p class="dim">${says}</p>
<ul class="list">${calls.map(
    (call) =>
      html`<li><a href="${prefix}${pathOfCall(call)}"><span class="method ${call.method}">${call.method}</span><span${call.operation.deprecated && html` class="old"`}>${call.operation.summary}</span></a></li>`,
  )}</ul></section>
`,
)}`,
    aside: html`${byProfile(token(demoTokenLines(base)), token(tokenLines(base, '$CLIENT_ID', '$CLIENT_SECRET')))}
${sample('Create a job', codeFor('curl', sampleCall('createJob'), { baseUrl: base }).trimEnd())}`,
  }
}

const sample = (
  label: string,
  lines: string,
): Html => html`<section class="sample" aria-label="${label}"><div class="head"><span class="label">${label}</span></div>
<div class="code" data-copy><pre tabindex="0"><code>${highlight(lines, 'curl')}</code></pre></div></section>`

const conventions = (
  prefix: string,
): Html => html`<h2 id="conventions">What holds for every call</h2>
<dl class="facts">
<div><dt>Tokens</dt><dd>Send a bearer token: <code>Authorization: Bearer …</code>. A client gets one with its credentials (<a href="${prefix}/docs/calls/createToken">createToken</a>).</dd></div>
<div><dt>Lists</dt><dd>Pages of up to ${limits.pageItems}. Pass <code>pagination.navNext</code> of one response as <code>navNext</code> of the next call; the last page has none.</dd></div>
<div><dt>Filters</dt><dd><code>field op 'literal'</code> with <code>eq ne lt le gt ge</code>, joined by <code>and</code>, <code>or</code>, <code>not</code> and parentheses. Double a quote inside a literal: <a href="${prefix}/docs/guides/filters">filters</a>.</dd></div>
<div><dt>Times</dt><dd>UTC with milliseconds in responses. Input may be a date, or a date and time (UTC unless it has a time zone).</dd></div>
<div><dt>Retrying</dt><dd>A POST with the same <code>Idempotency-Key</code> and body within 24 hours returns the first response and has no further effect. After 429 and 503, wait for <code>Retry-After</code>.</dd></div>
<div><dt>Errors</dt><dd>Always an ${schemaLink(prefix, 'Error')}. Tell them apart by <code>code</code>: <a href="${prefix}/docs/errors">all errors</a>.</dd></div>
<div><dt>Omissions</dt><dd>Responses leave out fields without a value. Unknown fields of a body are ignored.</dd></div>
<div><dt>Removed</dt><dd>These return 410: ${joined(
  gone.map((row) => html`<code>${row.call}</code> (now <code>${row.successor}</code>)`),
  html`, `,
)}.</dd></div>
</dl>`
