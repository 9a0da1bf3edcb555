/**
 * Generates the table of the console's forms: how the fields of a body are written, without the
 * schemas and their library.
 */
import { consoleEndpoints } from './console-endpoints.ts'
import type { Endpoint } from './endpoints/row.ts'
import { endpoints } from './endpoints.ts'

/** The calls that people fill in a form for. A change takes the fields of what it changes. */
const calls = [
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
  const rows = calls.map((name) => {
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
