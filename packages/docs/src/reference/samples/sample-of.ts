/**
 * A realistic value of a schema, always the same one. What the schema says itself comes first
 * (`examples`, `default`, `const`), then the table of values by name, then the form of the schema.
 */
import { sampleIds } from './ids.ts'
import { answerFields, bodyFields, leftOut } from './shown-fields.ts'
import { sampleValues } from './values.ts'

type Schema = {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly propertyNames?: Schema
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly language?: boolean
  readonly time?: boolean
}

export type SampleOptions = {
  /** The name of the field that holds the value. */
  readonly field?: string
  /** The title of the object that has the field. */
  readonly of?: string
  /** `body`: the required fields and a few more. `answer`: nearly all of them. */
  readonly as?: 'body' | 'answer'
}

export function sampleOf(given: object, options: SampleOptions = {}): unknown {
  const schema = given as Schema
  const said = schema.examples?.[0] ?? schema.default ?? schema.const
  if (said !== undefined) return said
  const known = knownValue(schema, options)
  if (known !== undefined) return known
  // Of several forms the last is the simplest; of a scalar, the first is the usual one.
  if (schema.anyOf)
    return sampleOf(
      (schema.type === undefined && lastObject(schema.anyOf)) || firstOf(schema.anyOf),
      options,
    )
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'array')
    return schema.items ? [sampleOf(schema.items, { ...options, field: '' })] : []
  if (schema.type === 'object') return objectOf(schema, options)
  if (schema.type === 'boolean') return false
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'null') return null
  return textOf(schema)
}

const lastObject = (forms: readonly Schema[]): Schema | undefined =>
  forms.every(({ type }) => type === 'object' || type === 'array')
    ? forms.findLast(
        ({ type, properties }) =>
          type === 'object' && properties && Object.keys(properties).length > 0,
      )
    : undefined

const firstOf = (forms: readonly Schema[]): Schema => forms[0] ?? {}

function knownValue(schema: Schema, { field = '', of = '' }: SampleOptions): unknown {
  for (const name of [`${of}.${field}`, field]) {
    const value = Object.hasOwn(sampleValues, name) ? sampleValues[name] : undefined
    if (value !== undefined && fits(schema, value)) return value
  }
  return undefined
}

/** The table has a value for one meaning of a name; in this schema the name may have another. */
function fits(schema: Schema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((form) => fits(form, value))
  if (schema.enum) return schema.enum.includes(value)
  if (schema.type === 'array')
    return Array.isArray(value) && value.every((item) => !schema.items || fits(schema.items, item))
  if (schema.type === 'object')
    return isObject(value) && (schema.required ?? []).every((name) => name in value)
  if (schema.type === 'integer')
    return Number.isInteger(value) && Number(value) >= (schema.minimum ?? 0)
  if (schema.type !== 'string') return typeof value === schema.type
  if (typeof value !== 'string') return false
  if (schema.format === 'date-time') return value.includes('T')
  if (schema.format === 'date') return /^\d{4}-\d\d-\d\d$/.test(value)
  return schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function objectOf(schema: Schema, { as = 'answer' }: SampleOptions): unknown {
  const { title = '', properties = {}, required = [] } = schema
  const optional = as === 'body' ? (bodyFields[title] ?? []) : answerFields[title]
  const hidden = as === 'body' ? [] : (leftOut[title] ?? [])
  const shows = (name: string, field: Schema): boolean =>
    required.includes(name) ||
    (!hidden.includes(name) &&
      !isAlias(field) &&
      (optional === undefined || optional.includes(name)))
  const entries = Object.entries(properties)
    .filter(([name, field]) => shows(name, field))
    .map(([name, field]) => [name, sampleOf(field, { field: name, of: title, as })])
  if (entries.length > 0 || typeof schema.additionalProperties !== 'object')
    return Object.fromEntries(entries)
  const name = schema.propertyNames ? String(sampleOf(schema.propertyNames)) : 'name'
  return { [name]: sampleOf(schema.additionalProperties, { as }) }
}

/** Whether the field is an alias. Responses have both spellings. */
const isAlias = ({ description = '' }: Schema): boolean => description.startsWith('The same as ')

function textOf({ format, pattern, language, time, minLength = 0, maxLength }: Schema): string {
  if (format === 'date-time') return '2026-03-02T09:15:00.000Z'
  if (format === 'date' || time) return '2026-03-02'
  if (format === 'uuid') return sampleIds.fmsFileId
  if (format === 'uri') return 'https://hub.example.com/'
  if (language) return 'en-US'
  for (const text of [
    'text',
    '1',
    '0.12',
    'EUR',
    'acme-cms',
    sampleIds.jobId,
    sampleIds.requestId,
    'ada@example.org',
  ])
    if (
      text.length >= minLength &&
      text.length <= (maxLength ?? text.length) &&
      fits({ type: 'string', ...(pattern && { pattern }) }, text)
    )
      return text
  return ''
}
