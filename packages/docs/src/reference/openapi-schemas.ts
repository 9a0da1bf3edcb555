/**
 * Turns one of our schemas into one for an OpenAPI 3.1 document: a titled schema becomes a
 * component of that name, and our own keywords become standard ones or part of the description.
 */

import { formSentences, languages, storable } from '@dragoman/contract'
import { wordsOf } from './field-words/index.ts'

export type Json = { [key: string]: unknown }
export type Components = Record<string, Json>

/** The keywords that only the server's validator knows; the document contains none of them. */
export const ownKeywords = [
  'maxBytes',
  'maxCodePoints',
  'notBlank',
  'language',
  'time',
  'maxJsonBytes',
  'maxDepth',
  'denyNull',
  'aliases',
] as const

/** `where` is the title of the schema that has this one as a field or an item. */
export function schemaOf(schema: unknown, components: Components, where = ''): Json {
  const { title, ...rest } = schema as Json
  if (typeof title !== 'string') return translate(rest, components, where)
  const same = typeof rest.description === 'string' && rest.description.startsWith('The same as ')
  const { denyNull: _, ...named } = rest
  if (same) delete named.description
  const component = translate(named, components, title)
  components[title] ??= component
  if (JSON.stringify(components[title]) !== JSON.stringify(component))
    throw new Error(`Two schemas are named ${title}`)
  const reference = { $ref: `#/components/schemas/${title}` }
  return same ? { ...reference, description: rest.description } : reference
}

/**
 * A field or parameter with its meaning: its own sentence, or that of the table under one of these
 * names, then its form and limits. The table is used only where the schema itself states no more
 * than the form.
 */
export function fieldOf(
  schema: unknown,
  components: Components,
  names: readonly [string, ...string[]],
): Json {
  const field = schemaOf(schema, components, names[0])
  const own = (schema as Json).description
  const isReference = '$ref' in field && field.description === undefined
  const words =
    isReference || own === undefined || formSentences.has(own) ? wordsOf(names) : undefined
  if (words === undefined) return field
  const said = typeof field.description === 'string' ? [field.description] : []
  return { ...field, description: [words, ...said].join(' ') }
}

function translate(schema: Json, components: Components, where: string): Json {
  const out: Json = {}
  const words: string[] = typeof schema.description === 'string' ? [schema.description] : []
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword in spoken) spoken[keyword]?.(value, out, words)
    else if (keyword === 'properties')
      out.properties = mapValues(value as Json, (one, name) =>
        fieldOf(one, components, [`${where}.${name}`, name]),
      )
    else if (keyword === 'anyOf')
      out.anyOf = (value as unknown[]).map((one) => schemaOf(one, components, where))
    else if (isNested(keyword, value)) out[keyword] = schemaOf(value, components, where)
    else if (keyword !== 'description' && value !== storable) out[keyword] = value
  }
  if (words.length > 0) out.description = words.join(' ')
  return { ...out, ...forGenerators(out) }
}

/** Generated clients need names for choices that are signs. */
function forGenerators({ enum: values }: Json): Json {
  const names = Array.isArray(values) ? values.map((value) => signs[String(value)]) : []
  return names.some((name) => name !== undefined) ? { 'x-enum-varnames': names } : {}
}

/** No name can be made of these values. */
const signs: Readonly<Record<string, string>> = {
  ',': 'COMMA',
  ';': 'SEMICOLON',
  '\t': 'TAB',
  '|': 'BAR',
}

type Speak = (value: unknown, out: Json, words: string[]) => void

const spoken: Record<string, Speak> = {
  maxBytes: (max, out, words) => {
    words.push(`At most ${max} bytes of UTF-8.`)
    out.maxLength ??= max
  },
  maxCodePoints: (max, out) => {
    out.maxLength = max
  },
  notBlank: (_value, _out, words) => {
    words.push('Not blank.')
  },
  language: (_value, out, words) => {
    words.push('An accepted language code, in upper or lower case, with `-` or `_`.')
    out['x-accepted'] = languages
  },
  time: (_value, _out, words) => {
    words.push('A date, or a date and time (UTC unless it has a time zone).')
  },
  maxJsonBytes: (max, _out, words) => {
    words.push(`At most ${max} bytes as JSON.`)
  },
  maxDepth: (max, _out, words) => {
    words.push(`At most ${max} levels deep.`)
  },
  denyNull: (_value, _out, words) => {
    words.push('Not null.')
  },
  aliases: (value, _out, words) => {
    const pairs = Object.entries(value as Record<string, string>).map(
      ([other, ours]) => `${other} for ${ours}`,
    )
    words.push(`Other spellings: ${pairs.join(', ')}.`)
  },
} satisfies Record<(typeof ownKeywords)[number], Speak>

function isNested(keyword: string, value: unknown): boolean {
  return (
    ['items', 'additionalProperties', 'propertyNames'].includes(keyword) &&
    typeof value === 'object'
  )
}

function mapValues(map: Json, make: (value: unknown, key: string) => Json): Json {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, make(value, key)]))
}
