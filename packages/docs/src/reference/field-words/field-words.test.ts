import { describe, expect, it } from 'vitest'
import { openapi } from '../openapi.ts'
import { fieldWords } from './index.ts'

type Json = { [key: string]: unknown }
type Field = { readonly where: string; readonly description: unknown; readonly schema: Json }

const document = JSON.parse(JSON.stringify(openapi())) as Json
const { schemas: components } = document.components as { schemas: Record<string, Json> }

/** Every field of every schema, and every parameter, with its location. */
function* fieldsOf(value: unknown, where = '#'): Generator<Field> {
  if (typeof value !== 'object' || value === null) return
  const node = value as Json
  if (typeof node.properties === 'object' && !where.endsWith('/properties'))
    for (const [name, field] of Object.entries(node.properties as Record<string, Json>))
      yield { where: `${where}/${name}`, description: field.description, schema: field }
  if (typeof node.name === 'string' && typeof node.in === 'string')
    yield {
      where: `${where}/${node.name}`,
      description: node.description,
      schema: node.schema as Json,
    }
  for (const [key, inner] of Object.entries(node)) yield* fieldsOf(inner, `${where}/${key}`)
}

/** The enumeration or the type of a value, or of each value of a list; undefined for a union. */
function kindOf({ $ref, type, items }: Json): unknown {
  if (typeof $ref === 'string') {
    const { [$ref.split('/').at(-1) ?? '']: component = {} } = components
    return component.enum === undefined ? kindOf(component) : $ref
  }
  if (type === 'array') return kindOf(items as Json)
  return type === 'integer' ? 'number' : type
}

/** Sentences that only state the form or the limit of a value. */
const formOnly =
  /At most [\d,]+ (bytes of UTF-8|bytes as JSON|levels deep)\.|Not (blank|null)\.|Ten letters and digits\.|128 random bits, base64url\.|UTC with milliseconds\.|A language code, exactly as sent\.|An accepted language code, [^.]+\.|A date, or a date and time [^.]+\./g

describe('the fields of the OpenAPI document', () => {
  const fields = [...fieldsOf(document)]

  it('are all described', () => {
    expect(fields.length).toBeGreaterThan(1_500)
    expect(
      fields.filter(({ description }) => typeof description !== 'string').map(({ where }) => where),
    ).toEqual([])
  })

  it('are described by what they mean, not by their form and limits alone', () => {
    const meant = (description: unknown) => String(description).replace(formOnly, '').trim()
    expect(
      fields.filter(({ description }) => meant(description).length < 8).map(({ where }) => where),
    ).toEqual([])
  })

  it('use every sentence of the table', () => {
    const said = new Set(fields.map(({ description }) => String(description)))
    const unused = Object.entries(fieldWords).filter(
      ([, words]) => ![...said].some((one) => one.startsWith(words)),
    )
    expect(unused.map(([name]) => name)).toEqual([])
  })

  it('share a sentence by their name alone only if they have the same kind of value', () => {
    const mixed = Object.entries(fieldWords).filter(([name, words]) => {
      const named = fields.filter(({ where }) => where.endsWith(`/${name}`))
      const sharing = named.filter(({ description }) => String(description).startsWith(words))
      const kinds = new Set(
        sharing.map(({ schema }) => kindOf(schema)).filter((kind) => kind !== undefined),
      )
      return !name.includes('.') && kinds.size > 1
    })
    expect(mixed.map(([name]) => name)).toEqual([])
  })

  it('have sentences that begin and end like sentences', () => {
    expect(
      Object.values(fieldWords).filter((words) => !words.endsWith('.') || /^[ ,.]/.test(words)),
    ).toEqual([])
  })
})

describe('the OpenAPI document', () => {
  it('stays small enough to load in one go', () => {
    expect(JSON.stringify(document).length).toBeLessThan(1_100_000)
  })
})
