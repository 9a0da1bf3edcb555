/**
 * Generates what a client needs of the endpoint table at run time, without the schemas and their
 * library: the calls, and how the fields of the console's forms are written.
 */

import { consoleEndpoints } from './console-endpoints.ts'
import type { Endpoint } from './endpoints/row.ts'
import { endpoints } from './endpoints.ts'

export function callTablePage(): string {
  return `/** Made by \`npm run generate\` from the endpoint tables; do not edit. A client loads this in place of the schemas. */
export type CallRow = {
  readonly call: \`\${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /\${string}\`
  readonly collection?: string
  readonly redirects?: true
  readonly takes?: string
  readonly gives?: true
}

export const callTable: Readonly<Record<string, CallRow>> = {
${linesOf(endpoints)}
}

/** Calls that only the console makes. */
export const consoleCallTable: Readonly<Record<string, CallRow>> = {
${linesOf(consoleEndpoints)}
}
`
}

function linesOf(table: Readonly<Record<string, Endpoint>>): string {
  const rows = Object.entries(table).map(([name, row]) => {
    const members = [
      `call: '${row.call}'`,
      ...(row.collection === undefined ? [] : [`collection: '${row.collection}'`]),
      ...(row.redirects ? ['redirects: true'] : []),
      ...(row.takes ? [`takes: '${row.takes[0]}'`] : []),
      ...(row.gives ? ['gives: true'] : []),
    ]
    const line = `  ${name}: { ${members.join(', ')} },`
    return line.length <= 100
      ? line
      : `  ${name}: {\n${members.map((one) => `    ${one},\n`).join('')}  },`
  })
  return rows.join('\n')
}

/** The calls that people fill in a form for. A change takes the fields of what it changes. */
const formCalls = [
  'createProvider',
  'createClient',
  'createPerson',
  'createAnalysisCode',
  'changeAnalysisLevel',
  'createListenerFor',
  'createProviderListenerFor',
]

type Schema = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

export function formTablePage(): string {
  const table: Readonly<Record<string, Endpoint>> = { ...endpoints, ...consoleEndpoints }
  const rows = formCalls.map((name) => {
    const fields = fieldsOf((table[name]?.body ?? {}) as Schema)
    return `  ${name}: {\n${fields.map(([field, kind]) => `    ${field}: '${kind}',\n`).join('')}  },\n`
  })
  return `/**
 * Made by \`npm run generate\` from the schemas of the contract; do not edit. How each field of a form
 * is written; a required one ends with an exclamation mark.
 */
export type FieldKind = 'text' | 'number' | 'flag' | 'list'

export const formTable = {
${rows.join('')}} as const satisfies Record<string, Record<string, FieldKind | \`\${FieldKind}!\`>>
`
}

/** Fields of an object inside the body have a path; a form writes no lists of objects. */
function fieldsOf({ properties = {}, required = [] }: Schema, above = ''): [string, string][] {
  return Object.entries(properties).flatMap(([name, schema]): [string, string][] => {
    const path = above + name
    if (schema.properties) return fieldsOf(schema, `${path}.`)
    const kind = kindOf(schema)
    const field = above === '' ? name : `'${path}'`
    return kind ? [[field, required.includes(name) ? `${kind}!` : kind]] : []
  })
}

function kindOf({ type, items }: Schema): string | undefined {
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'flag'
  return type === 'array' && items?.type === 'string' ? 'list' : undefined
}
