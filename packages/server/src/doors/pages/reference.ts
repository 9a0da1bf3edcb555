/** The page at `/docs`: the whole OpenAPI document for people, without external resources. */
import { errorCodes, errors, gone, limits } from '@dragoman/contract'
import { curlExample } from './curl-example.ts'
import {
  type Answer,
  type Call,
  codesOf,
  contentOf,
  type Document,
  type Group,
  groupsOf,
  readDocument,
} from './document.ts'
import { example, frame } from './frame.ts'
import { type Html, html, joined, prose } from './html.ts'
import { parameterTable, schemaTable, typeOf } from './schema-table.ts'

/** `tokenLines` are the commands that set TOKEN in a shell. */
export function referencePage(base: string, prefix: string, tokenLines: string): string {
  const document = readDocument()
  const groups = groupsOf(document)
  return frame(
    'API reference · Dragoman',
    prefix,
    html`<div class="reference">
${contents(groups)}
<main id="content">
<h1>API reference</h1>
<p class="lead">${document.info.description}</p>
${conventions(base, tokenLines)}
${groups.map(
  (group) => html`<section data-group aria-labelledby="tag-${slug(group.tag)}">
<h2 id="tag-${slug(group.tag)}">${group.tag}</h2>
${group.calls.map((call) => callView(document, call, base))}
</section>`,
)}
${schemaList(document)}
${errorList()}
</main></div>`,
  )
}

const slug = (tag: string): string => tag.toLowerCase().replace(/\W+/g, '-')

const contents = (groups: readonly Group[]): Html => html`<div class="contents">
<div hidden><label for="filter">Filter endpoints (press / to focus)</label><input type="search" id="filter" autocomplete="off" spellcheck="false"><div role="status"></div></div>
<nav aria-label="Calls" class="groups">
<section><h2><a href="#conventions">Conventions</a></h2></section>
${groups.map(
  ({ tag, calls }) =>
    html`<section data-group><h2><a href="#tag-${slug(tag)}">${tag}</a></h2><ul>${calls.map(
      (call) =>
        html`<li data-find="${findText(call)}"><a href="#${call.operation.operationId}"><span class="method ${call.method}">${call.method}</span><span${call.operation.deprecated && html` class="old"`}>${shortOf(call)}</span></a></li>`,
    )}</ul></section>`,
)}
<section><h2><a href="#schemas">Schemas</a></h2></section>
<section><h2><a href="#errors">Errors</a></h2></section>
</nav></div>`

const shortOf = ({ operation }: Call): string => operation.summary.split(/[:;]/, 1)[0] ?? ''

const findText = ({ method, path, operation }: Call): string =>
  [method, path, operation.summary, operation.operationId, ...operation.tags, operation.deprecated ? 'deprecated' : '']
    .join(' ')
    .toLowerCase()

const conventions = (base: string, tokenLines: string): Html => html`<section aria-labelledby="conventions">
<h2 id="conventions">Conventions</h2>
<p>Send calls to <code>${base}/v2</code> with a bearer token. Requests and responses are JSON. The examples read the token from <code>$TOKEN</code>:</p>
${example(tokenLines)}
<ul>
<li><strong>Lists</strong> return pages of up to ${limits.pageItems}. Pass <code>pagination.navNext</code> from one response as <code>navNext</code> in the next call; the last page has none.</li>
<li><strong>Filters</strong> for jobs are <code>field op 'literal'</code> with <code>eq ne lt le gt ge</code>, joined by <code>and</code>, <code>or</code>, <code>not</code> and parentheses. Double a quote inside a literal.</li>
<li><strong>Times</strong> in responses are UTC with milliseconds. Input may be a date, or a date and time with or without a time zone (default UTC).</li>
<li><strong>Retrying</strong> a POST with the same <code>Idempotency-Key</code> and body within 24 hours returns the first response and has no further effect.</li>
<li><strong>Errors</strong> are always an <a href="#schema-Error">Error</a>. Distinguish them by <code>code</code>; <code>traceId</code> is the <code>x-request-id</code> of the response. After 429 and 503, wait for <code>Retry-After</code>.</li>
<li><strong>Removed</strong> endpoints return 410: ${joined(
  gone.map((row) => html`<code>${row.call}</code> (now <code>${row.successor}</code>)`),
  html`, `,
)}.</li>
</ul>
</section>`

function callView(document: Document, call: Call, base: string): Html {
  const { method, path, operation } = call
  const { operationId, parameters, requestBody, responses } = operation
  const body = contentOf(requestBody)
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return html`<article class="call" id="${operationId}" data-find="${findText(call)}">
<h3><span class="method ${method}">${method}</span><a href="#${operationId}"><code>${path}</code></a>${operation.deprecated && html`<span class="deprecated">deprecated</span>`}</h3>
<p>${operation.summary}.${operation.description !== undefined && html` ${prose(operation.description)}`}</p>
<p class="soft">${scopesOf(call)}</p>
${parameters && html`<h4>Parameters</h4>${parameterTable(parameters)}`}
${body && html`<h4>Body <span class="note">${body.type}${requestBody?.required === false && ', optional'}</span></h4>${schemaTable(document, body.schema, true)}`}
<h4>Response</h4>
${answers.map(([status, answer]) => answerView(document, status, answer))}
<h4>Errors</h4>
<dl class="codes">${failures.map(([status, answer]) => html`<dt>${status}</dt><dd>${codesOf(answer).map(codeView)}</dd>`)}</dl>
<h4>Example</h4>
${example(curlExample(document, call, base))}
</article>
`
}

function scopesOf({ operation }: Call): Html {
  const scopes = operation.security.flatMap(({ oauth2 }) => oauth2 ?? [])
  if (operation.security.length === 0) return html`No token needed.`
  if (scopes.length === 0) return html`Any valid token.`
  const all = scopes.includes('admin') || scopes.includes('operator') ? scopes : [...scopes, 'admin']
  return html`Scope ${joined(
    all.map((scope) => html`<code>${scope}</code>`),
    html` or `,
  )}.`
}

/** A named schema becomes a link. For a page of a list, the items become a link and the members around them can be expanded. */
function answerView(document: Document, status: string, answer: Answer): Html {
  const content = contentOf(answer)
  if (!content) return html`<p><code>${status}</code> ${answer.description}</p>`
  const { schema } = content
  if (schema.$ref !== undefined) return html`<p><code>${status}</code> ${typeOf(schema)}</p>`
  const [name, items] = Object.entries(schema.properties ?? {}).find(([, one]) => one.type === 'array') ?? []
  return html`<p><code>${status}</code> A page${items && html`: <code>${name}</code> is a ${typeOf(items)}`}</p>
<details><summary>All members of the page</summary>${schemaTable(document, schema, false)}</details>`
}

const isOurs = (code: string): boolean => (errorCodes as readonly string[]).includes(code)
const codeView = (code: string): Html =>
  isOurs(code) ? html`<a href="#error-${code}">${code}</a>` : html`<code>${code}</code>`

const schemaList = (document: Document): Html => html`<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas).map(
  ([
    name,
    schema,
  ]) => html`<div class="schema" id="schema-${name}"><h3>${name}</h3>${schema.description !== undefined && html`<p>${prose(schema.description)}</p>`}${schemaTable(document, schema, false)}</div>
`,
)}</section>`

const errorList = (): Html => html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p>What stands in braces is filled in.</p>
<table role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Code</th><th role="columnheader" scope="col">Status</th><th role="columnheader" scope="col">Sentence</th></tr></thead>
<tbody role="rowgroup">${errorCodes.map(
  (code) =>
    html`<tr role="row" id="error-${code}"><th role="rowheader" scope="row"><code>${code}</code></th><td role="cell">${errors[code].status}</td><td role="cell">${errors[code].says}</td></tr>
`,
)}</tbody></table></section>`
