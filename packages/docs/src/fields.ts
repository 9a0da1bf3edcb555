/**
 * The fields of a JSON schema as a list: name, type, whether it is required, meaning and limits.
 * Fields of nested objects can be expanded in place. Every field has its own id, so that it can be
 * linked to.
 */

import type { SiteContext } from './context.ts'
import { type Document, nameOf, type Parameter, type Schema } from './document.ts'
import { escapeHtml, type Html, html, joined, prose } from './html.ts'

/**
 * Nested objects are shown to this depth; deeper ones, and recursive ones, are links to their
 * schema.
 */
const deepest = 4

/** What a list of fields needs to know about its page. */
type FieldContext = Pick<SiteContext, 'document' | 'prefix' | 'news'>

type FieldRow = {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  readonly id: string
  readonly isNew: boolean
}

/** The fields of a body, a response or a named schema. `id` is the prefix of each field's id. */
export function fieldList(context: FieldContext, schema: Schema, id: string): Html {
  if (schema.anyOf?.some((form) => insideOf(context.document, form)))
    return html`${schema.anyOf.map((form, at) => html`<p>${at === 0 ? 'Either ' : 'Or '}${typeOf(context, form)}:</p>${fieldList(context, form, `${id}.${at + 1}`)}`)}`
  const object = insideOf(context.document, schema)
  if (!object) return html`<p>${typeOf(context, schema)} ${meaningOf(context, schema)}</p>`
  return listOf(context, object, id, { depth: 0, above: refsOf(schema) })
}

export const parameterList = (
  context: FieldContext,
  parameters: readonly Parameter[],
  id: string,
): Html =>
  html`<ul class="fields">${parameters.map(({ name, schema, required, description }) =>
    fieldView(
      context,
      {
        name,
        required: required === true,
        isNew: context.news.fields.has(schema),
        id: `${id}.${name}`,
        schema: { ...schema, ...(description === undefined ? {} : { description }) },
      },
      { depth: 0, above: [] },
    ),
  )}</ul>`

/** The depth of a list of fields, and the schemas around it. */
type Nesting = { readonly depth: number; readonly above: readonly string[] }

function listOf(context: FieldContext, object: Schema, id: string, nesting: Nesting): Html {
  const rows = Object.entries(object.properties ?? {}).map(
    ([name, schema]): FieldRow => ({
      name,
      schema,
      required: object.required?.includes(name) ?? false,
      isNew: context.news.fields.has(schema),
      id: `${id}.${name}`,
    }),
  )
  return html`<ul class="fields">${rows.map((row) => fieldView(context, row, nesting))}</ul>`
}

function fieldView(
  context: FieldContext,
  { name, schema, required, id, isNew }: FieldRow,
  nesting: Nesting,
) {
  const meaning = meaningOf(context, schema)
  return html`<li id="${id}"><div class="field"><a class="self" href="#${id}"><code>${name}</code></a> <span class="type">${typeOf(context, schema)}</span>${required && html` <span class="required">required</span>`}${schema.deprecated && html` <span class="deprecated">deprecated</span>`}${isNew && html` <span class="badge new">new</span>`}</div>
${meaning.markup !== '' && html`<div class="says">${meaning}</div>`}${nestedView(context, schema, id, nesting)}</li>
`
}

function nestedView(context: FieldContext, schema: Schema, id: string, { depth, above }: Nesting) {
  const names = refsOf(schema)
  const object = insideOf(context.document, schema)
  const count = Object.keys(object?.properties ?? {}).length
  if (!object || count === 0 || depth >= deepest || names.some((name) => above.includes(name)))
    return undefined
  return html`<details><summary>${count} ${count === 1 ? 'field' : 'fields'}<span class="unseen"> of ${id.slice(id.indexOf('.') + 1)}</span></summary>${listOf(context, object, id, { depth: depth + 1, above: [...above, ...names] })}</details>`
}

/**
 * The object whose fields are shown below a field: the schema itself, the one it refers to, or the
 * item of its list.
 */
export function insideOf(document: Document, schema: Schema): Schema | undefined {
  if (schema.$ref !== undefined)
    return insideOf(document, document.components.schemas[nameOf(schema.$ref)] ?? {})
  if (schema.type === 'array' && schema.items) return insideOf(document, schema.items)
  return schema.properties ? schema : undefined
}

const refsOf = (schema: Schema): string[] =>
  [schema.$ref, schema.items?.$ref].filter((one) => one !== undefined)

/** The type of the value, in a few words; named schemas are links. */
export function typeOf(context: FieldContext, schema: Schema): Html {
  if (schema.$ref !== undefined) return schemaLink(context.prefix, nameOf(schema.$ref))
  if (schema.anyOf)
    return joined(
      schema.anyOf.map((one) => typeOf(context, one)),
      html` or `,
    )
  if (schema.type === 'array')
    return html`list of ${schema.items ? typeOf(context, schema.items) : 'anything'}`
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return html`object of ${typeOf(context, schema.additionalProperties)}`
  const format = typeof schema.format === 'string' ? ` (${schema.format})` : ''
  return html`${(schema.type ?? 'anything') + format}`
}

export const schemaLink = (prefix: string, name: string): Html =>
  html`<a href="${prefix}/docs/schemas/${name}">${name}</a>`

/** Description and limits; for a named schema without a description here, its own. */
function meaningOf({ document, prefix }: FieldContext, schema: Schema): Html {
  const named =
    schema.$ref === undefined ? undefined : document.components.schemas[nameOf(schema.$ref)]
  const description = schema.description ?? (named?.properties ? undefined : named?.description)
  const limits = limitsOf(named && !named.properties ? { ...named, ...schema } : schema, prefix)
  return joined(
    [description === undefined ? html`` : prose(description), limits].filter(isThere),
    html` `,
  )
}

const isThere = ({ markup }: Html): boolean => markup !== ''
const number = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString('en-US') : String(value)

/**
 * Each limit that a schema may have, in words; limits that the description already states are left
 * out.
 */
const spoken: readonly (readonly [
  keyword: string,
  (value: unknown, schema: Schema) => string | undefined,
])[] = [
  [
    'minLength',
    (least, { description = '' }) =>
      least !== 1
        ? `At least ${number(least)} characters.`
        : description.includes('Not blank')
          ? undefined
          : 'Not empty.',
  ],
  [
    'maxLength',
    (most, { description = '' }) =>
      description.includes('bytes of UTF-8') ? undefined : `At most ${number(most)} characters.`,
  ],
  ['pattern', (pattern) => `Form \`${pattern}\`.`],
  ['minimum', (least) => `At least ${number(least)}.`],
  ['maximum', (most) => `At most ${number(most)}.`],
  ['minItems', (least) => `At least ${number(least)} ${least === 1 ? 'item' : 'items'}.`],
  ['maxItems', (most) => `At most ${number(most)} items.`],
  ['maxProperties', (most) => `At most ${number(most)} members.`],
]

function limitsOf(schema: Schema, prefix: string): Html {
  const words = spoken.flatMap(([keyword, says]) =>
    schema[keyword] === undefined ? [] : (says(schema[keyword], schema) ?? []),
  )
  const values = schema.enum?.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(', ')
  const accepted = schema['x-accepted']
  return joined(
    [
      prose(words.join(' ')),
      values === undefined ? html`` : html`One of ${{ markup: values }}.`,
      accepted
        ? html`<a href="${prefix}/docs/schemas/LanguageCode">All ${accepted.length} codes</a>.`
        : html``,
    ].filter(isThere),
    html` `,
  )
}
