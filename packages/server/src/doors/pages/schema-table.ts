/** A JSON schema as a table: one row per field, nested fields indented, limits in words. */
import { type Document, nameOf, type Parameter, type Schema } from './document.ts'
import { type Html, html, joined, prose } from './html.ts'

/** Nested objects are expanded to this depth; deeper ones, and recursive ones, become a link to their schema. */
const deepest = 4

type Row = {
  readonly name: string
  readonly depth: number
  readonly schema: Schema
  readonly required: boolean
  readonly note?: string
}

/** `open`: expands named schemas in place; otherwise they become links. */
export function schemaTable(document: Document, schema: Schema, open: boolean): Html {
  if (schema.anyOf?.some((form) => inside(document, form, open)))
    return html`${schema.anyOf.map((form, at) => html`<p>${at === 0 ? 'Either ' : 'or '}${typeOf(form)}:</p>${schemaTable(document, form, open)}`)}`
  const rows = rowsOf(document, schema, open, 0, [])
  if (rows.length === 0) return html`<p>${typeOf(schema)}${limitsOf(schema)}</p>`
  return table('Field', rows)
}

export const parameterTable = (parameters: readonly Parameter[]): Html =>
  table(
    'Parameter',
    parameters.map(({ name, schema, required, description, in: note }) => ({
      name,
      depth: 0,
      schema: { ...schema, ...(description === undefined ? {} : { description }) },
      required: required === true,
      note,
    })),
  )

function rowsOf(document: Document, schema: Schema, open: boolean, depth: number, above: readonly string[]): Row[] {
  const object = inside(document, schema, depth === 0 || open)
  const name = schema.$ref ?? schema.items?.$ref
  if (!object || depth > deepest || (name !== undefined && above.includes(name))) return []
  return Object.entries(object.properties ?? {}).flatMap(([field, inner]) => [
    { name: field, depth, schema: inner, required: object.required?.includes(field) ?? false },
    ...rowsOf(document, inner, open, depth + 1, name === undefined ? above : [...above, name]),
  ])
}

/** The object whose fields are listed under a row: the schema itself, the one it names, or its list item. */
function inside(document: Document, schema: Schema, follow: boolean): Schema | undefined {
  if (schema.$ref !== undefined) return follow ? inside(document, find(document, schema.$ref) ?? {}, follow) : undefined
  if (schema.type === 'array' && schema.items) return inside(document, schema.items, follow)
  return schema.properties ? schema : undefined
}

const find = (document: Document, reference: string): Schema | undefined =>
  document.components.schemas[nameOf(reference)]

/** The roles keep it a table for screen readers where a narrow screen stacks its cells. */
function table(head: string, rows: readonly Row[]): Html {
  return html`<table role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${head}</th><th role="columnheader" scope="col">Type</th><th role="columnheader" scope="col">Meaning and limits</th></tr></thead>
<tbody role="rowgroup">${rows.map(rowView)}</tbody></table>`
}

const rowView = ({ name, depth, schema, required, note }: Row): Html =>
  html`<tr role="row" class="depth${depth}"><th role="rowheader" scope="row"><code>${name}</code>${required && html` <span class="required">required</span>`}</th><td role="cell">${typeOf(schema)}${note !== undefined && html` <span class="note">${note}</span>`}</td><td role="cell">${meaningOf(schema)}</td></tr>
`

const meaningOf = (schema: Schema): Html =>
  html`${schema.deprecated && html`<span class="deprecated">deprecated</span> `}${schema.description !== undefined && prose(schema.description)}${limitsOf(schema)}`

/** The type of the value, in a few words; named schemas are links. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return schemaLink(nameOf(schema.$ref))
  if (schema.anyOf) return joined(schema.anyOf.map(typeOf), html` or `)
  if (schema.type === 'array') return html`list of ${schema.items ? typeOf(schema.items) : 'anything'}`
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return html`object of ${typeOf(schema.additionalProperties)}`
  const format = typeof schema.format === 'string' ? ` (${schema.format})` : ''
  return html`${(schema.type ?? 'anything') + format}`
}

export const schemaLink = (name: string): Html => html`<a href="#schema-${name}">${name}</a>`

const number = (value: unknown): string => (typeof value === 'number' ? value.toLocaleString('en-US') : String(value))

/** Each limit that a schema may have, in words; limits that the description already states are left out. */
const spoken: readonly (readonly [keyword: string, (value: unknown, schema: Schema) => string | undefined])[] = [
  ['minLength', (least) => (least === 1 ? 'Not empty.' : `At least ${number(least)} characters.`)],
  [
    'maxLength',
    (most, { description = '' }) =>
      /bytes of UTF-8/.test(description) ? undefined : `At most ${number(most)} characters.`,
  ],
  ['pattern', (pattern) => `Form \`${pattern}\`.`],
  ['minimum', (least) => `At least ${number(least)}.`],
  ['maximum', (most) => `At most ${number(most)}.`],
  ['minItems', (least) => `At least ${number(least)} ${least === 1 ? 'item' : 'items'}.`],
  ['maxItems', (most) => `At most ${number(most)} items.`],
  ['maxProperties', (most) => `At most ${number(most)} members.`],
]

function limitsOf(schema: Schema): Html {
  const words = spoken.flatMap(([keyword, says]) =>
    schema[keyword] === undefined ? [] : (says(schema[keyword], schema) ?? []),
  )
  const values =
    schema.enum &&
    html` One of ${joined(
      schema.enum.map((value) => html`<code>${value}</code>`),
      html`, `,
    )}.`
  const accepted = schema['x-accepted']
  return html`${words.length > 0 && html` ${prose(words.join(' '))}`}${values}${
    accepted && html`<details><summary>All ${accepted.length} codes</summary><p>${accepted.join(', ')}</p></details>`
  }`
}
