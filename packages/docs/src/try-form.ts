/**
 * The form that sends a call to this hub: parameters, body and token, filled with the sample. In the sandbox it can get a demo
 * client's token by itself.
 */
import { type SampleName, sampleCall } from '@dragoman/contract/reference'
import { byProfile, type SiteContext } from './context.ts'
import type { Call, Parameter } from './document.ts'
import { type Html, html } from './html.ts'

/** The demo client with the smallest scope that allows the call. */
function demoClientFor({ operation }: Call): string {
  const scopes = operation.security.flatMap(({ oauth2 }) => oauth2 ?? [])
  if (scopes.includes('content') || scopes.length === 0) return 'demo-connector'
  return `demo-${['provider', 'settings', 'admin', 'operator'].find((scope) => scopes.includes(scope)) ?? 'admin'}`
}

export function tryForm({ prefix }: SiteContext, call: Call): Html {
  const { method, path, operation } = call
  const { send, params, query, body } = sampleCall(operation.operationId as SampleName)
  const { parameters = [] } = operation
  const needsToken = operation.security.length > 0
  const demo = demoClientFor(call)
  const inSandbox = (part: Html): Html => (needsToken ? byProfile(part, '') : html``)
  const value = ({ name, in: where }: Parameter): string =>
    String((where === 'path' ? params[name] : where === 'query' ? query[name] : undefined) ?? '')
  const isForm = send === 'form'
  const text = isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body, null, 2)
  return html`<dialog class="tryit" aria-labelledby="try-title" data-prefix="${prefix}"${inSandbox(html` data-demo="${demo}"`)}>
<form data-method="${method}" data-path="${path}" data-type="${isForm ? 'application/x-www-form-urlencoded' : 'application/json'}">
<div class="head"><h2 id="try-title">Try it</h2><button type="button" class="close" data-close aria-label="Close">×</button></div>
<p class="call"><span class="method ${method}">${method}</span> <code>${path}</code></p>
${needsToken && html`<label>Access token<input name="token" autocomplete="off" spellcheck="false" placeholder="${byProfile(`From ${demo}, or paste another`, 'Paste a token')}"></label>`}
${inSandbox(html`<p class="hint">Without a token of your own, the call is made as the demo client <code>${demo}</code>.</p>`)}
${parameters.map(
  (one) =>
    html`<label><code>${one.name}</code> <span class="dim">${one.in}${one.required && ', required'}</span><input name="${one.in}.${one.name}" value="${value(one)}"${one.required && html` required`} autocomplete="off" spellcheck="false"></label>`,
)}
${body !== undefined && html`<label>Body<textarea name="body" rows="${Math.min(16, text.split('\n').length + 1)}" spellcheck="false">${text}</textarea></label>`}
<div class="acts"><button type="submit" class="primary">Send</button><span class="dim">Sent to this hub for real.</span></div>
</form>
<output class="result" aria-live="polite"></output>
</dialog>`
}
