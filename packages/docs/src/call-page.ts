/**
 * The page of one call: meaning, scope, states, fields, errors; beside them samples and the form to
 * try it.
 */
import type { ErrorCode } from '@dragoman/contract'
import { type CallStates, statesOf } from './call-states.ts'
import { isNew, pathOfCall, pathOfError, type SiteContext } from './context.ts'
import {
  type Answer,
  type Call,
  codesOf,
  contentOf,
  type Group,
  type Parameter,
} from './document.ts'
import { errorSample, tokenErrorSample, waitOf } from './error-sample.ts'
import { aboutError, isOurs } from './errors-page.ts'
import { fieldList, parameterList } from './fields.ts'
import { highlight } from './highlight.ts'
import { type Html, html, joined, prose } from './html.ts'
import type { Page } from './layout.ts'
import type { SampleName } from './reference/index.ts'
import { answerSample, requestSample } from './samples.ts'
import { tryForm } from './try-form.ts'

export function callPage(context: SiteContext, group: Group, call: Call): Page {
  const { prefix, base } = context
  const { method, path, operation } = call
  const { operationId, summary, description, requestBody, responses, parameters = [] } = operation
  const body = contentOf(requestBody)
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  const codes = failures.flatMap(([, answer]) => codesOf(answer))
  const states = statesOf(operationId, codes)
  const named = (where: Parameter['in']) => parameters.filter((one) => one.in === where)
  return {
    title: summary,
    path: pathOfCall(call),
    says: `${method} ${path}: ${summary}.`,
    intro: html`<p class="crumb"><a href="${prefix}/docs#tag-${group.tag.toLowerCase()}">${group.label}</a></p>
<h1>${summary}${isNew(context, call) && html` <a class="badge new" href="${prefix}/docs/changes">new since ${context.news.since}</a>`}</h1>
<p class="call" data-copy><span class="method ${method}">${method}</span> <code>${path}</code></p>
${operation.deprecated && html`<p class="note warn"><strong>Deprecated.</strong> ${description !== undefined && prose(description)}</p>`}
${!operation.deprecated && description !== undefined && html`<p>${prose(description)}</p>`}
<dl class="facts"><div><dt>Scope</dt><dd>${scopesOf(call)}</dd></div>
<div><dt>Name</dt><dd><code>${operationId}</code> <span class="dim">in the SDK and in the OpenAPI document</span></dd></div>
${states.length > 0 && html`<div><dt>States</dt><dd>${states.map((one) => statesView(prefix, one))}</dd></div>`}</dl>`,
    main: html`${section('path', 'Path', named('path'), context)}
${section('query', 'Query', named('query'), context)}
${section('header', 'Headers', named('header'), context)}
${body && html`<h2 id="body">Body <span class="dim">${body.type}${requestBody?.required === false && ', optional'}</span></h2>${fieldList(context, body.schema, 'body')}`}
<h2 id="answer">Response</h2>
${answers.map(([status, answer], at) => answerView(context, status, answer, at === 0 ? 'answer' : `answer${status}`))}
<h2 id="errors">Errors</h2>
<div class="errors">${failures.flatMap(([status, answer]) => codesOf(answer).map((code) => errorView(context, call, status, code)))}</div>`,
    aside: html`${requestSample(operationId as SampleName, base)}
<p class="try"><button type="button" data-try hidden>Try it</button></p>
${answerSample(operationId as SampleName)}
${tryForm(context, call)}`,
  }
}

const section = (
  id: string,
  title: string,
  parameters: readonly Parameter[],
  context: SiteContext,
): Html =>
  parameters.length === 0
    ? html``
    : html`<h2 id="${id}">${title}</h2>${parameterList(context, parameters, id)}`

function scopesOf({ operation }: Call): Html {
  const scopes = operation.security.flatMap(({ oauth2 }) => oauth2 ?? [])
  if (operation.security.length === 0) return html`none: the credentials are in the body`
  if (scopes.length === 0) return html`any valid token`
  const all =
    scopes.includes('admin') || scopes.includes('operator') ? scopes : [...scopes, 'admin']
  return joined(
    all.map((scope) => html`<code>${scope}</code>`),
    html` or `,
  )
}

const stateView = (state: string): Html => html`<span class="state ${state}">${state}</span>`
const subjects: Record<CallStates['of'], string> = {
  Job: 'Job',
  Request: 'Request',
  Archive: 'Archive status',
}

const statesView = (prefix: string, { of, states, already, otherwise, when }: CallStates): Html =>
  html`<p>${when !== undefined && html`For <code>${when}</code>: `}${subjects[of]} ${joined(states.map(stateView), html` `)}${already.length > 0 && html`; no effect in ${joined(already.map(stateView), html` `)}`}; otherwise ${codeLink(prefix, otherwise)}.</p>`

function answerView(context: SiteContext, status: string, answer: Answer, id: string): Html {
  const content = contentOf(answer)
  if (!content) return html`<p><span class="status good">${status}</span> ${answer.description}</p>`
  return html`<p><span class="status good">${status}</span> <span class="dim">${content.type}</span></p>
${fieldList(context, content.schema, id)}`
}

const codeLink = (prefix: string, code: ErrorCode): Html =>
  html`<a href="${prefix}${pathOfError(code)}"><code>${code}</code></a>`

function errorView(context: SiteContext, call: Call, status: string, code: string): Html {
  const { document, prefix } = context
  const example = (body: object, wait?: number): Html =>
    html`<div class="code example" data-copy><p class="language">HTTP/1.1 ${status}${wait !== undefined && html`<br>Retry-After: ${wait}`}</p><pre tabindex="0"><code>${highlight(JSON.stringify(body, null, 2), 'json')}</code></pre></div>`
  const head = html`<summary><span class="status bad">${status}</span> <code>${code}</code></summary>`
  if (!isOurs(code))
    return html`<details class="error" id="error-${code}">${head}${example(tokenErrorSample(code, status))}</details>`
  return html`<details class="error" id="error-${code}">${head}${aboutError(code)}${example(errorSample(document, code, call), waitOf(code))}<p><a href="${prefix}${pathOfError(code)}">All calls with ${code}</a></p></details>`
}
