/**
 * The page of what changed in the API since the last release: what may need a change in a client,
 * then what is new.
 */
import { isNew, type News, pathOfCall, type SiteContext } from '../context.ts'
import type { Call, Document, Group, Schema } from '../document.ts'
import { schemaLink } from '../fields.ts'
import { type Html, html, joined } from '../html.ts'
import type { Page } from '../layout.ts'
import { compareDocuments } from './compare-documents.ts'
import type { Change } from './compare-schemas.ts'
import { readDeliberate, readLastRelease } from './kept-document.ts'

export function newsOf(document: Document): News {
  const { version, document: last } = readLastRelease()
  const changes = compareDocuments(last, document)
  return {
    since: version,
    changes,
    fields: new Set(changes.flatMap(({ added }): Schema[] => (added ? [added] : []))),
    calls: new Set(
      changes.filter(({ at, says }) => at === '' && says === 'is new').map(({ on }) => on),
    ),
  }
}

export function changesPage(context: SiteContext, groups: readonly Group[]): Page {
  const { prefix, news } = context
  const calls = new Map<string, Call>(
    groups.flatMap((group) =>
      group.calls.map((call) => [`${call.method} ${call.path}`, call] as const),
    ),
  )
  const rest = news.changes.filter(
    ({ on, at, breaks }) => !breaks && !(at === '' && news.calls.has(on)),
  )
  const [ofCalls, ofSchemas] = [true, false].map((isCall) =>
    rest.filter(({ on }) => calls.has(on) === isCall),
  )
  return {
    title: `Changes since ${news.since}`,
    path: '/docs/changes',
    says: `What changed in the API since version ${news.since}.`,
    main: html`<h1>Changes since ${news.since}</h1>
<p class="lead">What changed in the API since the last release, found by comparing the two OpenAPI documents. New fields and calls are marked on their pages.</p>
${deliberateView()}
${newCalls(context, groups)}
${listView(prefix, calls, { id: 'parameters', title: 'New in calls', changes: ofCalls ?? [] })}
${listView(prefix, calls, { id: 'fields', title: 'New fields and values', changes: ofSchemas ?? [] })}`,
  }
}

/** Each reason with its changes. */
function deliberateView(): Html {
  const rows = readDeliberate()
  if (rows.length === 0) return html``
  return html`<h2 id="check">Check your client</h2>
<p>A client that ran against the last release keeps working. These changes may concern strict or generated ones.</p>
${rows.map(
  ({
    why,
    changes,
  }) => html`<details class="change"><summary>${why}</summary><ul class="list">${changes.map((change) => html`<li><code>${change}</code></li>`)}</ul></details>
`,
)}`
}

function newCalls(context: SiteContext, groups: readonly Group[]): Html {
  const shown = groups
    .map((group) => ({ ...group, calls: group.calls.filter((call) => isNew(context, call)) }))
    .filter(({ calls }) => calls.length > 0)
  if (shown.length === 0) return html``
  const line = (call: Call): Html =>
    html`<li><a href="${context.prefix}${pathOfCall(call)}"><span class="method ${call.method}">${call.method}</span><span>${call.operation.summary}</span></a></li>`
  return html`<h2 id="calls">New calls</h2>
${shown.map(({ tag, label, calls }) => html`<section class="group"><h3 id="calls-${tag.toLowerCase()}">${label}</h3><ul class="list">${calls.map(line)}</ul></section>`)}`
}

type Section = { readonly id: string; readonly title: string; readonly changes: readonly Change[] }

/** Changes by the call or schema that they are in. */
function listView(
  prefix: string,
  calls: ReadonlyMap<string, Call>,
  { id, title, changes }: Section,
): Html {
  if (changes.length === 0) return html``
  const owners = [...new Set(changes.map(({ on }) => on))]
  const line = ({ on, at, says, added }: Change): Html => {
    const call = calls.get(on)
    const path = `${prefix}${call ? pathOfCall(call) : `/docs/schemas/${on}`}`
    const code = call && /^may be ([A-Z_]+)$/.exec(says)?.[1]
    if (code) return html`<a href="${path}#error-${code}"><code>${at} ${code}</code></a>`
    if (!added) return html`${at !== '' && html`<code>${at}</code> `}${says}`
    return html`<a href="${path}#${call ? at : `${on}.${at.replaceAll('[]', '')}`}"><code>${at}</code></a>`
  }
  return html`<h2 id="${id}">${title}</h2>
<dl class="changes">${owners.map((on) => {
    const call = calls.get(on)
    const head = call
      ? html`<a href="${prefix}${pathOfCall(call)}">${call.operation.summary}</a>`
      : schemaLink(prefix, on)
    const lines = changes.filter((change) => change.on === on).map(line)
    return html`<div><dt>${head}</dt><dd>${joined(lines, html`, `)}</dd></div>`
  })}</dl>`
}
