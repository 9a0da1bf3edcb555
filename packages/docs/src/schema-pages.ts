/** The named schemas: a list of all, and a page for each. */

import { pathOfCall, type SiteContext } from './context.ts'
import { type Call, type Document, groupsOf, type Schema } from './document.ts'
import { fieldList, schemaLink } from './fields.ts'
import { html, joined, prose } from './html.ts'
import type { Page } from './layout.ts'

export function schemasPage({ document, prefix }: SiteContext): Page {
  return {
    title: 'Schemas',
    path: '/docs/schemas',
    says: 'Every object of the API with its fields.',
    main: html`<h1>Schemas</h1>
<p class="lead">Every object that calls take or return.</p>
<ul class="list">${Object.entries(document.components.schemas).map(
      ([name, schema]) =>
        html`<li>${schemaLink(prefix, name)} <span class="dim">${sizeOf(schema)}</span></li>`,
    )}</ul>`,
  }
}

function sizeOf({ properties, enum: values, anyOf }: Schema): string {
  if (values) return `one of ${values.length} values`
  if (anyOf) return `one of ${anyOf.length} forms`
  const count = Object.keys(properties ?? {}).length
  return count === 0 ? '' : `${count} ${count === 1 ? 'field' : 'fields'}`
}

export function schemaPage(context: SiteContext, name: string): Page {
  const { document, prefix } = context
  const schema = document.components.schemas[name] ?? {}
  const calls = callsNaming(context, name)
  const accepted = schema['x-accepted']
  return {
    title: name,
    path: '/docs/schemas',
    main: html`<p class="crumb"><a href="${prefix}/docs/schemas">Schemas</a></p>
<h1><code>${name}</code></h1>
${schema.description !== undefined && html`<p class="lead">${prose(schema.description)}</p>`}
${schema.properties || schema.anyOf ? fieldList(context, schema, name) : valuesOf(schema)}
${
  accepted &&
  html`<h2 id="codes">All ${accepted.length} codes</h2><p class="codes">${joined(
    accepted.map((code) => html`<code>${code}</code>`),
    html` `,
  )}</p>`
}
${
  calls.length > 0 &&
  html`<h2 id="calls">Calls</h2><ul class="list">${calls.map(
    (call) =>
      html`<li><a href="${prefix}${pathOfCall(call)}">${call.operation.summary}</a> <span class="dim"><span class="method ${call.method}">${call.method}</span> ${call.path}</span></li>`,
  )}</ul>`
}`,
  }
}

/** The text of each call, searched for the names of schemas. */
const texts = new WeakMap<Document, readonly { call: Call; text: string }[]>()

function callsNaming({ document }: SiteContext, name: string): Call[] {
  const all =
    texts.get(document) ??
    groupsOf(document).flatMap(({ calls }) =>
      calls.map((call) => ({ call, text: JSON.stringify(call.operation) })),
    )
  texts.set(document, all)
  return all
    .filter(({ text }) => text.includes(`"#/components/schemas/${name}"`))
    .map(({ call }) => call)
}

const valuesOf = (schema: Schema) =>
  html`<p>${schema.type ?? 'anything'}${schema.enum && html`, one of:`}</p>${schema.enum && html`<ul class="list">${schema.enum.map((value) => html`<li id="${value}"><code>${value}</code></li>`)}</ul>`}`
