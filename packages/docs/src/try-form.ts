/**
 * The form that sends a call to this hub: parameters, body and token, filled with the sample. In
 * the sandbox it can get a demo client's token by itself.
 */

import { byProfile, type SiteContext } from './context.ts'
import {
  type Call,
  contentOf,
  type Document,
  nameOf,
  type Parameter,
  type Schema,
} from './document.ts'
import { fieldTree } from './field-tree.ts'
import { type Html, html } from './html.ts'
import { type SampleName, sampleCall } from './reference/index.ts'

/** The demo client with the smallest scope that allows the call. */
function demoClientFor({ operation }: Call): string {
  const scopes = operation.security.flatMap(({ oauth2 }) => oauth2 ?? [])
  if (scopes.includes('content') || scopes.length === 0) return 'demo-connector'
  return `demo-${['provider', 'settings', 'admin', 'operator'].find((scope) => scopes.includes(scope)) ?? 'admin'}`
}

export function tryForm({ document, prefix }: SiteContext, call: Call): Html {
  const { method, path, operation } = call
  const { send, params, query, body } = sampleCall(operation.operationId as SampleName)
  const { parameters = [] } = operation
  const needsToken = operation.security.length > 0
  const demo = demoClientFor(call)
  const inSandbox = (part: Html): Html => (needsToken ? byProfile(part, '') : html``)
  const value = ({ name, in: where }: Parameter): string =>
    String((where === 'path' ? params[name] : where === 'query' ? query[name] : undefined) ?? '')
  const isForm = send === 'form'
  const schema = isForm ? undefined : contentOf(operation.requestBody)?.schema
  const fields = schema ? JSON.stringify(fieldTree(document, schema)) : '{}'
  const text = isForm
    ? new URLSearchParams(body as Record<string, string>).toString()
    : JSON.stringify(body, null, 2)
  return html`<dialog class="tryit" aria-labelledby="try-title" data-prefix="${prefix}"${inSandbox(html` data-demo="${demo}"`)}>
<form data-method="${method}" data-path="${path}" data-type="${isForm ? 'application/x-www-form-urlencoded' : 'application/json'}">
<div class="head"><h2 id="try-title">Try it</h2><button type="button" class="close" data-close aria-label="Close">×</button></div>
<p class="call"><span class="method ${method}">${method}</span> <code>${path}</code></p>
${needsToken && html`<label>Access token<input name="token" autocomplete="off" spellcheck="false" placeholder="${byProfile(`From ${demo}, or paste another`, 'Paste a token')}"></label>`}
${inSandbox(html`<p class="hint">Without a token of your own, the call is made as the demo client <code>${demo}</code>.</p>`)}
${parameters.map((one) => {
  const choices = choicesOf(document, one.schema)
  return html`<label><code>${one.name}</code> <span class="dim">${one.in}${one.required && ', required'}</span><input name="${one.in}.${one.name}" value="${value(one)}"${one.required && html` required`}${choices.length > 0 && html` list="list-${one.name}"`} autocomplete="off" spellcheck="false">${choices.length > 0 && choicesView(one.name, choices)}</label>`
})}
${body !== undefined && html`<div class="body"><label>Body<textarea name="body" rows="${Math.min(16, text.split('\n').length + 1)}" spellcheck="false" wrap="off"${fields !== '{}' && html` data-fields="${fields}"`}>${text}</textarea></label></div>${fields !== '{}' && html`<p class="hint">Type <kbd>"</kbd> or press <kbd>Ctrl</kbd> <kbd>Space</kbd> for fields and values.</p>`}`}
<div class="acts"><button type="submit" class="primary">Send</button><span class="dim">Sent to this hub for real.</span></div>
</form>
<output class="result" aria-live="polite"></output>
</dialog>`
}

/** The values that a parameter, or an item of it, may have. */
function choicesOf(document: Document, schema: Schema): readonly unknown[] {
  const named =
    schema.$ref === undefined ? schema : (document.components.schemas[nameOf(schema.$ref)] ?? {})
  if (named.items) return choicesOf(document, named.items)
  return named.enum ?? (named.type === 'boolean' ? [true, false] : [])
}

const choicesView = (name: string, choices: readonly unknown[]): Html =>
  html`<datalist id="list-${name}">${choices.map((value) => html`<option value="${String(value)}"></option>`)}</datalist>`
