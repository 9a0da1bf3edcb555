/**
 * The page at `/`, for programs and for browsers without the console: what this is, how it is
 * configured, and where to go next.
 */
import { byProfile } from './context.ts'
import { example, frame } from './frame.ts'
import { type Html, html } from './html.ts'

const demoClients = [
  ['demo-connector', 'content', 'creates and tracks jobs, like a connector'],
  ['demo-provider', 'provider', 'works for the providers of the demo site'],
  ['demo-settings', 'settings', 'analysis codes and price lists'],
  ['demo-admin', 'admin', 'everything in the demo site'],
  ['demo-operator', 'operator', 'the hub as a whole: sites, nodes, tasks, keys'],
] as const

/** Sets TOKEN in a shell; needs nothing but curl and sed. */
export const tokenLines = (
  base: string,
  clientId: string,
  secret: string,
): string => `TOKEN=$(curl -s "${base}/connect/token" \\
  -d grant_type=client_credentials -d "client_id=${clientId}" -d "client_secret=${secret}" |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`

export const demoTokenLines = (base: string): string =>
  tokenLines(base, 'demo-connector', 'demo-connector-secret')

export function homePage(prefix: string, base: string, version: string): string {
  return frame(
    'Dragoman',
    prefix,
    html`<main class="column" id="content">
<h1>Dragoman</h1>
<p class="lead">A hub for translation jobs. Connectors submit content, translation providers translate it, and both see the status at any time.</p>
<p><span class="badge">${byProfile('sandbox', 'staging', 'production')}</span> <span class="soft">version ${version}</span></p>
<p>${byProfile(
      'For development: demo clients with well-known secrets, reachable from this machine only, no rate limit, and a clock you can advance.',
      'Like production, with a lower rate limit; the call log stores bodies, without secrets.',
      'For production use.',
    )}</p>
<ul class="places">
<li><a href="${prefix}/docs">API reference</a><span>Every endpoint with its fields, limits, errors and an example.</span></li>
<li><a href="${prefix}/openapi.json">OpenAPI document</a><span>The same for programs, OpenAPI 3.1.</span></li>
<li><a href="${prefix}/.well-known/oauth-authorization-server">Token endpoint</a><span><code>POST ${base}/connect/token</code>, OAuth 2.0 client credentials. The REST API is at <code>${base}/v2</code>.</span></li>
<li><a href="${prefix}/ProjectSettingsService.svc?wsdl">Project settings</a><span>WSDL of the SOAP 1.1 service for analysis codes and price lists; the same over REST under <code>/v2/settings</code>.</span></li>
<li><a href="${prefix}/readyz">Readiness</a><span>Whether the database and the file store respond; <a href="${prefix}/healthz">/healthz</a> says whether the process is alive.</span></li>
${byProfile(
  html`<li><a href="${prefix}/metrics">Metrics</a><span>Prometheus text.</span></li>
<li><a href="${prefix}/sandbox/clock">Clock</a><span><code>POST /sandbox/clock/advance {"by":"6mo"}</code> advances it and runs everything that falls due.</span></li>`,
  '',
)}
</ul>
${byProfile(sandbox(base), '')}
</main>`,
  )
}

const sandbox = (base: string): Html => html`<h2>Try it</h2>
<p>Get a token, then create a job:</p>
${example(`${demoTokenLines(base)}
curl -s "${base}/v2/jobs" -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"jobName":"My first job"}'`)}
<h2>Demo clients</h2>
<p>Site <code>demo</code>; the operator belongs to no site. The secret of each client is its id followed by <code>-secret</code>.</p>
<table role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Client</th><th role="columnheader" scope="col">Scope</th><th role="columnheader" scope="col">For</th></tr></thead>
<tbody role="rowgroup">${demoClients.map(
  ([id, scope, use]) =>
    html`<tr role="row"><th role="rowheader" scope="row"><code>${id}</code></th><td role="cell">${scope}</td><td role="cell">${use}</td></tr>`,
)}</tbody></table>`
